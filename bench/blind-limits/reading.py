"""
The reading side and busy hosts, in one table: the plant, the expected diagnosis, and the load with and without the plant. Written
down before the rules were changed for them. Plants that do not need a second broker run on a single one, so that a small machine
has a saturated host on purpose and not by accident.

A plant is a `row`: the load with and without it, and actions before or during the run. Readers.java runs the groups of other
applications. A busy host runs two loops per core. One plant is right if no limit is named.
"""

import atexit
import contextlib
import functools
import os
import signal
import subprocess
import sys
import tempfile
import threading

import brokers
from plants import HERE, TOPIC, Plant, consume, once_it_has_begun, produce
from plants2 import PROMPT, QUICK
from plants4 import NETWORK

PREPARE_SECONDS = 60
GROUP = "billing"
BURN = "while True: pass"


LIBRARIES = os.path.join(brokers.HOME, "target", "lib", "*")


@functools.lru_cache
def compiled():
    """Compiles Readers.java; returns the directory of its classes, which is removed when this process ends."""
    made = tempfile.TemporaryDirectory(prefix="plimsoll-readers-")
    atexit.register(made.cleanup)
    subprocess.run([brokers.JAVA + "c", "-d", made.name, "-cp", LIBRARIES, os.path.join(HERE, "Readers.java")], check=True)
    return made.name


def readers(cluster, *arguments):
    return [brokers.JAVA, "-Xmx96m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", compiled() + ":" + LIBRARIES,
            "Readers", arguments[0], "127.0.0.1:%d" % cluster.ports[0], *map(str, arguments[1:])]


def once(cluster, *arguments):
    done = subprocess.run(readers(cluster, *arguments), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, timeout=PREPARE_SECONDS)
    if done.returncode:
        raise SystemExit("%s failed: %s" % (arguments[0], done.stderr[-1000:]))


@contextlib.contextmanager
def processes(*commands):
    """Starts processes one after another, each when the previous one reads. Kills all of them at the end of the block."""
    started = []
    try:
        for command in commands:
            started.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, start_new_session=True))
            started[-1].stdout.read(1)
        yield started
    finally:
        for process in started:
            process.kill()
        for process in started:
            process.wait(30)
            process.stdin.close()
            process.stdout.close()


def quota(prop, value):
    return lambda cluster: once(cluster, "quota", prop, value)


def foreign(members=3, micros=1, records=50, partitions=12):
    """Creates the topic, and a group of another application that reads it before the run begins."""
    @contextlib.contextmanager
    def before(cluster):
        once(cluster, "topic", TOPIC, partitions)
        member = readers(cluster, "member", TOPIC, GROUP, micros, records)
        with processes(*[member] * members) as started:
            cluster.members = started
            yield
        once(cluster, "drop", TOPIC)
    return before


@contextlib.contextmanager
def member_stops(cluster, run):
    """Stops the last member of the group. It keeps its partitions until its session times out after 45 s."""
    pid = cluster.members[-1].pid
    try:
        with once_it_has_begun(run, lambda: os.kill(pid, signal.SIGSTOP)):
            yield
    finally:
        os.kill(pid, signal.SIGCONT)


@contextlib.contextmanager
def busy(cluster, run=None):
    """Runs two CPU-bound programs per core."""
    burning = [subprocess.Popen([sys.executable, "-c", BURN], start_new_session=True) for _ in range(2 * os.cpu_count())]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait(30)


@contextlib.contextmanager
def replays(cluster):
    once(cluster, "fill", "archive", 60)
    with processes(readers(cluster, "replay", "archive", 6)):
        yield
    once(cluster, "drop", "archive")


def busy_at_once(cluster, run):
    """Makes the host busy only when the load begins, so that connections and groups already exist."""
    over = threading.Event()
    begun = threading.Event()

    def burn():
        begun.wait()
        if not over.is_set():
            with busy(cluster):
                over.wait()

    @contextlib.contextmanager
    def during():
        other = threading.Thread(target=burn)
        other.start()
        try:
            with once_it_has_begun(run, begun.set):
                yield
        finally:
            over.set()
            begun.set()
            other.join()

    return during()


def topics(partitions=12):
    return [{"name": TOPIC, "partitions": partitions, "replication": 1}]


def load(rate, consumers=None, partitions=12, size=500, checks=PROMPT, config=None, own=True):
    made = {"topics": topics(partitions) if own else [{"name": TOPIC, "existing": True}],
            "producers": produce(rate, size=size, config=config)}
    if consumers is not None:
        made["consumers"] = consumers
    return dict(made, checks=list(checks)) if checks else made


def observed(rate, partitions=12):
    return dict(load(rate, partitions=partitions, checks=["group.lag < 1s"], own=False), observe={"groups": [GROUP]})


def share(**more):
    return [dict({"topic": TOPIC, "kind": "share", "members": 4}, **more)]


def two_groups(slow):
    return [{"topic": TOPIC, "members": 3}, dict({"topic": TOPIC, "members": 3}, **slow)]


def row(name, planted, expected, words, with_it, without, witness, factor, **more):
    return Plant(name=name, planted=planted, expected=expected, right=more.pop("right", []), words=words, load=with_it,
                 lifted=without, witness=witness, factor=factor, cluster=more.pop("cluster", "solo"),
                 lifted_cluster=more.pop("lifted_cluster", "solo"), **more)


# Patterns for a group that is limited by its own work: the sentence must contain the work or the members, and the group.
WORK = r"(\bwork\b|process(es|ing)?|handl\w+|members?|poll)"
BILLING = r"(?=.*\bbilling\b)(?=.*" + WORK + r")^(?!.*(linger|acks|producer))"

PLANTS = [
    row("consumer-quota", "a default quota of 40 KB/s for consumers (consumer_byte_rate), where 150 KB/s are written",
        "a quota of bytes that holds the consumers back",
        r"(?=.*quota)(?=.*consum)(?=.*byte)",
        load("300/s", consume(members=2)), load("300/s", consume(members=2)), "consumed", 1.5, cluster="read-metered"),
    row("one-slow-group", "two groups read at 500/s, and the second takes 10 ms for each record in three members: 300/s",
        "the second group, by its own work of 300/s",
        r"(?=.*consumers[-\[]1|.*\bgroup 2\b|.*\bgroup-?1\b)(?=.*\b(300|30\d|29\d)\b)(?=.*" + WORK + ")",
        load("500/s", [{"topic": TOPIC, "members": 3}, {"topic": TOPIC, "members": 3, "work": {"each": "10ms"}}]),
        load("500/s", [{"topic": TOPIC, "members": 3}, {"topic": TOPIC, "members": 3}]), "consumed", 1.2),
    row("foreign-work-observed", "a group of others whose three members take 8 ms for each record, 375/s, at 600/s",
        "that group, by the rate at which its members process", BILLING,
        observed("600/s"), observed("600/s"), "group", 1.3, before=foreign(micros=8000), lifted_before=foreign()),
    row("foreign-work-ceiling", "the same group, and ceiling --group looks for what it carries",
        "that group, by the rate at which its members process", BILLING,
        {"group": GROUP, "from": 100, "most": 1600}, {"group": GROUP, "from": 100, "most": 1600}, "ceiling", 1.3,
        before=foreign(micros=8000), lifted_before=foreign()),
    row("share-work", "a share group of four members that take 5 ms for each record, 800/s, at 1,200/s",
        "the work of the share group's members", r"(?=.*" + WORK + r")^(?!.*lock)",
        load("1200/s", share(work={"each": "5ms"})), load("1200/s", share()), "consumed", 1.2),
    row("share-lock", "a share group whose locks last 1 s, and whose members take 20 ms for each of the 200 records of a poll",
        "records are kept longer than their locks last",
        r"(?=.*lock)(?=.*(last|expir|time|ran out|longer))",
        load("500/s", share(work={"each": "20ms"}, config={"max.poll.records": 200}, groupConfig={"share.record.lock.duration.ms": 1000})),
        load("500/s", share(work={"each": "1ms"}, config={"max.poll.records": 200})), "consumed", 1.3, cluster="short-locks",
        lifted_cluster="short-locks"),
    row("too-few-members", "a group of two members that take 4 ms for each record, 500/s, at 800/s",
        "two members, whose work lets 500 records a second through",
        r"(?=.*" + WORK + r")(?=.*\b(500|2 members)\b)",
        load("800/s", consume(members=2, work={"each": "4ms"})), load("800/s", consume(members=6, work={"each": "4ms"})),
        "consumed", 1.3),
    row("more-members-than-partitions", "a group of others with six members on two partitions, 5 ms a record: two of them work, 400/s; 700/s asked",
        "more members than partitions: the others have nothing to read", r"(?=.*\bbilling\b)(?=.*partitions?)(?=.*members?)",
        observed("700/s", partitions=2), observed("700/s", partitions=12), "group", 1.3,
        before=foreign(members=6, micros=5000, partitions=2), lifted_before=foreign(members=6, micros=5000)),
    row("stopped-member", "one of the three members of a group of others is stopped (SIGSTOP) and keeps its partitions; 300/s",
        "one member reads nothing of its partitions",
        r"(?=.*\bbilling\b)(?=.*(\b(one|1)\b.{0,30}\bmember|\bmember\b.{0,80}(stop|nothing|none|not read|no record|without)))",
        observed("300/s"), observed("300/s"), "group", 1.2, before=foreign(), lifted_before=foreign(), during=member_stops),
    row("small-fetch-far", "one member 120 ms away that fetches 2 KB of each of four partitions at a time, at 400/s of 500 bytes",
        "what a fetch may bring: max.partition.fetch.bytes", r"max\.partition\.fetch|fetch\w*.{0,60}(full|small|limit|at most|bytes)|farFetch|fullFetch",
        load("400/s", consume({"max.partition.fetch.bytes": 2000}, members=1), partitions=4, checks=["consume.e2e.p90 < 1s"]),
        load("400/s", consume(members=1), partitions=4, checks=["consume.e2e.p90 < 1s"]), "consumed", 1.3,
        cluster="solo-far", lifted_cluster="solo-far"),
    row("producer-quota-busy", "a default quota of 40 KB/s for producers (producer_byte_rate) before 200 KB/s, on a host whose cores other "
        "programs want twice over", "a quota of bytes that holds the producers back", r"(?=.*quota)(?=.*produc)(?=.*byte)",
        load("400/s", checks=()), load("400/s", checks=()), "produced", 1.5, cluster="write-metered", during=busy_at_once),
    row("in-flight-busy", "one request under way to a broker 120 ms away, with batches of 4 KB, in a closed loop, on a host whose cores other "
        "programs want twice over", "the way: one request under way for a round trip", r"^latency\b|round[- ]trip|distance|in.flight|under way",
        load("unlimited", checks=(), partitions=1, config={"max.in.flight.requests.per.connection": 1, "batch.size": 4096}),
        load("unlimited", checks=(), partitions=1, config={"batch.size": 65536}),
        "produced", 1.5, cluster="solo-far", lifted_cluster="solo-far", during=busy_at_once),
    row("narrow-way-back", "consumers to which the broker can send 60 KB/s, where 200 KB/s are written",
        "the bandwidth of the way from the broker to the consumers", NETWORK + r"|bandwidth|\bthe way\b|carries",
        load("400/s", consume(members=2)), load("400/s", consume(members=2)), "consumed", 1.3, cluster="narrow-back"),
    row("others-replay", "six readers of others that read 60 MB again and again from the same broker, before a load with 5 ms asked",
        "what others read", r"\bother|replay|\bfull\b|\bCPU\b",
        load("1000/s", consume(), checks=QUICK), load("1000/s", consume(), checks=QUICK), "responseMean", 1.3, before=replays),
    row("busy-host-late", "a host whose cores other programs want twice over, and a check of p99 < 2 ms at 200/s",
        "the CPU of the host, by other programs", None,
        load("200/s", checks=["produce.response.p99 < 2ms"]), load("200/s", checks=["produce.response.p99 < 2ms"]), "responseMean", 1.2,
        right=["host"], during=busy_at_once),
    row("busy-host-carried", "the same host, and a load of 200/s of which nothing is asked but that it is carried",
        "nothing: no limit was met", None,
        load("200/s", consume(), checks=()), load("200/s", consume(), checks=()), "produced", 0, nothing=True, during=busy_at_once),
]
