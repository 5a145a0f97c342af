"""
Twenty rare stalls with their expected explanations, written down before any explanation of them was examined.

`stages` are the stages in which the slowest records can have waited, and `events` the kinds of event that count as the cause,
with the names of result.json. `strike` causes the stall and returns a Truth: its start and end by the clock, the brokers at which
records waited, and a pattern for the place of the cause.
"""

import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
import time

from confluent_kafka import Consumer, Producer, TopicPartition

import world
from world import CREATE, FORCE, RENAME, WRITE

RATE = int(os.environ.get("BLIND_RATE", "1000"))
WARMUP_SECONDS, SECONDS = 12, 16
# The optimizing compiler of new brokers saturates two cores for half a minute, which hides every stall.
FLAGS = "-XX:TieredStopAtLevel=1"
TOPIC, WITNESS = "orders", "witness"
IN_BROKER = ["request", "queue", "append", "replication", "response", "network"]

# Rate (scaled by RATE / 2000), size, acks and members of the clean runs.
CLEAN = [(2000, 500, "all", 1), (3000, 200, "all", 2), (2000, 1000, "1", 1), (5000, 100, "all", 1), (2500, 500, "all", 3),
         (4000, 300, "1", 2), (2000, 2000, "all", 1), (3500, 500, "all", 1), (2000, 500, "all", 6), (4500, 200, "all", 2)]


@dataclasses.dataclass
class Plant:
    name: str
    planted: str
    stages: list
    events: list
    strike: object
    prepare: object = None
    lab: dict = dataclasses.field(default_factory=dict)
    topic: dict = dataclasses.field(default_factory=dict)
    topics: list = dataclasses.field(default_factory=list)
    rate: int = RATE
    size: int = 500
    keys: int = 10000
    producer: dict = dataclasses.field(default_factory=dict)
    consumer: dict = dataclasses.field(default_factory=dict)
    witness: str = WITNESS
    reads: bool = False
    isolation: str = "read_uncommitted"
    pad: int = 0
    options: list = dataclasses.field(default_factory=list)
    seconds: int = SECONDS
    after: float = 6
    # Where the witness observes the stall: in records written or read, or nowhere if it affects only the generator or a group.
    seen: str = "written"
    # The valid end of the stall: of the deed ("deed"), of the delay that the witness observed ("witness"), or any time between
    # them ("between"), because clients recover at different times.
    ends: str = "deed"
    # The valid start: of the deed ("deed"), or any time between it and the first delay that the witness observed ("between").
    begins: str = "deed"
    side: str = "produce"
    shim: bool = False

    def scenario(self):
        return scenario(self.name, self.rate, self.seconds, self.lab, self.topic, self.topics, self.size, self.keys,
                        self.producer, self.consumer)


def scenario(name, rate, seconds=SECONDS, lab=None, topic=None, topics=(), size=500, keys=10000, producer=None, consumer=None):
    config = {"config": topic} if topic else {}
    return {
        "name": name, "lab": {"brokers": 3, **(lab or {}), "jvm": {"flags": FLAGS, **(lab or {}).get("jvm", {})}},
        "topics": [dict({"name": TOPIC, "partitions": 6, "replication": 3}, **config),
                   dict({"name": WITNESS, "partitions": 3, "replication": 3}), *topics],
        "producers": [{"topic": TOPIC, "rate": "%d/s" % rate, "record": {"size": size, "key": {"uniform": keys}},
                       "config": dict({"acks": "all"}, **(producer or {}))}],
        "consumers": [{"topic": TOPIC, "config": consumer or {}}],
        "duration": "%ds" % seconds, "warmup": "%ds" % WARMUP_SECONDS}


@dataclasses.dataclass
class Truth:
    begin: float
    end: float
    brokers: list
    where: str
    facts: dict = dataclasses.field(default_factory=dict)


def at_broker(begin, end, broker, **facts):
    return Truth(begin, end, [broker], r"\bbroker[ -]?%d\b" % broker, facts)


def awaited(shim, before, what, good=lambda path: True, seconds=8):
    def done():
        return [row for row in shim.delayed()[before:] if good(row[2])]
    return world.until(done, what, seconds, 0.01)[0]


def delayed(w, broker, kind, part, millis, what, good=lambda path: True):
    """Delays the next operation of this kind on a path that contains `part`; returns its start, its end and the path."""
    shim = w.shim(broker)
    before = len(shim.delayed())
    for _ in range(5):
        shim.set(kind, millis, 1, part)
        row = awaited(shim, before, what)
        if good(row[2]):
            return row
        before += 1
    raise world.Failure("another file was delayed: " + row[2])


def forced_write(w):
    broker = w.any_broker()
    begin, end, path = delayed(w, broker, FORCE, "/%s-%d/" % (TOPIC, w.led(broker)), 300, "a forced write",
                               lambda path: path.endswith(".log"))
    return at_broker(begin, end, broker, file=os.path.basename(path))


def segment_roll(w):
    broker = w.any_broker()
    begin, end, path = delayed(w, broker, CREATE, "/%s-%d/" % (TOPIC, w.led(broker)), 300, "a new segment")
    return at_broker(begin, end, broker, file=os.path.basename(path))


def broker_gc(w):
    broker = w.any_broker()
    begin, end, answer = w.brokers.ask(w.brokers.pids[broker], "GC.run")
    return at_broker(begin, end, broker, answer=answer[-100:])


def generator_gc(w):
    begin, end, answer = w.brokers.ask(w.run.pid, "GC.class_histogram")
    return Truth(begin, end, [], r"generator|worker|plimsoll|local", {"answer": answer[-100:]})


def prime_brokers(w):
    for pid in w.brokers.pids.values():
        w.brokers.ask(pid, "VM.uptime")


def prime_generator(w):
    w.brokers.ask(w.run.pid, "VM.uptime")


def prepare_election(w):
    w.hand()
    w.broker = w.any_broker()
    w.to = w.rng.choice([b for b in w.brokers.ids if b != w.broker])
    w.hand().do("ready")
    for topic in TOPIC, WITNESS:
        w.hand().do("prepare", topic, w.broker, w.to)


def election(w):
    begin, _ = w.hand().do("lead", TOPIC)
    _, end = w.hand().do("lead", WITNESS)
    return Truth(begin, end, [w.broker, w.to], r"\bbroker[ -]?(%d|%d)\b|%s|controller" % (w.broker, w.to, TOPIC),
                 {"from": w.broker, "to": w.to})


def threads(pid, name):
    found = []
    for task in os.listdir("/proc/%d/task" % pid):
        with contextlib.suppress(OSError), open("/proc/%d/task/%s/comm" % (pid, task)) as file:
            if file.read().startswith(name):
                found.append(int(task))
    return found


# System calls (x86-64) of a thread that waits for sockets (epoll_wait, epoll_pwait), or for a thread (futex, restart_syscall).
SOCKETS, OTHERS = ("232", "281"), ("202", "219")


def in_native_wait(pid, task, calls=SOCKETS):
    """Returns whether a thread waits in one of these system calls, so that freezing it does not delay safepoints."""
    with open("/proc/%d/task/%d/syscall" % (pid, task)) as file:
        return file.read().split()[0] in calls


def stopped_threads(w, pid, tasks, seconds, calls=SOCKETS):
    """Freezes threads of a process for some seconds; returns the start and the end."""
    group = w.group("freezer", "threads")
    for _ in range(400):
        for task in tasks:
            group.add(task)
        begin = time.time()
        group.write("freezer.state", "FROZEN")
        # Freezing interrupts a system call, which the kernel restarts later. If a thread was not waiting, thaw and try again.
        if all(in_native_wait(pid, task, calls) for task in tasks):
            break
        group.write("freezer.state", "THAWED")
        time.sleep(0.004)
    else:
        raise world.Failure("the threads are never at rest")
    time.sleep(seconds)
    group.write("freezer.state", "THAWED")
    return begin, time.time()


def isr_shrink(w):
    follower = w.any_broker()
    pid = w.brokers.pids[follower]
    fetchers = threads(pid, "ReplicaFetcher")
    if not fetchers:
        raise world.Failure("broker %d has no threads that fetch" % follower)
    begin, end = stopped_threads(w, pid, fetchers, 3)
    others = [b for b in w.brokers.ids if b != follower]
    return Truth(begin, end, others, r"\bbroker[ -]?\d\b|%s" % TOPIC, {"follower": follower, "lagTimeMax": 1.5})


def network_loss(w):
    broker = w.any_broker()
    ports = ",".join(map(str, w.brokers.ports[broker]))
    rule = ["INPUT", "-p", "tcp", "-m", "multiport", "--ports", ports, "-j", "DROP"]
    begin = time.time()
    subprocess.run(["iptables", "-w", "-I", *rule], check=True)
    w.undo.callback(subprocess.run, ["iptables", "-w", "-D", *rule], stderr=subprocess.DEVNULL)
    time.sleep(max(0, begin + 0.3 - time.time()))
    subprocess.run(["iptables", "-w", "-D", *rule], check=True)
    return at_broker(begin, time.time(), broker)


def quota(w):
    """Sets a quota of a tenth of the load. Brokers measure over ten seconds, so they start to throttle after about 1 s."""
    share = w.plant.rate * w.plant.size / 3 / 10
    begin, _ = w.hand().do("quota", share)
    w.undo.callback(w.hand().do, "quota", 0)
    time.sleep(3)
    _, end = w.hand().do("quota", 0)
    w.undo.pop_all()
    return Truth(begin, end, w.brokers.ids, r"broker", {"bytesPerSecond": share})


def rebalance(w):
    """Another program joins the group, holds partitions for 2 s without reading them, and leaves."""
    consumer = Consumer({"bootstrap.servers": w.brokers.bootstrap, "group.id": "payments", "log_level": 0,
                         "partition.assignment.strategy": "range", "enable.auto.commit": False, "session.timeout.ms": 10000,
                         "heartbeat.interval.ms": 200, "auto.offset.reset": "latest"})
    taken = []

    def assigned(_consumer, partitions):
        taken.extend(partitions)
        consumer.assign(partitions)
        consumer.pause(partitions)

    begin = time.time()
    consumer.subscribe([TOPIC], on_assign=assigned)
    world.until(lambda: consumer.poll(0.02) or taken, "partitions", 10, 0)
    at = time.time()
    while time.time() < at + 2:
        consumer.poll(0.05)
    waiting = 0
    for each in consumer.committed(taken, 5):
        waiting += max(0, consumer.get_watermark_offsets(TopicPartition(TOPIC, each.partition), 5)[1] - each.offset)
    consumer.close()
    return Truth(begin, time.time(), [], r"payments|consumers|group",
                 {"taken": sorted(p.partition for p in taken), "assigned": at, "waiting": waiting})


def on_one_core(w):
    for pid in w.brokers.pids.values():
        for task in os.listdir("/proc/%d/task" % pid):
            with contextlib.suppress(OSError):
                os.sched_setaffinity(int(task), {0})
    # Restored at the end, because later runs inherit the cores of this process.
    w.undo.callback(os.sched_setaffinity, 0, os.sched_getaffinity(0))
    os.sched_setaffinity(0, {1})


BURN = """
import os, sys, time
os.sched_setaffinity(0, {0})
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
print(time.time(), flush=True)
end = time.monotonic() + float(sys.argv[1])
while time.monotonic() < end:
    pass
print(time.time(), flush=True)
"""


def neighbour(w):
    done = subprocess.run([sys.executable, "-c", BURN, "1.2"], capture_output=True, text=True, timeout=30)
    if done.returncode:
        raise world.Failure(done.stderr[-300:])
    begin, end = map(float, done.stdout.split())
    return Truth(begin, end, w.brokers.ids, r"host|broker", {})


DIRTY = "/proc/sys/vm/dirty_bytes", "/proc/sys/vm/dirty_background_bytes"
RATIOS = "/proc/sys/vm/dirty_ratio", "/proc/sys/vm/dirty_background_ratio"
FILL = """
import os, sys, time
data = os.urandom(1 << 20)
end = time.monotonic() + float(sys.argv[2])
with open(sys.argv[1], "wb", buffering=0) as file:
    while time.monotonic() < end:
        file.write(data)
        if file.tell() > 1 << 30:
            file.seek(0)
os.unlink(sys.argv[1])
"""


def put(path, value):
    with open(path, "w") as file:
        file.write(str(value))


def got(path):
    with open(path) as file:
        return int(file.read())


def keep_ratios(w):
    """Restores the limits of dirty pages after the plant."""
    before = [got(path) for path in RATIOS]

    def restore():
        for path, value in zip(RATIOS, before):
            put(path, value)

    w.undo.callback(restore)


def writeback(w):
    """Other programs fill the page cache faster than the disk can write, with a limit of 8 MB of dirty pages."""
    keep_ratios(w)
    files = [os.path.join(w.work, "fill-%d" % i) for i in range(4)]
    begin = time.time()
    put(DIRTY[1], 4 << 20)
    put(DIRTY[0], 8 << 20)
    fillers = [subprocess.Popen([sys.executable, "-c", FILL, file, "2"]) for file in files]
    for each in fillers:
        each.wait(60)
    w.undo.close()
    return Truth(begin, time.time(), w.brokers.ids, r"host|broker|disk", {})


def resume(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def sigstop(w):
    broker = w.any_broker()
    pid = w.brokers.pids[broker]
    w.undo.callback(resume, pid)
    begin = time.time()
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.7)
    os.kill(pid, signal.SIGCONT)
    end = time.time()
    w.undo.pop_all()
    return at_broker(begin, end, broker)


def prepare_bulk(w):
    w.producer = Producer({"bootstrap.servers": w.brokers.bootstrap, "log_level": 0, "message.max.bytes": 40_000_000,
                           "linger.ms": 0})
    w.answers = []
    w.bulk = " ".join(str(w.rng.getrandbits(40)) for _ in range(900_000)).encode()[:10_000_000]
    w.producer.produce("bulk", b"first", on_delivery=lambda *given: w.answers.append(time.time()))
    w.producer.flush(10)
    w.broker = w.producer.list_topics("bulk", 10).topics["bulk"].partitions[0].leader


def slow_handler(w):
    begin = time.time()
    w.answers.clear()
    w.producer.produce("bulk", w.bulk, on_delivery=lambda *given: w.answers.append((time.time(), given[0])))
    w.producer.flush(30)
    end, error = w.answers[0]
    if error:
        raise world.Failure(str(error))
    return at_broker(begin, end, w.broker)


def cleaner(w):
    broker = w.any_broker()
    begin, end, path = delayed(w, broker, RENAME, "/%s-%d/" % (TOPIC, w.led(broker)), 300, "cleaned segments",
                               lambda path: ".swap" in path or ".log" in path)
    return at_broker(begin, end, broker, file=os.path.basename(path))


def connection_loss(w):
    broker = w.any_broker()
    port = w.brokers.ports[broker][0]
    begin = time.time()
    done = subprocess.run(["ss", "-K", "-t", "-n", "dst", "127.0.0.1", "dport", "=", str(port)], capture_output=True, text=True,
                          check=True)
    return at_broker(begin, time.time(), broker, connections=done.stdout.count("ESTAB"))


def consumer_pause(w):
    readers = threads(w.run.pid, "plimsoll-read")
    if not readers:
        raise world.Failure("there is no thread that reads")
    begin, end = stopped_threads(w, w.run.pid, readers, 0.9)
    return Truth(begin, end, [], r"consumers|group|generator|payments", {"threads": len(readers)})


def prepare_transaction(w):
    w.producer = Producer({"bootstrap.servers": w.brokers.bootstrap, "log_level": 0, "transactional.id": "settlement",
                           "transaction.timeout.ms": 2500, "linger.ms": 0})
    w.producer.init_transactions(30)


def transaction(w):
    """A program leaves a transaction open until the coordinator aborts it after its timeout of 2.5 s."""
    broker = w.any_broker()
    partition = w.witness.leaders[broker]
    answered = []
    begin = time.time()
    w.producer.begin_transaction()
    w.producer.produce(TOPIC, b"settled", key=b"w1", partition=partition, on_delivery=lambda *given: answered.append(time.time()))
    world.until(lambda: w.producer.poll(0.05) is not None and answered, "the record", 10, 0)
    time.sleep(4)
    return at_broker(answered[0], begin + 2.5, broker, partition=partition)


def slow_disk(w):
    broker = w.any_broker()
    shim = w.shim(broker)
    before = len(shim.delayed())
    begin = time.time()
    shim.set(WRITE | FORCE, 150, 1_000_000, "/data")
    time.sleep(2)
    shim.set(0)
    end = time.time()
    time.sleep(0.2)
    return at_broker(begin, end, broker, delayed=len(shim.delayed()) - before)


def controller_failover(w):
    controller = int(1e6 * w.hand().do("controller")[0])
    begin = time.time()
    os.kill(w.brokers.pids[controller], signal.SIGKILL)
    time.sleep(6)
    return at_broker(begin, time.time(), controller)


def throttled(w):
    """Limits a broker to 2 % of a core for 1.5 s, like the CPU quota of a container."""
    broker = w.any_broker()
    group = w.group("cpu", "quota")
    for task in os.listdir("/proc/%d/task" % w.brokers.pids[broker]):
        with contextlib.suppress(OSError):
            group.add(task)
    begin = time.time()
    group.write("cpu.cfs_quota_us", 2000)
    time.sleep(1.5)
    group.write("cpu.cfs_quota_us", -1)
    return at_broker(begin, time.time(), broker)


def with_hand(w):
    w.hand().do("ready")


SEGMENTS = {"segment.bytes": 1 << 20}
PLANTS = [
    Plant("forced-write", "one forced write of a log takes 300 ms", ["append"], ["flush"], forced_write,
          topic={"flush.messages": 300}, witness=TOPIC, shim=True),
    Plant("segment-roll", "the file system takes 300 ms to create a file while a log rolls", ["append"], ["logRoll"], segment_roll,
          topic=SEGMENTS, rate=3 * RATE // 2, size=1000, witness=TOPIC, shim=True),
    Plant("broker-gc", "a full collection of the heap of one broker", IN_BROKER + ["fetch"], ["gc"], broker_gc, prime_brokers,
          lab={"jvm": {"collector": "Serial"}}),
    Plant("generator-gc", "a full collection of the load generator's heap", ["send", "produce", "batch", "poll"],
          ["gc", "safepoint"], generator_gc, prime_generator, seen="nowhere"),
    Plant("leader-election", "an administrator moves the leaders of one broker", ["retry", "batch", "request", "network"],
          ["leaderChange"], election, prepare_election, ends="between"),
    Plant("isr-shrink", "a follower stops to fetch, and leaves the ISR after replica.lag.time.max.ms", ["replication"],
          ["isrShrink"], isr_shrink, lab={"config": {"replica.lag.time.max.ms": "1500"}}, ends="witness"),
    Plant("network-loss", "300 ms in which no packet reaches or leaves one broker's listener",
          ["network", "request", "response", "retry", "replication"], ["retransmit", "disconnect"], network_loss, ends="between"),
    Plant("quota", "a quota for producers, removed after 3 s", ["throttle", "batch"], ["quota"], quota, with_hand, pad=6500,
          ends="between", after=8, begins="between"),
    Plant("rebalance", "another member joins the group, takes partitions and leaves after 2 s", ["poll", "fetch"], ["rebalance"],
          rebalance, consumer={"group.id": "payments", "heartbeat.interval.ms": 100}, side="consume", seen="nowhere"),
    Plant("neighbour", "a program with real-time priority on the core of the brokers", IN_BROKER + ["fetch"], ["cpuPressure"],
          neighbour, on_one_core),
    Plant("writeback", "other programs write more than the page cache may hold",
          ["append", "replication", "queue", "request"], ["writeback", "ioPressure", "diskBusy"], writeback),
    Plant("sigstop", "one broker is stopped for 700 ms (SIGSTOP)", IN_BROKER + ["fetch"], ["processPause"], sigstop),
    Plant("slow-handler", "a request of another program occupies the only request handler of a broker", ["queue"],
          ["handlersBusy"], slow_handler, prepare_bulk, lab={"config": {"num.io.threads": "1"}},
          topics=[{"name": "bulk", "partitions": 1, "replication": 1,
                   "config": {"compression.type": "gzip", "max.message.bytes": 40_000_000}}]),
    Plant("log-cleaner", "the cleaner takes 300 ms to put a cleaned segment in place", ["append"], ["logCleaner"], cleaner,
          topic=dict(SEGMENTS, **{"cleanup.policy": "compact", "min.cleanable.dirty.ratio": 0.01}), rate=3 * RATE // 2, size=1000,
          keys=2000, lab={"config": {"log.cleaner.backoff.ms": "500"}}, witness=TOPIC, shim=True, after=9),
    Plant("connection-loss", "all connections to one broker are reset", ["retry", "batch", "request", "network"], ["disconnect"],
          connection_loss, ends="between"),
    Plant("consumer-pause", "the thread of the consumer stands still for 900 ms", ["poll"], ["consumerPause"], consumer_pause,
          side="consume", seen="nowhere"),
    Plant("transaction-timeout", "another program hangs in a transaction until its timeout of 2.5 s", ["fetch"],
          ["transactionAbort"], transaction, prepare_transaction,
          lab={"config": {"transaction.abort.timed.out.transaction.cleanup.interval.ms": "200"}},
          consumer={"isolation.level": "read_committed"}, witness=TOPIC, reads=True, isolation="read_committed", seen="read",
          side="consume",
          ends="witness", after=8),
    Plant("slow-disk", "each write of one broker takes 150 ms longer for 2 s", ["append", "replication"],
          ["fileStall", "diskBusy", "ioPressure", "flush"], slow_disk, shim=True),
    Plant("controller-failover", "the active controller, a broker too, is killed", ["retry", "batch", "request", "network", "send"],
          ["controllerFailover", "brokerDown", "leaderChange"], controller_failover, with_hand,
          lab={"config": {"broker.session.timeout.ms": "3000", "broker.heartbeat.interval.ms": "500"}}, ends="witness", after=10,
          seconds=20),
    Plant("cpu-quota", "one broker gets 2 % of a core for 1.5 s", IN_BROKER + ["fetch"], ["cgroupThrottle"], throttled),
]
