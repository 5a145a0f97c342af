"""Days with consumers: compares received and missing records of groups with the log, record by record.

Started by bench/truth/run; the log is read by librdkafka (witness.py).
"""

import json
import os
import signal
import subprocess
import threading

import plant
import witness

WARMUP, PARTITIONS = 4, 2
COUNTS = ("received", "missing", "lag at the end", "end-to-end", "from append")


def stop_over_end(lab, seconds, over):
    """Stops broker 1 from 1.5 s before the end of the load until 1.5 s after it."""
    if not over.wait(WARMUP + seconds - 1.5):
        lab.signal(1, signal.SIGSTOP)
        over.wait(3)
        lab.signal(1, signal.SIGCONT)


# name: description, more keys of the producer, consumers, more keys of the scenario
DAYS = {
    "reads-along": ("one group reads along", {}, [{}], {}),
    "two-groups": ("two groups read the same records", {}, [{"groups": 2}], {}),
    "aborted": ("a fifth of the transactions is aborted, read_committed", {
        "transactions": {"records": 100, "abortRatio": 0.2}}, [{"config": {"isolation.level": "read_committed"}}], {}),
    "member-stops": ("the only member ends in mid-window", {}, [{}], {"faults": [{"at": "2s", "killMember": "any"}]}),
    "own-work": ("a group that its work limits to 500/s beside one that follows", {}, [
        {}, {"members": 2, "work": {"each": "4ms"}}], {}),
    "releases": ("a share group that releases a tenth of what it gets", {}, [
        {"kind": "share", "members": 2, "acknowledge": "explicit", "release": 0.1}], {}),
    "broker-stops": ("the broker stands still over the end of the load", {}, [{}], {}),
}
DISTURBED = {"broker-stops": stop_over_end}
LEFT = {"own-work": 1000 * WARMUP}


def begun(lab, topic, seconds, over, disturb):
    if disturb and witness.begun(lab.bootstrap, topic, PARTITIONS, over):
        disturb(lab, seconds, over)


def live(name, lab, seconds, work):
    """Runs a day; returns the row of the table, and whether every count is right."""
    what, producer, consumers, more = DAYS[name]
    topic, path = "truth-" + name, os.path.join(work, name + ".json")
    scenario = dict(more, name=name, topics=[{"name": topic, "partitions": PARTITIONS, "existing": True}],
                    warmup="%ds" % WARMUP, duration="%ds" % seconds, audit=False)
    scenario["producers"] = [dict(producer, topic=topic, rate="1000/s", record={"size": 100})]
    scenario["consumers"] = [dict(consumer, topic=topic) for consumer in consumers]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scenario, file)
    over = threading.Event()
    trouble = threading.Thread(target=begun, args=(lab, topic, seconds, over, DISTURBED.get(name)))
    trouble.start()
    try:
        done = subprocess.run(
            [plant.PLIMSOLL, "run", path, "--bootstrap-server", lab.bootstrap, "--json", "--quiet", "--out",
             os.path.join(work, "runs")], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=240)
    finally:
        over.set()
        trouble.join()
    if done.returncode not in (0, 5):
        raise plant.Failure("the run ended with %d: %s" % (done.returncode, done.stderr[-1000:]))
    consume = json.loads(done.stdout)["trials"][0]["consume"]
    committed = name == "aborted"
    log = witness.Reading(witness.read(lab.bootstrap, topic, PARTITIONS, committed), WARMUP, seconds)
    groups = sum(consumer.get("groups", 1) for consumer in consumers)
    due = groups * sum(log.begin <= at < log.end for at in log.due_at.values())
    came = groups * sum(at >= log.begin for at in log.appended.values())
    never = consume["neverReceived"]
    lag = sum(group["lagAtEnd"] for group in consume["groups"])
    # Records appended after the end of the window cannot be missing among those appended within it.
    late = groups * sum(at >= log.end for due_at, at in log.appended.items() if log.begin <= due_at < log.end)
    appended = groups * sum(log.begin <= at < log.end for at in log.appended.values()) - max(0, never - late)
    # Append times are whole milliseconds: at the start and the end of the window, one or two records per group can differ.
    edges = 4 * groups
    right = [
        # All records appended since the start of the window, and the lag at that time: at most the load of a quarter of a
        # second, except for a lagging group.
        -edges <= consume["records"] + never - came <= 250 * groups + LEFT.get(name, 0),
        consume["missing"] == never, lag == never, consume["endToEnd"]["count"] == due,
        abs(consume["endToEndFromAppend"]["count"] - appended) <= edges]
    said = [consume["records"], consume["missing"], lag, consume["endToEnd"]["count"],
            consume["endToEndFromAppend"]["count"]]
    truth = [came - never, never, never, due, appended]
    cells = ["%d (%d)" % both if ok else "**%d** (%d)" % both for both, ok in
             zip(zip(said, truth), right)]
    return "| %s: %s | %s | %s |" % (name, what, " | ".join(cells), "yes" if all(right) else "**no**"), all(right)
