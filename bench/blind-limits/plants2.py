"""
The second set: ten limits. Their author knew the first ten, and wrote them down before reading the rules of that time. plants.py
describes the fields, and README.md the results.
"""

import contextlib
import os
import re
import signal
import subprocess

import brokers
from plants import TOPIC, Plant, consume, helper, once_it_has_begun, produce, topic

WORK = {"each": "5ms"}
PROMPT = ["consume.e2e.p90 < 300ms"]
QUICK = ["produce.response.p90 < 100ms"]


def threads(pid, name):
    """Returns the kernel ids of the threads of a JVM with `name` in their names."""
    jcmd = os.path.join(os.environ["JAVA_HOME"], "bin", "jcmd") if os.environ.get("JAVA_HOME") else "jcmd"
    printed = subprocess.run([jcmd, str(pid), "Thread.print"], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.findall(r'^"[^"]*%s[^"]*".* nid=(\w+)' % name, printed, re.M)
    if not found:
        raise SystemExit("process %d has no thread named %s" % (pid, name))
    return [int(nid, 0) for nid in found]


@contextlib.contextmanager
def slow_threads(cluster, run, broker, name, cores):
    """Limits the named threads of a broker to `cores` in total, from the start of the load."""
    with brokers.CpuLimit("threads") as limit:
        def plant():
            for thread in threads(cluster.pid(broker), name):
                limit.take(thread, "tasks")
            limit.set(cores)

        with once_it_has_begun(run, plant):
            yield


def network_threads(cluster, run):
    return slow_threads(cluster, run, 2, "kafka-network-thread", 0.02)


def fetcher_threads(cluster, run):
    return slow_threads(cluster, run, 3, "ReplicaFetcherThread", 0.01)


def dead(cluster, run):
    return once_it_has_begun(run, lambda: os.kill(cluster.pid(3), signal.SIGKILL))


def away(cluster, run):
    return once_it_has_begun(run, lambda: os.kill(cluster.pid(3), signal.SIGTERM))


def forgetful(cluster, run):
    return helper("Meddler.java", run, "transaction", cluster.bootstrap(), TOPIC)


def restless(cluster, run):
    return helper("Meddler.java", run, "leaders", cluster.bootstrap(), TOPIC)


def work(rate, partitions=12, members=2, **more):
    return {"topics": topic(partitions=partitions), "producers": produce(rate, size=200),
            "consumers": consume(more.pop("config", None), members=members, **more), "checks": PROMPT}


def copies(count, config, **more):
    return {"topics": topic(replication=count, config=config), "producers": produce("3000/s", config=more), "checks": QUICK}


PLANTS = [
    Plant(
        name="slow-work",
        planted="a group of two whose members take 5 ms for each record, at 1,000/s",
        expected="the consumers' own work on each record",
        right=["consumer"], words="work|process",
        load=work("1000/s", work=WORK),
        lifted=work("1000/s"),
        witness="consumed", factor=2),
    Plant(
        name="idle-members",
        planted="eight members with 5 ms of work a record, on a topic of two partitions",
        expected="two partitions keep no more than two of eight members at work",
        right=[], words=r"partitions?\b.*\bmember|\bmembers?\b.*\bpartition",
        load=work("1000/s", partitions=2, members=8, work=WORK),
        lifted=work("1000/s", members=8, work=WORK),
        witness="consumed", factor=2),
    Plant(
        name="poll-interval",
        planted="max.poll.interval.ms=1000, and a backlog that lets a poll return more than a second of work",
        expected="members are put out of the group because their polls are too far apart, and begin anew",
        right=[], words=r"max\.poll|rebalanc",
        load=work("200/s", members=4, work={"each": "10ms"}, start={"backlog": "3s"}, config={"max.poll.interval.ms": 1000}),
        lifted=work("200/s", members=4, work={"each": "10ms"}, start={"backlog": "3s"},
                    config={"max.poll.interval.ms": 1000, "max.poll.records": 20}),
        witness="endToEndMedian", factor=5),
    Plant(
        name="open-transaction",
        planted="a transaction of somebody else, open on all partitions, before a group with isolation.level=read_committed",
        expected="an open transaction keeps the group from reading on",
        right=[], words="transaction",
        load=work("300/s", config={"isolation.level": "read_committed"}),
        lifted=work("300/s", config={"isolation.level": "read_committed"}),
        during=forgetful,
        witness="consumed", factor=2),
    Plant(
        name="leader-dance",
        planted="a balancer that moves the leaders of all partitions twice a second",
        expected="leaders of partitions change all the time",
        right=[], words=r"leaders?\b.*\b(move|chang|elect)|\b(move|chang|elect)\w*\b.*\bleader",
        load=copies(3, {}),
        lifted=copies(3, {}),
        during=restless,
        witness="responseMean", factor=3),
    Plant(
        name="dead-broker",
        planted="broker 3 of three killed while partitions have one copy",
        expected="the partitions of broker 3 have no leader any more",
        right=[], words=r"(without|no) (a )?leader|leaderless|broker 3",
        cluster="mortal",
        load=copies(1, {}, acks=1),
        lifted=copies(1, {}, acks=1),
        during=dead,
        witness="produced", factor=1.3),
    Plant(
        name="one-away",
        planted="broker 3 of three shut down while the topic has min.insync.replicas=3",
        expected="too few replicas in sync for acks=all",
        right=[], words=r"in.sync|insync|NOT_ENOUGH_REPLICAS|not enough replicas",
        cluster="mortal",
        load=copies(3, {"min.insync.replicas": 3}),
        lifted=copies(3, {"min.insync.replicas": 3}),
        during=away,
        witness="produced", factor=2),
    Plant(
        name="flush-each",
        planted="flush() after every tenth record, in one thread, 20,000/s asked",
        expected="the producer waits in flush()",
        right=[], words=r"^synchronous|flush\(\)|flushEvery|flush after|flushes after",
        load={"topics": topic(), "producers": produce("20000/s", size=200, send={"flushEvery": 10})},
        lifted={"topics": topic(), "producers": produce("20000/s", size=200)},
        witness="produced", factor=2),
    Plant(
        name="network-threads",
        planted="the network threads of broker 2 of three get 2 % of a core",
        expected="the network threads of broker 2",
        right=[], words="network thread", where="broker 2",
        load={"topics": topic(replication=1), "producers": produce("6000/s", config={"acks": 1}), "checks": QUICK},
        lifted={"topics": topic(replication=1), "producers": produce("6000/s", config={"acks": 1}), "checks": QUICK},
        during=network_threads,
        witness="responseMedian", factor=3),
    Plant(
        name="slow-fetchers",
        planted="the threads of broker 3 of three that fetch from leaders get 1 % of a core; acks=all, 300/s",
        expected="acknowledgements wait for the follower on broker 3",
        right=["replication"], where="broker 3",
        load={"topics": topic(), "producers": produce("300/s"), "checks": QUICK},
        lifted={"topics": topic(), "producers": produce("300/s"), "checks": QUICK},
        during=fetcher_threads,
        witness="responseMedian", factor=3),
]
