package io.plimsoll.nullbroker;

import io.plimsoll.wire.server.FetchSend;
import io.plimsoll.wire.server.FrameReader;
import io.plimsoll.wire.server.MalformedFrameException;
import io.plimsoll.wire.server.ProduceReader;
import io.plimsoll.wire.server.Request;
import io.plimsoll.wire.server.ServerApis;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * One client connection of a null broker: splits the input into requests, answers them, and sends each response in
 * order when it is due. Requests are handled one at a time. No further request is read while a fetch waits or is being
 * sent, or while too many responses are queued. Confined to one event loop.
 */
final class NullConnection {
    static final int IN_BYTES = 1 << 18;
    /** Yields to other connections after this number of turns. */
    private static final int MOST_TURNS = 8;
    /** A larger request closes the connection, as on a real broker. */
    private static final int MOST_FRAME_BYTES = 100 << 20;
    /** Requests other than produce are buffered completely. */
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
    /** In write mode except while it is parsed. */
    private final ByteBuffer in;

    private final FrameReader frame;
    private final ProduceReader produce;
    private final Outbox outbox = new Outbox();

    private Step step = Step.SIZE;
    private short apiKey;
    private short version;
    private int correlationId;
    private ByteBuffer body;

    private FetchSend fetchSend;
    private Request fetch;
    private long fetchDeadlineNanos;
    private boolean fetchSending;
    /** Arrival time of the bytes being processed, an upper bound of the request's arrival. */
    private long receivedNanos;

    private boolean lastReadFilled;
    /** End of the pause by a request without a response; no other mechanism slows its client. */
    private long pausedUntilNanos;

    private long wakeNanos = Long.MAX_VALUE;
    /** Whether the connection is in the event loop's list of timed work. */
    boolean timed;

    private boolean atEnd;

    NullConnection(NullBrokerState state, ServerApis apis, SocketChannel channel, SelectionKey key, ByteBuffer in) {
        this.state = state;
        this.apis = apis;
        this.channel = channel;
        this.key = key;
        this.in = in;
        frame = new FrameReader(in);
        produce = new ProduceReader(state, frame);
    }

    /** Time at which {@link #work} must run again without socket input. */
    long wakeNanos() {
        return wakeNanos;
    }

    /** Whether a fetch waits for records, so that work can be possible before its deadline. */
    boolean waitsForRecords() {
        return fetch != null && !fetchSending;
    }

    /** Whether the client has disconnected or must be disconnected. */
    boolean isAtEnd() {
        return atEnd;
    }

    /** Returns the buffer for reuse; this connection must not be used again. */
    ByteBuffer releaseBuffer() {
        return in.clear();
    }

    void receive(long nowNanos) throws IOException {
        // A full buffer during a pause left data in the socket since then.
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
        boolean unsent = fetchSending || !outbox.isFlushed();
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
            frame.skip(Math.max(0, frame.readStringLength(false))); // client id
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
            // As real brokers do: with acks=0 only a disconnect makes the client refresh its metadata.
            atEnd = true;
            return false;
        } else {
            pausedUntilNanos = served;
        }
        return true;
    }

    private boolean readBody(long nowNanos) throws IOException {
        int start = in.position();
        int bytes = frame.consume(body.remaining());
        body.put(body.position(), in, start, bytes).position(body.position() + bytes);
        if (body.hasRemaining()) {
            return false;
        }
        body.flip();
        step = Step.SIZE;
        if (!apis.speaks(apiKey, version)) {
            outbox.add(apis.unknownVersionOfVersions(correlationId), nowNanos);
            return true;
        }
        Request request = apis.parse(apiKey, version, correlationId, body);
        body = null;
        if (request.fetches()) {
            fetch = request;
            fetchSending = false;
            fetchDeadlineNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(Math.max(0, fetch.maxWaitMillis()));
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
        if (flushed && !outbox.hasHeld() && fetch != null && (fetchSending || !stalled)) {
            sendFetch(nowNanos);
        }
    }

    private void sendFetch(long nowNanos) throws IOException {
        if (!fetchSending) {
            if (fetchSend == null) {
                fetchSend = new FetchSend(state);
            }
            fetchSend.compose(fetch);
            boolean enough = fetchSend.recordBytes() >= Math.max(1, fetch.minBytes());
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
}
