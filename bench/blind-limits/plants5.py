"""
The fifth set: limits that operators of shared clusters meet, written down before any diagnosis of them was examined. Their author
knew the first forty, but had not read the rules. The set has fourteen plants, because not all of them could be tried then: the
first ten in this order that limit the load count. plants.py describes the fields.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading

import brokers
from plants import HERE, TOPIC, Plant, consume, helper, once_it_has_begun, produce, topic
from plants2 import PROMPT, QUICK
from plants3 import write

BATCH_JOBS = 8
CUT_EVERY_SECONDS = 0.15
PREPARE_SECONDS = 120
BUSY = """
import os, time
parent, end = os.getppid(), time.monotonic() + 60
while time.monotonic() < end and os.getppid() == parent:
    sum(range(100000))
"""


def offsets_on_one(cluster):
    """Creates __consumer_offsets with replication factor 1 before any group exists."""
    done = subprocess.run(
        [brokers.JAVA, "-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", os.path.join(brokers.HOME, "target", "lib", "*"),
         os.path.join(HERE, "Operator.java"), "offsets", cluster.bootstrap()],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PREPARE_SECONDS)
    if done.returncode:
        raise SystemExit("the topic of the groups' offsets could not be made: %s" % done.stderr[-1000:])


def operator(what, *more):
    return lambda cluster, run: helper("Operator.java", run, what, cluster.bootstrap(), *more)


def sleeper(cluster, run):
    return helper("Sleeper.java", run, cluster.bootstrap(), TOPIC, "mail")


def away(cluster, run):
    return once_it_has_begun(run, lambda: os.kill(cluster.pid(3), signal.SIGTERM))


def lost_disk(cluster, run):
    """Renames a log directory. Open files stay usable; the broker notices at its next checkpoint, when it opens a file."""
    disk = cluster.disk(1, 2)
    return once_it_has_begun(run, lambda: os.rename(disk, disk + ".gone"))


@contextlib.contextmanager
def batch_jobs(_cluster, run):
    """Runs CPU-bound programs on this host that are unrelated to Kafka."""
    jobs = []

    def begin():
        for _ in range(BATCH_JOBS):
            jobs.append(subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.DEVNULL, start_new_session=True))

    try:
        with once_it_has_begun(run, begin):
            yield
    finally:
        for job in jobs:
            job.kill()
        for job in jobs:
            job.wait(30)


@contextlib.contextmanager
def cuts(cluster, run):
    """Cuts the connections to one broker after another, like a firewall that is short of memory."""
    begun, over = threading.Event(), threading.Event()

    def cut():
        begun.wait()
        turn = 0
        while not over.wait(CUT_EVERY_SECONDS):
            cluster.links[turn % len(cluster.links)].cut()
            turn += 1

    box = threading.Thread(target=cut)
    box.start()
    try:
        with once_it_has_begun(run, begun.set):
            yield
    finally:
        over.set()
        begun.set()
        box.join()


def two_topics(first=None, **producer):
    """Writes to the topics of two services; `first` is the configuration of the first topic."""
    there = [{"name": "%s-%d" % (TOPIC, i), "partitions": 6, "replication": 3, "config": config or {}}
             for i, config in ((1, first), (2, None))]
    return {"topics": there,
            "producers": [dict(produce("1000/s", config=dict({"acks": 1}, **producer))[0], topic=TOPIC + "-[1-2]")]}


def late(config):
    return two_topics(config, **{"linger.ms": 20})


def read(rate, config=None, size=200, **more):
    return {"topics": topic(), "producers": produce(rate, size=size), "consumers": consume(config, **more), "checks": PROMPT}


def committed():
    """Members commit synchronously after each poll, with a timeout of ten seconds."""
    return read("1000/s", {"default.api.timeout.ms": 10000}, members=2, commit={"sync": {"every": 1}})


def transactions(timeout):
    return {"topics": topic(), "producers": produce("500/s", size=200, transactions={"every": "1500ms"},
                                                    config={"transaction.timeout.ms": timeout})}


def placed(**where):
    return {"topics": topic(replication=1, **where), "producers": produce("unlimited", config={"acks": 1})}


PLANTS = [
    Plant(
        name="no-batching",
        planted="a producer with batch.size=0, set for the sake of latency, that sends as fast as it can",
        expected="each record is a batch of its own: batch.size",
        right=[], words=r"batch\.size|batching|unbatched|records? (per|a|in each|in a) batch|"
                        r"\b(small|tiny|single|one[- ]record|few|little)\w*\b.{0,40}\bbatch|"
                        r"\bbatch\w*\b.{0,60}\b(small|tiny|single|one record|1(\.0)? records?|few|little|off|disabled)",
        load=write("unlimited", copies=1, **{"acks": 1, "batch.size": 0}),
        lifted=write("unlimited", copies=1, acks=1),
        witness="produced", factor=2),
    Plant(
        name="stuck-rebalance",
        planted="an instance of the service that does not poll while it is busy, and another that joins: the group waits for the "
                "first, for max.poll.interval.ms",
        expected="the group is in a rebalance that does not end, since a member does not join again",
        right=[], words=r"rebalanc",
        cluster="mortal",
        load=read("500/s", {"group.id": "mail"}, members=2),
        lifted=read("500/s", {"group.id": "mail"}, members=2),
        during=sleeper,
        witness="consumed", factor=2),
    Plant(
        name="deny-write",
        planted="an ACL that denies everybody to write to one of two topics",
        expected="records are refused because the producer is not allowed to write to the topic",
        right=[], words=r"authori[sz]|\bACLs?\b|not allowed|\bdenie[sd]\b|\bdeny|permission|permitted|access (control|rights?)|"
                        r"\brights?\b.{0,30}\b(write|topic)|\bno rights?\b|forb(id|ad)",
        cluster="guarded", lifted_cluster="guarded",
        load=two_topics(),
        lifted=two_topics(),
        during=operator("deny", TOPIC + "-1"),
        witness="produced", factor=1.5),
    Plant(
        name="consumer-quota",
        planted="a quota of the cluster that lets any client read 100 KB/s from each broker (consumer_byte_rate), before a group "
                "that has to read 1 MB/s",
        expected="the brokers hold the consumers back: a quota",
        right=[], words=r"quota|throttl",
        cluster="mortal",
        load=read("2000/s", size=500),
        lifted=read("2000/s", size=500),
        during=operator("quota"),
        witness="consumed", factor=2),
    Plant(
        name="lost-disk",
        planted="the second of two log.dirs of the only broker is gone, as a disk that was lost",
        expected="a log directory of the broker is offline, and with it the partitions on it",
        right=[], words=r"\blog\.?dirs?\b|log director|logdir|KAFKA_STORAGE|storage (error|exception|fail\w*)|"
                        r"\boffline (log|dir|dis[ck])|"
                        r"\b(dis[ck]s?|director(y|ies)|volumes?)\b.{0,60}"
                        r"\b(fail\w*|gone|lost|offline|breaks?|broken?|dead|missing)\b|"
                        r"\b(fail\w*|gone|lost|offline|broken|dead|missing)\b.{0,40}\b(dis[ck]s?|director(y|ies)|volumes?)\b",
        cluster="two-disks", lifted_cluster="two-disks",
        load=write("2000/s", copies=1, acks=1),
        lifted=write("2000/s", copies=1, acks=1),
        during=lost_disk,
        witness="produced", factor=1.5),
    Plant(
        name="batch-job",
        planted="eight programs on the host of brokers and producers that have nothing to do with Kafka, and compute",
        expected="other programs of the host use its CPU",
        right=[], words=r"\bother (programs?|process\w*|jobs?|work|software|tenants?)\b|\b(by|of|from|to|with) others\b|"
                        r"\b(programs?|process\w*|jobs?)\b.{0,40}\b(beside|other than|else)\b|some(one|body|thing) else|"
                        r"noisy|neighbou?r|foreign (programs?|process\w*|load)|neither (the )?(generator|load|brokers?|Plimsoll)|"
                        r"\bsteal|\bstolen\b|not (of|from|by) (this|the) (run|load|brokers?)",
        cluster="mortal", lifted_cluster="mortal",
        load=write("unlimited", copies=1, acks=1),
        lifted=write("unlimited", copies=1, acks=1),
        during=batch_jobs,
        witness="produced", factor=1.5),
    Plant(
        name="cut-connections",
        planted="a box between clients and brokers that ends the connections to each broker about twice a second",
        expected="connections that are in use break, and have to be made again",
        right=[], words=r"^(?!.*max\.idle).*(disconnect|\bre-?connect|"
                        r"\bconnections?\b.{0,60}\b(cut|lost|lose|breaks?|broken?|drop\w*|resets?|closed?|closing|anew|again|"
                        r"torn|die[sd]?|end|ends|ended|fail\w*|interrupt\w*)\b|"
                        r"\b(cut|lose|loses|lost|losing|broken|dropped|reset|closed|new|unstable)\b.{0,15}\bconnections?\b|"
                        r"connection (loss|losses|resets?|failures?|churn))",
        cluster="gate", lifted_cluster="gate",
        load=write("300/s", checks=QUICK, **{"linger.ms": 0}),
        lifted=write("300/s", checks=QUICK, **{"linger.ms": 0}),
        during=cuts,
        witness="responseMean", factor=3),
    Plant(
        name="transaction-timeout",
        planted="transactions of 1.5 s with transaction.timeout.ms=500, on brokers that look every 100 ms",
        expected="transactions are aborted by their coordinator since they take longer than transaction.timeout.ms",
        right=[], words=r"transaction\.timeout|transaction timeout|"
                        r"\btransactions?\b.{0,80}\b(tim(e|es|ed|ing)[ -]?out|too (long|old|slow)|expire\w*|longer than)|"
                        r"\b(tim(e|es|ed|ing)[ -]?outs?|expir\w+)\b.{0,40}\btransaction|"
                        r"abort\w*\b.{0,30}\bby (the|its|their) (coordinator|cluster|brokers?)|coordinator\b.{0,40}\babort",
        cluster="prompt", lifted_cluster="prompt",
        load=transactions(500),
        lifted=transactions(60000),
        witness="produced", factor=1.5),
    Plant(
        name="too-old",
        planted="one of two topics with message.timestamp.before.max.ms=10, before a producer that keeps records for 20 ms "
                "(linger.ms), as one that hands on older events",
        expected="records are refused because their timestamps are too old for the topic",
        right=[], words=r"time ?stamp|\brecords?\b.{0,40}\btoo old\b",
        load=late({"message.timestamp.before.max.ms": 10}),
        lifted=late(None),
        witness="produced", factor=1.5),
    Plant(
        name="lost-coordinator",
        planted="broker 3 shut down while __consumer_offsets has one copy, which is there (offsets.topic.replication.factor=1), "
                "before a group that waits for its commits",
        expected="the group has no coordinator any more: the broker with its offsets is gone",
        right=[], words=r"coordinator|consumer_offsets|offsets\.topic|offsets topic|"
                        r"\bbroker 3\b.{0,60}\b(gone|down|dead|away|missing|not there|unreachable|left|stopp\w*|lost|shut)\b",
        cluster="grown", lifted_cluster="grown",
        load=committed(),
        lifted=committed(),
        during=away,
        witness="consumed", factor=2),
    Plant(
        name="all-on-one",
        planted="a topic all of whose partitions are on broker 1 of three, each of which is reached with 2 MB/s",
        expected="all partitions have their leader on broker 1, and the others have nothing to do",
        right=[], words=r"placement|uneven|imbalanc|unbalanc|not balanced|skew|lopsided|\bhot ?broker|"
                        r"\bleaders?\b.{0,60}\b(one broker|broker 1|all on|only on)\b|"
                        r"\b(all|every|each)\b.{0,30}\b(leaders?|partitions?)\b.{0,60}\bbroker|"
                        r"\b(only|just) (on |to |at |by )?(one|a single) broker|one broker (has|leads|gets|takes|holds)|"
                        r"\bbroker 1\b.{0,80}\b(network|link|bandwidth)\b|\b(network|link|bandwidth)\b.{0,80}\bbroker 1\b",
        cluster="halls", lifted_cluster="halls",
        load=placed(brokers=1),
        lifted=placed(),
        witness="produced", factor=2),
    Plant(
        name="trace-left-on",
        planted="all loggers of all brokers set to TRACE, as after a search for an error",
        expected="the brokers write too much into their own logs: the level of their loggers",
        right=[], words=r"\blog(ger|ging)?s?[ -]?levels?\b|level\w* of (the |their |its )?log|\bTRACE\b|\bDEBUG\b|\bloggers?\b|"
                        r"\b(brokers?|servers?|requests?|debug|verbose|application)\W{0,3}\w* logging\b|log4j",
        cluster="mortal", lifted_cluster="mortal",
        load=write("2000/s", checks=QUICK),
        lifted=write("2000/s", checks=QUICK),
        during=operator("trace"),
        witness="responseMedian", factor=2),
    Plant(
        name="far-followers",
        planted="brokers whose way to each other takes 30 ms, and as long back, as in three data centres; acks=all",
        expected="acknowledgements wait for followers, which are far from the leaders",
        right=[], words=r"replicat|replicas?\b|\bfollowers?\b|\bin.sync\b|between (the )?brokers|inter-?broker",
        cluster="stretched",
        load=write("300/s", checks=QUICK),
        lifted=write("300/s", checks=QUICK),
        witness="responseMedian", factor=3),
    Plant(
        name="long-linger",
        planted="a producer with linger.ms=400, taken over from an export, that sends 300 records a second",
        expected="records wait in the producer for their batch: linger.ms",
        right=[], words=r"linger|\bwait\w*\b.{0,40}\bbatch|\bbatch\w*\b.{0,60}\bwait",
        load=write("300/s", checks=QUICK, **{"linger.ms": 400}),
        lifted=write("300/s", checks=QUICK),
        witness="responseMedian", factor=3),
]
