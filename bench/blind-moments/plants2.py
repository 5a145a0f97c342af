"""
The second set: twenty rare stalls with other mechanisms, sizes or places than in plants.py. The expected explanations were
written down before any explanation of these stalls was examined.
"""

import contextlib
import dataclasses
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient

import world
from plants import (IN_BROKER, RATE, SEGMENTS, TOPIC, WARMUP_SECONDS, DIRTY, Truth, at_broker,  # noqa: F401
                    awaited, delayed, prepare_transaction, prime_brokers, prime_generator, put, keep_ratios, scenario, stopped_threads,
                    threads, with_hand)
from plants import Plant as Planted
from world import FORCE, RENAME, TRUNCATE, WRITE

# Rate (scaled by RATE / 2000), size, acks and members of the clean runs.
CLEAN = [(1500, 800, "all", 1), (3500, 150, "all", 3), (2500, 1200, "1", 2), (4500, 120, "all", 1), (2000, 600, "all", 2),
         (3000, 400, "1", 1), (1500, 2500, "all", 2), (4000, 250, "all", 1), (2500, 700, "all", 4), (5000, 150, "1", 3)]


@dataclasses.dataclass
class Plant(Planted):
    members: int = 1

    def scenario(self):
        made = super().scenario()
        made["consumers"][0]["members"] = self.members
        return made


def place(*brokers):
    return r"\bbroker[ -]?(%s)\b" % "|".join(map(str, brokers))


def two(w):
    return w.rng.sample(w.brokers.ids, 2)


def follower_flush(w):
    """Delays a forced write at a follower, so that records wait at the leader."""
    leader, follower = two(w)
    begin, end, path = delayed(w, follower, FORCE, "/%s-%d/" % (TOPIC, w.led(leader)), 500, "a forced write",
                               lambda path: path.endswith(".log"))
    return Truth(begin, end, [leader], place(follower), {"follower": follower, "file": os.path.basename(path)})


def index_trim(w):
    broker = w.any_broker()
    begin, end, path = delayed(w, broker, TRUNCATE, "/%s-%d/" % (TOPIC, w.led(broker)), 400, "a log that rolls")
    return at_broker(begin, end, broker, file=os.path.basename(path))


def dumped(w, pid, *options):
    file = os.path.join(w.work, "tmp", "heap-%d.hprof" % pid)
    begin, end, answer = w.brokers.ask(pid, "GC.heap_dump", *options, file)
    size = os.path.getsize(file)
    os.unlink(file)
    return begin, end, {"bytes": size, "answer": answer[-60:]}


def broker_dump(w):
    broker = w.any_broker()
    begin, end, facts = dumped(w, w.brokers.pids[broker], "-all")
    return at_broker(begin, end, broker, **facts)


def generator_dump(w):
    begin, end, facts = dumped(w, w.run.pid)
    return Truth(begin, end, [], r"generator|worker|plimsoll|local", facts)


def prepare_move(w):
    w.broker, w.to = two(w)
    w.hand().do("ready")


def move(w):
    begin, end = w.hand().do("move", TOPIC, w.broker, w.to)
    return Truth(begin, end, [w.broker, w.to], place(w.broker, w.to) + "|%s|controller" % TOPIC, {"from": w.broker, "to": w.to})


class Rules:
    """Rules of the packet filter (iptables), removed at the end of the plant."""

    def __init__(self, w):
        self.rules = []
        w.undo.callback(self.remove)

    def add(self, *rule):
        subprocess.run(["iptables", "-w", "-I", "INPUT", "-p", "tcp", *map(str, rule)], check=True)
        self.rules.append(list(map(str, rule)))

    def remove(self):
        while self.rules:
            subprocess.run(["iptables", "-w", "-D", "INPUT", "-p", "tcp", *self.rules.pop()], check=True)


def isr_cut(w):
    """Drops all packets of a follower's connections to a leader for 3 s."""
    leader, follower = two(w)
    port = w.brokers.ports[leader][0]
    found = subprocess.run(["ss", "-tnpH", "state", "established", "dport", "=", str(port)], capture_output=True, text=True,
                           check=True).stdout
    sources = [re.search(r":(\d+)\s", line).group(1) for line in found.split("\n") if "pid=%d," % w.brokers.pids[follower] in line]
    if not sources:
        raise world.Failure("broker %d has no connections to broker %d" % (follower, leader))
    rules = Rules(w)
    begin = time.time()
    for source in sources:
        rules.add("--sport", source, "--dport", port, "-j", "DROP")
        rules.add("--sport", port, "--dport", source, "-j", "DROP")
    time.sleep(max(0, begin + 3 - time.time()))
    rules.remove()
    return Truth(begin, time.time(), [leader], place(leader, follower) + "|" + TOPIC,
                 {"follower": follower, "connections": len(sources), "lagTimeMax": 1.5})


SO_RCVBUFFORCE = 33


class Delay:
    """Delays each packet of an iptables queue (NFQUEUE) by some seconds."""

    QUEUE = 7

    def __init__(self, seconds):
        self.seconds, self.held, self.count, self.over = seconds, [], 0, threading.Event()
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 8 << 20)
        self.socket.settimeout(0.002)
        self.socket.bind((0, 0))
        self.send(2, 1, struct.pack(">BxH", 1, 0))                 # bind to the queue
        self.send(2, 2, struct.pack(">IB", 0, 1) + b"\0\0\0")       # copy only metadata
        self.send(2, 3, struct.pack(">I", 65536))                  # length of the queue, in packets
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def send(self, kind, attribute, data, size=None):
        size = size or {1: 4, 2: 5, 3: 4}[attribute]
        body = struct.pack(">BBH", 0, 0, self.QUEUE) + struct.pack("=HH", 4 + size, attribute) + data
        self.socket.send(struct.pack("=IHHII", 16 + len(body), 3 << 8 | kind, 1, 0, 0) + body)

    def run(self):
        while not self.over.is_set() or self.held:
            with contextlib.suppress(socket.timeout, OSError):
                data = self.socket.recv(1 << 16)
                now = time.monotonic()
                while len(data) >= 16:
                    length, kind = struct.unpack_from("=IH", data)
                    if kind == 3 << 8:
                        self.held.append((now + self.seconds, struct.unpack_from(">I", data, 24)[0]))
                        self.count += 1
                    data = data[(length + 3) & ~3:]
            while self.held and (self.over.is_set() or self.held[0][0] <= time.monotonic()):
                self.send(1, 2, struct.pack(">II", 1, self.held.pop(0)[1]), 8)

    def close(self):
        """Releases all delayed packets at once."""
        self.over.set()
        self.thread.join(5)
        self.socket.close()


def network_delay(w):
    broker = w.any_broker()
    delay = Delay(0.25)
    w.undo.callback(delay.close)
    rules = Rules(w)
    begin = time.time()
    rules.add("--dport", w.brokers.ports[broker][0], "-j", "NFQUEUE", "--queue-num", Delay.QUEUE)
    time.sleep(max(0, begin + 1.5 - time.time()))
    rules.remove()
    delay.close()
    return at_broker(begin, time.time(), broker, packets=delay.count)


def quota(w):
    """Sets a quota of a fifth of the group's rate. Brokers measure over ten seconds, so they throttle after about 2 s."""
    share = w.plant.rate * w.plant.size // 15
    begin, _ = w.hand().do("quota", share, "consumer_byte_rate")
    w.undo.callback(w.hand().do, "quota", 0, "consumer_byte_rate")
    time.sleep(2.7)
    _, end = w.hand().do("quota", 0, "consumer_byte_rate")
    w.undo.pop_all()
    return Truth(begin, end, w.brokers.ids, r"broker", {"bytesPerSecond": share})


MEMBER = """
import sys, time
from confluent_kafka import Consumer
consumer = Consumer({"bootstrap.servers": sys.argv[1], "group.id": "payments", "log_level": 0, "enable.auto.commit": False,
                     "partition.assignment.strategy": "range", "session.timeout.ms": 1500, "heartbeat.interval.ms": 200,
                     "auto.offset.reset": "latest"})
def assigned(_consumer, partitions):
    consumer.assign(partitions)
    consumer.pause(partitions)
    if partitions:
        print(*sorted(p.partition for p in partitions), flush=True)
consumer.subscribe([sys.argv[2]], on_assign=assigned)
while True:
    consumer.poll(0.05)
"""


def member_killed(w):
    """Kills a member that has taken partitions. The group waits until its session times out."""
    admin = AdminClient({"bootstrap.servers": w.brokers.bootstrap, "log_level": 0})

    def group():
        found = admin.describe_consumer_groups(["payments"])["payments"].result(5)
        return found.state.name, len(found.members)

    usual = group()[1]
    begin = time.time()
    member = subprocess.Popen([sys.executable, "-c", MEMBER, w.brokers.bootstrap, TOPIC], stdout=subprocess.PIPE, text=True)
    w.undo.callback(member.kill)
    taken = member.stdout.readline().split()
    if not taken:
        raise world.Failure("the member took nothing")
    time.sleep(0.3)
    at = time.time()
    member.kill()
    member.wait()
    world.until(lambda: group() == ("STABLE", usual), "the group without it", 20, 0.02)
    return Truth(begin, time.time(), [], r"payments|consumers|group", {"taken": taken, "killedAfter": round(at - begin, 3)})


def one_on_a_core(w):
    w.broker = w.any_broker()
    for broker, pid in w.brokers.pids.items():
        for task in os.listdir("/proc/%d/task" % pid):
            with contextlib.suppress(OSError):
                os.sched_setaffinity(int(task), {0 if broker == w.broker else 1})
    # Restored at the end, because later runs inherit the cores of this process.
    w.undo.callback(os.sched_setaffinity, 0, os.sched_getaffinity(0))
    os.sched_setaffinity(0, {1})


BURN = """
import os, sys, time
os.sched_setaffinity(0, {0})
os.nice(-20)
print(flush=True)
begin, end = map(float, sys.stdin.readline().split())
time.sleep(max(0, begin - time.time()))
while time.time() < end:
    pass
"""


def neighbours(w):
    burning = [subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
               for _ in range(6)]
    for each in burning:
        w.undo.callback(each.kill)
        each.stdout.readline()
    begin = time.time() + 0.1
    for each in burning:
        each.stdin.write("%f %f\n" % (begin, begin + 1.5))
        each.stdin.flush()
    for each in burning:
        each.wait(60)
    return Truth(begin, begin + 1.5, [w.broker], place(w.broker) + "|host")


def writeback(w):
    """Other programs change mapped files faster than the disk can write, with a limit of 2 MB of dirty pages."""
    keep_ratios(w)
    path, size = os.path.join(w.work, "mapped"), 768 << 20
    fill = ("import mmap, os, sys, time\n"
            "file = os.open(sys.argv[1], os.O_CREAT | os.O_RDWR)\n"
            "os.ftruncate(file, %d)\n"
            "pages = mmap.mmap(file, %d)\n"
            "end = time.monotonic() + 1.2\n"
            "data = os.urandom(1 << 20)\n"
            "at = 0\n"
            "while time.monotonic() < end:\n"
            "    pages[at:at + len(data)] = data\n"
            "    at = (at + len(data)) %% %d\n" % (size, size, size))
    begin = time.time()
    put(DIRTY[1], 1 << 20)
    put(DIRTY[0], 2 << 20)
    fillers = [subprocess.Popen([sys.executable, "-c", fill, path + str(i)]) for i in range(2)]
    for each in fillers:
        each.wait(60)
    w.undo.close()
    end = time.time()
    for i in range(2):
        os.unlink(path + str(i))
    return Truth(begin, end, w.brokers.ids, r"host|broker|disk", {})


def stop_two(w):
    brokers = two(w)
    pids = [w.brokers.pids[b] for b in brokers]

    def go_on():
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    w.undo.callback(go_on)
    begin = time.time()
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    time.sleep(0.35)
    go_on()
    return Truth(begin, time.time(), brokers, place(*brokers))


def prepare_audit(w):
    w.producer = Producer({"bootstrap.servers": w.brokers.bootstrap, "log_level": 0, "linger.ms": 0})
    w.producer.produce("audit", b"first")
    w.producer.flush(10)
    w.broker = w.producer.list_topics("audit", 10).topics["audit"].partitions[0].leader


def handler_held(w):
    shim = w.shim(w.broker)
    before = len(shim.delayed())
    shim.set(WRITE, 400, 1, "/audit-0/")
    w.producer.produce("audit", b"second")
    w.producer.flush(10)
    begin, end, path = awaited(shim, before, "a write of the other topic")
    return at_broker(begin, end, w.broker, file=os.path.basename(path))


def cleaner(w):
    """Delays the renames of three files of a cleaned segment, during which appends are blocked."""
    broker = w.any_broker()
    shim = w.shim(broker)
    for _ in range(5):
        before = len(shim.delayed())
        shim.set(RENAME, 120, 3, "/%s-%d/" % (TOPIC, w.led(broker)))
        world.until(lambda: len(shim.delayed()) >= before + 3, "cleaned segments", 12, 0.01)
        rows = shim.delayed()[before:]
        if all(".swap" in row[2] for row in rows) and rows[2][1] - rows[0][0] < 0.5:
            return at_broker(rows[0][0], rows[2][1], broker, files=[os.path.basename(row[2]) for row in rows])
    raise world.Failure("other files were delayed: %s" % [row[2] for row in rows])


def refused(w):
    broker = w.any_broker()
    rules = Rules(w)
    begin = time.time()
    rules.add("--dport", w.brokers.ports[broker][0], "-j", "REJECT", "--reject-with", "tcp-reset")
    time.sleep(max(0, begin + 0.6 - time.time()))
    rules.remove()
    return at_broker(begin, time.time(), broker)


def member_pause(w):
    readers = threads(w.run.pid, "plimsoll-read")
    if not readers:
        raise world.Failure("there is no thread that reads")
    begin, end = stopped_threads(w, w.run.pid, [w.rng.choice(readers)], 0.5)
    return Truth(begin, end, [], r"consumers|group|generator|payments", {"threads": len(readers)})


def fenced(w):
    """A program leaves a transaction open for 1.5 s, until its successor aborts it."""
    brokers = two(w)
    answered = []
    w.producer.begin_transaction()
    for broker in brokers:
        w.producer.produce(TOPIC, b"settled", key=b"w1", partition=w.led(broker),
                           on_delivery=lambda *given: answered.append(time.time()))
    world.until(lambda: w.producer.poll(0.02) is not None and len(answered) == 2, "the records", 10, 0)
    time.sleep(max(0, answered[0] + 1.5 - time.time()))
    successor = Producer({"bootstrap.servers": w.brokers.bootstrap, "log_level": 0, "transactional.id": "settlement"})
    successor.init_transactions(30)
    return Truth(answered[0], time.time(), brokers, place(*brokers) + "|" + TOPIC)


def slow_disk(w):
    """Limits a broker to eight disk writes per second for 2 s, like the disk limit of a container."""
    broker = w.any_broker()
    device = os.stat(w.work).st_dev
    group = world.Group("blkio", "disk")
    w.ends.callback(group.close)
    for task in os.listdir("/proc/%d/task" % w.brokers.pids[broker]):
        with contextlib.suppress(OSError):
            group.add(task)
    disk = "%d:%d" % (os.major(device), os.minor(device))
    begin = time.time()
    group.write("blkio.throttle.write_iops_device", disk + " 8")
    time.sleep(2)
    group.write("blkio.throttle.write_iops_device", disk + " 0")
    return at_broker(begin, time.time(), broker)


def controller_stopped(w):
    """Stops the active controller for 6 s, long enough for the election of another controller and other leaders."""
    controller = int(1e6 * w.hand().do("controller")[0])
    pid = w.brokers.pids[controller]
    w.undo.callback(os.kill, pid, signal.SIGCONT)
    begin = time.time()
    os.kill(pid, signal.SIGSTOP)
    time.sleep(6)
    os.kill(pid, signal.SIGCONT)
    end = time.time()
    w.undo.pop_all()
    time.sleep(2)
    now = int(1e6 * w.hand().do("controller")[0])
    if now == controller:
        raise world.Failure("no other controller took over")
    return at_broker(begin, end, controller, controller=now)


def generator_throttled(w):
    group = w.group("cpu", "generator")
    for task in os.listdir("/proc/%d/task" % w.run.pid):
        with contextlib.suppress(OSError):
            group.add(task)
    begin = time.time()
    group.write("cpu.cfs_quota_us", 3000)
    time.sleep(1.5)
    group.write("cpu.cfs_quota_us", -1)
    end = time.time()
    with open(os.path.join(group.path, "cpu.stat")) as file:
        return Truth(begin, end, [], r"generator|worker|plimsoll|local", dict(line.split() for line in file))


PLANTS = [
    Plant("follower-flush", "one forced write of a log takes 500 ms at a follower", ["replication"], ["flush"], follower_flush,
          topic={"flush.messages": 300}, witness=TOPIC, shim=True),
    Plant("index-trim", "the file system takes 400 ms to change the size of an index while a log rolls", ["append"], ["logRoll"],
          index_trim, topic=SEGMENTS, rate=3 * RATE // 2, size=1000, witness=TOPIC, shim=True),
    Plant("broker-dump", "a heap dump of one broker, without a collection", IN_BROKER + ["fetch"], ["safepoint", "gc"], broker_dump,
          prime_brokers, ends="witness"),
    Plant("generator-dump", "a collection and a heap dump of the load generator", ["send", "produce", "batch", "poll"],
          ["gc", "safepoint"], generator_dump, prime_generator, seen="nowhere"),
    Plant("leader-moved", "an administrator takes the replicas of one broker's partitions away from it",
          ["retry", "batch", "request", "network"], ["leaderChange"], move, prepare_move, witness=TOPIC, ends="between"),
    Plant("isr-cut", "the connections of one follower to one leader carry nothing for 3 s", ["replication"],
          ["isrShrink", "retransmit"], isr_cut, lab={"config": {"replica.lag.time.max.ms": "1500"}}, ends="witness", after=8),
    Plant("network-delay", "for 1.5 s, each packet to one broker's listener takes 250 ms longer",
          ["network", "request", "response", "retry", "replication"], ["retransmit"], network_delay, ends="between"),
    Plant("consumer-quota", "a quota for consumers, removed after 2.7 s", ["throttle", "fetch"], ["quota"], quota, with_hand,
          reads=True, pad=3500, ends="between", after=9, begins="between", seen="read", side="consume", seconds=20),
    Plant("member-killed", "another member joins the group, takes partitions and is killed", ["poll", "fetch"], ["rebalance"],
          member_killed, lab={"config": {"group.min.session.timeout.ms": "1000"}},
          consumer={"group.id": "payments", "heartbeat.interval.ms": 100}, side="consume", seen="nowhere"),
    Plant("neighbours", "six programs of the highest usual priority on the core of one broker", IN_BROKER + ["fetch"],
          ["cpuPressure"], neighbours, one_on_a_core),
    Plant("mapped-writeback", "other programs change mapped files more than the page cache may hold",
          ["append", "replication", "queue", "request"], ["writeback", "ioPressure", "diskBusy"], writeback),
    Plant("two-stopped", "two brokers are stopped for 350 ms (SIGSTOP)", IN_BROKER + ["fetch"], ["processPause"], stop_two),
    Plant("handler-held", "the only request handler of a broker waits 400 ms for a file of another topic", ["queue", "replication"],
          ["handlersBusy", "fileStall"], handler_held, prepare_audit, lab={"config": {"num.io.threads": "1"}},
          topics=[{"name": "audit", "partitions": 1, "replication": 1}], shim=True),
    Plant("cleaner-renames", "each of three files of a cleaned segment takes 120 ms to be renamed", ["append"], ["logCleaner"],
          cleaner, topic=dict(SEGMENTS, **{"cleanup.policy": "compact", "min.cleanable.dirty.ratio": 0.01}), rate=3 * RATE // 2,
          size=1000, keys=2000, lab={"config": {"log.cleaner.backoff.ms": "500"}}, witness=TOPIC, shim=True, after=9),
    Plant("refused", "one broker's listener resets and refuses connections for 600 ms",
          ["retry", "batch", "request", "network", "replication"], ["disconnect"], refused, ends="between"),
    Plant("member-pause", "the thread of one of two members stands still for 500 ms", ["poll"], ["consumerPause"], member_pause,
          side="consume", seen="nowhere", members=2),
    Plant("fenced", "a program hangs in a transaction, which its successor aborts after 1.5 s", ["fetch"], ["transactionAbort"],
          fenced, prepare_transaction, consumer={"isolation.level": "read_committed"}, witness=TOPIC, reads=True,
          isolation="read_committed", seen="read", side="consume", ends="witness"),
    Plant("disk-limit", "the disk takes eight writes a second of one broker for 2 s", ["append", "replication"],
          ["fileStall", "diskBusy", "ioPressure", "flush"], slow_disk, topic={"flush.messages": 20}, witness=TOPIC, ends="between"),
    Plant("controller-stopped", "the active controller, a broker too, is stopped for 6 s (SIGSTOP)",
          ["retry", "batch", "request", "network", "send", "response"],
          ["controllerFailover", "brokerDown", "leaderChange", "processPause"], controller_stopped, with_hand,
          lab={"config": {"broker.session.timeout.ms": "2000", "broker.heartbeat.interval.ms": "400"}}, ends="witness", after=10,
          seconds=20),
    Plant("generator-quota", "the load generator gets 3 % of a core for 1.5 s", ["send", "produce", "batch", "poll"],
          ["cgroupThrottle"], generator_throttled, seen="nowhere"),
]
