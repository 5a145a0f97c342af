"""Hosts that are network namespaces of this machine, with separate addresses, connected by wire.py."""

import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))


def why_not():
    """Returns why such hosts cannot be created here, or None if they can."""
    if os.geteuid() != 0:
        return "network namespaces take root"
    if shutil.which("ip") is None:
        return "there is no 'ip' (package iproute2)"
    if not os.path.exists("/dev/net/tun"):
        return "there is no /dev/net/tun"
    name = "plimsoll-%d-try" % os.getpid()
    tried = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if tried.returncode != 0:
        return "network namespaces cannot be made: " + tried.stderr.strip()
    subprocess.run(["ip", "netns", "del", name], check=True)
    return None


class Hosts:
    """Use as a context manager, which always removes all processes, namespaces and files."""

    def __init__(self, *names):
        self.work = tempfile.mkdtemp(prefix="plimsoll-hosts-")
        self.processes = []
        self.wire = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "wire.py"), *names],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        line = self.wire.stdout.readline()
        if not line:
            self.close()
            raise OSError("the namespaces could not be made")
        made = json.loads(line)
        self.namespaces = {n: made[n][0] for n in names}
        self.addresses = {n: made[n][1] for n in names}

    def tell(self, *words):
        self.wire.stdin.write(" ".join(map(str, words)) + "\n")
        self.wire.stdin.flush()
        return json.loads(self.wire.stdout.readline())

    def prefix(self, host):
        return ["ip", "netns", "exec", self.namespaces[host]]

    def start(self, host, command, log, environment=None):
        """Starts a command on a host, with its output in a file of the work directory. The process id is the command's own."""
        with open(os.path.join(self.work, log), "wb") as out:
            process = subprocess.Popen(
                [*self.prefix(host), *command], cwd=self.work, stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT, env=dict(os.environ, **(environment or {})), start_new_session=True)
        self.processes.append(process)
        return process

    def run(self, host, command, environment=None, limit=120):
        """Runs a command on a host; returns its exit code, and its standard output and error together."""
        # Not a pipe, which background processes of the command would keep open.
        with tempfile.TemporaryFile("w+", dir=self.work, encoding="utf-8", errors="replace") as out:
            done = subprocess.run(
                [*self.prefix(host), *command], cwd=self.work, stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT, env=dict(os.environ, **(environment or {})), timeout=limit)
            out.seek(0)
            return done.returncode, out.read()

    def text(self, log):
        with open(os.path.join(self.work, log), encoding="utf-8", errors="replace") as lines:
            return lines.read()

    def close(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        # The wire ends all other processes on the hosts, such as brokers, which are not children of this process.
        self.wire.stdin.close()
        self.wire.wait(60)
        self.wire.stdout.close()
        shutil.rmtree(self.work, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
