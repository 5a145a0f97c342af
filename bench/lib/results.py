#!/usr/bin/env python3
"""The results of benchmarks: bench/results/NAME.json, one file per command. docs/contributing/evidence.md describes the format.

In Python:

    result = results.Result("client-engine", "bench/client-engine --pairs 5")
    result.values("client-produce-throughput", [1.28, 1.15, 1.45])   # median, least, greatest, number
    result.value("flat-memory-ratio", 0.999, note="one run")          # a single value has no interval
    result.between("first-run-seconds", 90, 96, n=5)                  # the extremes of all cases
    result.count("known-limits-tuned", 10, 10)
    result.write(runs=[...])

In a shell script, one argument per claim; values are separated by commas, a count has the form N/OF:

    python3 bench/lib/results.py live-page "bench/live-page 5 10" live-alone=15.2,15.1 ends-clean=0/107

A command replaces the claims that it measured, and keeps the other claims in its file. It also keeps the target of a claim,
unless `least=`, `most=` and so on are given. PLIMSOLL_RESULTS names another directory for the files, as bench/all --quick does.
"""

import datetime
import hashlib
import json
import os
import platform
import re
import shlex
import statistics
import subprocess
import sys

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
RESULTS = os.path.join(HOME, "bench", "results")
SCHEMA = "plimsoll.evidence/1"
# All modules.
PROGRAM = ":(glob)**/src/main/**"


def git(*arguments):
    try:
        done = subprocess.run(["git", "-C", HOME, *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def read(name, directory=RESULTS):
    path = os.path.join(directory, name + ".json")
    if not os.path.exists(path):
        path = os.path.join(RESULTS, name + ".json")
    if not os.path.exists(path):
        return {"schema": SCHEMA, "name": name, "measurements": []}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def all_results(directory=RESULTS):
    return [read(file[:-5], directory) for file in sorted(os.listdir(directory)) if file.endswith(".json")]


def verdict(asked, measured):
    """Returns met, missed or not asked, from the median or the count; without a median, both ends of the range must be good."""
    if asked is None:
        return "not asked"
    direction, ends = asked["direction"], [measured[e] for e in ("low", "high") if e in measured]
    if "count" in measured:
        of = measured.get("of")
        if direction == "all":
            return "met" if measured["count"] == of else "missed"
        share = measured["count"] / of if of and "of" in asked else measured["count"]
        wanted = asked["value"] / asked["of"] if of and "of" in asked else asked["value"]
        ends = [share]
    else:
        wanted = asked["value"]
        ends = [measured["median"]] if "median" in measured else ends
    good = {"least": lambda v: v >= wanted, "most": lambda v: v <= wanted, "within": lambda v: abs(v) <= wanted}[direction]
    return "met" if all(map(good, ends)) else "missed"


def rounded(value):
    """Rounds to four significant digits; keeps whole numbers."""
    if float(value).is_integer():
        return int(value)
    short = float("%.4g" % value)
    return int(short) if short.is_integer() else short


def machine():
    facts = {"cores": os.cpu_count(), "kernel": platform.release()}
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            facts["cpu"] = re.search(r"model name\s*:\s*(.*)", file.read()).group(1)
        with open("/proc/meminfo", encoding="utf-8") as file:
            facts["memoryGB"] = round(int(re.search(r"MemTotal:\s*(\d+)", file.read()).group(1)) / 1e6)
    except (OSError, AttributeError):
        pass
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
        facts["jdk"] = re.search(r'version "([^"]+)"', said).group(1)
    except (OSError, AttributeError):
        pass
    facts["loadAverage"] = round(os.getloadavg()[0], 1)
    return facts


def versions():
    with open(os.path.join(HOME, "pom.xml"), encoding="utf-8") as file:
        pom = file.read()
    return {"kafka": re.search(r"<kafka.version>(.*?)<", pom).group(1), "plimsoll": re.search(r"<version>(.*?)<", pom).group(1)}


class Result:
    """The measurements of one execution of a command."""

    def __init__(self, name, command=None):
        self.name, self.claims = name, {}
        self.directory = os.environ.get("PLIMSOLL_RESULTS") or RESULTS
        script = "bench/" + name if os.path.isfile(os.path.join(HOME, "bench", name)) else "bench/%s/run" % name
        self.command = command or shlex.join([script, *sys.argv[1:]])
        self.known = {c: row for m in read(name, self.directory)["measurements"] for c, row in m["claims"].items()}

    def put(self, claim, measured, unit=None, note=None, **asked):
        known = self.known.get(claim, {})
        row = {"measured": measured}
        if asked:
            direction, value = next(iter(asked.items()))
            row["asked"] = {"direction": direction, "value": value}
        elif "asked" in known:
            row["asked"] = known["asked"]
        if unit or "unit" in known:
            row["unit"] = unit or known["unit"]
        if note:
            row["note"] = note
        row["verdict"] = verdict(row.get("asked"), measured)
        self.claims[claim] = row

    def values(self, claim, values, **more):
        values = [v for v in values if v is not None]
        if len(values) == 1:
            return self.value(claim, values[0], **more)
        return self.put(claim, {"median": rounded(statistics.median(values)), "low": rounded(min(values)),
                                "high": rounded(max(values)), "n": len(values)}, **more)

    def value(self, claim, value, note="a single value", **more):
        self.put(claim, {"median": rounded(value), "interval": None, "n": 1}, note=note, **more)

    def between(self, claim, low, high, n=None, **more):
        self.put(claim, {"low": rounded(low), "high": rounded(high), **({"n": n} if n else {})}, **more)

    def count(self, claim, count, of=None, **more):
        self.put(claim, {"count": count, **({"of": of} if of is not None else {})}, **more)

    def write(self, runs=None, data=None, note=None):
        """Writes the file; `runs` are the values of each run, stored in a separate file that is referenced by its hash."""
        if not self.claims:
            return
        os.makedirs(self.directory, exist_ok=True)
        before = read(self.name, self.directory)
        for measurement in before["measurements"]:
            measurement["claims"] = {c: r for c, r in measurement["claims"].items() if c not in self.claims}
        now = datetime.datetime.now(datetime.timezone.utc)
        measurement = {"command": self.command, "date": now.date().isoformat(), "finished": now.isoformat(timespec="seconds"),
                       "commit": git("rev-parse", "--short=8", "HEAD"), "machine": machine(), "versions": versions()}
        if git("status", "--porcelain", "--", PROGRAM):
            measurement["modified"] = True
        measurement.update({k: v for k, v in {"note": note, "data": data}.items() if v})
        if runs:
            measurement["runs"] = attach(self.name, runs, self.directory)
        measurement["claims"] = self.claims
        before["measurements"] = [m for m in before["measurements"] if m["claims"]] + [measurement]
        save(before, self.directory)
        for claim, row in self.claims.items():
            print("%s: %s, %s" % (claim, json.dumps(row["measured"]), row["verdict"]), file=sys.stderr)


def why_stale(name, measurement):
    """Returns why a result is outdated, or None if it is up to date."""
    commit = measurement.get("commit")
    if commit is None or git("cat-file", "-t", commit) is None:
        return "its commit is not known"
    if measurement.get("modified"):
        return "src/main had changes that were not committed"
    changed = git("diff", "--name-only", commit, "--", PROGRAM, "bench/" + name)
    files = changed.split("\n") if changed else []
    return "%d files changed since %s" % (len(files), commit) if files else None


def attach(name, runs, directory=RESULTS):
    text = json.dumps(runs, indent=1, ensure_ascii=False) + "\n"
    digest = hashlib.sha256(text.encode()).hexdigest()
    file = "runs/%s-%s.json" % (name, digest[:8])
    os.makedirs(os.path.join(directory, "runs"), exist_ok=True)
    with open(os.path.join(directory, file), "w", encoding="utf-8") as written:
        written.write(text)
    return {"file": file, "sha256": digest}


def text_of(result):
    """Returns JSON with one line per claim and per fact, so that a changed value changes one line."""
    text = json.dumps(result, indent=1, ensure_ascii=False)
    flat = re.compile(r"(\"(?:machine|versions|runs|asked|measured)\": )\{\n([^{}]*?)\n *\}")
    text = flat.sub(lambda m: m[1] + "{" + ", ".join(line.strip().rstrip(",") for line in m[2].split("\n")) + "}", text)
    return text + "\n"


def save(result, directory=RESULTS):
    path = os.path.join(directory, result["name"] + ".json")
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text_of(result))
    os.replace(path + ".new", path)
    kept = {os.path.basename(m["runs"]["file"]) for m in result["measurements"] if "runs" in m}
    runs = os.path.join(directory, "runs")
    for file in os.listdir(runs) if os.path.isdir(runs) else []:
        if re.fullmatch(re.escape(result["name"]) + r"-[0-9a-f]{8}\.json", file) and file not in kept:
            os.remove(os.path.join(runs, file))


def number(text):
    value = float(text)
    return int(value) if value == int(value) and re.fullmatch(r"-?\d+", text) else value


def main(name, command, *claims):
    result = Result(name, command)
    for each in claims:
        claim, value = each.split("=", 1)
        if "/" in value:
            result.count(claim, *map(int, value.split("/")))
        elif value.isdigit() and "count" in result.known.get(claim, {}).get("measured", {}):
            result.count(claim, int(value))
        else:
            result.values(claim, [number(v) for v in value.split(",") if v])
    result.write()


if __name__ == "__main__":
    main(*sys.argv[1:])
