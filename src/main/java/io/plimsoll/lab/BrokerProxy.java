package io.plimsoll.lab;

import io.plimsoll.Daemon;
import io.plimsoll.lab.Impairment.State;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands before one broker and passes on what it gets, unless it is told to disturb that. Ends with this JVM. All methods
 * may be called by any thread.
 */
final class BrokerProxy implements AutoCloseable {
    private static final int CONNECT_MILLIS = 2_000;
    private static final int BACKLOG = 200;

    private final int brokerId;
    private final int brokerPort;
    private final ServerSocket server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile Way way = Way.of(Impairment.NONE);

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

    /**
     * How connections fare from one {@link #impair} to the next, each of which has one of its own: what was held back before
     * holds up nobody any more.
     */
    record Way(Impairment impairment, Throttle toBroker, Throttle fromBroker) {
        private static Way of(Impairment impairment) {
            return new Way(impairment, new Throttle(), new Throttle());
        }
    }

    Way way() {
        return way;
    }

    void impair(Impairment next) {
        Impairment before = way.impairment();
        way = Way.of(next);
        // What was swallowed while half open is missing in the stream: such a connection can only end.
        if (next.state() == State.CUT || (before.state() == State.HALF_OPEN && next.state() != State.HALF_OPEN)) {
            sockets.forEach(this::reset);
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                sockets.add(client);
                if (way.impairment().state() == State.CUT) {
                    reset(client);
                } else if (way.impairment().state() == State.OPEN) {
                    // Apart: a broker that is stopped takes no connection once its backlog is full.
                    daemon(() -> connect(client), "connect");
                }
            } catch (IOException e) {
                // The proxy is closed.
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
            daemon(new ProxyPipe(this, client, broker, true), "in");
            daemon(new ProxyPipe(this, broker, client, false), "out");
            // Cut or half open since: what was decided then did not see this one.
            if (server.isClosed() || way.impairment().state() == State.CUT) {
                end(client, broker);
            }
        } catch (IOException e) {
            end(client, broker);
        }
    }

    /** Ends both sides of a connection; what was written to them still arrives. */
    void end(Socket one, Socket other) {
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
            // It is closed already.
        }
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone, and that is what was wanted.
        }
    }

    void daemon(Runnable task, String what) {
        Daemon.start("plimsoll-proxy-" + brokerId + "-" + what, task);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // It listens no more.
        }
        sockets.forEach(this::reset);
    }

    /** Shares a rate among connections: each takes its turn. Thread-safe. */
    static final class Throttle {
        private long freeNanos;

        /** @return the nanoTime at which these bytes have passed, and the next may begin */
        synchronized long reserve(int bytes, double bytesPerSecond, long nowNanos) {
            if (bytesPerSecond <= 0) {
                return nowNanos;
            }
            freeNanos = Math.max(freeNanos, nowNanos) + Math.round(bytes / bytesPerSecond * 1e9);
            return freeNanos;
        }
    }
}
