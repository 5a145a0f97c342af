package io.plimsoll.wire.server;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.protocol.Errors;

/**
 * A produce response, written while the request is read. Records count and get offsets only in {@link #finish()}, so an
 * incomplete request leaves no trace. Confined to one thread; reusable.
 */
public final class ProduceResponse {
    static final short FIRST_FLEXIBLE = 9;
    static final short FIRST_WITH_TOPIC_ID = 13;
    private static final short FIRST_WITH_LOG_START = 5;
    private static final short FIRST_WITH_RECORD_ERRORS = 8;
    private static final long NONE = -1;

    private final FrameWriter out = new FrameWriter(false, 512);
    private short version;
    private boolean flexible;

    private ServedTopics.Partition[] partitions = new ServedTopics.Partition[4];
    private int[] records = new int[4];
    private int[] bytes = new int[4];
    private int[] offsetPositions = new int[4];
    private int accepted;
    private boolean failed;

    void start(short requestVersion, int correlationId) {
        version = requestVersion;
        flexible = version >= FIRST_FLEXIBLE;
        accepted = 0;
        failed = false;
        out.clear();
        out.writeInt(0); // size, set at the end
        out.writeInt(correlationId);
        out.writeNoTags(flexible);
    }

    void topics(int count) {
        out.writeLength(count, flexible);
    }

    /** @param start position of the topic's name or id in the request */
    void topic(ByteBuffer request, int start, int length, int partitionCount) {
        if (version < FIRST_WITH_TOPIC_ID) {
            out.writeStringLength(length, flexible);
        }
        out.writeBytes(request, start, length);
        out.writeLength(partitionCount, flexible);
    }

    void topicEnd() {
        out.writeNoTags(flexible);
    }

    void refuse(int partitionIndex, Errors error) {
        failed = true;
        partition(partitionIndex, error.code(), NONE);
    }

    void accept(int partitionIndex, ServedTopics.Partition partition, int batchRecords, int batchBytes) {
        if (accepted == partitions.length) {
            partitions = Arrays.copyOf(partitions, accepted * 2);
            records = Arrays.copyOf(records, accepted * 2);
            bytes = Arrays.copyOf(bytes, accepted * 2);
            offsetPositions = Arrays.copyOf(offsetPositions, accepted * 2);
        }
        partitions[accepted] = partition;
        records[accepted] = batchRecords;
        bytes[accepted] = batchBytes;
        offsetPositions[accepted] = out.position() + Integer.BYTES + Short.BYTES;
        accepted++;
        partition(partitionIndex, Errors.NONE.code(), 0);
    }

    private void partition(int index, short errorCode, long logStartOffset) {
        out.writeInt(index);
        out.writeShort(errorCode);
        out.writeLong(NONE); // base offset; set at the end for accepted batches
        out.writeLong(NONE); // append time
        if (version >= FIRST_WITH_LOG_START) {
            out.writeLong(logStartOffset);
        }
        if (version >= FIRST_WITH_RECORD_ERRORS) {
            out.writeLength(0, flexible);
            out.writeStringLength(-1, flexible);
        }
        out.writeNoTags(flexible);
    }

    /** @return the number of produced records */
    long finish() {
        long produced = 0;
        for (int i = 0; i < accepted; i++) {
            out.setLong(offsetPositions[i], partitions[i].append(records[i], bytes[i]));
            produced += records[i];
        }
        out.writeInt(0); // throttle time
        out.writeNoTags(flexible);
        out.setInt(0, out.position() - Integer.BYTES);
        return produced;
    }

    /** Whether it contains an error. */
    public boolean failed() {
        return failed;
    }

    /** The response, up to the buffer's position. Call after {@link #finish()}. */
    public ByteBuffer buffer() {
        return out.buffer();
    }
}
