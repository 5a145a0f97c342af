package io.plimsoll.nullbroker;

import io.plimsoll.Daemon;
import io.plimsoll.wire.server.FetchSend;
import io.plimsoll.wire.server.FrameReader;
import io.plimsoll.wire.server.MalformedFrameException;
import io.plimsoll.wire.server.ProduceReader;
import io.plimsoll.wire.server.Request;
import io.plimsoll.wire.server.ServerApis;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread of a null broker that serves a part of its connections. */
final class NullBrokerLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(NullBrokerLoop.class);
    /** Waits within this limit are short sleeps, because the selector's clock is coarse. */
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

    /** Takes over a connection. Usable by any thread. */
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

    /** CPU time of the thread in ns. Usable by any thread. */
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
            if (connection.channel.isOpen() && (connection.wakeNanos <= now || connection.waitsForRecords())) {
                work(connection, now, false);
            }
            if (!connection.channel.isOpen() || !isTimed(connection)) {
                timed.set(i, timed.get(timed.size() - 1));
                timed.remove(timed.size() - 1);
                connection.timed = false;
            } else {
                next = Math.min(next, connection.wakeNanos);
            }
        }
        return next;
    }

    private static boolean isTimed(NullConnection connection) {
        return connection.wakeNanos != Long.MAX_VALUE || connection.waitsForRecords();
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
            if (!connection.atEnd) {
                connection.work(nowNanos);
            }
            if (connection.atEnd) {
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
            spareBuffers.add(connection.in.clear());
        }
    }

    static void close(@Nullable Channel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("Closing a channel", e);
        }
    }

    /**
     * One client connection of a null broker: splits the input into requests, answers them, and sends each response in
     * order when it is due. Requests are handled one at a time. No further request is read while a fetch waits or is
     * being sent, or while too many responses are queued. Used by one event loop.
     */
    static final class NullConnection {
        static final int IN_BYTES = 1 << 18;
        /** Number of turns after which a connection yields to other connections. */
        private static final int MOST_TURNS = 8;
        /** Maximum size of a request; a larger one closes the connection, as on a real broker. */
        private static final int MOST_FRAME_BYTES = 100 << 20;
        /** Maximum size of a request other than a produce request; such a request is buffered completely. */
        private static final int MOST_BODY_BYTES = 1 << 22;
        /** Polling interval of a fetch that waits for records from another event loop. */
        private static final long RECHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

        private enum Step {
            SIZE,
            HEADER,
            PRODUCE,
            BODY
        }

        private final NullBrokerState state;
        private final ServerApis apis;
        final SocketChannel channel;
        private final SelectionKey key;
        /** The input buffer, in write mode except while it is parsed. */
        private final ByteBuffer in;

        private final FrameReader frame;
        private final ProduceReader produce;
        private final Outbox outbox = new Outbox();

        private Step step = Step.SIZE;
        private short apiKey;
        private short version;
        private int correlationId;
        private @Nullable ByteBuffer body;

        private @Nullable FetchSend fetchSend;
        private @Nullable Request fetch;
        private long fetchDeadlineNanos;
        private boolean fetchSending;
        /** Arrival time of the bytes being processed; their request arrived at this time or earlier. */
        private long receivedNanos;

        private boolean lastReadFilled;
        /** End of the pause that follows a request without a response; only this pause slows the client down. */
        private long pausedUntilNanos;

        /** Time at which {@link #work} must run again without socket input. */
        long wakeNanos = Long.MAX_VALUE;

        /** Whether the connection is in the event loop's list of timed work. */
        boolean timed;

        /** Whether the client has disconnected or must be disconnected. */
        boolean atEnd;

        NullConnection(NullBrokerState state, ServerApis apis, SocketChannel channel, SelectionKey key, ByteBuffer in) {
            this.state = state;
            this.apis = apis;
            this.channel = channel;
            this.key = key;
            this.in = in;
            frame = new FrameReader(in);
            produce = new ProduceReader(state, frame);
        }

        /** Whether a fetch waits for records, so that work can be possible before its deadline. */
        boolean waitsForRecords() {
            return fetch != null && !fetchSending;
        }

        void receive(long nowNanos) throws IOException {
            // If the buffer was full during a pause, data has been waiting in the socket since then.
            boolean waited = lastReadFilled && pausedUntilNanos > 0;
            receivedNanos = waited ? Math.min(nowNanos, pausedUntilNanos) : nowNanos;
            if (in.hasRemaining() && channel.read(in) < 0) {
                atEnd = true;
            }
            lastReadFilled = !in.hasRemaining();
        }

        /** Handles received requests and sends due responses. */
        void work(long nowNanos) throws IOException {
            boolean again = true;
            for (int turn = 0; again && turn < MOST_TURNS; turn++) {
                parse(nowNanos);
                boolean held = isHeldUp(nowNanos);
                send(nowNanos);
                again = held && !isHeldUp(nowNanos);
            }
            wakeNanos = again ? nowNanos : nextWakeNanos(nowNanos);
            boolean unsent = fetchSending || outbox.released != 0;
            // Keep read interest while paused, to notice a disconnect.
            int interest = (in.hasRemaining() ? SelectionKey.OP_READ : 0) | (unsent ? SelectionKey.OP_WRITE : 0);
            if (key.interestOps() != interest) {
                key.interestOps(interest);
            }
        }

        private boolean isHeldUp(long nowNanos) {
            return fetch != null || outbox.isFull() || pausedUntilNanos > nowNanos;
        }

        private void parse(long nowNanos) throws IOException {
            in.flip();
            boolean more = true;
            while (more && !isHeldUp(nowNanos)) {
                more = switch (step) {
                    case SIZE -> readSize();
                    case HEADER -> readHeader();
                    case PRODUCE -> readProduce();
                    case BODY -> readBody(nowNanos);
                };
            }
            in.compact();
        }

        private boolean readSize() throws MalformedFrameException {
            if (in.remaining() < Integer.BYTES) {
                return false;
            }
            int bytes = in.getInt();
            if (bytes < 0 || bytes > MOST_FRAME_BYTES) {
                throw new MalformedFrameException("a frame of " + bytes + " bytes");
            }
            frame.startFrame(bytes);
            step = Step.HEADER;
            return true;
        }

        private boolean readHeader() throws IOException {
            frame.begin();
            apiKey = frame.readShort();
            version = frame.readShort();
            correlationId = frame.readInt();
            boolean spoken = frame.isTruncated() || apis.speaks(apiKey, version);
            if (spoken) {
                frame.skip(Math.max(0, frame.readStringLength(false))); // Client ID.
                if (!frame.isTruncated() && apis.hasFlexibleHeader(apiKey, version)) {
                    frame.skipTags();
                }
            }
            if (!frame.complete()) {
                return false;
            }
            if (spoken && apiKey == ServerApis.PRODUCE) {
                produce.start(version, correlationId);
                step = Step.PRODUCE;
                return true;
            }
            if (!spoken && apiKey != ServerApis.API_VERSIONS) {
                throw new MalformedFrameException("version " + version + " of API " + apiKey + " is not spoken");
            }
            if (frame.frameRemaining() > MOST_BODY_BYTES) {
                throw new MalformedFrameException("a request of " + frame.frameRemaining() + " bytes");
            }
            body = ByteBuffer.allocate(frame.frameRemaining());
            step = Step.BODY;
            return true;
        }

        private boolean readProduce() throws IOException {
            if (!produce.advance()) {
                return false;
            }
            step = Step.SIZE;
            long served = state.misbehaviour.servedNanos(receivedNanos, produce.finish());
            if (produce.wantsResponse()) {
                outbox.add(produce.response(), state.misbehaviour.answerNanos(served));
            } else if (produce.failed()) {
                // As on real brokers: with acks=0, only a disconnect makes the client refresh its metadata.
                atEnd = true;
                return false;
            } else {
                pausedUntilNanos = served;
            }
            return true;
        }

        private boolean readBody(long nowNanos) throws IOException {
            int start = in.position();
            ByteBuffer received = Objects.requireNonNull(body, "the header comes first");
            int bytes = frame.consume(received.remaining());
            received.put(received.position(), in, start, bytes).position(received.position() + bytes);
            if (received.hasRemaining()) {
                return false;
            }
            received.flip();
            step = Step.SIZE;
            if (!apis.speaks(apiKey, version)) {
                outbox.add(apis.unknownVersionOfVersions(correlationId), nowNanos);
                return true;
            }
            Request request = apis.parse(apiKey, version, correlationId, received);
            body = null;
            if (request.fetches()) {
                fetch = request;
                fetchSending = false;
                fetchDeadlineNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(Math.max(0, request.maxWaitMillis()));
            } else {
                outbox.add(apis.answer(request), nowNanos);
            }
            return true;
        }

        private void send(long nowNanos) throws IOException {
            boolean stalled = state.misbehaviour.stalledUntilNanos(nowNanos) > nowNanos;
            if (!stalled) {
                outbox.release(nowNanos);
            }
            boolean flushed = outbox.flush(channel);
            if (flushed && outbox.held == 0 && fetch != null && (fetchSending || !stalled)) {
                sendFetch(fetch, nowNanos);
            }
        }

        private void sendFetch(Request request, long nowNanos) throws IOException {
            if (fetchSend == null) {
                fetchSend = new FetchSend(state);
            }
            if (!fetchSending) {
                fetchSend.compose(request);
                boolean enough = fetchSend.recordBytes() >= Math.max(1, request.minBytes());
                fetchSending = enough || fetchSend.failed() || nowNanos >= fetchDeadlineNanos;
            }
            if (fetchSending && fetchSend.flush(channel)) {
                state.fetchRequests.increment();
                state.fetchedRecords.add(fetchSend.records());
                state.fetchedBytes.add(fetchSend.recordBytes());
                fetch = null;
                fetchSending = false;
            }
        }

        private long nextWakeNanos(long nowNanos) {
            long answer = outbox.nextDueNanos();
            if (waitsForRecords()) {
                long recheck = state.options.threads > 1 ? nowNanos + RECHECK_NANOS : Long.MAX_VALUE;
                answer = Math.min(answer, Math.min(fetchDeadlineNanos, recheck));
            }
            if (answer != Long.MAX_VALUE) {
                answer = Math.max(answer, state.misbehaviour.stalledUntilNanos(nowNanos));
            }
            return pausedUntilNanos > nowNanos ? Math.min(answer, pausedUntilNanos) : answer;
        }

        /**
         * Pending responses of one connection in request order, each with its earliest send time. Used by one thread;
         * allocates no memory once it has grown.
         */
        static final class Outbox {
            /** Number of queued bytes above which no further request is read from the connection. */
            private static final int ENOUGH_BYTES = 1 << 20;

            private static final int ENOUGH_RESPONSES = 1 << 13;

            private ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 12);
            /** Index of the first unsent byte; the unsent bytes end at the buffer's position. */
            private int start;
            /** Number of bytes from the start that can be sent now. */
            private int released;

            private long[] dueNanos = new long[16];
            private int[] lengths = new int[16];
            private int firstHeld;
            private int held;

            boolean isFull() {
                return held >= ENOUGH_RESPONSES || bytes.position() - start >= ENOUGH_BYTES;
            }

            /** @param response the bytes from index 0 to the buffer's position */
            void add(ByteBuffer response, long due) {
                int length = response.position();
                makeRoom(length);
                bytes.put(bytes.position(), response, 0, length).position(bytes.position() + length);
                if (held == lengths.length) {
                    growHeld();
                }
                int slot = (firstHeld + held) % lengths.length;
                dueNanos[slot] = due;
                lengths[slot] = length;
                held++;
            }

            private void makeRoom(int length) {
                if (bytes.remaining() >= length) {
                    return;
                }
                int used = bytes.position() - start;
                ByteBuffer target = used + length <= bytes.capacity() / 2
                        ? bytes
                        : ByteBuffer.allocateDirect(Math.max(bytes.capacity() * 2, used + length));
                ByteBuffer unsent = bytes.duplicate().position(start).limit(start + used);
                target.clear().put(unsent);
                bytes = target;
                start = 0;
            }

            private void growHeld() {
                int size = lengths.length;
                long[] times = new long[size * 2];
                int[] sizes = new int[size * 2];
                for (int i = 0; i < held; i++) {
                    times[i] = dueNanos[(firstHeld + i) % size];
                    sizes[i] = lengths[(firstHeld + i) % size];
                }
                dueNanos = times;
                lengths = sizes;
                firstHeld = 0;
            }

            /** Release time of the first response that is not yet due; {@link Long#MAX_VALUE} if none. */
            long nextDueNanos() {
                return held == 0 ? Long.MAX_VALUE : dueNanos[firstHeld];
            }

            void release(long nowNanos) {
                while (held > 0 && dueNanos[firstHeld] <= nowNanos) {
                    released += lengths[firstHeld];
                    firstHeld = (firstHeld + 1) % lengths.length;
                    held--;
                }
            }

            /** @return true if every released byte is sent; false if the socket is full */
            boolean flush(SocketChannel channel) throws IOException {
                if (released > 0) {
                    int tail = bytes.position();
                    bytes.limit(start + released).position(start);
                    int sent;
                    try {
                        sent = channel.write(bytes);
                    } finally {
                        bytes.limit(bytes.capacity()).position(tail);
                    }
                    start += sent;
                    released -= sent;
                    if (start == tail) {
                        bytes.clear();
                        start = 0;
                    }
                }
                return released == 0;
            }
        }
    }
}
