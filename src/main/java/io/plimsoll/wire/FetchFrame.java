package io.plimsoll.wire;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A fetch request and its response. It locates each partition's batches within the response buffer without copying.
 * Used by the network thread.
 */
public final class FetchFrame extends RawRequest {
    private static final int ABORTED_BYTES = 2 * Long.BYTES;

    private final FetchSession session;
    private FetchPartition[] partitions = {};
    private short version;
    private boolean inFlight;
    private @Nullable ByteBuffer response;
    private long receivedNanos;
    private int throttleMillis;
    private short error;
    private int count;
    private int[] slots = {};
    private short[] errors = {};
    private long[] offsets = {};
    private int[] dataAt = {};
    private int[] dataEnd = {};
    private int[] abortedAt = {};
    private int[] abortedCount = {};

    FetchFrame(FetchSession session) {
        this.session = session;
    }

    boolean free() {
        return !inFlight && response == null;
    }

    void prepare(short requestVersion, FetchPartition[] asked) {
        version = requestVersion;
        inFlight = true;
        count = 0;
        error = 0;
        throttleMillis = 0;
        if (partitions != asked) {
            partitions = asked;
            slots = new int[asked.length];
            errors = new short[asked.length];
            offsets = new long[asked.length];
            dataAt = new int[asked.length];
            dataEnd = new int[asked.length];
            abortedAt = new int[asked.length];
            abortedCount = new int[asked.length];
        }
    }

    /** False if the session's partitions changed after the request, so that the response must be discarded. */
    public boolean current() {
        return partitions == session.partitions();
    }

    public FetchSession session() {
        return session;
    }

    /** Error of the whole request; 0 if none. Session errors are already handled. */
    public short error() {
        return error;
    }

    /** Throttle time requested by the broker; the session honors it. */
    public int throttleMillis() {
        return throttleMillis;
    }

    public long receivedNanos() {
        return receivedNanos;
    }

    /** Size of the response in bytes; 0 after the release. */
    public int responseBytes() {
        return response == null ? 0 : response.limit();
    }

    /** Number of partitions in the response; the indexes below start at 0. */
    public int count() {
        return count;
    }

    public FetchPartition partition(int index) {
        return partitions[slots[index]];
    }

    public short error(int index) {
        return errors[index];
    }

    /** The requested offset; the first batch can begin before it. */
    public long offset(int index) {
        return offsets[index];
    }

    /** The buffer with each partition's batches from {@link #dataAt} to {@link #dataEnd}; the last batch can be truncated. */
    public ByteBuffer data() {
        return Objects.requireNonNull(response, "released");
    }

    public int dataAt(int index) {
        return dataAt[index];
    }

    public int dataEnd(int index) {
        return dataEnd[index];
    }

    /** Treats a partition as if it had no data. */
    public void drop(int index) {
        dataEnd[index] = dataAt[index];
    }

    /** Number of aborted transactions that overlap a partition's batches; only with {@code read_committed}. */
    public int abortedCount(int index) {
        return abortedCount[index];
    }

    public long abortedProducerId(int index, int transaction) {
        return data().getLong(abortedAt(index, transaction));
    }

    public long abortedFirstOffset(int index, int transaction) {
        return data().getLong(abortedAt(index, transaction) + Long.BYTES);
    }

    private int abortedAt(int index, int transaction) {
        return abortedAt[index] + transaction * (ABORTED_BYTES + (flexible() ? 1 : 0));
    }

    /** Releases the data, so that its memory and this frame can be reused. */
    public void release() {
        ByteBuffer buffer = data();
        response = null;
        session.release(buffer);
    }

    private boolean flexible() {
        return version >= FetchSession.FIRST_FLEXIBLE;
    }

    @Override
    protected boolean keepsResponse() {
        return response != null;
    }

    @Override
    protected void onResponse(ByteBuffer buffer) {
        receivedNanos = System.nanoTime();
        inFlight = false;
        int sessionId = parse(buffer);
        response = buffer;
        session.answered(this, error, sessionId);
    }

    private int parse(ByteBuffer buffer) {
        VarInts.skipTags(buffer, flexible());
        throttleMillis = buffer.getInt();
        error = buffer.getShort();
        int sessionId = buffer.getInt();
        int expected = 0;
        for (int t = VarInts.readCount(buffer, flexible()); t > 0; t--) {
            expected = readTopic(buffer, expected);
        }
        return sessionId;
    }

    private int readTopic(ByteBuffer buffer, int expectedSlot) {
        boolean byId = version >= FetchSession.FIRST_WITH_TOPIC_ID;
        int nameLength = byId ? -1 : VarInts.readLength(buffer, flexible());
        int topicAt = buffer.position();
        VarInts.skip(buffer, byId ? 2 * Long.BYTES : nameLength);
        int expected = expectedSlot;
        for (int p = VarInts.readCount(buffer, flexible()); p > 0; p--) {
            int slot = slot(buffer, topicAt, nameLength, buffer.getInt(), expected);
            readPartition(buffer, slot);
            expected = slot + 1;
        }
        VarInts.skipTags(buffer, flexible());
        return expected;
    }

    /** Finds the slot of a partition. Brokers respond in request order, so the next slot is the most likely match. */
    private int slot(ByteBuffer buffer, int topicAt, int nameLength, int partition, int expected) {
        for (int i = 0; i < partitions.length; i++) {
            int slot = (expected + i) % partitions.length;
            if (partitions[slot].partition() == partition && partitions[slot].topic.isAt(buffer, topicAt, nameLength)) {
                return slot;
            }
        }
        throw new IllegalArgumentException("the response tells of partition " + partition + ", which was not asked");
    }

    private void readPartition(ByteBuffer buffer, int slot) {
        if (count == partitions.length) {
            throw new IllegalArgumentException("the response tells of a partition twice");
        }
        int index = count;
        slots[index] = slot;
        errors[index] = buffer.getShort();
        offsets[index] = partitions[slot].sentOffset;
        buffer.getLong(); // Skip the high watermark.
        buffer.getLong(); // Skip the last stable offset.
        buffer.getLong(); // Skip the log start offset.
        int aborted = Math.max(0, VarInts.readCount(buffer, flexible()));
        abortedAt[index] = buffer.position();
        abortedCount[index] = aborted;
        for (int i = 0; i < aborted; i++) {
            VarInts.skip(buffer, ABORTED_BYTES);
            if (flexible() && buffer.get() != 0) {
                throw new IllegalArgumentException("an aborted transaction has fields that are not known");
            }
        }
        if (version >= 11) {
            buffer.getInt(); // Skip the preferred read replica.
        }
        int length = flexible() ? VarInts.readUnsigned(buffer) - 1 : buffer.getInt();
        dataAt[index] = buffer.position();
        VarInts.skip(buffer, Math.max(0, length));
        dataEnd[index] = buffer.position();
        VarInts.skipTags(buffer, flexible());
        count++;
    }

    @Override
    protected void onFailure(String kind) {
        inFlight = false;
        session.failed(this, kind);
    }
}
