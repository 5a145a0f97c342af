package io.plimsoll.nullbroker;

import io.plimsoll.Daemon;
import io.plimsoll.wire.server.MalformedFrameException;
import io.plimsoll.wire.server.ServerApis;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread of a null broker that serves a part of its connections. */
final class NullBrokerLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(NullBrokerLoop.class);
    /** The selector's clock is coarse; wait for times within this limit in short sleeps. */
    private static final long NEAR_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final int MOST_SPARE_BUFFERS = 64;

    private final NullBrokerState state;
    private final ServerApis apis;
    private final Selector selector;
    private final Thread thread;
    private final Queue<SocketChannel> accepted = new ConcurrentLinkedQueue<>();
    private final List<NullConnection> timed = new ArrayList<>();
    private final Deque<ByteBuffer> spareBuffers = new ArrayDeque<>();
    private volatile boolean closing;
    private volatile long finalCpuNanos = -1;

    NullBrokerLoop(NullBrokerState state, ServerApis apis, String name) throws IOException {
        this.state = state;
        this.apis = apis;
        selector = Selector.open();
        thread = Daemon.start(name, this);
    }

    /** Takes over a connection. Any thread. */
    void add(SocketChannel channel) {
        accepted.add(channel);
        selector.wakeup();
        if (!thread.isAlive()) {
            closeAccepted();
        }
    }

    /** Ends the thread and closes its connections; waits up to five seconds. */
    void close() {
        closing = true;
        selector.wakeup();
        Daemon.join(thread, TimeUnit.SECONDS.toMillis(5));
    }

    /** CPU time of the thread. Any thread. */
    long cpuNanos() {
        long atEnd = finalCpuNanos;
        long now = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
        return atEnd >= 0 ? atEnd : Math.max(0, now);
    }

    @Override
    public void run() {
        try (selector) {
            while (!closing) {
                register();
                select(workOnTimed());
            }
            selector.keys().forEach(key -> close((NullConnection) key.attachment()));
        } catch (IOException e) {
            LOG.error("A thread of the null broker ends", e);
        } finally {
            closeAccepted();
            finalCpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }
    }

    private void closeAccepted() {
        for (SocketChannel late = accepted.poll(); late != null; late = accepted.poll()) {
            close(late);
        }
    }

    private void register() {
        for (SocketChannel channel = accepted.poll(); channel != null; channel = accepted.poll()) {
            try {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
                ByteBuffer spare = spareBuffers.poll();
                ByteBuffer in = spare != null ? spare : ByteBuffer.allocateDirect(NullConnection.IN_BYTES);
                key.attach(new NullConnection(state, apis, channel, key, in));
                state.connections.increment();
            } catch (IOException e) {
                LOG.debug("A connection ended before it began", e);
                close(channel);
            }
        }
    }

    /** @return earliest wake-up time of the connections */
    private long workOnTimed() {
        long next = Long.MAX_VALUE;
        long now = timed.isEmpty() ? 0 : state.nowNanos();
        for (int i = timed.size() - 1; i >= 0; i--) {
            NullConnection connection = timed.get(i);
            if (connection.channel.isOpen() && (connection.wakeNanos() <= now || connection.waitsForRecords())) {
                work(connection, now, false);
            }
            if (!connection.channel.isOpen() || !isTimed(connection)) {
                timed.set(i, timed.get(timed.size() - 1));
                timed.remove(timed.size() - 1);
                connection.timed = false;
            } else {
                next = Math.min(next, connection.wakeNanos());
            }
        }
        return next;
    }

    private static boolean isTimed(NullConnection connection) {
        return connection.wakeNanos() != Long.MAX_VALUE || connection.waitsForRecords();
    }

    private void select(long nextNanos) throws IOException {
        long wait = nextNanos == Long.MAX_VALUE ? Long.MAX_VALUE : nextNanos - state.nowNanos();
        if (wait == Long.MAX_VALUE) {
            selector.select(this::ready);
        } else if (wait > NEAR_NANOS) {
            selector.select(this::ready, TimeUnit.NANOSECONDS.toMillis(wait) - 1);
        } else if (selector.selectNow(this::ready) == 0 && wait > 0) {
            LockSupport.parkNanos(Math.min(wait, NAP_NANOS));
        }
    }

    private void ready(SelectionKey key) {
        NullConnection connection = (NullConnection) key.attachment();
        work(connection, state.nowNanos(), key.isReadable());
        if (connection.channel.isOpen() && isTimed(connection) && !connection.timed) {
            connection.timed = true;
            timed.add(connection);
        }
    }

    private void work(NullConnection connection, long nowNanos, boolean readable) {
        try {
            if (readable) {
                connection.receive(nowNanos);
            }
            if (!connection.isAtEnd()) {
                connection.work(nowNanos);
            }
            if (connection.isAtEnd()) {
                close(connection);
            }
        } catch (MalformedFrameException e) {
            LOG.debug("Closing a connection: {}", e.getMessage());
            state.brokenConnections.increment();
            close(connection);
        } catch (IOException | CancelledKeyException e) {
            close(connection);
        } catch (RuntimeException e) {
            LOG.error("A null broker's request handler failed", e);
            state.brokenConnections.increment();
            close(connection);
        }
    }

    private void close(NullConnection connection) {
        close(connection.channel);
        if (spareBuffers.size() < MOST_SPARE_BUFFERS) {
            spareBuffers.add(connection.releaseBuffer());
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("Closing a connection", e);
        }
    }
}
