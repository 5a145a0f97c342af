"""
The third set: ten limits, written down before any diagnosis of them was examined. Their author knew the first twenty, but had
not read the rules. plants.py describes the fields.
"""

import contextlib
import os
import signal
import threading

from plants import Plant, consume, helper, once_it_has_begun, produce, topic
from plants2 import PROMPT, QUICK

STOPPED_SECONDS, RUNNING_SECONDS = 0.7, 0.5


def quota(cluster, run):
    return helper("Neighbour.java", run, "quota", cluster.bootstrap())


def flood(cluster, run):
    return helper("Neighbour.java", run, "flood", cluster.bootstrap())


@contextlib.contextmanager
def stops(cluster, run):
    """Repeatedly stops broker 2 for 0.7 s, like a virtual machine during snapshots by its host."""
    pid, begun, over = cluster.pid(2), threading.Event(), threading.Event()

    def stop_and_go():
        begun.wait()
        try:
            while not over.wait(RUNNING_SECONDS):
                os.kill(pid, signal.SIGSTOP)
                over.wait(STOPPED_SECONDS)
                os.kill(pid, signal.SIGCONT)
        finally:
            os.kill(pid, signal.SIGCONT)

    host = threading.Thread(target=stop_and_go)
    host.start()
    try:
        with once_it_has_begun(run, begun.set):
            yield
    finally:
        over.set()
        begun.set()
        host.join()


def write(rate, copies=3, config=None, checks=(), size=1000, **producer):
    load = {"topics": topic(replication=copies, config=config or {}), "producers": produce(rate, size=size, config=producer)}
    return dict(load, checks=list(checks)) if checks else load


def splits(limit):
    return write("unlimited", config={"max.message.bytes": limit}, **{"batch.size": 200000, "linger.ms": 20})


def small_batches(config):
    return {"topics": topic(partitions=3, replication=1),
            "producers": produce("4000/s", size=500, config={"batch.size": 600, "acks": 1}), "consumers": consume(config)}


def transactions(age):
    return {"topics": topic(), "producers": produce("200/s", size=200, transactions={"every": age}),
            "consumers": consume({"isolation.level": "read_committed"}), "checks": PROMPT}


PLANTS = [
    Plant(
        name="request-quota",
        planted="a quota of the cluster that gives any client 1 % of a broker thread (request_percentage)",
        expected="the brokers hold the clients back: a quota",
        right=[], words=r"quota|throttl",
        cluster="mortal",
        load=write("1500/s", copies=1, acks=1, checks=QUICK),
        lifted=write("1500/s", copies=1, acks=1, checks=QUICK),
        during=quota,
        witness="responseMedian", factor=3),
    Plant(
        name="broker-recompress",
        planted="a topic with compression.type=gzip at level 9, and producers that send uncompressed",
        expected="the brokers compress what they are sent anew",
        right=[], words=r"re-?compress|^(broker|topic)\w*compress|compress\w* (it |them |records |batches )?(again|anew)|"
                        r"brokers? \w* ?compress|compress\w* (on|by|in|at|of) (the |each )?(broker|topic)|"
                        r"topic\b.*\bcompression\.type|compression\.type\b.*\btopic",
        load=write("unlimited", copies=1, acks=1, config={"compression.type": "gzip", "compression.gzip.level": 9}),
        lifted=write("unlimited", copies=1, acks=1),
        witness="produced", factor=2),
    Plant(
        name="codec-level",
        planted="a producer with compression.type=zstd at level 15",
        expected="the producer's compression",
        right=[], words=r"compress|codec|zstd",
        load=write("unlimited", copies=1, **{"acks": 1, "compression.type": "zstd", "compression.zstd.level": 15}),
        lifted=write("unlimited", copies=1, **{"acks": 1, "compression.type": "zstd", "compression.zstd.level": 3}),
        witness="produced", factor=2),
    Plant(
        name="tiny-fetches",
        planted="a consumer with fetch.max.bytes=1 on batches of one record, so that a fetch brings one",
        expected="fetches bring too little: fetch.max.bytes",
        right=[], words=r"fetch\.max\.bytes|max\.partition\.fetch|small\w* fetch|fetch\w*\b.*\b(small|tiny|few|little|one record|one batch)",
        load=small_batches({"fetch.max.bytes": 1, "max.partition.fetch.bytes": 1}),
        lifted=small_batches({}),
        witness="consumed", factor=1.5),
    Plant(
        name="neighbour",
        planted="an export of somebody else that writes into a topic of its own as fast as it can",
        expected="somebody else's load on the brokers",
        right=[], words=r"other (clients?|loads?|traffic|producers?|programs?|topics?|applications?)|of others|some(one|body) else|"
                        r"foreign|neighbou?r|not (of|from|by) this (run|load)|beside (this|the) (run|load)",
        cluster="mortal",
        load=write("300/s", checks=QUICK),
        lifted=write("300/s", checks=QUICK),
        during=flood,
        witness="responseMedian", factor=3),
    Plant(
        name="impatient",
        planted="a producer with request.timeout.ms=5",
        expected="requests are given up and sent again before brokers can answer",
        right=[], words=r"request\.timeout|tim(e|ed|es|ing)[ -]?out",
        load=write("500/s", checks=QUICK, **{"request.timeout.ms": 5}),
        lifted=write("500/s", checks=QUICK),
        witness="responseMedian", factor=3),
    Plant(
        name="long-transactions",
        planted="producers that commit every 3 s, before a group with isolation.level=read_committed",
        expected="records are not seen before their transaction is committed",
        right=[], words="transaction",
        load=transactions("3s"),
        lifted=transactions("100ms"),
        witness="endToEndMedian", factor=3),
    Plant(
        name="segment-rolls",
        planted="a topic with segment.ms=20",
        expected="the brokers begin a new segment all the time",
        right=[], words=r"segment|\broll(s|ed|ing)?\b",
        cluster="mortal",
        load=write("500/s", checks=QUICK, config={"segment.ms": 20}),
        lifted=write("500/s", checks=QUICK),
        witness="responseMedian", factor=3),
    Plant(
        name="batch-split",
        planted="a topic with max.message.bytes=4000 before producers with batch.size=200000",
        expected="batches are too large for the topic, are refused, split and sent again",
        right=[], words=r"max\.message\.bytes|too[ _]large|\bsplit",
        load=splits(4000),
        lifted=splits(1000000),
        witness="produced", factor=2),
    Plant(
        name="stop-and-go",
        planted="broker 2 of three stands still for 0.7 s in every 1.2 s, as a virtual machine of which snapshots are taken",
        expected="broker 2 stands still at times",
        right=[], words=r"stand\w* ?still|stood still|paus|stopp|stall|froze|freez|hang|hung|suspend", where="broker 2",
        load=write("500/s", checks=QUICK),
        lifted=write("500/s", checks=QUICK),
        during=stops,
        witness="responseMean", factor=3),
]
