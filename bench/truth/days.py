"""The days of bench/truth: the load of each, and its planted disturbance."""

import contextlib
import signal
import time
from dataclasses import dataclass, field
from typing import Callable

import plant

WARMUP_AND_WINDOW = 5 + 25  # seconds, the defaults of bench/truth/run
STALLS = "broker stopped for 1 s in 5"
THREE = ("--brokers", "3")
# The partitions of broker 1 have replicas on the other brokers, and it follows no partition. With acks=1, the leader does not
# wait for followers: the log does not show the duration of such a wait.
AROUND_BROKER_1 = ([1, 2], [1, 3], [2, 3], [3, 2])
REPLICATED = {"record": {"size": 100, "key": {"uniform": 10000}}, "config": {"acks": "1"}}


@dataclass
class Day:
    """A load and its disturbance: `disturb` runs after the load has begun, until `over` is set; `beside` surrounds the run.

    apart: seconds by which a proxy delays all data in each direction.
    first: whether another trial runs before, on a separate topic.
    callbacks: whether an interceptor can record callbacks. The raw engine has none, and agents of a fleet accept none.
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
        # 997 instead of 1,000: with due times a whole millisecond apart, like append times, all waits would be rounded alike.
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
    """Shuts down broker 1, restarts it after 4 s, and makes it the leader of its partitions again."""
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
    """Stops broker 1 from 1 s before the end of the window until 1.5 s after it."""
    # The first record marks the start of the warm-up, and is noticed up to 0.2 s late.
    if not over.wait(WARMUP_AND_WINDOW - 1):
        lab.signal(1, signal.SIGSTOP)
        over.wait(2.5)
        lab.signal(1, signal.SIGCONT)


def leave_at_end(lab, over):
    """Shuts down broker 1 cleanly 1 s before the end of the window; other brokers lead until the end of the run."""
    if not over.wait(WARMUP_AND_WINDOW - 1):
        lab.signal(1, signal.SIGTERM)
        over.wait()
        lab.restart(1)
        until = time.monotonic() + 10
        while not lab.elect_preferred() and time.monotonic() < until:
            time.sleep(0.5)


def quota_at_end(lab, over):
    """Sets a quota of half of the load, which has an effect from some seconds before the end of the window."""
    if not over.wait(WARMUP_AND_WINDOW - 6):
        plant.limit(lab, "truth-end", 500_000)


# Adjacent days with the same brokers share a lab, so a day that changes its lab permanently comes last.
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
