"""
Twelve more limits of readers and on busy hosts, in one table like reading.py: the plant, the expected diagnosis, and the load with
and without the plant. Written down before any of them was run; their author had not read the rules, the causes or the results.

A group of another application has another name without the plant, because killed members stay in their group for another 45 s.
"""

import contextlib
import os
import subprocess
import sys

import brokers
from plants import TOPIC, consume, once_it_has_begun, produce
from reading import BURN, WORK, load, once, processes, readers, row, share

CALM = ["consume.e2e.p90 < 1s"]
HOLD_MILLIS = 3000
HELD_PARTITIONS = 6


def metered(client, value):
    """Sets a quota of bytes per second for the consumers with this client id."""
    return lambda cluster: once(cluster, "quota", "consumer_byte_rate", value, client)


@contextlib.contextmanager
def application(cluster, group, members, micros, records, partitions, how):
    once(cluster, "topic", TOPIC, partitions)
    member = readers(cluster, "member", TOPIC, group, micros, records, how)
    with processes(*[member] * members) as started:
        cluster.members = started
        yield
    once(cluster, "drop", TOPIC)


def foreign(group, members=2, micros=1, records=50, partitions=12, how="wait"):
    """Creates the topic, and a group of another application that reads it before the run begins."""
    return lambda cluster: application(cluster, group, members, micros, records, partitions, how)


@contextlib.contextmanager
def reconciled(cluster):
    """Runs a job that writes to half of the partitions in transactions, which it aborts after 3 s."""
    once(cluster, "topic", TOPIC, 2 * HELD_PARTITIONS)
    with processes(readers(cluster, "hold", TOPIC, HELD_PARTITIONS, HOLD_MILLIS)):
        yield
    once(cluster, "drop", TOPIC)


@contextlib.contextmanager
def unreconciled(cluster):
    once(cluster, "topic", TOPIC, 2 * HELD_PARTITIONS)
    yield
    once(cluster, "drop", TOPIC)


@contextlib.contextmanager
def pod(cluster, run):
    """Limits all members of the group together to a tenth of a core, from the start of the load."""
    with brokers.CpuLimit("readers") as limit:
        for member in cluster.members:
            limit.take(member.pid)
        with once_it_has_begun(run, lambda: limit.set(0.1)):
            yield


def crowd(per_core):
    """Runs this number of CPU-bound programs per core, from the start of the load."""
    @contextlib.contextmanager
    def during(_cluster, run):
        burning = []

        def begin():
            for _ in range(per_core * os.cpu_count()):
                burning.append(subprocess.Popen([sys.executable, "-c", BURN], stdin=subprocess.DEVNULL, start_new_session=True))

        try:
            with once_it_has_begun(run, begin):
                yield
        finally:
            for process in burning:
                process.kill()
            for process in burning:
                process.wait(30)

    return during


def observed(rate, group, partitions=12, **record):
    made = load(rate, partitions=partitions, checks=["group.lag < 1s"], own=False)
    if record:
        made["producers"] = produce(rate, size=500, record=record)
    return dict(made, observe={"groups": [group]})


def ceiling(group):
    return {"group": group, "from": 50, "most": 1600}


def reports(rate, **second):
    return load(rate, [{"topic": TOPIC, "members": 2}, dict({"topic": TOPIC, "members": 2}, **second)])


def inserted(records):
    return load("800/s", consume({"max.poll.records": records}, members=4, work={"perBatch": "250ms"}), checks=CALM)


def committed(commit):
    return load("400/s", consume({"max.poll.records": 20}, commit=commit), partitions=4, checks=CALM)


def stable():
    return load("300/s", consume({"isolation.level": "read_committed"}, members=2), own=False)


def fallible(failures):
    return load("600/s", share(acknowledge="explicit", work={"each": "5ms", "failures": failures}))


def locked(locks):
    return load("500/s", share(members=8, work={"each": "10ms"}, groupConfig={"share.partition.max.record.locks": locks}),
                partitions=2)


def parsed():
    return load("600/s", consume(members=2, work={"each": "1ms", "cpu": True}))


# Patterns. The CPU of the host, by its cause or by its effect on the load generator, but not a broker that uses too much.
CROWDED = r"^(?!broker)(host\b|.*(\bother (programs?|process\w*)|\bCPU\b|\bcores?\b|\bprocessors?\b))"
UNEVEN = r"hot ?(partition|key)|\bskew|uneven|imbalanc|unbalanc|not balanced|" \
         r"\b(one|a single|same|1|only)( of \w+)? (partition|key|member)s?\b|\bpartitions? \S*\d|\borders-\d"
STUCK = r"stop|stuck|stand|stall|h[au]ng|nothing|none|\bno (record|progress|commit)|" \
        r"\bnot (read|commit|process|advance|move|progress)|" \
        r"does not|without|same offset|\b(one|1|single|only)\b|partition \S*\d|orders-\d"

PLANTS = [
    row("quota-of-reports",
        "two groups read 200 KB/s each, and a quota gives the client id of the second one 60 KB/s (consumer_byte_rate)",
        "a quota that holds the consumers of the second group back",
        r"(?=.*(quota|throttl))(?=.*(consum|fetch|read|group))",
        reports("400/s", config={"client.id": "reports"}), reports("400/s", config={"client.id": "reports"}), "consumed", 1.3,
        cluster="reports-metered"),
    row("bulk-insert-busy",
        "a group of four inserts the records of each poll in 250 ms, with max.poll.records=20: 320/s, at 800/s, on a host "
        "where other programs demand twice the available cores; lifted, a poll returns up to 500 records",
        "the work of the group on each poll, of 20 records",
        r"^(?!host|generator|broker)(?=.*(max\.poll\.records|\bpolls?\b|\bwork\b|\bprocess(es|ing|ed)?\b|\bhandl\w+))",
        inserted(20), inserted(500), "consumed", 1.5, during=crowd(2)),
    row("one-partition-ceiling",
        "a group of another application has four members, 4 ms of work per record and one partition: 250/s; ceiling --group "
        "looks for the rate that it sustains; lifted, it has twelve partitions",
        "one partition keeps one of four members busy",
        r"(?=.*\bshipping\b)(?=.*(\bpartitions?\b|\b(one|1|only|single)\b.{0,40}\bmember))",
        ceiling("shipping"), ceiling("shipping-alone"), "ceiling", 1.5, before=foreign("shipping", 4, 4000, partitions=1),
        lifted_before=foreign("shipping-alone", 4, 4000)),
    row("few-share-locks",
        "a share group of eight members with 10 ms of work per record, on two partitions with at most 100 locked records each "
        "(share.partition.max.record.locks), at 500/s",
        "no further records can be locked, so most members have none",
        r"record\.locks|\block(s|ed|ing)?\b|in[ -]flight|in hand|acquir",
        locked(100), locked(2000), "consumed", 1.5),
    row("failing-share-work",
        "a share group of four members with 5 ms of work per record, 800/s, at 600/s; the work fails for 65 % of the "
        "deliveries, and the records are delivered again",
        "failed records are delivered again, which takes the time of the members",
        r"(?=.*(work|process|record|member|share|consum))"
        r"(?=.*(redeliver|\bretr|releas|\bfail|deliver(y|ies)|\bdelivered\b|archiv|attempt))",
        fallible(0.65), fallible(0), "consumed", 1.5),
    row("commit-per-poll-far",
        "one member with max.poll.records=20 that commits after each poll, 120 ms away: 160/s, at 400/s",
        "the group waits for a commit after each poll",
        r"\bcommit|(?=.*(round[- ]trip|distance))(?=.*(\bpolls?\b|consumer|group|member))",
        committed({"sync": {"every": 1}}), committed("auto"), "consumed", 1.5, cluster="solo-far", lifted_cluster="solo-far"),
    row("rolled-back-job",
        "a job of another application keeps transactions open for 3 s on six of twelve partitions, aborts them and begins "
        "again; the group reads with isolation.level=read_committed",
        "open transactions hold the records back",
        r"transaction|last stable|\bLSO\b|read_committed|isolation",
        stable(), stable(), "endToEndMean", 3, before=reconciled, lifted_before=unreconciled),
    row("large-tenant-observed",
        "five of six records have the same key, and a group of another application has four members with 5 ms of work per "
        "record, at 500/s; lifted, keys are uniform",
        "one partition receives nearly all records, and one member has to process them",
        UNEVEN,
        observed("500/s", "ledger", key={"zipf": {"s": 3, "n": 10000}}), observed("500/s", "ledger-alone"), "group", 1.3,
        before=foreign("ledger", 4, 5000), lifted_before=foreign("ledger-alone", 4, 5000)),
    row("poison-record",
        "a group of another application has two members on two partitions; one member fails at the first record of its "
        "partition and reads it again and again, at 300/s",
        "one partition of the group makes no progress",
        r"(?=.*\bmail\b)(?=.*(partition|member|orders-\d))(?=.*(" + STUCK + "))",
        observed("300/s", "mail", partitions=2), observed("300/s", "mail-alone", partitions=2), "group", 1.5,
        before=foreign("mail", partitions=2, how="retry"), lifted_before=foreign("mail-alone", partitions=2)),
    row("reader-pod",
        "a group of another application has three members that need 1 ms of CPU time per record, at 400/s, in a cgroup with a "
        "tenth of a core",
        "the members of the group process too slowly",
        r"^(?!(linger|acks|latency|broker))(?=.*\bparser\b)(?=.*(" + WORK + r"|\bCPU\b|processors?|\bcores?\b|throttl|slow))",
        observed("400/s", "parser"), observed("400/s", "parser-alone"), "group", 1.5, during=pod,
        before=foreign("parser", 3, 1000, how="cpu"), lifted_before=foreign("parser-alone", 3, 1000, how="cpu")),
    row("late-reads-busy",
        "a host where other programs demand four times the available cores, and a check of the end-to-end p99 < 20 ms at 300/s",
        "the CPU of the host, by other programs",
        CROWDED,
        load("300/s", consume(members=2), checks=["consume.e2e.p99 < 20ms"]),
        load("300/s", consume(members=2), checks=["consume.e2e.p99 < 20ms"]), "endToEndMean", 1.5, during=crowd(4)),
    row("parsing-busy",
        "a group of two members with 1 ms of CPU time per record, at 600/s, on a host where other programs demand six times "
        "the available cores",
        "the CPU of the host, by other programs",
        CROWDED,
        parsed(), parsed(), "consumed", 1.3, during=crowd(6)),
]
