"""
The third set: twenty rare stalls under light loads, with other mechanisms, sizes and places than in plants.py and plants2.py. The
expected explanations were written down before any explanation of these stalls was examined.

The brokers, the load and the witness leave most of the host's CPU idle, so that their own noise does not hide a stall.
"""

import contextlib
import dataclasses
import glob
import os
import signal
import subprocess
import sys
import threading
import time

from confluent_kafka import Consumer

import plants
import world
from plants import (IN_BROKER, TOPIC, WARMUP_SECONDS, DIRTY, Truth, at_broker, awaited, delayed, prepare_transaction,  # noqa: F401
                    prime_brokers, put, keep_ratios, stopped_threads, threads, with_hand)
from plants2 import Plant as Planted, Rules, place, prime_generator, two  # noqa: F401
from world import CREATE, FORCE, RENAME, TRUNCATE, WRITE

RATE = 100
world.Witness.EVERY = 0.05
# The optimizing compiler takes half a core during such a short run.
os.environ["PLIMSOLL_JAVA_OPTS"] = "-XX:+UseParallelGC -XX:-UseAdaptiveSizePolicy -Xms2g -Xmn768m -Xmx2g -XX:TieredStopAtLevel=1"
# Rate (scaled by RATE / 2000), size, acks and members of the clean runs.
CLEAN = [(2000, 400, "all", 1), (3000, 150, "1", 2), (1500, 1500, "all", 1), (4000, 100, "all", 3), (2000, 800, "1", 1),
         (2500, 250, "all", 2), (1500, 4000, "all", 1), (3500, 500, "1", 4), (2500, 1000, "all", 6), (4000, 300, "all", 1)]


def light(made, brokers=2, replication=3):
    """Reduces brokers, replicas and requests: a request costs as much CPU as many records, a follower as much as a leader."""
    made["lab"]["brokers"] = brokers
    for topic in made["topics"]:
        topic["replication"] = min(topic["replication"], brokers)
    made["topics"][0]["replication"] = min(replication, brokers)
    made["producers"][0]["config"].setdefault("linger.ms", 20)
    return made


def scenario(*given, **named):
    return light(plants.scenario(*given, **named))


@dataclasses.dataclass
class Plant(Planted):
    rate: int = RATE
    # Every run of the set records exact times of requests.
    options: list = dataclasses.field(default_factory=lambda: ["--observe", "requests"])
    brokers: int = 2
    replication: int = 3
    partitions: int = 6
    engine: str = "client"
    reader: str = "client"

    def scenario(self):
        made = light(super().scenario(), self.brokers, self.replication)
        made["topics"][0]["partitions"] = self.partitions
        made["producers"][0]["engine"] = self.engine
        made["consumers"][0]["engine"] = self.reader
        return made


def flush(w):
    broker = w.any_broker()
    begin, end, path = delayed(w, broker, FORCE, "/%s-%d/" % (TOPIC, w.led(broker)), 650, "a forced write",
                               lambda path: path.endswith(".log"))
    return at_broker(begin, end, broker, file=os.path.basename(path))


def slow_roll(w):
    """Delays each of three file operations by 180 ms while a log rolls."""
    broker = w.any_broker()
    shim = w.shim(broker)
    before = len(shim.delayed())
    shim.set(CREATE | TRUNCATE, 180, 3, "/%s-%d/" % (TOPIC, w.led(broker)))
    world.until(lambda: len(shim.delayed()) >= before + 3, "a new segment", 12, 0.01)
    rows = shim.delayed()[before:]
    if rows[2][1] - rows[0][0] > 0.8:
        raise world.Failure("not one roll: %s" % rows)
    return at_broker(rows[0][0], rows[2][1], broker, files=[os.path.basename(row[2]) for row in rows])


def prepare_dumps(w):
    w.broker = w.any_broker()
    pid = w.brokers.pids[w.broker]
    w.brokers.ask(pid, "VM.set_flag", "HeapDumpPath", os.path.join(w.work, "tmp"))
    w.brokers.ask(pid, "VM.set_flag", "HeapDumpBeforeFullGC", "true")


def collection_with_dump(w):
    begin, end, answer = w.brokers.ask(w.brokers.pids[w.broker], "GC.run")
    dumps = glob.glob(os.path.join(w.work, "tmp", "*.hprof"))
    return at_broker(begin, end, w.broker, answer=answer[-40:], bytes=[os.path.getsize(path) for path in dumps])


def slow_collection(w):
    """Runs a full collection of the generator, with its collector limited to 12 % of a core."""
    group = w.group("cpu", "collector")
    collectors = threads(w.run.pid, "GC Thread") + threads(w.run.pid, "VM Thread")
    for task in collectors:
        group.add(task)
    group.write("cpu.cfs_quota_us", 12000)
    begin, end, answer = w.brokers.ask(w.run.pid, "GC.run")
    group.write("cpu.cfs_quota_us", -1)
    return Truth(begin, end, [], r"generator|worker|plimsoll|local", {"threads": len(collectors), "answer": answer[-40:]})


def fenced(w):
    """Stops the heartbeats of a broker. The controller moves its leaders to other brokers while it still serves requests."""
    controller = int(1e6 * w.hand().do("controller")[0])
    broker = w.rng.choice([b for b in w.brokers.ids if b != controller])
    pid = w.brokers.pids[broker]
    channels = threads(pid, "broker-%d-to-con" % broker)
    if not channels:
        raise world.Failure("broker %d has no thread for its controller" % broker)
    silence = threading.Thread(target=stopped_threads, args=(w, pid, channels, 4))
    silence.start()
    begin = end = time.time()
    while broker in w.witness.of(TOPIC):
        begin, end = end, time.time()
        if not silence.is_alive():
            raise world.Failure("broker %d stayed a leader" % broker)
        time.sleep(0.02)
    end = time.time()
    silence.join()
    return Truth(begin, end, [broker], r"%s|%s|controller" % (place(broker), TOPIC), {"controller": controller})


def follower_write(w):
    """Delays a write of a follower by 2.6 s, during which it does not fetch. The leader removes it from the ISR."""
    leader, follower = two(w)
    shim, partition = w.shim(follower), w.led(leader)
    before = len(shim.delayed())
    topics = w.witness.admin
    shim.set(WRITE, 2600, 1, "/%s-%d/" % (TOPIC, partition))
    world.until(lambda: follower not in topics.list_topics(TOPIC, 5).topics[TOPIC].partitions[partition].isrs, "the smaller ISR", 8, 0.02)
    end = time.time()
    begin, written, path = awaited(shim, before, "a write of a follower")
    return Truth(begin, end, [leader], place(leader, follower) + "|" + TOPIC,
                 {"follower": follower, "writtenAfter": round(written - begin, 3), "file": os.path.basename(path)})


def answers_lost(w):
    """Drops all packets that leave the listener of a broker for 450 ms. Requests still arrive."""
    broker = w.any_broker()
    rules = Rules(w)
    begin = time.time()
    rules.add("--sport", w.brokers.ports[broker][0], "-j", "DROP")
    time.sleep(max(0, begin + 0.45 - time.time()))
    rules.remove()
    return at_broker(begin, time.time(), broker)


def quota(w):
    """Sets a quota of 0.05 % of the request handlers' time for 2.5 s."""
    begin, _ = w.hand().do("quota", 0.05, "request_percentage")
    w.undo.callback(w.hand().do, "quota", 0, "request_percentage")
    time.sleep(2.5)
    _, end = w.hand().do("quota", 0, "request_percentage")
    w.undo.pop_all()
    return Truth(begin, end, w.brokers.ids, r"broker", {})


def new_member(w):
    """Another program joins a group of the newer protocol, holds partitions for 1.2 s, and leaves."""
    consumer = Consumer({"bootstrap.servers": w.brokers.bootstrap, "group.id": "payments", "log_level": 0, "group.protocol": "consumer",
                         "enable.auto.commit": False, "auto.offset.reset": "latest"})
    taken = []

    def assigned(_consumer, partitions):
        consumer.incremental_assign(partitions)
        consumer.pause(partitions)
        taken.extend(partitions)

    begin = time.time()
    consumer.subscribe([TOPIC], on_assign=assigned)
    world.until(lambda: consumer.poll(0.02) or taken, "partitions", 12, 0)
    at = time.time()
    while time.time() < at + 1.2:
        consumer.poll(0.05)
    consumer.close()
    return Truth(begin, time.time(), [], r"payments|consumers|group",
                 {"taken": sorted(p.partition for p in taken), "after": round(at - begin, 3)})


def two_on_a_core(w):
    w.pair = two(w)
    for broker, pid in w.brokers.pids.items():
        for task in os.listdir("/proc/%d/task" % pid):
            with contextlib.suppress(OSError):
                os.sched_setaffinity(int(task), {0 if broker in w.pair else 1})
    # Restored at the end, because later runs inherit the cores of this process.
    w.undo.callback(os.sched_setaffinity, 0, os.sched_getaffinity(0))
    os.sched_setaffinity(0, {1})


BURN = """
import os, time
os.sched_setaffinity(0, {0})
os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(20))
print(time.time(), flush=True)
end = time.monotonic() + 0.75
while time.monotonic() < end:
    pass
print(time.time(), flush=True)
"""


def realtime(w):
    done = subprocess.run([sys.executable, "-c", BURN], capture_output=True, text=True, timeout=30)
    if done.returncode:
        raise world.Failure(done.stderr[-300:])
    begin, end = map(float, done.stdout.split())
    return Truth(begin, end, w.pair, place(*w.pair) + "|host")


SCATTER = """
import os, random, sys, time
file = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)
end = time.monotonic() + 1.6
while time.monotonic() < end:
    os.pwrite(file, os.urandom(4096), random.randrange(1 << 18) << 12)
os.unlink(sys.argv[1])
"""


def writeback(w):
    """Other programs write single pages all over their files, with a limit of 512 KB of dirty pages."""
    keep_ratios(w)
    begin = time.time()
    put(DIRTY[1], 256 << 10)
    put(DIRTY[0], 512 << 10)
    writers = [subprocess.Popen([sys.executable, "-c", SCATTER, os.path.join(w.work, "scattered-%d" % i)]) for i in range(4)]
    time.sleep(1.6)
    w.undo.close()
    end = time.time()
    for each in writers:
        each.wait(60)
    return Truth(begin, end, w.brokers.ids, r"host|broker|disk")


def grouped(w, controller, name, *brokers):
    group = w.group(controller, name)
    for broker in brokers:
        for task in os.listdir("/proc/%d/task" % w.brokers.pids[broker]):
            with contextlib.suppress(OSError):
                group.add(task)
    return group


def frozen(w):
    """Freezes a broker for 500 ms, like a paused container."""
    broker = w.any_broker()
    group = grouped(w, "freezer", "container", broker)
    begin = time.time()
    group.write("freezer.state", "FROZEN")
    time.sleep(0.5)
    group.write("freezer.state", "THAWED")
    return at_broker(begin, time.time(), broker)


def prepare_coordinator(w):
    prepare_transaction(w)
    partitions = w.producer.list_topics("__transaction_state", 10).topics["__transaction_state"].partitions
    number = 0
    for letter in "settlement":
        number = (31 * number + ord(letter)) & 0xFFFFFFFF
    w.partition = (number & 0x7FFFFFFF) % len(partitions)
    w.broker = partitions[w.partition].leader


def coordinator(w):
    """Delays a write of another program's transaction state by 600 ms, which blocks the only request handler of a broker."""
    shim = w.shim(w.broker)
    before = len(shim.delayed())
    shim.set(WRITE, 600, 1, "/__transaction_state-%d/" % w.partition)
    w.producer.begin_transaction()
    w.producer.produce("audit", b"settled")
    begin, end, path = awaited(shim, before, "the state of the transaction")
    w.producer.abort_transaction(10)
    return at_broker(begin, end, w.broker, file=path.split("/")[-2])


def cleaner(w):
    """Delays the renames of three files that the cleaner has replaced, during which appends are blocked."""
    broker = w.any_broker()
    shim = w.shim(broker)
    for _ in range(5):
        before = len(shim.delayed())
        shim.set(RENAME, 150, 3, ".deleted")
        world.until(lambda: len(shim.delayed()) >= before + 3, "replaced segments", 12, 0.01)
        rows = shim.delayed()[before:]
        if rows[2][1] - rows[0][0] < 0.6 and all("/%s-" % TOPIC in row[2] for row in rows):
            return at_broker(rows[0][0], rows[2][1], broker, files=["/".join(row[2].split("/")[-2:]) for row in rows])
    raise world.Failure("other files were delayed: %s" % [row[2] for row in rows])


def sources(port, *pids):
    """Returns the local ports of the connections from these processes to a port."""
    found = subprocess.run(["ss", "-tnpH", "state", "established", "dport", "=", str(port)], capture_output=True, text=True, check=True).stdout
    return [line.split()[2].rsplit(":", 1)[1] for line in found.split("\n") if any("pid=%d," % pid in line for pid in pids)]


def reset(port, ours):
    which = " or ".join("sport = :" + source for source in ours)
    subprocess.run(["ss", "-K", "-t", "-n", "dport = :%s and ( %s )" % (port, which)], stdout=subprocess.DEVNULL, check=True)


def silent_cut(w):
    """Drops all packets of the clients' connections to a broker for 0.8 s, then resets them, like a firewall without state."""
    broker = w.any_broker()
    port = str(w.brokers.ports[broker][0])
    ours = sources(port, w.run.pid, os.getpid())
    rules = Rules(w)
    begin = time.time()
    for ports, to in ("--sports", "--dport"), ("--dports", "--sport"):
        rules.add(to, port, "-m", "multiport", ports, ",".join(ours), "-j", "DROP")
    time.sleep(max(0, begin + 0.8 - time.time()))
    reset(port, ours)
    end = time.time()
    rules.remove()
    return at_broker(begin, end, broker, connections=len(ours))


def throttled(w):
    """Limits all brokers together to 4 % of a core for 1.2 s, like the CPU quota of one container."""
    group = grouped(w, "cpu", "brokers", *w.brokers.ids)
    begin = time.time()
    group.write("cpu.cfs_quota_us", 4000)
    time.sleep(1.2)
    group.write("cpu.cfs_quota_us", -1)
    end = time.time()
    with open(os.path.join(group.path, "cpu.stat")) as file:
        return Truth(begin, end, w.brokers.ids, r"broker|host", dict(line.split() for line in file))


def members_pause(w):
    readers = threads(w.run.pid, "plimsoll-read")
    if len(readers) < 3:
        raise world.Failure("%d threads read" % len(readers))
    begin, end = stopped_threads(w, w.run.pid, w.rng.sample(readers, 2), 0.7)
    return Truth(begin, end, [], r"consumers|group|generator|payments", {"threads": len(readers)})


def aborted(w):
    """A program writes to all brokers in a transaction, and aborts it after 1.3 s."""
    answered = []
    w.producer.begin_transaction()
    for broker in w.brokers.ids:
        w.producer.produce(TOPIC, b"settled", key=b"w1", partition=w.led(broker),
                           on_delivery=lambda *given: answered.append(time.time()))
    world.until(lambda: w.producer.poll(0.02) is not None and len(answered) == len(w.brokers.ids), "the records", 10, 0)
    time.sleep(max(0, answered[0] + 1.3 - time.time()))
    w.producer.abort_transaction(10)
    return Truth(answered[0], time.time(), w.brokers.ids, "broker|" + TOPIC)


def slow_disk(w):
    """Delays each write to one of a broker's two disks by 220 ms for 2 s."""
    broker = w.any_broker()
    at, = glob.glob(os.path.join(glob.escape(w.brokers.directories[broker]), "**", "%s-%d" % (TOPIC, w.led(broker))), recursive=True)
    disk = os.path.basename(os.path.dirname(at))
    shim = w.shim(broker)
    before = len(shim.delayed())
    begin = time.time()
    shim.set(WRITE | FORCE, 220, 1_000_000, "/%s/" % disk)
    time.sleep(2)
    shim.set(0)
    end = time.time()
    time.sleep(0.3)
    return at_broker(begin, end, broker, disk=disk, delayed=len(shim.delayed()) - before)


def controller_shut_down(w):
    controller = int(1e6 * w.hand().do("controller")[0])
    begin = time.time()
    os.kill(w.brokers.pids[controller], signal.SIGTERM)
    world.until(lambda: controller not in w.witness.of(TOPIC), "other leaders", 20, 0.02)
    end = time.time()
    time.sleep(4)
    return Truth(begin, end, [controller], place(controller) + "|controller|" + TOPIC)


PLANTS = [
    Plant("flush-one-ack", "one forced write takes 650 ms at a leader whose records need no other acknowledgment", ["append"], ["flush"],
          flush, topic={"flush.messages": 60}, producer={"acks": "1"}, engine="raw", size=2000, rate=200, witness=TOPIC, shim=True),
    Plant("slow-roll", "each of three changes of files takes 180 ms while an unreplicated log rolls by its age", ["append"], ["logRoll"],
          slow_roll, topic={"segment.ms": 3000}, replication=1, rate=150, witness=TOPIC, shim=True),
    Plant("dump-before-gc", "one broker dumps its heap before a full collection, in the same pause", IN_BROKER + ["fetch"],
          ["gc", "safepoint"], collection_with_dump, lambda w: (prime_brokers(w), prepare_dumps(w)),
          lab={"jvm": {"collector": "Parallel"}}, producer={"acks": "1"}, size=1500, rate=100),
    Plant("slow-collection", "a full collection of the load generator, whose collector gets 12 % of a core",
          ["send", "produce", "batch", "poll"], ["gc", "safepoint"], slow_collection, prime_generator, engine="raw", rate=300, size=100,
          seen="nowhere"),
    Plant("heartbeats-lost", "a broker sends its controller no heartbeats, and loses its leaders while it serves",
          ["retry", "batch", "request", "network"], ["leaderChange", "brokerDown"], fenced, with_hand, brokers=3, rate=100, size=1000,
          lab={"config": {"broker.session.timeout.ms": "1500", "broker.heartbeat.interval.ms": "300"}},
          producer={"retry.backoff.ms": 300}, witness=TOPIC, ends="between", begins="between", after=9, seconds=18),
    Plant("follower-write", "one write of a follower takes 2.6 s, and its leader drops it from the ISR", ["replication"],
          ["isrShrink", "fileStall"], follower_write, lab={"config": {"replica.lag.time.max.ms": "1000"}}, rate=150, size=200, keys=50,
          brokers=3, witness=TOPIC, shim=True, ends="between", after=8),
    Plant("answers-lost", "for 450 ms, no packet leaves one broker's listener",
          ["network", "request", "response", "retry", "replication"], ["retransmit", "disconnect"], answers_lost, reader="raw", rate=120,
          size=1000, producer={"compression.type": "lz4"}, ends="between"),
    Plant("request-quota", "a quota for the request handlers' time, removed after 2.5 s", ["throttle", "batch", "request"], ["quota"],
          quota, with_hand, rate=250, size=300, ends="between", begins="between", after=8),
    Plant("new-protocol-join", "another member joins a group of the newer protocol, takes partitions and leaves", ["poll", "fetch"],
          ["rebalance"], new_member, members=2, consumer={"group.id": "payments", "group.protocol": "consumer"}, rate=120,
          lab={"config": {"group.consumer.heartbeat.interval.ms": "500", "group.consumer.min.heartbeat.interval.ms": "500"}},
          side="consume", seen="nowhere", after=10, seconds=20),
    Plant("realtime-pair", "a real-time program on the core of two of three brokers for 750 ms", IN_BROKER + ["fetch"],
          ["cpuPressure"], realtime, two_on_a_core, brokers=3, producer={"acks": "1"}, rate=100, size=200),
    Plant("scattered-writeback", "other programs change single pages all over their files while few pages may be dirty",
          ["append", "replication", "queue", "request"], ["writeback", "ioPressure", "diskBusy"], writeback, rate=100, size=8000,
          pad=6000, ends="between"),
    Plant("broker-frozen", "one broker of an unreplicated topic is frozen for 500 ms, as a paused container", IN_BROKER + ["fetch"],
          ["processPause"], frozen, replication=1, producer={"acks": "1"}, engine="raw", rate=200, size=400),
    Plant("coordinator-write", "a transaction coordinator's only request handler waits 600 ms for the file of another program's state",
          ["queue", "replication"], ["handlersBusy", "fileStall"], coordinator, prepare_coordinator, rate=120, size=600,
          lab={"config": {"num.io.threads": "1"}}, topics=[{"name": "audit", "partitions": 1, "replication": 1}], shim=True),
    Plant("cleaner-deletes", "each of three files that the log cleaner has replaced takes 150 ms to be renamed", ["append"],
          ["logCleaner"], cleaner, topic={"segment.ms": 1500, "cleanup.policy": "compact", "min.cleanable.dirty.ratio": 0.01},
          replication=1, partitions=2, size=1000, keys=100, lab={"config": {"log.cleaner.backoff.ms": "300"}}, witness=TOPIC,
          shim=True, after=8),
    Plant("silent-cut", "the clients' connections to one broker carry nothing for 800 ms and are then reset",
          ["retry", "batch", "request", "network", "response"], ["disconnect", "retransmit"], silent_cut, brokers=3, rate=100, size=250,
          keys=20, ends="between"),
    Plant("brokers-quota", "all brokers together get 4 % of a core for 1.2 s", IN_BROKER + ["fetch", "batch"], ["cgroupThrottle"],
          throttled, rate=150),
    Plant("members-pause", "the threads of two of three members stand still for 700 ms", ["poll"], ["consumerPause"], members_pause,
          members=3, rate=200, size=200, side="consume", seen="nowhere"),
    Plant("aborted", "a program aborts a transaction, which reached all brokers, after 1.3 s", ["fetch"], ["transactionAbort"], aborted,
          prepare_transaction, consumer={"isolation.level": "read_committed"}, members=2, rate=120, size=300, witness=TOPIC, reads=True,
          isolation="read_committed", seen="read", side="consume", ends="between"),
    Plant("one-of-two-disks", "each write to one of two disks of a broker takes 220 ms longer for 2 s",
          ["append", "replication", "request", "queue", "batch"], ["fileStall", "diskBusy", "ioPressure", "flush"], slow_disk,
          lab={"disks": 2}, rate=100, size=1200, witness=TOPIC, shim=True, ends="between"),
    Plant("controller-shut-down", "the active controller, a broker too, is shut down cleanly", ["retry", "batch", "request", "network"],
          ["controllerFailover", "brokerDown", "leaderChange", "disconnect"], controller_shut_down, with_hand,
          producer={"retry.backoff.ms": 300}, brokers=3, rate=80, size=500, witness=TOPIC, ends="between", begins="between",
          after=9, seconds=18),
]
