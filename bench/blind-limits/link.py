"""A TCP proxy with a delay or a bandwidth limit, in front of a local port."""

import contextlib
import queue
import socket
import threading
import time

CHUNK_BYTES, CHUNKS_ON_THE_WAY = 16384, 64


class Lane:
    """One direction of a link. All connections share its bandwidth, in bytes per second."""

    def __init__(self, bandwidth):
        self.bandwidth = bandwidth
        self.free = 0
        self.lock = threading.Lock()

    def passed(self, count):
        """Returns the time (monotonic) at which `count` bytes that arrive now have passed."""
        with self.lock:
            now = time.monotonic()
            self.free = max(self.free, now) + (count / self.bandwidth if self.bandwidth else 0)
            return self.free


class Link:
    """Listens on `port` and forwards to port `to`, `delay` seconds later in each direction, until this process ends. `bandwidth`
    limits each direction, in bytes per second; `back` replaces it in the direction to the client."""

    def __init__(self, port, to, delay=0.0, bandwidth=None, back=None):
        self.to, self.delay = to, delay
        self.there, self.back = Lane(bandwidth), Lane(back or bandwidth)
        self.standing = []
        self.listening = socket.create_server(("127.0.0.1", port))
        self.start(self.accept)

    @staticmethod
    def start(target, *arguments):
        threading.Thread(target=target, args=arguments, daemon=True).start()

    def accept(self):
        while True:
            try:
                client = self.listening.accept()[0]
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                client.close()
                continue
            for s in client, server:
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.standing.append((client, server))
            for source, sink, lane in (client, server, self.there), (server, client, self.back):
                chunks = queue.Queue(CHUNKS_ON_THE_WAY)
                self.start(self.take, source, chunks, lane)
                self.start(self.give, sink, chunks)

    def take(self, source, chunks, lane):
        data = b"?"
        while data:
            try:
                data = source.recv(CHUNK_BYTES)
            except OSError:
                data = b""
            chunks.put((lane.passed(len(data)) + self.delay, data))

    @staticmethod
    def give(sink, chunks):
        data, gone = b"?", False
        while data:
            due, data = chunks.get()
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                if data and not gone:
                    sink.sendall(data)
                elif not data:
                    sink.shutdown(socket.SHUT_RDWR)
            except OSError:
                gone = True

    def cut(self):
        """Closes all current connections without notice; clients can reconnect."""
        ending, self.standing = self.standing, []
        for pair in ending:
            for s in pair:
                with contextlib.suppress(OSError):
                    s.shutdown(socket.SHUT_RDWR)

    def close(self):
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
