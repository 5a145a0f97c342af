"""
The fourth set: ten limits, written down before any diagnosis of them was examined. Their author knew the first thirty, but had
not read the rules. plants.py describes the fields.
"""

import contextlib
import os

from plants import TOPIC, Plant, consume, helper, once_it_has_begun, produce, topic
from plants2 import PROMPT, QUICK, WORK

READ_BYTES_PER_SECOND = 6_000_000


class DiskLimit:
    """A cgroup (v1 or v2) with a read limit, in bytes per second, for the disk of a directory; use as a context manager."""

    def __init__(self, name, directory):
        self.second = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
        self.root = "/sys/fs/cgroup" if self.second else "/sys/fs/cgroup/blkio"
        self.directory = os.path.join(self.root, "blind-limits-%d-%s" % (os.getpid(), name))
        device = os.stat(directory).st_dev
        self.device = "%d:%d" % (os.major(device), os.minor(device))

    def __enter__(self):
        try:
            os.mkdir(self.directory)
        except OSError as e:
            raise SystemExit("this plant takes a control group with a limit of reads, as root has it: %s" % e)
        return self

    def take(self, pid, directory=None):
        with contextlib.suppress(ProcessLookupError), open(os.path.join(directory or self.directory, "cgroup.procs"), "w") as f:
            f.write(str(pid))

    def set(self, rate):
        file, line = ("io.max", "%s rbps=%d") if self.second else ("blkio.throttle.read_bps_device", "%s %d")
        with open(os.path.join(self.directory, file), "w") as f:
            f.write(line % (self.device, rate))

    def __exit__(self, *_):
        with open(os.path.join(self.directory, "cgroup.procs")) as f:
            left = f.read().split()
        for pid in left:
            self.take(pid, self.root)
        os.rmdir(self.directory)


@contextlib.contextmanager
def slow_disk(cluster, run):
    with DiskLimit("disk", cluster.directory) as limit:
        for broker in range(1, cluster.count + 1):
            limit.take(cluster.pid(broker))
        with once_it_has_begun(run, lambda: limit.set(READ_BYTES_PER_SECOND)):
            yield


def squatters(cluster, run):
    return helper("Squatter.java", run, cluster.bootstrap(), TOPIC, "invoices", "3")


def write(rate, copies=1, checks=(), size=1000, **producer):
    load = {"topics": topic(replication=copies), "producers": produce(rate, size=size, config=producer)}
    return dict(load, checks=list(checks)) if checks else load


def now_and_then(idle):
    return write("10/s", checks=["produce.response.p50 < 3ms"],
                 **{"acks": 1, "linger.ms": 0, "connections.max.idle.ms": idle})


def four_topics(assignor):
    name = "orders-[1-4]"
    return {"topics": [{"name": name, "partitions": 1, "replication": 3}],
            "producers": [dict(produce("600/s", size=200)[0], topic=name)],
            "consumers": [dict(consume({"partition.assignment.strategy": "org.apache.kafka.clients.consumer." + assignor},
                                       members=4, work=WORK)[0], topic=name)],
            "checks": PROMPT}


def invoices(group):
    """Takes another group name without the plant, because killed members stay in their group for another 45 s."""
    return {"topics": topic(), "producers": produce("300/s"), "checks": PROMPT,
            "consumers": consume({"group.id": group}, members=2)}


def replay():
    return {"topics": topic(replication=1), "producers": produce("unlimited", records=80000, config={"acks": 1}),
            "consumers": consume(start={"after": "produce", "cold": True})}


def shared(locks):
    return {"topics": topic(partitions=1), "producers": produce("1000/s", size=200), "checks": PROMPT,
            "consumers": consume({"max.poll.records": 100}, kind="share", members=8, work=WORK,
                                 groupConfig={"share.partition.max.record.locks": locks})}


def seen():
    return {"topics": topic(), "producers": produce("300/s", config={"acks": 1}), "consumers": consume(), "checks": PROMPT}


def in_flight(requests):
    return write("unlimited", acks=1, **{"max.in.flight.requests.per.connection": requests})


NETWORK = r"\bnetwork\b(?! thread)|\blink\b|round[- ]trip|\bRTT\b"

PLANTS = [
    Plant(
        name="buffer-memory",
        planted="a producer with buffer.memory=32768, meant as 32 MB",
        expected="sends wait for room in the producer's buffer: buffer.memory",
        right=[], words=r"buffer\.memory|(room|space|memory|full)\b.*\bbuffer|buffer\b.*\b(room|space|full|small|exhaust)",
        load=write("unlimited", acks=1, **{"buffer.memory": 32768}),
        lifted=write("unlimited", acks=1),
        witness="produced", factor=2),
    Plant(
        name="idle-connections",
        planted="a producer with connections.max.idle.ms=50 that sends ten records a second",
        expected="connections are closed between records, and each record waits for a new one",
        right=[], words=r"connections\.max\.idle|re-?connect|connections?\b.*\b(idle|closed?|closing|opened|anew|again)\b|"
                        r"\b(idle|new|closed?|opens?|opened) connection",
        load=now_and_then(50),
        lifted=now_and_then(60000),
        witness="responseMedian", factor=2),
    Plant(
        name="range-assignor",
        planted="four members with RangeAssignor on four topics of one partition each, with 5 ms of work a record",
        expected="one member is assigned all four partitions, and three have none",
        right=[], words=r"assign|uneven|(one|1) (of (the )?(four|4) )?members? (has|have|gets?|holds?|reads?|owns?)|"
                        r"members?\b.*\b(no|without( a| any)?) partition",
        load=four_topics("RangeAssignor"),
        lifted=four_topics("RoundRobinAssignor"),
        witness="consumed", factor=2),
    Plant(
        name="squatters",
        planted="three instances of another deployment with the same group.id, that join the group and read nothing",
        expected="members that are not of this load have partitions of the group",
        right=[], words=r"\b(other|foreign|another|strange|unknown|someone else's|not of this (run|load))\b.{0,40}\bmember|"
                        r"\bmembers?\b.{0,60}\b(foreign|not (of|from|by) this (run|load)|(some|any)(body|one) else|of others)|"
                        r"\b(other|another)\b.{0,40}\b(consumer|client|application|instance|program)s?\b.{0,60}\b(partition|group)",
        cluster="mortal",
        load=invoices("invoices"),
        lifted=invoices("invoices-alone"),
        during=squatters,
        witness="consumed", factor=1.5),
    Plant(
        name="cold-reads",
        planted="a group that reads from the beginning what is no more in the page cache, and a disk that all brokers together "
                "read with 6 MB/s (control group)",
        expected="the brokers read from a slow disk",
        right=[], words=r"\bdis[ck]s?\b|page cache",
        cluster="mortal",
        load=replay(),
        lifted=replay(),
        during=slow_disk,
        witness="consumed", factor=2),
    Plant(
        name="far-away",
        planted="clients whose way to the brokers takes 60 ms, and as long back",
        expected="the way to the brokers: round trips of the network",
        right=[], words=NETWORK + r"|\bfar\b|distan(t|ce)",
        cluster="far",
        load=write("300/s", copies=3, checks=QUICK),
        lifted=write("300/s", copies=3, checks=QUICK),
        witness="responseMedian", factor=5),
    Plant(
        name="narrow-link",
        planted="clients that reach each broker with 1 MB/s",
        expected="the bandwidth of the network between the clients and the brokers",
        right=[], words=NETWORK + r"|bandwidth",
        cluster="narrow",
        load=write("unlimited", acks=1),
        lifted=write("unlimited", acks=1),
        witness="produced", factor=3),
    Plant(
        name="share-locks",
        planted="a share group of eight with share.partition.max.record.locks=100 on one partition, with 5 ms of work a record",
        expected="no more records of a partition may be locked at a time, so that members have none",
        right=[], words=r"record\.locks|\block(s|ed)?\b|in[ -]flight|in hand",
        cluster="share", lifted_cluster="share",
        load=shared(100),
        lifted=shared(2000),
        witness="consumed", factor=2),
    Plant(
        name="seen-when-copied",
        planted="replica.fetch.min.bytes=1000000 and replica.fetch.wait.max.ms=500 on the brokers, before producers with acks=1",
        expected="consumers are given records only when the followers have them",
        right=[], words=r"follower|replica|replicat|watermark|in.sync",
        cluster="lazy",
        load=seen(),
        lifted=seen(),
        witness="endToEndMedian", factor=3),
    Plant(
        name="one-in-flight",
        planted="max.in.flight.requests.per.connection=1, set for the sake of order, at 60 ms to the brokers and as long back",
        expected="one request at a time is under way to each broker, for a round trip: max.in.flight.requests.per.connection",
        right=[], words=r"in[ .-]flight|under way|(one|1|single) requests?\b",
        cluster="far", lifted_cluster="far",
        load=in_flight(1),
        lifted=in_flight(5),
        witness="produced", factor=2),
]
