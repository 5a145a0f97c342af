package io.plimsoll.wire.server;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.protocol.Errors;

/**
 * The answer to a produce request, written while the request is read. What was produced counts, and gets its offsets,
 * only with {@link #finish()}: a request that breaks off must leave no trace. Belongs to one thread; used again.
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
        out.writeInt(0); // the size, known at the end
        out.writeInt(correlationId);
        out.writeNoTags(flexible);
    }

    void topics(int count) {
        out.writeLength(count, flexible);
    }

    /** @param start where in the request the name's bytes lie, or the id's */
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
        out.writeLong(NONE); // the base offset; of an accepted batch known at the end
        out.writeLong(NONE); // the append time
        if (version >= FIRST_WITH_LOG_START) {
            out.writeLong(logStartOffset);
        }
        if (version >= FIRST_WITH_RECORD_ERRORS) {
            out.writeLength(0, flexible);
            out.writeStringLength(-1, flexible);
        }
        out.writeNoTags(flexible);
    }

    /** @return how many records were produced */
    long finish() {
        long produced = 0;
        for (int i = 0; i < accepted; i++) {
            out.setLong(offsetPositions[i], partitions[i].append(records[i], bytes[i]));
            produced += records[i];
        }
        out.writeInt(0); // the throttle time
        out.writeNoTags(flexible);
        out.setInt(0, out.position() - Integer.BYTES);
        return produced;
    }

    /** Whether it tells of an error. */
    public boolean failed() {
        return failed;
    }

    /** After {@link #finish()}: the response lies before the buffer's position. */
    public ByteBuffer buffer() {
        return out.buffer();
    }
}
