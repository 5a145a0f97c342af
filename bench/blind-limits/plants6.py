"""
The sixth set: limits that operators of shared clusters meet. Their author knew the first fifty-four, but had not read the rules.
The plants were written down before any of them was run, so the set has fourteen: the first ten in this order that limit the load
count. plants.py describes the fields.
"""

import contextlib
import os
import signal
import subprocess
import threading
import time

import brokers
from plants import HERE, TOPIC, Plant, consume, helper, once_it_has_begun, produce, topic
from plants2 import PROMPT, QUICK, WORK
from plants3 import write
from plants4 import NETWORK
from plants5 import two_topics

PREPARE_SECONDS = 120
FAR_SECONDS = 0.3
HELD_SECONDS, PASSING_SECONDS = 1.0, 0.5
STOPPED_SECONDS, RUNNING_SECONDS = 0.7, 0.5


def archive(cluster):
    """Creates a topic with 60 MB on each broker."""
    done = subprocess.run(
        [brokers.JAVA, "-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", os.path.join(brokers.HOME, "target", "lib", "*"),
         os.path.join(HERE, "Caretaker.java"), "archive", cluster.bootstrap()],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=PREPARE_SECONDS)
    if done.returncode:
        raise SystemExit("the archive could not be written: %s" % done.stderr[-1000:])


def caretaker(what, *more):
    return lambda cluster, run: helper("Caretaker.java", run, what, cluster.bootstrap(), *more)


def twin_producer(cluster, run):
    return helper("Twin.java", run, "producer", cluster.bootstrap(), "ledger")


def twin_member(cluster, run):
    return helper("Twin.java", run, "member", cluster.bootstrap(), TOPIC, "mail", "mail-0")


def far_broker(cluster, run):
    def move():
        cluster.links[1].delay = FAR_SECONDS

    return once_it_has_begun(run, move)


@contextlib.contextmanager
def again_and_again(run, act, pause):
    """Calls `act` repeatedly, `pause` seconds apart, from the start of the load until the run ends."""
    begun, over = threading.Event(), threading.Event()

    def repeat():
        begun.wait()
        while not over.wait(pause) and run.process.poll() is None:
            act(over)

    other = threading.Thread(target=repeat)
    other.start()
    try:
        with once_it_has_begun(run, begun.set):
            yield
    finally:
        over.set()
        begun.set()
        other.join()


def holds(cluster, run):
    """Repeatedly blocks all connections to all brokers for 1 s, without loss, like a change of the network path."""
    def hold(over):
        for link in cluster.links:
            for lane in (link.there, link.back):
                with lane.lock:
                    lane.free = max(lane.free, time.monotonic()) + HELD_SECONDS
        over.wait(HELD_SECONDS)

    return again_and_again(run, hold, PASSING_SECONDS)


def with_children(pid):
    """Returns the ids of this process and all its descendants."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError), open("/proc/%s/stat" % name) as f:
                parents[int(name)] = int(f.read().rpartition(")")[2].split()[1])
    found = [pid]
    for parent in found:
        found.extend(child for child, of in parents.items() if of == parent)
    return found


def freezes(_cluster, run):
    """Repeatedly stops the load generator for 0.7 s, like a virtual machine that gets no CPU time from its host."""
    def freeze(over):
        stopped = with_children(run.pid)
        try:
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGSTOP)
            over.wait(STOPPED_SECONDS)
        finally:
            for pid in stopped:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

    return again_and_again(run, freeze, RUNNING_SECONDS)


def flushed(config):
    return {"topics": topic(partitions=48, config=config), "producers": produce("600/s"), "checks": QUICK}


def ledger():
    return {"topics": topic(), "producers": produce("500/s", size=200, transactions={"every": "400ms"},
                                                    existingTransactionalId=True, config={"transactional.id": "ledger"})}


def polls(config):
    return {"topics": topic(), "producers": produce("1000/s", size=200), "checks": PROMPT,
            "consumers": consume(config, members=2, work={"perBatch": "50ms"})}


def grown():
    """Producers look for new partitions every 0.5 s, consumers every minute. The default is five minutes."""
    return {"topics": topic(partitions=4), "producers": produce("1000/s", size=200, config={"metadata.max.age.ms": 500}),
            "consumers": consume({"group.protocol": "classic", "metadata.max.age.ms": 60000}, members=2)}


def large_requests():
    return write("6000/s", copies=1, **{"acks": 1, "batch.size": 100000, "linger.ms": 100, "request.timeout.ms": 5000,
                                        "delivery.timeout.ms": 10000})


def dropped():
    return two_topics(**{"max.block.ms": 1000, "request.timeout.ms": 2000, "delivery.timeout.ms": 4000})


def mail(group):
    """Takes another group name without the plant, because a killed member stays in its group for another 45 s."""
    return {"topics": topic(), "producers": produce("500/s", size=200), "checks": PROMPT,
            "consumers": consume({"group.protocol": "classic", "group.id": group, "group.instance.id": "mail-0",
                                  "heartbeat.interval.ms": 1000})}


def held_back():
    return {"topics": topic(), "producers": produce("1000/s", size=200), "consumers": consume(start={"backlog": "6s"})}


def received(config):
    return {"topics": topic(replication=1), "producers": produce("12000/s", config={"acks": 1}), "consumers": consume(config)}


def workers():
    return {"topics": topic(), "producers": produce("1000/s", size=200), "checks": PROMPT,
            "consumers": consume({"group.protocol": "classic"}, members=8, work=WORK)}


STILL = r"paus|\bstop(s|ped)?\b|stand\w* ?still|stood still|standstill|froze|freez|suspend|\bh[au]ng|stall|halt|asleep|\bgaps?\b|" \
        r"hiccup|\blate\b|not (run|running|scheduled)\b|no (CPU )?time"

PLANTS = [
    Plant(
        name="flush-messages",
        planted="a topic with flush.messages=1, set for the sake of durability, at 600 records a second on 48 partitions",
        expected="leaders and followers write each batch through to the disk before they go on: flush.messages",
        right=[], words=r"flush\.(messages|ms)|log\.flush|\bfsync|"
                        r"\bflush\w*\b.{0,60}\b(dis[ck]s?|logs?|segments?|append\w*)\b|"
                        r"\b(dis[ck]s?|logs?|segments?|append\w*)\b.{0,60}\b(flush|forced? to)|writ\w+ through|"
                        r"\bsync(s|ed|ing|hroni[sz]\w+)?\b.{0,20}\bdis[ck]",
        load=flushed({"flush.messages": 1}),
        lifted=flushed({}),
        witness="responseMedian", factor=2),
    Plant(
        name="same-transactional-id",
        planted="another instance of the service, deployed with the same transactional.id, that is started again and again",
        expected="the producer is fenced: another one has its transactional.id",
        right=[], words=r"\bfenc(e|ed|es|ing)\b|ProducerFenced|INVALID_PRODUCER_EPOCH|producer epoch|"
                        r"\b(same|its|their|one) transactional[. ]id|"
                        r"transactional[. ]id\b.{0,60}\b(other|another|same|else|twice|taken|shared)|"
                        r"\b(other|another)\b.{0,60}\btransactional[. ]id",
        load=ledger(),
        lifted=ledger(),
        during=twin_producer,
        witness="produced", factor=2),
    Plant(
        name="small-polls",
        planted="max.poll.records=10 before a service of two that writes what a poll returned to its database in one go, in 50 ms",
        expected="polls return too few records for work that is done once a poll: max.poll.records",
        right=[], words=r"max\.poll\.records|\bpolls?\b.{0,60}\b(few|small|no more than|10 records|full)\b|"
                        r"\b(few|small|little|10)\b.{0,30}\b(per|a|each|in a) poll|records (per|a|in each|of a|of each) poll|"
                        r"\bwork\b.{0,40}\b(per|each|every|a|once a) poll",
        load=polls({"max.poll.records": 10}),
        lifted=polls({}),
        witness="consumed", factor=2),
    Plant(
        name="unthrottled-move",
        planted="a reassignment of 180 MB of another topic without a throttle, on brokers that reach each other with 3 MB/s; "
                "acks=all",
        expected="partitions are being moved between brokers, and followers wait behind that",
        right=[], words=r"^(?!.*\bleader\w*\b.{0,40}\b(mov|chang)).*(reassign|"
                        r"\b(mov(e|es|ed|ing)|migrat\w+|relocat\w+|copied|copying)\b.{0,60}\b(partitions?|replicas?|topics?)\b|"
                        r"\b(partitions?|replicas?|topics?)\b.{0,60}\b(mov(e|es|ed|ing)|migrat\w+|relocat\w+|being copied)\b|"
                        r"\b(new|adding|added|joining) (replicas?|copies|followers?)\b)",
        cluster="movers", lifted_cluster="movers",
        load=write("300/s", checks=QUICK),
        lifted=write("300/s", checks=QUICK),
        during=caretaker("move"),
        witness="responseMedian", factor=3),
    Plant(
        name="one-far-broker",
        planted="the way from the clients to broker 2 of three takes 300 ms, and as long back, while the others are near",
        expected="the way to broker 2: the network, and not that broker",
        right=[], words=r"^(?=.*\bbroker 2\b)(?=.*(" + NETWORK + r"|\bfar(ther)?\b|distan(t|ce)|\bthe way to\b|\bon the way\b|"
                        r"connection\w* to broker 2\b))",
        cluster="gate", lifted_cluster="gate",
        load=write("300/s", copies=1, acks=1, checks=QUICK),
        lifted=write("300/s", copies=1, acks=1, checks=QUICK),
        during=far_broker,
        witness="responseMean", factor=3),
    Plant(
        name="grown-topic",
        planted="an operator gives the topic 16 partitions instead of 4; producers see it at once, and the group once a minute "
                "(metadata.max.age.ms)",
        expected="nobody in the group reads the new partitions yet",
        right=[], words=r"metadata\.max\.age|"
                        r"\b(new|added|unread|unassigned) partitions?\b|\bpartitions?\b.{0,60}\b(added|increased|grown?)\b|"
                        r"\b(nobody|no one|no (member|consumer))\b.{0,60}\b(partitions?|assigned)\b|"
                        r"\bpartitions?\b.{0,80}\b(unassigned|not assigned|not read|unread|no (member|consumer|reader)|nobody|"
                        r"no one|assigned to none)\b|\b(grew|grown|growth)\b.{0,40}\bpartitions",
        load=grown(),
        lifted=grown(),
        during=caretaker("grow", TOPIC, "16"),
        witness="consumed", factor=2),
    Plant(
        name="request-bytes",
        planted="brokers with socket.request.max.bytes=100000, set to protect them, before a producer with batch.size=100000 and "
                "linger.ms=100 at 6 MB/s",
        expected="requests are larger than brokers take, who end the connection: socket.request.max.bytes",
        right=[], words=r"socket\.request|request\.max\.bytes|max\.request\.size|invalid receive|"
                        r"\brequests?\b.{0,60}\b(too (large|big)|(larger|bigger|more) than|exceeds?|oversi[sz]ed)|"
                        r"\b(too (large|big)|larger|bigger|oversi[sz]ed)\b.{0,30}\brequests?\b",
        cluster="hardened",
        load=large_requests(),
        lifted=large_requests(),
        witness="produced", factor=2),
    Plant(
        name="dropped-topic",
        planted="an operator deletes one of the two topics that the producer writes to",
        expected="a topic is not there any more",
        right=[], words=r"UNKNOWN_TOPIC|unknown topic|UnknownTopic|\bno (such )?topic\b|"
                        r"\btopics?\b.{0,60}\b(deleted|gone|missing|not exist|no longer|no more|not there|removed|dropped|"
                        r"vanished|disappeared|not found|unknown)\b|"
                        r"\b(deleted|missing|removed|dropped|vanished|unknown|delet(es|ing|ion))\b.{0,30}\btopic",
        cluster="mortal",
        load=dropped(),
        lifted=dropped(),
        during=caretaker("drop", TOPIC + "-1"),
        witness="produced", factor=1.5),
    Plant(
        name="held-on-the-way",
        planted="a way between clients and brokers on which nothing passes for a second in every one and a half, and nothing is "
                "lost",
        expected="the network between clients and brokers stands still at times",
        right=[], words=NETWORK + r"|\bthe way\b|\bnetwork path\b|packet|"
                        r"between (the )?(clients?|generator|load( generator)?|producers?|Plimsoll) and (the |all )?brokers?|"
                        r"\bconnections?\b.{0,60}(stall|stand\w* still|stood still|h[au]ng|silent|interrupt|nothing (passe|came))",
        cluster="gate", lifted_cluster="gate",
        load=write("300/s", copies=1, acks=1, checks=QUICK),
        lifted=write("300/s", copies=1, acks=1, checks=QUICK),
        during=holds,
        witness="responseMean", factor=3),
    Plant(
        name="same-instance-id",
        planted="another instance of the service, deployed with the same group.instance.id, that reads nothing",
        expected="the group's static member is fenced: another one has its group.instance.id",
        right=[], words=r"\bfenc(e|ed|es|ing)\b|FencedInstance|instance[. ]id|static member|"
                        r"\b(same|its) (instance|identity|member name)\b|"
                        r"\bmembers?\b.{0,60}\b(replaced by|(another|other) .{0,30}took)\b",
        cluster="mortal",
        load=mail("mail"),
        lifted=mail("mail-alone"),
        during=twin_member,
        witness="consumed", factor=2),
    Plant(
        name="purged",
        planted="an operator's job that deletes what is in the topic (DeleteRecords), before a group that is 6 s behind",
        expected="records are deleted before the group has read them",
        right=[], words=r"\bdelet(e|ed|es|ing|ion)\b|DeleteRecords|retention|\bpurg|log start|start offset|out[ _]of[ _]range|"
                        r"\brecords?\b.{0,60}\b(gone|removed|expired?|no longer|no more there|not there any ?more|lost before)\b|"
                        r"before\b.{0,30}\b(was|were|had|has|have|could)\b.{0,20}\bread\b",
        cluster="mortal",
        load=held_back(),
        lifted=held_back(),
        during=caretaker("purge", TOPIC),
        witness="consumed", factor=1.5),
    Plant(
        name="frozen-client",
        planted="the load generator stands still for 0.7 s in every 1.2 s (SIGSTOP), as on an overcommitted virtual machine",
        expected="the load generator stands still at times",
        right=[], words=r"^(?=.*(\bgenerator|\bclients?\b|\bproducers?\b|\bPlimsoll\b|\bthis (program|process|host|machine)\b))"
                        r"(?!.*\bbrokers? (\d )?(stand|stood|stop|paus|froze|hang|hung))(?=.*(" + STILL + "))",
        load=write("500/s", copies=1, acks=1, checks=QUICK),
        lifted=write("500/s", copies=1, acks=1, checks=QUICK),
        during=freezes,
        witness="responseMean", factor=3),
    Plant(
        name="receive-buffer",
        planted="a consumer with receive.buffer.bytes=1024, meant as kilobytes, at 12 MB/s",
        expected="the consumer's TCP connections take too little at a time: receive.buffer.bytes",
        right=[], words=r"receive\.buffer|receiv\w+ buffer|socket('s)? buffer|SO_RCVBUF|TCP\b.{0,20}\b(window|buffer)|"
                        r"\bbuffers?\b.{0,30}\b(sockets?|connections?|TCP)\b",
        load=received({"receive.buffer.bytes": 1024}),
        lifted=received({}),
        witness="consumed", factor=1.5),
    Plant(
        name="group-max-size",
        planted="brokers with group.max.size=2, before a group of eight whose members take 5 ms for each record, at 1,000/s",
        expected="the brokers let no more than two members into the group: group.max.size",
        right=[], words=r"group\.(consumer\.)?max\.size|GROUP_MAX_SIZE|GroupMaxSize|max(imum)? (group )?size|"
                        r"\bgroup\b.{0,60}\b(is full|too (large|many)|at its (limit|maximum)|no more members)\b|"
                        r"\bmembers?\b.{0,80}\b(refused|not join|not (let|allowed|admitted|accepted|taken)|turned away|"
                        r"rejected|kept out|shut out)|\b(refuse|reject|turn away)\w*\b.{0,40}\bmembers?\b",
        cluster="small-groups",
        load=workers(),
        lifted=workers(),
        witness="consumed", factor=2),
]
