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
 * One client of a null broker: splits its input into requests, has them answered, and sends the responses in the order
 * of the requests when they are due. Requests are taken one at a time; while a fetch waits or is being sent, and while
 * more answers are held than is reasonable, no further request is taken. Belongs to one event loop.
 */
final class NullConnection {
    static final int IN_BYTES = 1 << 18;
    /** Turns before other connections are served. */
    private static final int MOST_TURNS = 8;
    /** A larger request closes its connection, as brokers have it. */
    private static final int MOST_FRAME_BYTES = 100 << 20;
    /** Requests other than produce are held in memory wholly. */
    private static final int MOST_BODY_BYTES = 1 << 22;
    /** A client that waits for records which may come in through another event loop. */
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
    /** Filled up to its position, except while it is parsed. */
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
    /** When the bytes came that are worked on; later than that a request does not count as arrived. */
    private long receivedNanos;

    private boolean lastReadFilled;
    /** End of the pause after a request without a response, the only way to slow down its client. */
    private long pausedUntilNanos;

    private long wakeNanos = Long.MAX_VALUE;
    /** Whether the event loop, which says so, has it in the list of those that want to work at a certain time. */
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

    /** When {@link #work} wants to be called again though the socket has nothing new. */
    long wakeNanos() {
        return wakeNanos;
    }

    /** Whether a fetch waits for records, so that work may do something before its time has come. */
    boolean waitsForRecords() {
        return fetch != null && !fetchSending;
    }

    /** Whether the client has gone or is to be sent away. */
    boolean isAtEnd() {
        return atEnd;
    }

    /** For the next connection; this one must not be used any more. */
    ByteBuffer releaseBuffer() {
        return in.clear();
    }

    void receive(long nowNanos) throws IOException {
        // Input that did not fit while the connection was paused has waited in the socket since.
        boolean waited = lastReadFilled && pausedUntilNanos > 0;
        receivedNanos = waited ? Math.min(nowNanos, pausedUntilNanos) : nowNanos;
        if (in.hasRemaining() && channel.read(in) < 0) {
            atEnd = true;
        }
        lastReadFilled = !in.hasRemaining();
    }

    /** Takes complete requests and sends due responses. */
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
        // Even while nothing is taken, so that a client that goes away is noticed.
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
            frame.skip(Math.max(0, frame.readStringLength(false))); // the client's id
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
            outbox.add(produce.response().buffer(), state.misbehaviour.answerNanos(served));
        } else if (produce.response().failed()) {
            // As brokers do: the only way to make a client look again that does not want to hear anything.
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
