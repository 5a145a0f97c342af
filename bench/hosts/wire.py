"""The network between hosts that are network namespaces of this machine: delivers packets with a delay, or drops them.

Each host has its own interface, a TUN device with its other end in this process. A packet from a host is read, kept for its
delay, and written to the interface of its target. This requires no kernel module for delays (netem), and every packet can be
counted. Started by hosts.py. Ends, and removes everything, when standard input is closed.

Commands, one per line:   delay FROM TO SECONDS (or * for any host) . cut A [B] . heal . watch BYTES . seen . busy . end
"""

import fcntl
import heapq
import json
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 0x0001, 0x1000
# Large frames, because the cost of a packet does not depend on its size.
MTU = 9000
PREFIX = "plimsoll-"
SUBNET = "10.77.0."


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def namespaces():
    found = subprocess.run(["ip", "netns", "list"], check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in found.splitlines() if line.strip()]


def remove(namespace):
    """Kills the processes in one of our namespaces, and removes it."""
    pids = subprocess.run(["ip", "netns", "pids", namespace], capture_output=True, text=True).stdout.split()
    for pid in pids:
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass
    subprocess.run(["ip", "netns", "del", namespace], capture_output=True)
    shutil.rmtree(os.path.join("/etc/netns", namespace), ignore_errors=True)
    try:
        os.rmdir("/etc/netns")
    except OSError:
        pass  # missing, or used for other namespaces


def remove_orphans():
    """Removes the namespaces of killed wires. The name of a namespace contains the process id of its wire."""
    for namespace in namespaces():
        if namespace.startswith(PREFIX):
            owner = namespace[len(PREFIX):].split("-")[0]
            if not os.path.exists("/proc/" + owner):
                remove(namespace)


class Wire:
    def __init__(self, names):
        self.names = names
        self.namespaces = {n: "%s%d-%s" % (PREFIX, os.getpid(), n) for n in names}
        self.tuns = {}
        self.host_of = {}
        self.delays = {(a, b): 0.0 for a in names for b in names}
        self.cuts = set()
        self.watched = 1 << 30
        self.seen = {}
        self.busy = {n: 0 for n in names}
        self.waiting = []
        self.number = 0

    def make(self):
        hosts = "127.0.0.1 localhost\n" + "".join(
            "%s%d %s\n" % (SUBNET, i + 1, n) for i, n in enumerate(self.names))
        for i, name in enumerate(self.names):
            namespace = self.namespaces[name]
            ip("netns", "add", namespace)
            own = os.path.join("/etc/netns", namespace)
            os.makedirs(own, exist_ok=True)
            for file, text in (("hosts", hosts), ("hostname", name + "\n")):
                with open(os.path.join(own, file), "w", encoding="ascii") as out:
                    out.write(text)
            device = "plim%d-%d" % (os.getpid() % 100000, i)
            tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", device.encode(), IFF_TUN | IFF_NO_PI))
            ip("link", "set", device, "netns", namespace)
            inside = ("-n", namespace)
            ip(*inside, "link", "set", device, "name", "eth0")
            ip(*inside, "link", "set", "lo", "up")
            ip(*inside, "link", "set", "eth0", "mtu", str(MTU), "txqueuelen", "20000", "up")
            ip(*inside, "addr", "add", "%s%d/24" % (SUBNET, i + 1), "dev", "eth0")
            self.tuns[name] = tun
            self.host_of[bytes([10, 77, 0, i + 1])] = name

    def close(self):
        for name in self.names:
            if self.namespaces[name] in namespaces():
                remove(self.namespaces[name])
        for tun in self.tuns.values():
            os.close(tun)

    # --- packets -------------------------------------------------------------------------------------------------

    def took(self, source, packet):
        if packet[0] >> 4 != 4:
            return
        self.busy[source] += len(packet)
        target = self.host_of.get(packet[16:20])
        if target is None:
            return
        now = time.monotonic()
        if packet[9] == 6:
            header = (packet[0] & 15) * 4
            payload = len(packet) - header - (packet[header + 12] >> 4) * 4
            if payload >= self.watched:
                pair = source + ">" + target
                first = self.seen.setdefault(pair, [now, now])
                first[1] = now
        if source in self.cuts or target in self.cuts or frozenset((source, target)) in self.cuts:
            return
        delay = self.delays[source, target]
        if delay <= 0:
            self.put(target, packet)
        else:
            self.number += 1
            heapq.heappush(self.waiting, (now + delay, self.number, target, packet))

    def put(self, target, packet):
        try:
            os.write(self.tuns[target], packet)
        except OSError:
            pass  # lost, like in a congested network or on the way to a host that is down

    def carry(self):
        """Delivers packets and executes commands until standard input ends."""
        source_of = {tun: name for name, tun in self.tuns.items()}
        inputs = [*source_of, 0]
        while True:
            wait = None
            while self.waiting:
                wait = self.waiting[0][0] - time.monotonic()
                if wait > 0:
                    break
                _, _, target, packet = heapq.heappop(self.waiting)
                self.put(target, packet)
                wait = None
            ready, _, _ = select.select(inputs, [], [], wait)
            for source in ready:
                if source == 0:
                    if not self.command(sys.stdin.readline()):
                        return
                    continue
                for _ in range(64):
                    try:
                        self.took(source_of[source], os.read(source, 65536))
                    except BlockingIOError:
                        break

    # --- commands ------------------------------------------------------------------------------------------------

    def command(self, line):
        words = line.split()
        if not words or words[0] == "end":
            return False
        answer = {}
        if words[0] == "delay":
            for a, b in self.delays:
                if words[1] in ("*", a) and words[2] in ("*", b):
                    self.delays[a, b] = float(words[3])
        elif words[0] == "cut":
            self.cuts.add(words[1] if len(words) == 2 else frozenset(words[1:]))
            answer = {"at": time.monotonic()}
        elif words[0] == "heal":
            self.cuts.clear()
        elif words[0] == "watch":
            self.watched = int(words[1])
            self.seen = {}
        elif words[0] == "seen":
            answer = self.seen
        elif words[0] == "busy":
            answer = self.busy
        print(json.dumps(answer), flush=True)
        return True


def main():
    names = sys.argv[1:]
    for number in (signal.SIGINT, signal.SIGTERM):
        # The parent closes standard input to end this process. Ctrl-C in a terminal reaches both, so it is ignored here.
        signal.signal(number, signal.SIG_IGN)
    remove_orphans()
    wire = Wire(names)
    try:
        wire.make()
        try:
            os.setpriority(os.PRIO_PROCESS, 0, -15)
        except OSError:
            pass
        print(json.dumps({n: [wire.namespaces[n], SUBNET + str(i + 1)] for i, n in enumerate(names)}), flush=True)
        wire.carry()
    finally:
        wire.close()


if __name__ == "__main__":
    main()
