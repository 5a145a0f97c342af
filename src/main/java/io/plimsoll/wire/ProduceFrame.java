package io.plimsoll.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * A produce request around encoded batches, written field by field without allocation or copying. Supports Produce
 * versions 3 to 13 (flexible from 9, topic ids from 13). A frame belongs to one request in flight and can be reused
 * after its response. Used by one thread.
 */
public final class ProduceFrame extends RawRequest {

    /** Receives the outcomes of a frame's batches. */
    public interface Listener {
        /** The outcome of the batch in this slot: error 0 if it is in the log; base offset −1 if unknown. */
        void outcome(ProduceFrame frame, int slot, short error, long baseOffset);

        /** The broker responded or, with acks=0, the request was written. All outcomes were reported before. */
        void done(ProduceFrame frame, int throttleMillis);

        /** The request failed; it is unknown whether the batches are in the log. */
        void failed(ProduceFrame frame, String kind);
    }

    private static final short FIRST_FLEXIBLE = 9;
    private static final short FIRST_WITH_TOPIC_ID = 13;
    /** Capacity in bytes for the fields around a batch; the longest field is the topic name. */
    private static final int PIECE_BYTES = 512;

    private final Listener listener;
    private final byte[] clientId;
    private final TopicRef[] topics;
    private final int[] partitions;
    private final ByteBuffer[] records;
    private final ByteBuffer[] pieces;
    private final ByteBuffer[] buffers;
    private final boolean[] answered;
    private long appendMillis;
    private int count;
    private int expected;
    private long receivedNanos;
    private short version;
    private @Nullable RawLink over;
    private short acks;
    /** An object that the owner of the frame can attach. */
    public @Nullable Object attachment;

    /** @param maxBatches maximum number of batches per request */
    public ProduceFrame(int maxBatches, String clientId, Listener listener) {
        this.listener = listener;
        this.clientId = clientId.getBytes(StandardCharsets.UTF_8);
        this.topics = new TopicRef[maxBatches];
        this.partitions = new int[maxBatches];
        this.records = new ByteBuffer[maxBatches];
        this.answered = new boolean[maxBatches];
        this.pieces = new ByteBuffer[maxBatches + 1];
        this.buffers = new ByteBuffer[2 * maxBatches + 1];
        pieces[0] = ByteBuffer.allocateDirect(PIECE_BYTES + this.clientId.length);
    }

    public void reset() {
        count = 0;
        expected = 0;
    }

    public int count() {
        return count;
    }

    /** Arrival time of the response (with acks=0, time of the write) in nanoTime; valid during listener calls. */
    public long receivedNanos() {
        return receivedNanos;
    }

    /**
     * Adds a batch. Batches of a topic must be adjacent, and each partition can appear once.
     *
     * @param batch the batch from position to limit; it must not be modified before the request completes
     * @return the slot of the batch
     */
    public int add(TopicRef topic, int partition, ByteBuffer batch) {
        topics[count] = topic;
        partitions[count] = partition;
        records[count] = batch;
        answered[count] = false;
        if (pieces[count + 1] == null) {
            pieces[count + 1] = ByteBuffer.allocateDirect(PIECE_BYTES);
        }
        return count++;
    }

    public void send(RawLink link, short acknowledgments, int timeoutMillis) {
        short newest = ApiKeys.PRODUCE.latestVersion();
        boolean ids = true;
        for (int i = 0; i < count; i++) {
            ids &= topics[i].hasId();
        }
        short usable = ids ? newest : (short) Math.min(newest, FIRST_WITH_TOPIC_ID - 1);
        begin(link, link.version(ApiKeys.PRODUCE, usable), acknowledgments);
        link.send(this, write(link.nextCorrelationId(), timeoutMillis), 2 * count + 1);
    }

    void begin(RawLink link, short requestVersion, short acknowledgments) {
        over = link;
        version = requestVersion;
        acks = acknowledgments;
    }

    private boolean flexible() {
        return version >= FIRST_FLEXIBLE;
    }

    /** The request as buffers; buffers with odd indexes are the batches. */
    ByteBuffer[] write(int correlationId, int timeoutMillis) {
        for (int i = 0; i <= count; i++) {
            pieces[i].clear();
        }
        ByteBuffer first = pieces[0];
        first.putInt(0).putShort(ApiKeys.PRODUCE.id).putShort(version).putInt(correlationId);
        first.putShort((short) clientId.length).put(clientId);
        if (flexible()) {
            first.put((byte) 0).put((byte) 0);
        } else {
            first.putShort((short) -1);
        }
        first.putShort(acks).putInt(timeoutMillis);
        VarInts.writeCount(first, flexible(), topicCount());
        int size = 0;
        for (int i = 0; i < count; i++) {
            if (beginsTopic(i)) {
                writeTopic(pieces[i], i);
            }
            ByteBuffer piece = pieces[i];
            piece.putInt(partitions[i]);
            int length = records[i].remaining();
            VarInts.writeCount(piece, flexible(), length);
            buffers[2 * i] = piece.flip();
            buffers[2 * i + 1] = records[i];
            size += piece.remaining() + length;
            // Tags of the partition and, after the topic's last partition, of the topic.
            VarInts.writeTags(pieces[i + 1], flexible());
            VarInts.writeTags(pieces[i + 1], flexible() && (i + 1 == count || beginsTopic(i + 1)));
        }
        ByteBuffer last = pieces[count];
        VarInts.writeTags(last, flexible());
        buffers[2 * count] = last.flip();
        size += last.remaining();
        first.putInt(0, size - Integer.BYTES);
        return buffers;
    }

    private boolean beginsTopic(int slot) {
        return slot == 0 || !topics[slot].equals(topics[slot - 1]);
    }

    private int topicCount() {
        int n = 0;
        for (int i = 0; i < count; i++) {
            n += beginsTopic(i) ? 1 : 0;
        }
        return n;
    }

    private void writeTopic(ByteBuffer piece, int from) {
        topics[from].write(piece, version >= FIRST_WITH_TOPIC_ID, flexible());
        int to = from + 1;
        while (to < count && !beginsTopic(to)) {
            to++;
        }
        VarInts.writeCount(piece, flexible(), to - from);
    }

    @Override
    protected boolean expectsResponse() {
        return acks != 0;
    }

    @Override
    protected void onWritten() {
        if (acks == 0) {
            receivedNanos = System.nanoTime();
            appendMillis = -1;
            for (int i = 0; i < count; i++) {
                listener.outcome(this, i, (short) 0, -1);
            }
            listener.done(this, 0);
        }
    }

    @Override
    protected void onResponse(ByteBuffer response) {
        receivedNanos = System.nanoTime();
        VarInts.skipTags(response, flexible());
        for (int t = VarInts.readCount(response, flexible()); t > 0; t--) {
            readTopic(response);
        }
        int throttleMillis = response.getInt();
        for (int i = 0; i < count; i++) {
            if (!answered[i]) {
                throw new IllegalArgumentException("the response says nothing of partition " + partitions[i]);
            }
        }
        Objects.requireNonNull(over).throttle(throttleMillis);
        listener.done(this, throttleMillis);
    }

    private void readTopic(ByteBuffer response) {
        boolean byId = version >= FIRST_WITH_TOPIC_ID;
        int nameLength = byId ? -1 : VarInts.readLength(response, flexible());
        int topicAt = response.position();
        VarInts.skip(response, byId ? 2 * Long.BYTES : nameLength);
        for (int p = VarInts.readCount(response, flexible()); p > 0; p--) {
            readPartition(response, topicAt, nameLength);
        }
        VarInts.skipTags(response, flexible());
    }

    private void readPartition(ByteBuffer response, int topicAt, int nameLength) {
        int partition = response.getInt();
        short error = response.getShort();
        long baseOffset = response.getLong();
        appendMillis = response.getLong();
        if (version >= 5) {
            response.getLong(); // Skip the log start offset.
        }
        if (version >= 8) {
            for (int n = VarInts.readCount(response, flexible()); n > 0; n--) {
                response.getInt();
                skipString(response);
                VarInts.skipTags(response, flexible());
            }
            skipString(response);
        }
        VarInts.skipTags(response, flexible());
        int slot = slot(response, topicAt, nameLength, partition);
        answered[slot] = true;
        listener.outcome(this, slot, error, baseOffset);
    }

    /** Append time of the reported batch by the broker's clock, in ms since 1970; −1 without LogAppendTime. */
    public long appendMillis() {
        return appendMillis;
    }

    private void skipString(ByteBuffer response) {
        VarInts.skip(response, Math.max(0, VarInts.readLength(response, flexible())));
    }

    private int slot(ByteBuffer response, int topicAt, int nameLength, int partition) {
        // Responses are usually in request order.
        for (int n = 0; n < count; n++) {
            int i = (expected + n) % count;
            if (partitions[i] == partition && !answered[i] && topics[i].isAt(response, topicAt, nameLength)) {
                expected = i + 1;
                return i;
            }
        }
        throw new IllegalArgumentException("the response tells of partition " + partition + ", which was not asked");
    }

    @Override
    protected void onFailure(String kind) {
        listener.failed(this, kind);
    }
}
