"""The plants of bench/truth, outside of Plimsoll: a lab, disturbances of its brokers, distance, and other programs."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

from confluent_kafka import ElectionType, KafkaError
from confluent_kafka.admin import AdminClient

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
PLIMSOLL = os.path.join(HOME, "plimsoll")


def java(program):
    """Returns the path of a program in the JDK that Plimsoll uses."""
    found = subprocess.run(
        ["bash", "-c", 'home=$1; . "$1/bin/setup.sh"; find_java javac && echo "$java_home"', "bash", HOME],
        capture_output=True, text=True).stdout.strip()
    return os.path.join(found, "bin", program)


class Failure(Exception):
    """A day could not be executed."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lab:
    """Brokers on this machine, started by './plimsoll lab start'. Use as a context manager."""

    def __init__(self, directory, *arguments):
        self.directory = directory
        self.arguments = arguments

    def __enter__(self):
        self.command("start", *self.arguments)
        try:
            status = json.loads(self.command("status", "--json"))
            self.bootstrap = status["bootstrapServers"]
            self.ports = [int(broker["address"].split(":")[1]) for broker in status["brokers"]]
            self.pids = {broker["id"]: broker["pid"] for broker in status["brokers"]}
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for pid in getattr(self, "pids", {}).values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        self.command("stop")

    def command(self, what, *arguments):
        done = subprocess.run(
            [PLIMSOLL, "lab", what, "--dir", self.directory, *arguments], capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise Failure("lab %s: %s" % (what, done.stderr[-1000:]))
        return done.stdout

    def signal(self, broker, number):
        os.kill(self.pids[broker], number)

    def restart(self, broker):
        self.command("restart", "--broker", str(broker))
        status = json.loads(self.command("status", "--json"))
        self.pids = {b["id"]: b["pid"] for b in status["brokers"]}

    def elect_preferred(self):
        """Elects the preferred leader of every partition; returns whether all of them succeeded or were not needed."""
        admin = AdminClient({"bootstrap.servers": self.bootstrap, "log_level": 3})
        found = admin.elect_leaders(ElectionType.PREFERRED).result(30)
        return all(error is None or error.args[0].code() == KafkaError.ELECTION_NOT_NEEDED for error in found.values())


def stalls(lab, over):
    """Stops broker 1 for 1 s every 5 s, first after 3 s."""
    while not over.wait(3):
        lab.signal(1, signal.SIGSTOP)
        over.wait(1)
        lab.signal(1, signal.SIGCONT)
        over.wait(1)


def limit(lab, client, bytes_per_second):
    """Sets a producer quota for a client id."""
    subprocess.run(
        [java("java"), "-cp", os.path.join(HOME, "target", "lib", "*"), "kafka.admin.ConfigCommand",
         "--bootstrap-server", lab.bootstrap, "--alter", "--entity-type", "clients", "--entity-name", client,
         "--add-config", "producer_byte_rate=%d" % bytes_per_second],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=120)


@contextlib.contextmanager
def quota(lab, work):
    """Sets a quota of four fifths of the load for the client id truth."""
    limit(lab, "truth", 800_000)
    yield


@contextlib.contextmanager
def endless_loops(lab, work):
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@contextlib.contextmanager
def fleet(lab, work):
    """Starts two agents; yields the options for 'run'."""
    agents = []

    def agent(name, *arguments):
        with open(os.path.join(work, name + ".log"), "wb") as log:
            process = subprocess.Popen(
                [PLIMSOLL, "agent", "--listen", "127.0.0.1:0", "--name", name, *arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        agents.append(process)
        until = time.monotonic() + 60
        while time.monotonic() < until and process.poll() is None:
            with open(log.name, encoding="utf-8") as said:
                found = re.search(r"127\.0\.0\.1:[1-9]\d*", said.read())
            if found:
                return found.group()
            time.sleep(0.1)
        raise Failure("the agent %s does not start: see %s" % (name, log.name))

    try:
        first = agent("a")
        agent("b", "--join", first)
        yield ["--fleet", first, "--workers", "2"]
    finally:
        for process in agents:
            process.terminate()
        for process in agents:
            process.wait(30)


class Distance:
    """A TCP proxy that delays all data by some seconds in each direction. Use as a context manager."""

    def __init__(self, port, to_port, seconds):
        self.to_port, self.seconds = to_port, seconds
        self.server = socket.create_server(("127.0.0.1", port), backlog=100)

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.close()

    def accept(self):
        while True:
            try:
                client, _ = self.server.accept()
                broker = socket.create_connection(("127.0.0.1", self.to_port))
            except OSError:
                if self.server.fileno() < 0:
                    return
                continue
            for source, sink in ((client, broker), (broker, client)):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self.pipe, args=(source, sink), daemon=True).start()

    def pipe(self, source, sink):
        waiting, ready = [], threading.Condition()

        def write():
            while True:
                with ready:
                    while not waiting:
                        ready.wait()
                    came, data = waiting.pop(0)
                time.sleep(max(0, came + self.seconds - time.monotonic()))
                try:
                    if data:
                        sink.sendall(data)
                    else:
                        sink.shutdown(socket.SHUT_WR)
                        return
                except OSError:
                    return

        threading.Thread(target=write, daemon=True).start()
        data = b"-"
        while data:
            try:
                data = source.recv(1 << 16)
            except OSError:
                data = b""
            with ready:
                waiting.append((time.monotonic(), data))
                ready.notify()
