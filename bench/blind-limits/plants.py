"""
Ten limits, each with its expected diagnosis, written down before any diagnosis of them was examined.

`right` contains the keys of the causes that count; an empty list accepts every key. `words` is a pattern that the text of the
cause must match, for limits that had no key when this was written. `where` is the required place. `lifted` is the same load
without the plant: `witness` must be better there by `factor`, otherwise the plant was not a limit and does not count.
"""

import contextlib
import dataclasses
import os
import re
import subprocess
import threading

import brokers

HERE = os.path.dirname(os.path.realpath(__file__))
TOPIC = "orders"


@dataclasses.dataclass
class Plant:
    name: str
    planted: str
    expected: str
    right: list
    load: dict
    lifted: dict
    witness: str
    factor: float
    words: str = None
    where: str = None
    cluster: str = "three"
    lifted_cluster: str = "three"
    during: object = None
    before: object = None
    lifted_before: object = None
    nothing: bool = False

    def is_right(self, cause):
        if self.nothing or cause is None:
            return self.nothing and cause is None
        key = cause.get("limitKeyed", {}).get("key", "").removeprefix("diagnose.cause.")
        text = "%s: %s (%s). %s" % (key, cause["limit"], cause.get("where") or "", cause["sentence"])
        named = (not self.right or key in self.right) and (not self.words or re.search(self.words, text, re.I))
        return bool(named) and (not self.where or cause.get("where") == self.where)


def topic(**more):
    return [dict({"name": TOPIC, "partitions": 12, "replication": 3}, **more)]


def produce(rate, size=1000, config=None, **more):
    record = dict({"size": size, "key": {"uniform": 10000}}, **more.pop("record", {}))
    return [dict({"topic": TOPIC, "rate": rate, "record": record, "config": config or {}}, **more)]


def consume(config=None, **more):
    return [dict({"topic": TOPIC, "config": config or {}}, **more)]


@contextlib.contextmanager
def once_it_has_begun(run, plant):
    """Calls `plant` when the load begins, because some plants would prevent the start of a run."""
    ended = threading.Event()

    def when_it_begins():
        while not run.has_begun():
            if ended.wait(0.05):
                return
        plant()

    watch = threading.Thread(target=when_it_begins)
    watch.start()
    try:
        yield
    finally:
        ended.set()
        watch.join()


@contextlib.contextmanager
def small_pod(cluster, run):
    with brokers.CpuLimit("broker-2") as limit:
        limit.take(cluster.pid(2))
        with once_it_has_begun(run, lambda: limit.set(0.06)):
            yield


@contextlib.contextmanager
def generator_pod(_cluster, run):
    with brokers.CpuLimit("generator") as limit:
        limit.take(run.pid)
        with once_it_has_begun(run, lambda: limit.set(0.15)):
            yield


@contextlib.contextmanager
def helper(file, run, *arguments):
    """Runs a Java program of this directory: signals it when the load begins, and kills it at the end."""
    libraries = os.path.join(brokers.HOME, "target", "lib", "*")
    program = subprocess.Popen(
        [brokers.JAVA, "-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", libraries, os.path.join(HERE, file), *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        with once_it_has_begun(run, lambda: (program.stdin.write(b"\n"), program.stdin.flush())):
            yield
    finally:
        program.kill()
        program.wait(30)
        with contextlib.suppress(BrokenPipeError):
            program.stdin.close()


def crash_loop(cluster, run):
    return helper("CrashLoop.java", run, cluster.bootstrap(), TOPIC, "billing")


ORDERS = {"topics": topic(), "producers": produce("300/s")}


def billing(group):
    """Takes another group name without the plant, because a killed member stays in its group for another 45 s."""
    return dict(ORDERS, consumers=consume({"group.id": group}, members=2), checks=["consume.e2e.p90 < 100ms"])


PLANTS = [
    Plant(
        name="one-at-a-time",
        planted="send().get(): one thread waits for each acknowledgement before the next record",
        expected="the producer waits for one round trip a record, and has one request under way",
        right=["latency", "synchronous"],
        load={"topics": topic(), "producers": produce("4000/s", send="sync")},
        lifted={"topics": topic(), "producers": produce("4000/s")},
        witness="produced", factor=2),
    Plant(
        name="lazy-followers",
        planted="replica.fetch.min.bytes=1000000 and replica.fetch.wait.max.ms=500 on the brokers",
        expected="acknowledgements of acks=all wait for the followers",
        right=["replication"],
        cluster="lazy",
        load=dict(ORDERS, checks=["produce.response.p90 < 100ms"]),
        lifted=dict(ORDERS, checks=["produce.response.p90 < 100ms"]),
        witness="responseMedian", factor=3),
    Plant(
        name="commit-each-record",
        planted="a consumer with max.poll.records=1 that calls commitSync() after each poll",
        expected="the consumer group falls behind because it waits for its commits",
        right=["consumer"], words="commit",
        load={"topics": topic(), "producers": produce("3000/s", size=200),
              "consumers": consume({"max.poll.records": 1}, commit={"sync": {"every": 1}})},
        lifted={"topics": topic(), "producers": produce("3000/s", size=200),
                "consumers": consume({"max.poll.records": 1})},
        witness="consumed", factor=2),
    Plant(
        name="waiting-fetch",
        planted="fetch.min.bytes=1000000 and fetch.max.wait.ms=2000 on a consumer that gets 40 KB/s",
        expected="records wait in the broker until the consumer's fetch has enough bytes",
        right=["fetch", "fetchWait"],
        load={"topics": topic(), "producers": produce("200/s", size=200), "checks": ["consume.e2e.p90 < 300ms"],
              "consumers": consume({"fetch.min.bytes": 1000000, "fetch.max.wait.ms": 2000})},
        lifted={"topics": topic(), "producers": produce("200/s", size=200), "checks": ["consume.e2e.p90 < 300ms"],
                "consumers": consume()},
        witness="endToEndMedian", factor=5),
    Plant(
        name="small-heap",
        planted="a broker with -Xmx64m that gets requests of 1 MB",
        expected="the broker spends its time in garbage collection",
        right=["gc"],
        cluster="small-heap", lifted_cluster="one",
        load={"topics": topic(replication=1),
              "producers": produce("unlimited", size=100000, clients=4, engine="raw",
                                   config={"batch.size": 1000000, "max.request.size": 4000000, "acks": 1})},
        lifted={"topics": topic(replication=1),
                "producers": produce("unlimited", size=100000, clients=4, engine="raw",
                                     config={"batch.size": 1000000, "max.request.size": 4000000, "acks": 1})},
        witness="produced", factor=1.5),
    Plant(
        name="small-pod",
        planted="broker 2 of three in a control group with 6 % of a core",
        expected="broker 2 is slower than the others: it gets too little CPU",
        right=["slowBroker", "brokerCpu"], where="broker 2",
        load={"topics": topic(replication=1), "producers": produce("12000/s", config={"acks": 1})},
        lifted={"topics": topic(replication=1), "producers": produce("12000/s", config={"acks": 1})},
        during=small_pod,
        witness="responseMedian", factor=3),
    Plant(
        name="transaction-a-record",
        planted="a transaction that is begun and committed for each record",
        expected="the producer waits for the commit of a transaction after every record",
        right=[], words="transaction",
        load={"topics": topic(), "producers": produce("3000/s", transactions={"records": 1})},
        lifted={"topics": topic(), "producers": produce("3000/s", transactions={"records": 1000})},
        witness="produced", factor=3),
    Plant(
        name="hot-key",
        planted="keys of which one is that of five records in six (Zipf, s=3)",
        expected="one partition, and its leader, get nearly all records",
        right=["hotPartition"],
        load={"topics": topic(), "producers": produce("unlimited", record={"key": {"zipf": {"s": 3, "n": 10000}}})},
        lifted={"topics": topic(), "producers": produce("unlimited")},
        witness="produced", factor=1.5),
    Plant(
        name="generator-pod",
        planted="the load generator in a control group with 15 % of a core while load runs",
        expected="the load generator gets too little CPU",
        right=["generator"],
        load={"topics": topic(replication=1), "producers": produce("60000/s", size=200, config={"acks": 1})},
        lifted={"topics": topic(replication=1), "producers": produce("60000/s", size=200, config={"acks": 1})},
        during=generator_pod,
        witness="produced", factor=1.5),
    Plant(
        name="crash-loop",
        planted="another member of the consumer group that joins and leaves again and again",
        expected="the consumer group stands still while it rebalances",
        right=[], words="rebalanc",
        load=billing("billing"),
        lifted=billing("billing-alone"),
        during=crash_loop,
        witness="endToEndMean", factor=3),
]
