package io.plimsoll.lab;

import io.plimsoll.Daemon;
import io.plimsoll.lab.Impairment.State;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A proxy in front of one broker that can impair its traffic. Ends with this JVM. Thread-safe. */
final class BrokerProxy implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;
    private static final int BACKLOG = 200;
    private static final long RETRY_MILLIS = 50;

    private final int brokerId;
    private final int brokerPort;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile Link link = Link.of(Impairment.NONE);

    BrokerProxy(int brokerId, int port, int brokerPort) throws IOException {
        this.brokerId = brokerId;
        this.brokerPort = brokerPort;
        server = new ServerSocket();
        try {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        daemon(this::accept, "accept");
    }

    /** State of the network until the next {@link #impair}, which also releases delayed data. */
    record Link(Impairment impairment, Throttle toBroker, Throttle fromBroker) {
        private static Link of(Impairment impairment) {
            return new Link(impairment, new Throttle(), new Throttle());
        }
    }

    Link link() {
        return link;
    }

    void impair(Impairment next) {
        Impairment before = link.impairment();
        link = Link.of(next);
        // Half-open connections have lost stream data, so they can only be reset.
        if (next.state() == State.CUT || (before.state() == State.HALF_OPEN && next.state() != State.HALF_OPEN)) {
            sockets.forEach(this::reset);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                if (link.impairment().state() == State.CUT) {
                    reset(client);
                } else if (link.impairment().state() == State.OPEN) {
                    // In a separate thread, because connecting to a paused broker blocks when its backlog is full.
                    daemon(() -> connect(client), "connect");
                }
            } catch (IOException e) {
                // The proxy is closed, or this process has too many open files; without a pause, the loop would spin.
                Daemon.pause(RETRY_MILLIS);
            }
        }
    }

    private void connect(Socket client) {
        Socket broker = new Socket();
        sockets.add(broker);
        try {
            broker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), brokerPort), CONNECT_MILLIS);
            client.setTcpNoDelay(true);
            broker.setTcpNoDelay(true);
            daemon(new ProxyPipe(client, broker, true), "in");
            daemon(new ProxyPipe(broker, client, false), "out");
            // If the network was cut after the decision to connect, this connection was not reset with the other
            // connections.
            if (server.isClosed() || link.impairment().state() == State.CUT) {
                end(client, broker);
            }
        } catch (IOException e) {
            end(client, broker);
        }
    }

    /** Closes both sides of a connection after pending writes. */
    private void end(Socket one, Socket other) {
        sockets.remove(one);
        sockets.remove(other);
        close(one);
        close(other);
    }

    private void reset(Socket socket) {
        sockets.remove(socket);
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            // The socket is already closed.
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The connection was already reset.
        }
    }

    private void daemon(Runnable task, String what) {
        Daemon.start("plimsoll-proxy-" + brokerId + "-" + what, task);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // The proxy no longer listens.
        }
        sockets.forEach(this::reset);
    }

    /** Shares a rate among connections, in order of arrival. Thread-safe. */
    static final class Throttle {
        private long freeNanos;

        /** @return nanoTime at which these bytes have passed */
        synchronized long reserve(int bytes, double bytesPerSecond, long nowNanos) {
            if (bytesPerSecond <= 0) {
                return nowNanos;
            }
            freeNanos = Math.max(freeNanos, nowNanos) + Math.round(bytes / bytesPerSecond * 1e9);
            return freeNanos;
        }
    }

    /**
     * One direction of a connection. The reading thread writes directly if no delay is needed. Otherwise it queues the
     * data for a second thread, which is started on demand.
     */
    private final class ProxyPipe implements Runnable {
        private static final int READ_BYTES = 1 << 16;
        private static final int LEAST_READ_BYTES = 1 << 10;
        /** Minimum number of chunks per second at a limited rate, for a smooth flow. */
        private static final int PIECES_PER_SECOND = 20;

        private static final int MOST_WAITING = 256;
        /** Interval in ns of checks whether the impairment that delays data has ended. */
        private static final long LOOK_NANOS = 20_000_000;

        private static final Chunk END = new Chunk(new byte[0], 0, null);

        /** @param link state of the network on arrival; the chunk is delayed only until this state ends */
        private record Chunk(
                byte[] bytes, long dueNanos, @Nullable Link link) {}

        private final Socket from;
        private final Socket to;
        private final boolean towardsBroker;
        private final BlockingQueue<Chunk> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
        /** Bytes queued or being written. */
        private final AtomicInteger unwritten = new AtomicInteger();

        private boolean delays;
        /** Whether the receiver has closed the connection. */
        private volatile boolean gone;

        ProxyPipe(Socket from, Socket to, boolean towardsBroker) {
            this.from = from;
            this.to = to;
            this.towardsBroker = towardsBroker;
        }

        @Override
        public void run() {
            byte[] buffer = new byte[READ_BYTES];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer, 0, readBytes())) {
                    Link now = link;
                    if (now.impairment().state() == State.OPEN && !gone) {
                        if (now.impairment().passesAtOnce() && unwritten.get() == 0) {
                            write(out, buffer, n);
                        } else {
                            delay(Arrays.copyOf(buffer, n), now, out);
                        }
                    }
                }
            } catch (IOException | InterruptedException e) {
                // The connection ended.
            }
            finish();
        }

        /** Writes data. After a failed write, the other direction can still deliver data and then ends the connection. */
        private void write(OutputStream out, byte[] bytes, int length) {
            try {
                out.write(bytes, 0, length);
            } catch (IOException e) {
                gone = true;
            }
        }

        private int readBytes() {
            double rate = link.impairment().bytesPerSecond();
            return rate == 0
                    ? READ_BYTES
                    : (int) Math.max(LEAST_READ_BYTES, Math.min(READ_BYTES, rate / PIECES_PER_SECOND));
        }

        private void delay(byte[] bytes, Link link, OutputStream out) throws InterruptedException {
            Impairment now = link.impairment();
            long jitter = now.jitter().toNanos();
            long shift = jitter == 0 ? 0 : ThreadLocalRandom.current().nextLong(-jitter, jitter + 1);
            long passed = (towardsBroker ? link.toBroker() : link.fromBroker())
                    .reserve(bytes.length, now.bytesPerSecond(), System.nanoTime());
            long due = passed + Math.max(0, now.delay().toNanos() + shift);
            unwritten.incrementAndGet();
            if (!delays) {
                delays = true;
                daemon(() -> writeLater(out), "late");
            }
            // A stream keeps its order: a chunk never overtakes its predecessor, even if it is due earlier.
            waiting.put(new Chunk(bytes, due, link));
        }

        @SuppressWarnings("ReferenceEquality") // END is a unique instance.
        private void writeLater(OutputStream out) {
            try {
                for (Chunk chunk = waiting.take(); chunk != END; chunk = waiting.take()) {
                    for (long wait = chunk.dueNanos() - System.nanoTime(); wait > 0 && link.equals(chunk.link()); ) {
                        LockSupport.parkNanos(Math.min(wait, LOOK_NANOS));
                        wait = chunk.dueNanos() - System.nanoTime();
                    }
                    if (link.impairment().state() == State.OPEN && !gone) {
                        write(out, chunk.bytes(), chunk.bytes().length);
                    }
                    unwritten.decrementAndGet();
                }
            } catch (InterruptedException e) {
                // This thread is never interrupted.
            }
            BrokerProxy.this.end(from, to);
        }

        /** Delivers queued data, then closes both sides. */
        private void finish() {
            try {
                if (delays) {
                    waiting.put(END);
                    return;
                }
            } catch (InterruptedException e) {
                // This thread is never interrupted.
            }
            BrokerProxy.this.end(from, to);
        }
    }
}
