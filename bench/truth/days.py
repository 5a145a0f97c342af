"""The days of bench/truth: what is planted on each, and the load that has to live through it."""

import contextlib
import signal
import time
from dataclasses import dataclass, field
from typing import Callable

import plant

WARMUP_AND_WINDOW = 5 + 25  # seconds, as bench/truth/run has them by default
STALLS = "broker stopped for 1 s in 5"
THREE = ("--brokers", "3")
# Of broker 1's partitions the others have copies, and it has none of theirs. The leader answers for itself (acks=1):
# how long it waits for followers after it has appended, the log does not tell.
AROUND_BROKER_1 = ([1, 2], [1, 3], [2, 3], [3, 2])
REPLICATED = {"record": {"size": 100, "key": {"uniform": 10000}}, "config": {"acks": "1"}}


@dataclass
class Day:
    """A load, and what `disturb` does once it has begun, until `over` is set; `beside` is there before it and after.

    apart: seconds that a proxy holds back what passes, each way.
    first: whether another trial goes before, on a topic of its own.
    callbacks: whether an interceptor can note them: the raw engine has none, and agents of a fleet take none.
    """

    name: str
    what: str
    producer: dict = field(default_factory=dict)
    disturb: Callable = lambda lab, over: None
    beside: Callable = lambda lab, work: contextlib.nullcontext()
    brokers: tuple = ()
    replicas: tuple = ([1], [1], [1])
    apart: float = 0
    first: bool = False
    callbacks: bool = True

    def scenario(self, topic, warmup, seconds, config):
        # 997: were due times whole milliseconds apart, as append times are, all waits would be rounded alike.
        producer = {"topic": topic, "rate": "997/s", "record": {"size": 100}, **self.producer}
        producer["config"] = {**producer.get("config", {}), **config}
        scenario = {
            "name": "truth-" + self.name,
            "topics": [{"name": topic, "partitions": len(self.replicas), "existing": True}],
            "producers": [producer], "warmup": "%gs" % warmup, "duration": "%gs" % seconds, "audit": False}
        if self.first:
            scenario["topics"].append({"name": topic + "-first", "partitions": 3})
            scenario["trials"] = [
                {"name": "first", "set": {"producers[0].topic": topic + "-first", "duration": "5s"}}, {"name": "second"}]
        return scenario


def leader_changes(lab, over):
    """Broker 1 goes in good order and comes back, and is made the leader of its partitions again."""
    if over.wait(7):
        return
    lab.signal(1, signal.SIGTERM)
    if over.wait(4):
        return
    lab.restart(1)
    until = time.monotonic() + 10
    while not lab.elect_preferred() and time.monotonic() < until:
        over.wait(0.5)


def kill(lab, over):
    if not over.wait(7):
        lab.signal(1, signal.SIGKILL)


def stop_at_end(lab, over):
    """Broker 1 stands still from a second before the window's end to a second and a half after it."""
    # The first record comes at the begin of the warm-up; that of the window is seen up to 0.2 s late.
    if not over.wait(WARMUP_AND_WINDOW - 1):
        lab.signal(1, signal.SIGSTOP)
        over.wait(2.5)
        lab.signal(1, signal.SIGCONT)


def leave_at_end(lab, over):
    """Broker 1 leaves in good order a second before the window's end; others lead from then on."""
    if not over.wait(WARMUP_AND_WINDOW - 1):
        lab.signal(1, signal.SIGTERM)
        over.wait()
        lab.restart(1)
        until = time.monotonic() + 10
        while not lab.elect_preferred() and time.monotonic() < until:
            time.sleep(0.5)


def quota_at_end(lab, over):
    """From some seconds before the window's end, the client may write half of its load."""
    if not over.wait(WARMUP_AND_WINDOW - 6):
        plant.limit(lab, "truth-end", 500_000)


# Those that have the same brokers stand together and share them, so what changes a lab for good comes last in it.
DAYS = [
    Day("stalls", STALLS, disturb=plant.stalls),
    Day("buffer", STALLS + "; `buffer.memory` of three batches",
        {"rate": "1999/s", "config": {"buffer.memory": "49152"}}, plant.stalls),
    Day("sync", STALLS + "; 16 threads that wait for each record",
        {"rate": "499/s", "send": "sync", "threads": 16}, plant.stalls),
    Day("transactions", STALLS + "; a commit each second", {"transactions": {"every": "1s"}}, plant.stalls),
    Day("raw", STALLS + "; raw engine", {"engine": "raw"}, plant.stalls, callbacks=False),
    Day("poisson", STALLS + "; Poisson arrivals", {"arrivals": "poisson"}, plant.stalls),
    Day("raw-poisson", STALLS + "; raw engine, Poisson arrivals, Zipf keys", {
        "engine": "raw", "arrivals": "poisson", "record": {"size": 100, "key": {"zipf": {"s": 1.1, "n": 10000}}}},
        plant.stalls, callbacks=False),
    Day("ramp", STALLS + "; a rate that rises from 200 to 2,000/s", {
        "rate": {"ramp": ["200/s", "2000/s"], "over": "25s"}}, plant.stalls),
    Day("large", STALLS + "; zstd, records of 100 KB", {
        "rate": "97/s", "record": {"size": "100KB", "randomBytesRatio": 0.5}, "config": {"compression.type": "zstd"}},
        plant.stalls),
    Day("window-end", "broker stopped over the end of the window", disturb=stop_at_end),
    Day("quota-end", "a quota of half of the load from 4 s before the end of the window on",
        {"record": {"size": 1000}, "config": {"client.id": "truth-end"}}, quota_at_end),
    Day("second", STALLS + "; the second of two trials", disturb=plant.stalls, first=True),
    Day("partitions", STALLS + "; 2,000 partitions", disturb=plant.stalls, replicas=([1],) * 2000),
    Day("fleet", STALLS + "; a fleet of two", {"clients": 2}, plant.stalls, beside=plant.fleet, callbacks=False),
    Day("busy", "two endless loops on the host", beside=plant.endless_loops),
    Day("quota", "a quota of four fifths of the load",
        {"record": {"size": 1000}, "config": {"client.id": "truth"}}, beside=plant.quota),
    Day("delay", "20 ms each way", apart=0.020),
    Day("leaders-end", "broker 1 of 3 leaves in good order a second before the end of the window",
        REPLICATED, leave_at_end, brokers=THREE, replicas=AROUND_BROKER_1),
    Day("leaders", "broker 1 of 3 leaves in good order, comes back after 4 s, and leads again",
        REPLICATED, leader_changes, brokers=THREE, replicas=AROUND_BROKER_1),
    Day("kill", "broker 1 of 3 is killed", REPLICATED, kill, brokers=THREE, replicas=AROUND_BROKER_1),
]
