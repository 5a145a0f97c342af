"""
The seventh set. The first six sets contain unfamiliar limits; this one contains the most frequent limits of clients and clusters
in production, according to operators of shared clusters, operation guides and user reports. Limits are ordered by frequency, and
cover producers, consumers, brokers, disks, the network, the cluster's configuration and the host. A kind of limit from an earlier
set has other sizes, another combination or another mechanism here. The author had not read the rules. The plants were written
down before any of them was run, so the set has fourteen: the first ten in this order that limit the load count. plants.py
describes the fields.
"""

import os
import signal
import subprocess

import brokers
from plants import HERE, TOPIC, Plant, consume, helper, produce, topic
from plants2 import PROMPT, QUICK
from plants3 import write
from plants4 import NETWORK
from plants5 import away
from plants6 import PREPARE_SECONDS, STILL, again_and_again

STOPPED_SECONDS, RUNNING_SECONDS = 0.24, 0.06


def metered(cluster):
    """Sets a producer quota before the load, because a new quota lets the bytes of the first ten seconds pass at once."""
    done = subprocess.run(
        [brokers.JAVA, "-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", os.path.join(brokers.HOME, "target", "lib", "*"),
         os.path.join(HERE, "Steward.java"), "quota", cluster.bootstrap()],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PREPARE_SECONDS)
    if done.returncode:
        raise SystemExit("the quota could not be set: %s" % done.stderr[-1000:])


def leads_all(cluster, run):
    """Makes broker 1 the leader of all partitions. The helper connects to a broker directly, without the narrow link."""
    return helper("Steward.java", run, "leaders", "127.0.0.1:%d" % cluster.ports[0], TOPIC)


def throttled(cluster, run):
    """Lets broker 2 run for 60 ms in every 300 ms, like a process at its CPU quota."""
    pid = cluster.pid(2)

    def hold(over):
        try:
            os.kill(pid, signal.SIGSTOP)
            over.wait(STOPPED_SECONDS)
        finally:
            os.kill(pid, signal.SIGCONT)

    return again_and_again(run, hold, RUNNING_SECONDS)


def handled(work):
    """Consumers that call another service for each record."""
    return {"topics": topic(), "producers": produce("800/s", size=500), "consumers": consume(members=3, work=work),
            "checks": PROMPT}


def shared_out(partitions):
    return {"topics": topic(partitions=partitions), "producers": produce("600/s", size=500),
            "consumers": consume(members=12, work={"each": "15ms"}), "checks": PROMPT}


def events(config):
    return {"topics": topic(partitions=6),
            "producers": produce("unlimited", size=400, config=dict({"buffer.memory": 8388608}, **config))}


def by_customer(key):
    return {"topics": topic(), "producers": produce("600/s", size=500, record={"key": key}),
            "consumers": consume(members=6, work={"each": "6ms"}), "checks": PROMPT}


def slow_now_and_then(interval):
    """Frequent heartbeats announce rebalances quickly, so that all members can join at the beginning."""
    return {"topics": topic(), "producers": produce("30/s", size=500), "checks": ["consume.e2e.p90 < 1s"],
            "consumers": consume({"group.protocol": "classic", "heartbeat.interval.ms": 100,
                                  "max.poll.interval.ms": interval}, members=6, work={"exponential": "120ms"})}


def handed_over(**more):
    """Four threads of a service share a producer."""
    return {"topics": topic(), "producers": produce("2000/s", size=500, threads=4, config={"linger.ms": 20}, **more)}


def two_copies():
    return write("900/s", copies=2, config={"min.insync.replicas": 2},
                 **{"request.timeout.ms": 5000, "delivery.timeout.ms": 15000})


def ledger():
    return {"topics": topic(partitions=24), "producers": produce("1500/s", config={"linger.ms": 0}), "checks": QUICK}


def six_readers():
    return {"topics": topic(), "producers": produce("300/s"), "consumers": consume(groups=6), "checks": PROMPT}


def documents(**work):
    return {"topics": topic(), "producers": produce("1000/s", size=500), "consumers": consume(members=8, **work),
            "checks": PROMPT}


PLANTS = [
    Plant(
        name="slow-handler",
        planted="a group of three whose members call another service for each record, one after the other, for 12 ms on average, "
                "at 800/s; lifted, each has 16 calls under way",
        expected="the consumers' own work on each record, which they do one at a time",
        right=[], words=r"\b(consumers?|members?|group)\b.{0,100}\b(work\w*|process(es|ing)?|handl\w+|busy)\b|"
                        r"\b(work|processing|handl(er|es|ing))\b.{0,100}\b(records?|members?|consumers?|group)\b|poll loop",
        load=handled({"exponential": "12ms"}),
        lifted=handled({"exponential": "12ms", "threads": 16}),
        witness="consumed", factor=2),
    Plant(
        name="few-partitions",
        planted="a topic with three partitions, before a group that was scaled out to twelve members with 15 ms of work a record, "
                "at 600/s; lifted, it has twelve",
        expected="three partitions keep no more than three of twelve members at work",
        right=[], words=r"\bfew(er)? partitions|number of partitions|\bpartitions?\b.{0,100}\b(members?|consumers?)\b|"
                        r"\b(members?|consumers?)\b.{0,100}\bpartitions?\b",
        load=shared_out(3),
        lifted=shared_out(12),
        witness="consumed", factor=2),
    Plant(
        name="small-batches",
        planted="a producer of records of 400 bytes with batch.size=500 and linger.ms=0, which were once meant to have each event "
                "sent at once, as fast as it can with acks=all on six partitions",
        expected="a batch has room for one record: batch.size",
        right=[], words=r"batch\.size|batching|unbatched|records? (per|a|in each|in a) batch|"
                        r"\b(small|tiny|single|one[- ]record|few|little)\w*\b.{0,40}\bbatch|"
                        r"\bbatch\w*\b.{0,60}\b(small|tiny|single|one record|1(\.\d)? records?|few|little|off|disabled)",
        load=events({"batch.size": 500, "linger.ms": 0}),
        lifted=events({"batch.size": 16384, "linger.ms": 5}),
        witness="produced", factor=2),
    Plant(
        name="large-customer",
        planted="keys of customers of whom one has nine records in ten (Zipf, s=4), before a group of six with 6 ms of work a "
                "record, at 600/s",
        expected="one partition gets nearly all records, and the one member that has it cannot keep up",
        right=[], words=r"hot ?(partition|key)|\bskew|uneven|imbalanc|unbalanc|not balanced|"
                        r"\b(one|a single|same|1) (partition|key)\b|"
                        r"\bpartition \S*\d\b.{0,80}(\bmost\b|nearly all|%|\bshare\b|\bmore\b)|"
                        r"(\bmost\b|nearly all|%|\bshare\b).{0,80}\b(partition \S*\d|one partition|one key)\b",
        load=by_customer({"zipf": {"s": 4, "n": 10000}}),
        lifted=by_customer({"uniform": 10000}),
        witness="consumed", factor=2),
    Plant(
        name="poll-interval-storm",
        planted="a group of six whose work on a record takes 120 ms on average and at times much longer (exponential), with "
                "max.poll.interval.ms=500, at 30/s",
        expected="members are put out of the group because their polls are too far apart, and the group rebalances again and again",
        right=[], words=r"max\.poll|poll interval|rebalanc|\bpolls?\b.{0,60}\b(apart|too (late|long|seldom|far|slow\w*))\b|"
                        r"\b(put|thrown|kicked|dropped|taken|removed) (out of|from) the group|\bevict|\bexpel",
        load=slow_now_and_then(500),
        lifted=slow_now_and_then(300000),
        witness="endToEndMedian", factor=3),
    Plant(
        name="waits-for-each",
        planted="four threads of a service that share a producer with linger.ms=20, and each of which waits for the "
                "acknowledgement of its record before the next, 2,000/s asked",
        expected="each thread waits for one record at a time, through linger.ms and a round trip",
        right=[], words=r"^latency\b|synchronous|send\(\)\.get|\bsync\b(?!.{0,20}\bdis[ck])|\blinger|round[- ]trip|"
                        r"\bwait\w*\b.{0,60}\b(acknowledg\w+|each record|every record|answer|response)\b|"
                        r"\bone (record|request) (at a time|under way|in flight)|\bblock(s|ed|ing)? (until|on|for)\b",
        load=handed_over(send="sync"),
        lifted=handed_over(),
        witness="produced", factor=3),
    Plant(
        name="thin-spine",
        planted="brokers that send no more than 160 KB/s each to the others, before producers with acks=all that bring 500 KB/s "
                "altogether in three copies",
        expected="acknowledgements wait for followers, which get what they copy too slowly: the network between the brokers",
        right=[], words=r"replicat|replicas?\b|\bfollowers?\b|\bin.sync\b|between (the )?brokers|inter-?broker",
        cluster="spine",
        load=write("500/s", checks=QUICK),
        lifted=write("500/s", checks=QUICK),
        witness="responseMedian", factor=5),
    Plant(
        name="throttled-pod",
        planted="broker 2 of three runs for 60 ms and stands still for 240 ms, all the time, as a container at its limit of CPU; "
                "acks=all, 300/s",
        expected="broker 2 gets too little time to run, and all partitions wait for it",
        right=[], words=r"^(?=.*\bbroker 2\b)(?=.*(slow|\bCPU\b|processor|throttl|behind|\bwait|followers?|replica|" + STILL + "))",
        load=write("300/s", checks=QUICK),
        lifted=write("300/s", checks=QUICK),
        during=throttled,
        witness="responseMedian", factor=3),
    Plant(
        name="two-copies",
        planted="a topic with two copies and min.insync.replicas=2, of which broker 3 of three has its part, and is shut down for "
                "maintenance; 900/s",
        expected="too few replicas in sync for acks=all on the partitions of broker 3",
        right=[], words=r"in.sync|insync|NOT_ENOUGH_REPLICAS|not enough replicas|too few (replicas|copies)|under.?replicated|"
                        r"\bbroker 3\b.{0,60}\b(gone|down|dead|away|missing|not there|unreachable|left|stopp\w*|lost|shut)\b|"
                        r"\b(loss|lost|shutdown|absence) of broker 3\b",
        cluster="mortal",
        load=two_copies(),
        lifted=two_copies(),
        during=away,
        witness="produced", factor=1.8),
    Plant(
        name="flush-interval",
        planted="brokers with log.flush.interval.messages=1, set for all topics for fear of a power cut, at 1,500 records a second "
                "on 24 partitions with linger.ms=0",
        expected="leaders and followers write each batch through to the disk, which is too slow for that: "
                 "log.flush.interval.messages",
        right=[], words=r"log\.flush|flush\.(messages|ms|interval)|\bfsync|\bdis[ck]s?\b|writ\w+ through|forced? to|"
                        r"\bflush\w*\b.{0,60}\b(logs?|segments?|append\w*)\b|\b(logs?|segments?|append\w*)\b.{0,60}\bflush",
        cluster="durable",
        load=ledger(),
        lifted=ledger(),
        witness="responseMedian", factor=2),
    Plant(
        name="byte-quota",
        planted="a quota of the cluster that lets any client write 30 KB/s to each broker (producer_byte_rate), given when the "
                "service was small, before a producer that has grown to 400 KB/s",
        expected="the brokers hold the producer back: a quota",
        right=[], words=r"quota|throttl",
        cluster="metered",
        load=write("400/s"),
        lifted=write("400/s"),
        witness="produced", factor=2),
    Plant(
        name="six-readers",
        planted="six groups that all read the same topic, to which 300 KB/s are written, over a way on which each broker sends "
                "250 KB/s at the most",
        expected="the bandwidth of the network between the brokers and the consumers, which is used six times over",
        right=[], words=NETWORK + r"|bandwidth|fan-?out|\begress\b|\bthe way (to|from|between)\b",
        cluster="egress",
        load=six_readers(),
        lifted=six_readers(),
        witness="consumed", factor=1.7),
    Plant(
        name="leads-all",
        planted="broker 1 of three, each of which is reached with 2 MB/s, is made the leader of all partitions, as after "
                "maintenance of the others",
        expected="broker 1 leads all partitions, and the others have nothing to do",
        right=[], words=r"placement|uneven|imbalanc|unbalanc|not balanced|\bskew|lopsided|\bhot ?broker|preferred (leader|replica)|"
                        r"\bleaders?\b.{0,60}\b(one broker|a single broker|broker 1|all on|only on)\b|"
                        r"\b(all|every|each)\b.{0,30}\b(leaders?|partitions?)\b.{0,60}\bbroker|"
                        r"\b(only|just) (on |to |at |by )?(one|a single) broker|one broker (has|leads|gets|takes|holds)|"
                        r"\bbroker 1\b.{0,60}\b(leads|gets|takes|holds)\b|"
                        r"\bbroker 1\b.{0,80}\b(network|link|bandwidth)\b|\b(network|link|bandwidth)\b.{0,80}\bbroker 1\b",
        cluster="halls", lifted_cluster="halls",
        load=write("unlimited", acks=1),
        lifted=write("unlimited", acks=1),
        during=leads_all,
        witness="produced", factor=1.7),
    Plant(
        name="costly-decoding",
        planted="a group of eight whose members take 4 ms of processor time for each record, as for the parsing of large "
                "documents, at 1,000/s",
        expected="the consumers' work takes all the CPU that their host has",
        right=[], words=r"^(?!broker)(.*\b(CPU|processors?|cores?)\b|.*\b(generator|host)\b|"
                        r".*\b(consumers?|members?|group)\b.{0,100}\b(work\w*|process(es|ing)?|handl\w+|busy)\b|"
                        r".*\b(work|processing|handl(er|es|ing))\b.{0,100}\b(records?|members?|consumers?|group)\b)",
        load=documents(work={"each": "4ms", "cpu": True}),
        lifted=documents(),
        witness="consumed", factor=1.8),
]
