"""
The fourth set: twenty rare stalls under light loads, with other mechanisms, sizes and places than in the earlier sets.
The expected explanations were written down before any explanation of these stalls was examined.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

from confluent_kafka import Producer

import world
from plants import (BURN, IN_BROKER, OTHERS, TOPIC, WARMUP_SECONDS, WITNESS, Truth, at_broker, delayed,  # noqa: F401
                    isr_shrink, prepare_transaction, prime_brokers, prime_generator, stopped_threads, threads, with_hand)
from plants2 import Rules, place, two
from plants3 import RATE, Plant, grouped, reset, scenario, sources  # noqa: F401
from world import CREATE, FORCE, RENAME, WRITE

# Rate (scaled by RATE / 2000), size, acks and members of the clean runs.
CLEAN = [(1600, 600, "all", 2), (5000, 120, "all", 1), (3000, 900, "1", 1), (2400, 2000, "all", 1), (6000, 80, "1", 3),
         (1600, 3000, "all", 1), (4400, 350, "all", 4), (3600, 200, "all", 1), (2000, 1200, "1", 2), (7000, 100, "all", 1)]
GENERATOR = r"generator|worker|plimsoll|local"
# During a pause of the generator, responses of brokers wait as well as due records.
IN_GENERATOR = ["send", "produce", "batch", "poll", "response", "network"]
EAGER_GROUPS = {"group.consumer.heartbeat.interval.ms": "300", "group.consumer.min.heartbeat.interval.ms": "300",
                "group.consumer.session.timeout.ms": "1500", "group.consumer.min.session.timeout.ms": "1500"}


def forced_write(w):
    broker = w.any_broker()
    begin, end, path = delayed(w, broker, FORCE, "/%s-%d/" % (TOPIC, w.led(broker)), 900, "a forced write",
                               lambda path: path.endswith(".log"))
    return at_broker(begin, end, broker, file=os.path.basename(path))


def snapshot_at_roll(w):
    """Delays the creation of the producer state snapshot that a log writes when it rolls."""
    broker = w.any_broker()
    begin, end, path = delayed(w, broker, CREATE, ".snapshot", 450, "a log that rolls")
    if "/%s-" % TOPIC not in path:
        raise world.Failure("another log rolled: " + path)
    return at_broker(begin, end, broker, file="/".join(path.split("/")[-2:]))


def dump(w, pid):
    """Runs a full collection and a compressed dump of the remaining heap, in one pause."""
    return w.brokers.ask(pid, "GC.heap_dump", "-gz=1", os.path.join(w.work, "tmp", "heap-%d.hprof.gz" % pid))


def broker_dumps(w):
    done = {}

    def ask(broker):
        done[broker] = dump(w, w.brokers.pids[broker])

    asking = [threading.Thread(target=ask, args=(broker,)) for broker in w.brokers.ids]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    if len(done) < len(asking):
        raise world.Failure("not all brokers dumped their heaps")
    return Truth(min(row[0] for row in done.values()), max(row[1] for row in done.values()), w.brokers.ids, r"broker",
                 {broker: round(row[1] - row[0], 3) for broker, row in done.items()})


def generator_dump(w):
    begin, end, answer = dump(w, w.run.pid)
    return Truth(begin, end, [], GENERATOR, {"answer": answer[-60:]})


def broker_killed(w):
    """Kills a broker. The controller is a separate process, and notices it when the session of the broker times out."""
    broker = w.any_broker()
    begin = time.time()
    os.kill(w.brokers.pids[broker], signal.SIGKILL)
    world.until(lambda: broker not in w.witness.of(TOPIC), "other leaders", 20, 0.02)
    end = time.time()
    time.sleep(3)
    return Truth(begin, end, [broker], place(broker) + "|controller|" + TOPIC)


def large_lost(w):
    """Drops large packets to a broker for 1.1 s, like a router that discards them silently."""
    broker = w.any_broker()
    rules = Rules(w)
    begin = time.time()
    rules.add("--dport", w.brokers.ports[broker][0], "-m", "length", "--length", "1500:65535", "-j", "DROP")
    time.sleep(max(0, begin + 1.1 - time.time()))
    rules.remove()
    return at_broker(begin, time.time(), broker)


def quota(w):
    """Sets a quota of a tenth of the load for 2.4 s, for a user instead of client ids."""
    share = w.plant.rate * w.plant.size / len(w.brokers.ids) / 10
    lift = "quota", 0, "producer_byte_rate", "ANONYMOUS"
    begin, _ = w.hand().do("quota", share, *lift[2:])
    w.undo.callback(w.hand().do, *lift)
    time.sleep(2.4)
    _, end = w.hand().do(*lift)
    w.undo.pop_all()
    return Truth(begin, end, w.brokers.ids, r"broker", {"bytesPerSecond": share})


# A member that reads without commits. It prints the creation time of the first record that it reads from each partition.
MEMBER = """
import json, sys, time
from confluent_kafka import Consumer
consumer, known, end = Consumer(json.loads(sys.argv[1])), set(), None
consumer.subscribe(sys.argv[2:])
while end is None or time.time() < end:
    message = consumer.poll(0.02)
    if message is not None and not message.error() and message.partition() not in known:
        known.add(message.partition())
        print(message.timestamp()[1] / 1000, message.partition(), flush=True)
        end = end or time.time() + 1.2
consumer.close()
"""


def other_member(w, lives, **config):
    """Another program takes partitions of the group and leaves after 1.2 s, or is killed after `lives` seconds."""
    group = w.plant.consumer["group.id"]
    usual = w.hand().do("group", group)
    joined = time.time()
    config = dict(config, **{"bootstrap.servers": w.brokers.bootstrap, "group.id": group, "log_level": 0, "enable.auto.commit": False,
                             "auto.offset.reset": "latest"})
    member = subprocess.Popen([sys.executable, "-c", MEMBER, json.dumps(config), TOPIC], stdout=subprocess.PIPE, text=True)
    w.undo.callback(member.kill)
    rows = [member.stdout.readline()]
    if lives:
        time.sleep(lives)
        member.kill()
    rows += member.communicate(timeout=30)[0].splitlines()
    gone = time.time()
    held = {int(row.split()[1]): float(row.split()[0]) for row in rows if row.strip()}
    if not held:
        raise world.Failure("the member read nothing")
    world.until(lambda: w.hand().do("group", group) == usual, "the group without it", 20, 0.02)
    begin = min(held.values())
    if begin < joined:
        raise world.Failure("the member read what the group had read")
    return Truth(begin, time.time(), [], r"%s|consumers|group" % group,
                 {"taken": sorted(held), "after": round(begin - joined, 3), "goneAfter": round(gone - begin, 3)})


def cooperative_member(w):
    return other_member(w, 0, **{"partition.assignment.strategy": "cooperative-sticky", "heartbeat.interval.ms": 200})


def member_killed(w):
    return other_member(w, 0.4, **{"group.protocol": "consumer"})


def generator_on_a_core(w):
    """Binds the generator to one core, and the brokers and this process to the other core."""
    for pid in w.run.pid, *w.brokers.pids.values():
        for task in os.listdir("/proc/%d/task" % pid):
            with contextlib.suppress(OSError):
                os.sched_setaffinity(int(task), {0 if pid == w.run.pid else 1})
    # Restored at the end, because later runs inherit the cores of this process.
    w.undo.callback(os.sched_setaffinity, 0, os.sched_getaffinity(0))
    os.sched_setaffinity(0, {1})


def neighbour(w):
    done = subprocess.run([sys.executable, "-c", BURN, "0.9"], capture_output=True, text=True, timeout=30)
    if done.returncode:
        raise world.Failure(done.stderr[-300:])
    begin, end = map(float, done.stdout.split())
    return Truth(begin, end, [], GENERATOR + "|host")


# Stops all threads of a process for 0.65 s, like a debugger that attaches and detaches.
TRACE = """
import ctypes, os, sys, time
SEIZE, INTERRUPT, DETACH, EVERY_THREAD = 0x4206, 0x4207, 17, 0x40000000
ptrace = ctypes.CDLL(None, use_errno=True).ptrace
ptrace.argtypes = [ctypes.c_long] * 4
tasks = [int(task) for task in os.listdir("/proc/%s/task" % sys.argv[1])]
tasks = [task for task in tasks if ptrace(SEIZE, task, 0, 0) == 0]
print(time.time(), flush=True)
tasks = [task for task in tasks if ptrace(INTERRUPT, task, 0, 0) == 0]
for task in tasks:
    os.waitpid(task, EVERY_THREAD)
time.sleep(0.65)
for task in tasks:
    ptrace(DETACH, task, 0, 0)
print(time.time(), len(tasks), flush=True)
"""


def traced(w):
    broker = w.any_broker()
    done = subprocess.run([sys.executable, "-c", TRACE, str(w.brokers.pids[broker])], capture_output=True, text=True, timeout=30)
    if done.returncode:
        raise world.Failure(done.stderr[-300:])
    begin, end, count = done.stdout.split()
    return at_broker(float(begin), float(end), broker, threads=int(count))


def generator_stopped(w):
    w.undo.callback(os.kill, w.run.pid, signal.SIGCONT)
    begin = time.time()
    os.kill(w.run.pid, signal.SIGSTOP)
    time.sleep(0.55)
    w.undo.close()
    return Truth(begin, time.time(), [], GENERATOR)


def prepare_two(w):
    """Two programs write to another topic, with its partitions on the first broker."""
    w.programs = [Producer({"bootstrap.servers": w.brokers.bootstrap, "log_level": 0, "linger.ms": 0}) for _ in range(2)]
    write_two(w)
    w.broker = w.programs[0].list_topics("audit", 10).topics["audit"].partitions[0].leader


def write_two(w):
    for partition, program in enumerate(w.programs):
        program.produce("audit", b"audit", partition=partition)
        program.poll(0)
    for program in w.programs:
        program.flush(10)


def handlers_held(w):
    """Delays two forced writes of another topic by 700 ms, which blocks both request handlers of a broker."""
    shim = w.shim(w.broker)
    before = len(shim.delayed())
    shim.set(FORCE, 700, 2, "/audit-")
    write_two(w)
    world.until(lambda: len(shim.delayed()) >= before + 2, "forced writes of the other topic", 8, 0.01)
    rows = shim.delayed()[before:]
    begin, end = max(row[0] for row in rows), min(row[1] for row in rows)
    if end - begin < 0.5:
        raise world.Failure("not both handlers waited: %s" % rows)
    return at_broker(begin, end, w.broker, files=["/".join(row[2].split("/")[-2:]) for row in rows])


def follower_cleaner(w):
    """Delays the cleaner of a follower by 600 ms when it replaces a segment, during which its replica cannot append."""
    leader, follower = two(w)
    begin, end, path = delayed(w, follower, RENAME, "/%s-%d/" % (TOPIC, w.led(leader)), 600, "cleaned segments",
                               lambda path: ".swap" in path or ".log" in path)
    return Truth(begin, end, [leader], place(follower), {"follower": follower, "file": os.path.basename(path)})


def share_readers_pause(w):
    """Freezes both readers of a share group, which wait for a fetching thread instead of sockets."""
    readers = threads(w.run.pid, "plimsoll-read")
    if len(readers) != 2:
        raise world.Failure("%d threads read" % len(readers))
    begin, end = stopped_threads(w, w.run.pid, readers, 0.85, OTHERS)
    return Truth(begin, end, [], r"consumers|group|generator", {"threads": len(readers)})


def fenced(w):
    """A program leaves a transaction open for 1.1 s, until an administrator fences it."""
    broker = w.any_broker()
    answered = []
    w.producer.begin_transaction()
    w.producer.produce(TOPIC, b"settled", key=b"w1", partition=w.led(broker), on_delivery=lambda *given: answered.append(time.time()))
    world.until(lambda: w.producer.poll(0.02) is not None and answered, "the record", 10, 0)
    time.sleep(max(0, answered[0] + 1.1 - time.time()))
    _, end = w.hand().do("fence", "settlement")
    return Truth(answered[0], end, [broker], place(broker) + "|" + TOPIC)


def lead_nothing(w):
    """Makes a broker other than the controller a follower of all partitions."""
    controller = int(1e6 * w.hand().do("controller")[0])
    w.broker = w.rng.choice([b for b in w.brokers.ids if b != controller])
    to = w.rng.choice([b for b in w.brokers.ids if b != w.broker])
    topics = TOPIC, WITNESS
    for topic in topics:
        w.hand().do("prepare", topic, w.broker, to)
        w.hand().do("lead", topic)
    world.until(lambda: not any(w.broker in w.witness.of(topic) for topic in topics), "other leaders")
    w.witness.leaders, w.leaders = w.witness.of(w.witness.topic), w.witness.of(TOPIC)


def follower_disk(w):
    """Delays each write of a broker without leaders to the logs of the topic by 260 ms, for 1.8 s."""
    shim = w.shim(w.broker)
    before = len(shim.delayed())
    begin = time.time()
    shim.set(WRITE | FORCE, 260, 1_000_000, "/%s-" % TOPIC)
    time.sleep(1.8)
    shim.set(0)
    end = time.time()
    time.sleep(0.5)
    others = [b for b in w.brokers.ids if b != w.broker]
    return Truth(begin, end, others, place(w.broker), {"follower": w.broker, "delayed": len(shim.delayed()) - before})


def long_period(w):
    """Sets a CPU quota of 1.5 % with a period of 1 s: the broker runs for 15 ms, then waits for the next period."""
    broker = w.any_broker()
    group = grouped(w, "cpu", "period", broker)
    begin = time.time()
    group.write("cpu.cfs_period_us", 1_000_000)
    group.write("cpu.cfs_quota_us", 15_000)
    time.sleep(1.7)
    group.write("cpu.cfs_quota_us", -1)
    end = time.time()
    with open(os.path.join(group.path, "cpu.stat")) as file:
        return at_broker(begin, end, broker, **dict(line.split() for line in file))


def replication_reset(w):
    """Resets a follower's connections to a leader. It fetches again after replica.fetch.backoff.ms, which is 1 s."""
    leader, follower = two(w)
    port = w.brokers.ports[leader][0]
    ours = sources(port, w.brokers.pids[follower])
    begin = time.time()
    reset(port, ours)
    return Truth(begin, begin + 1, [leader], place(leader, follower), {"follower": follower, "connections": len(ours)})


PLANTS = [
    Plant("forced-write-raw", "one forced write takes 900 ms at a leader that a raw engine reads", ["append"], ["flush"], forced_write,
          topic={"flush.messages": 25}, partitions=2, reader="raw", rate=120, size=700, producer={"compression.type": "zstd"},
          witness=TOPIC, shim=True),
    Plant("snapshot-at-roll", "a log that rolls by its age waits 450 ms for the file of its producers' state", ["append"], ["logRoll"],
          snapshot_at_roll, topic={"segment.ms": 2500}, replication=1, partitions=2, rate=160, size=300, witness=TOPIC, shim=True,
          after=8),
    Plant("both-dump", "both brokers collect and dump their heaps at the same time", IN_BROKER + ["fetch"], ["gc", "safepoint"],
          broker_dumps, prime_brokers, rate=100, size=2500, ends="between"),
    Plant("generator-packs-dump", "a collection and a compressed heap dump of the load generator", IN_GENERATOR, ["gc", "safepoint"],
          generator_dump, prime_generator, members=2, rate=180, size=600, seen="nowhere"),
    Plant("broker-killed", "one broker is killed, and the controller, a process of its own, waits until its session ends",
          ["retry", "batch", "request", "network", "replication"], ["brokerDown", "leaderChange", "disconnect", "isrShrink"], broker_killed,
          brokers=3, lab={"controllers": 1, "config": {"broker.session.timeout.ms": "1500", "broker.heartbeat.interval.ms": "300"}},
          rate=90, size=700, witness=TOPIC, ends="between", after=9, seconds=18),
    Plant("too-few-in-sync", "a follower fetches nothing for 3 s, and min.insync.replicas is not met", ["replication", "retry"],
          ["isrShrink"], isr_shrink, topic={"min.insync.replicas": 2}, lab={"config": {"replica.lag.time.max.ms": "1500"}},
          producer={"retry.backoff.max.ms": 300}, rate=80, size=900, witness=TOPIC, ends="between", after=9, seconds=18),
    Plant("large-packets-lost", "for 1.1 s, no packet of 1500 bytes or more reaches one broker's listener", ["network", "request", "retry"],
          ["retransmit"], large_lost, rate=80, size=4000, pad=4000, ends="between"),
    Plant("user-quota", "a quota of a user who writes, removed after 2.4 s", ["throttle", "batch"], ["quota"], quota, with_hand, rate=200,
          size=1500, ends="between", begins="between", after=8),
    Plant("cooperative-join", "another member joins by the cooperative protocol, takes partitions and leaves", ["poll", "fetch"],
          ["rebalance"], cooperative_member, with_hand, members=2,
          consumer={"group.id": "payments", "heartbeat.interval.ms": 100,
                    "partition.assignment.strategy": "org.apache.kafka.clients.consumer.CooperativeStickyAssignor"},
          rate=120, side="consume", seen="nowhere", after=10, seconds=20),
    Plant("new-protocol-killed", "another member joins a group of the newer protocol, takes partitions and is killed", ["poll", "fetch"],
          ["rebalance"], member_killed, with_hand, consumer={"group.id": "payments", "group.protocol": "consumer"}, rate=150, size=300,
          lab={"config": EAGER_GROUPS}, side="consume", seen="nowhere", after=10, seconds=20),
    Plant("generator-neighbour", "a real-time program on the core of the load generator for 900 ms", IN_GENERATOR, ["cpuPressure"],
          neighbour, generator_on_a_core, rate=150, size=300, seen="nowhere"),
    Plant("debugger", "a debugger stops one broker for 650 ms", IN_BROKER + ["fetch"], ["processPause"], traced, brokers=3, rate=120,
          size=500),
    Plant("generator-stopped", "the load generator is stopped for 550 ms (SIGSTOP)", IN_GENERATOR, ["processPause"], generator_stopped,
          rate=250, size=200, seen="nowhere"),
    Plant("handlers-held", "both request handlers of a broker wait 700 ms for forced writes of another topic", ["queue", "replication"],
          ["handlersBusy", "flush", "fileStall"], handlers_held, prepare_two, lab={"config": {"num.io.threads": "2"}}, rate=140, size=400,
          topics=[{"name": "audit", "partitions": 2, "replication": 1, "brokers": 1, "config": {"flush.messages": 1}}], shim=True),
    Plant("share-readers-pause", "the threads of both members of a share group stand still for 850 ms", ["poll"], ["consumerPause"],
          share_readers_pause, members=2, reader="share", rate=130, size=400, side="consume", seen="nowhere"),
    Plant("follower-cleaner", "the log cleaner of a follower takes 600 ms to put a segment in place", ["replication"], ["logCleaner"],
          follower_cleaner, topic={"segment.ms": 1500, "cleanup.policy": "compact", "min.cleanable.dirty.ratio": 0.01}, partitions=2,
          size=800, keys=60, rate=100, lab={"config": {"log.cleaner.backoff.ms": "300"}}, witness=TOPIC, shim=True, after=8),
    Plant("administrator-fences", "a program hangs in a transaction until an administrator fences it after 1.1 s", ["fetch"],
          ["transactionAbort", "openTransaction"], fenced, lambda w: (prepare_transaction(w), with_hand(w)),
          consumer={"isolation.level": "read_committed"}, brokers=3, rate=90, size=500, witness=TOPIC, reads=True,
          isolation="read_committed", seen="read", side="consume", ends="between"),
    Plant("follower-disk", "each write of a follower to the logs of the topic takes 260 ms longer for 1.8 s", ["replication"],
          ["fileStall", "diskBusy", "ioPressure"], follower_disk, lead_nothing, rate=110, size=1000, witness=TOPIC, shim=True,
          ends="between"),
    Plant("long-period", "one broker of an unreplicated topic gets 15 ms of a core in each second for 1.7 s", IN_BROKER + ["fetch"],
          ["cgroupThrottle"], long_period, replication=1, producer={"acks": "1"}, rate=200, size=350, ends="between", begins="between"),
    Plant("replication-reset", "a follower's connections to one leader are reset", ["replication"], ["disconnect"], replication_reset,
          brokers=3, rate=120, size=600, ends="between"),
]
