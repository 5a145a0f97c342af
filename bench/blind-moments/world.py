"""Access of a plant from outside: the processes and ports of a run's brokers, and the tools of an operator."""

import contextlib
import glob
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient

HERE = os.path.dirname(os.path.realpath(__file__))
HOME = os.path.dirname(os.path.dirname(HERE))
CGROUPS = "/sys/fs/cgroup"
FORCE, WRITE, CREATE, RENAME, TRUNCATE = 1, 2, 4, 8, 16
CONTROL = struct.Struct("iii116s")
PATIENCE_SECONDS = 180


class Failure(Exception):
    """The plant could not be executed."""


def java(program):
    found = subprocess.run(["bash", "-c", 'home=$1; . "$1/bin/setup.sh"; find_java javac && echo "$java_home"', "bash", HOME],
                           capture_output=True, text=True).stdout.strip()
    return os.path.join(found, "bin", program)


def until(condition, what, seconds=PATIENCE_SECONDS, pause=0.05):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(pause)
    raise Failure("waited %d s in vain for %s" % (seconds, what))


def process_of(word):
    """Returns the id of the Java process with this word in its command line, or None."""
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            words = file.read().decode(errors="replace").split("\0")
            if words[0].endswith("java") and any(word in each for each in words):
                return int(path.split("/")[2])
    return None


class Brokers:
    """The brokers of the lab below the directory `temporary`."""

    def __init__(self, temporary, alive):
        self.pids, self.ports, self.directories = {}, {}, {}

        def nodes():
            if not alive():
                raise Failure("the run ended before its brokers were there")
            return glob.glob(os.path.join(temporary, "plimsoll-lab-*", "node-*", "server.properties"))

        until(nodes, "brokers")
        time.sleep(0.3)
        for file in nodes():
            with open(file) as lines:
                settings = dict(line.strip().split("=", 1) for line in lines if "=" in line)
            found = int(settings["node.id"])
            self.directories[found] = os.path.dirname(file)
            self.pids[found] = until(lambda: process_of(file), "the process of broker %d" % found)
            advertised = settings.get("advertised.listeners") or settings["listeners"]
            self.ports[found] = [int(port) for port in re.findall(r":(\d+)(?:,|$)", settings["listeners"])]
            # A process that is only a controller has no listener for clients.
            name = next((each for each in advertised.split(",") if not each.startswith("CONTROLLER")), "")
            self.ports[found].sort(key=lambda port: not name.endswith(":%d" % port))
        self.ids = sorted(i for i in self.pids if i < 100)
        self.bootstrap = ",".join("127.0.0.1:%d" % self.ports[i][0] for i in self.ids)

    def ask(self, pid, *words):
        """Executes a jcmd command without starting a JVM; returns the start, the end and the answer."""
        path = "/tmp/.java_pid%d" % pid
        with open("/proc/%d/environ" % pid, "rb"):
            pass
        if not os.path.exists(path):
            mark = "/proc/%d/cwd/.attach_pid%d" % (pid, pid)
            open(mark, "w").close()
            try:
                os.kill(pid, signal.SIGQUIT)
                until(lambda: os.path.exists(path), "the JVM of %d to listen" % pid)
            finally:
                os.unlink(mark)
        with socket.socket(socket.AF_UNIX) as to:
            to.connect(path)
            begin = time.time()
            to.sendall(b"1\0jcmd\0" + " ".join(words).encode() + b"\0\0\0")
            answer = b""
            for data in iter(lambda: to.recv(65536), b""):
                answer += data
            return begin, time.time(), answer.decode(errors="replace")


class Shim:
    """Controls the delays of a broker's file operations (shim.c)."""

    def __init__(self, directory, pid):
        self.control, self.log = (os.path.join(directory, "%d.%s" % (pid, what)) for what in ("control", "log"))

    def set(self, kinds, millis=0, count=0, part=""):
        with open(self.control, "r+b", buffering=0) as file:
            file.write(CONTROL.pack(0, millis, count, part.encode()))
            file.seek(0)
            file.write(struct.pack("i", kinds))

    def delayed(self):
        """Returns the start, the end and the path of each delayed operation."""
        with open(self.log) as file:
            rows = [line.rstrip("\n").split(" ", 3) for line in file]
        return [(int(row[1]) / 1e6, int(row[2]) / 1e6, row[3]) for row in rows]


class Hand:
    """Kafka's admin client, in a process that waits for commands (Hand.java)."""

    def __init__(self, classes, bootstrap):
        self.process = subprocess.Popen(
            [java("java"), "-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
             classes + ":" + os.path.join(HOME, "target", "lib", "*"), "Hand", bootstrap],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def do(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            raise Failure("the administrator could not: " + " ".join(map(str, words)))
        return [int(each) / 1e6 for each in answer]

    def close(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.kill()
        self.process.wait()


class Group:
    """A cgroup (v1) for processes or single threads."""

    def __init__(self, controller, name):
        self.path = os.path.join(CGROUPS, controller, "blind-moments-" + name)
        os.makedirs(self.path, exist_ok=True)

    def write(self, file, value):
        with open(os.path.join(self.path, file), "w") as to:
            to.write(str(value))

    def add(self, thread):
        self.write("tasks", thread)

    def close(self):
        with contextlib.suppress(OSError):
            with open(os.path.join(self.path, "tasks")) as file:
                tasks = file.read().split()
            for task in tasks:
                with contextlib.suppress(OSError), open(os.path.join(os.path.dirname(self.path), "tasks"), "w") as to:
                    to.write(task)
            os.rmdir(self.path)


class Witness:
    """A librdkafka client beside the load. Every EVERY seconds, writes a record to one partition of each leader, and keeps its
    response time. With `reads`, also keeps the time until each record was read."""

    EVERY = 0.02

    def __init__(self, bootstrap, topic, reads=False, isolation="read_uncommitted", pad=0):
        self.pad = b"." * pad
        self.rows, self.reads, self.over = [], [], threading.Event()
        common = {"bootstrap.servers": bootstrap, "log_level": 0, "client.id": "witness"}
        self.admin = AdminClient(common)
        self.topic = topic

        self.leaders = self.of(topic)
        self.producer = Producer(dict(common, acks="all", **{"linger.ms": 0, "socket.nagle.disable": True, "retry.backoff.ms": 20,
                                                             "max.in.flight.requests.per.connection": 1,
                                                             "topic.metadata.refresh.interval.ms": 60000}))
        self.threads = [threading.Thread(target=self.write, daemon=True)]
        if reads:
            self.consumer = Consumer(dict(common, **{
                "group.id": "witness", "enable.auto.commit": False, "isolation.level": isolation, "fetch.wait.max.ms": 20,
                "auto.offset.reset": "earliest"}))
            self.consumer.assign([TopicPartition(topic, p, 0) for p in self.leaders.values()])
            self.threads.append(threading.Thread(target=self.read, daemon=True))
        for thread in self.threads:
            thread.start()

    def of(self, topic):
        """Returns one partition for each broker that leads any."""
        def leaders():
            with contextlib.suppress(KafkaException):
                found = self.admin.list_topics(timeout=5).topics.get(topic)
                if found is None or found.error is not None:
                    return None
                led = {}
                for number, partition in sorted(found.partitions.items()):
                    if partition.leader < 0:
                        return None
                    led.setdefault(partition.leader, number)
                return led

        return until(leaders, "the topic " + topic)

    def write(self):
        due = time.time()
        while not self.over.is_set():
            for broker, partition in self.leaders.items():
                began = time.time()

                def answered(error, _message, began=began, broker=broker):
                    self.rows.append((broker, began, time.time(), error is not None))

                with contextlib.suppress(BufferError):
                    self.producer.produce(self.topic, b"witness %.6f " % began + self.pad, key=b"w%d" % (len(self.rows) % 100),
                                          partition=partition, on_delivery=answered)
            due = max(due + self.EVERY, time.time() - self.EVERY)
            while True:
                self.producer.poll(max(0.0, min(self.EVERY, due - time.time())))
                if time.time() >= due:
                    break
        self.producer.flush(5)

    def read(self):
        while not self.over.is_set():
            message = self.consumer.poll(0.1)
            value = message.value() if message is not None and message.error() is None else None
            if value and value.startswith(b"witness "):
                led = {partition: broker for broker, partition in self.leaders.items()}
                self.reads.append((led.get(message.partition()), float(value.split(b" ")[1]), time.time(), False))
        self.consumer.close()

    def close(self):
        self.over.set()
        for thread in self.threads:
            thread.join(10)


def stall(rows, begin, end, brokers=None):
    """Summarizes the records that took much longer than usual and overlap this interval; returns None without such records."""
    rows = [row for row in rows if brokers is None or row[0] in brokers]
    usual = sorted(row[2] - row[1] for row in rows)
    if not usual:
        return None
    bound = max(0.06, 4 * usual[len(usual) // 2])
    slow = [row for row in rows if row[2] - row[1] >= bound and row[1] <= end + 0.1 and row[2] >= begin]
    if not slow:
        return None
    return {"begin": min(row[1] for row in slow), "end": max(row[2] for row in slow), "records": len(slow),
            "worstMillis": round(1000 * max(row[2] - row[1] for row in slow)),
            "brokers": sorted({row[0] for row in slow}), "usualMillis": round(1000 * usual[len(usual) // 2], 1)}
