"""Finds when answers to produce requests passed the loopback interface, by the kernel's timestamps of their packets.

  wire.py FILE PORT ...

As a program: writes the packets from and to these ports to FILE until SIGTERM. Requires the permission to open packet sockets.
As a module (Capture, answers): runs this program, and finds in its file when each record of a run was answered.
"""

import ctypes
import os
import signal
import socket
import struct
import subprocess
import sys

ETH_P_IP, PACKET_OUTGOING = 0x0800, 4
SO_ATTACH_FILTER, SO_RCVBUFFORCE, SO_TIMESTAMPNS, SOL_PACKET, PACKET_STATISTICS = 26, 33, 35, 263, 6
SYN = 0x02
# Time in ns, source and target port, sequence number, flags, and length of the payload that follows.
HEAD = struct.Struct("<qHHIBI")


def only(ports):
    """Returns a filter for the kernel (classic BPF): TCP packets from or to these ports."""
    refuse = 5 + 2 * len(ports)
    accept = refuse + 1
    test = [(0x15, accept, None, port) for port in ports]
    ops = [(0x30, None, None, 9), (0x15, None, refuse, 6), (0xB1, None, None, 0),  # byte 9 is 6 (TCP); X: length of the IP header
           (0x48, None, None, 0), *test, (0x48, None, None, 2), *test,  # ports: the half words at X and X + 2
           (0x06, None, None, 0), (0x06, None, None, 0xFFFFFFFF)]
    ops[refuse - 1] = (0x15, accept, refuse, ports[-1])
    return b"".join(
        struct.pack("HBBI", code, *(0 if to is None else to - at - 1 for to in (yes, no)), k)
        for at, (code, yes, no, k) in enumerate(ops))


def open_socket(ports):
    tap = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_IP))
    code = only(ports)
    there = ctypes.create_string_buffer(code)
    tap.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", len(code) // 8, ctypes.addressof(there)))
    tap.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 128 << 20)
    tap.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    tap.bind(("lo", ETH_P_IP))
    tap.settimeout(0.2)
    return tap


def write_down(path, ports):
    ended = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    with open_socket(ports) as tap, open(path, "wb") as out:
        print("ready", flush=True)
        while True:
            try:
                packet, ancillary, _, source = tap.recvmsg(1 << 17, 256)
            except socket.timeout:
                if ended:
                    break
                continue
            if source[2] == PACKET_OUTGOING:
                continue  # the loopback interface shows each packet twice
            seconds, nanos = struct.unpack("qq", ancillary[0][2][:16])
            tcp = (packet[0] & 15) * 4
            from_port, to_port, sequence = struct.unpack_from(">HHI", packet, tcp)
            data = packet[tcp + (packet[tcp + 12] >> 4) * 4:struct.unpack_from(">H", packet, 2)[0] or len(packet)]
            out.write(HEAD.pack(seconds * 10**9 + nanos, from_port, to_port, sequence, packet[tcp + 13], len(data)))
            out.write(data)
        if struct.unpack("II", tap.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))[1]:
            sys.exit("packets were missed")


class Capture:
    """A context manager that captures the packets from and to the ports; `why_not` is the reason if this failed."""

    def __init__(self, path, ports):
        self.path, self.ports, self.why_not = path, ports, None

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, os.path.realpath(__file__), self.path, *map(str, self.ports)], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.process.stdout.readline()
        return self

    def __exit__(self, *_):
        self.process.terminate()
        _, said = self.process.communicate(timeout=60)
        if self.process.returncode:
            self.why_not = (said.strip() or "ended with %d" % self.process.returncode).splitlines()[-1]


class Stream:
    """One direction of a connection: reorders its bytes, and splits them into Kafka's frames."""

    def __init__(self, sequence):
        self.next, self.early, self.buffer = sequence, {}, bytearray()

    def add(self, sequence, data):
        """Yields the frames that these bytes complete."""
        self.early[sequence] = data
        while self.early:
            begin = next((s for s in self.early if (self.next - s) % (1 << 32) < 1 << 31), None)
            if begin is None:
                return
            new = self.early.pop(begin)[(self.next - begin) % (1 << 32):]
            self.buffer += new
            self.next = (self.next + len(new)) % (1 << 32)
            while len(self.buffer) >= 4:
                size = 4 + int.from_bytes(self.buffer[:4], "big")
                if len(self.buffer) < size:
                    break
                yield bytes(self.buffer[4:size])
                del self.buffer[:size]


def packets(path):
    with open(path, "rb") as file:
        while head := file.read(HEAD.size):
            *fields, size = HEAD.unpack(head)
            yield *fields, file.read(size)


def answers(path, ports, run):
    """Returns, by due time, when the last answer to a request with this record passed, in ns since the epoch."""
    run, streams, waiting, answered = struct.pack(">q", run), {}, {}, {}
    for at, from_port, to_port, sequence, flags, data in packets(path):
        way = (from_port, to_port)
        if flags & SYN:
            streams[way] = Stream((sequence + 1) % (1 << 32))
            # Missing answers of an earlier connection do not arrive on a new connection with the same port.
            for key in [key for key in waiting if key[:2] == way]:
                del waiting[key]
        elif data and way in streams:
            for frame in streams[way].add(sequence, data):
                if to_port in ports:
                    api, _, correlation = struct.unpack_from(">hhi", frame)
                    if api == 0:
                        waiting[(*way, correlation)] = list(dues(frame, run))
                else:
                    correlation = int.from_bytes(frame[:4], "big")
                    for due in waiting.pop((to_port, from_port, correlation), ()):
                        answered[due] = at
    return answered


def dues(frame, run):
    """Yields the due times in a request; each one follows the id of the run."""
    at = frame.find(run)
    while at >= 0:
        yield int.from_bytes(frame[at + 8:at + 16], "big")
        at = frame.find(run, at + 16)


if __name__ == "__main__":
    write_down(sys.argv[1], [int(port) for port in sys.argv[2:]])
