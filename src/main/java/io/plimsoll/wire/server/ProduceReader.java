package io.plimsoll.wire.server;

import io.plimsoll.wire.BatchLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Consumes the produce requests of one connection while they arrive: reads the fields needed for the response and each
 * batch header, skips the records, and writes the response at the same time. Used by one thread; allocates no memory
 * once the connection's topics are known.
 */
public final class ProduceReader {
    private enum Step {
        START,
        TOPIC,
        PARTITION,
        RECORDS,
        PARTITION_END,
        TOPIC_END,
        REQUEST_END,
        DONE
    }

    private static final short FIRST_FLEXIBLE = 9;
    private static final short FIRST_WITH_TOPIC_ID = 13;
    private static final int RECENT_TOPICS = 8;

    private final Served served;
    private final FrameReader frame;
    private final boolean checkCrc;
    private final Response response = new Response();
    private final CRC32C crc = new CRC32C();
    private final ServedTopics.Topic[] recent = new ServedTopics.Topic[RECENT_TOPICS];
    private int nextRecent;

    private short version;
    private boolean flexible;
    private boolean refused;
    private short acks;
    private Step step = Step.DONE;
    private int topicsLeft;
    private ServedTopics.@Nullable Topic topic;
    private int partitionsLeft;
    private int partitionIndex;
    private ServedTopics.@Nullable Partition partition;
    private int recordBytesLeft;
    private int batchRecords;
    private int batchBytes;
    private int batchCrc;
    private Errors error = Errors.NONE;

    public ProduceReader(Served served, FrameReader frame) {
        this.served = served;
        this.frame = frame;
        this.checkCrc = served.checksCrcs;
    }

    /** Starts a request after its header. */
    public void start(short requestVersion, int correlationId) {
        version = requestVersion;
        flexible = version >= FIRST_FLEXIBLE;
        refused = served.refusesNext();
        step = Step.START;
        response.start(correlationId);
    }

    /** Whether to send a response; false with acks=0. */
    public boolean wantsResponse() {
        return acks != 0;
    }

    /** Counts the request after its complete arrival; returns the number of produced records. */
    public long finish() {
        served.produced(refused);
        return response.finish();
    }

    /** The response, up to the buffer's position. Call after {@link #finish()}. */
    public ByteBuffer response() {
        return response.out.buffer();
    }

    /** Whether the response contains an error. */
    public boolean failed() {
        return response.failed;
    }

    /** Reads the bytes that have arrived. Returns true if the request is complete. */
    public boolean advance() throws MalformedFrameException {
        while (step != Step.DONE) {
            boolean done =
                    switch (step) {
                        case START -> readStart();
                        case TOPIC -> readTopic();
                        case PARTITION -> readPartition();
                        case RECORDS -> skipRecords();
                        case PARTITION_END -> readPartitionEnd();
                        case TOPIC_END -> readTopicEnd();
                        case REQUEST_END -> readRequestEnd();
                        case DONE -> true;
                    };
            if (!done) {
                return false;
            }
        }
        return true;
    }

    private boolean readStart() throws MalformedFrameException {
        frame.begin();
        frame.skip(Math.max(0, frame.readStringLength(flexible)));
        acks = frame.readShort();
        frame.readInt(); // Skip the timeout.
        int topics = frame.readLength(flexible);
        if (!frame.complete()) {
            return false;
        }
        topicsLeft = Math.max(0, topics);
        response.topics(topicsLeft);
        step = topicsLeft > 0 ? Step.TOPIC : Step.REQUEST_END;
        return true;
    }

    private boolean readTopic() throws MalformedFrameException {
        frame.begin();
        int nameLength = version >= FIRST_WITH_TOPIC_ID ? 0 : frame.readStringLength(flexible);
        int start = frame.position();
        int bytes = version >= FIRST_WITH_TOPIC_ID ? 2 * Long.BYTES : Math.max(0, nameLength);
        frame.skip(bytes);
        int partitions = frame.readLength(flexible);
        if (!frame.complete()) {
            return false;
        }
        topic = version >= FIRST_WITH_TOPIC_ID ? topicWithId(start) : topicNamed(start, bytes);
        partitionsLeft = Math.max(0, partitions);
        response.topic(frame.buffer(), start, bytes, partitionsLeft);
        step = partitionsLeft > 0 ? Step.PARTITION : Step.TOPIC_END;
        return true;
    }

    private ServedTopics.@Nullable Topic topicNamed(int start, int length) {
        for (ServedTopics.Topic known : recent) {
            if (known != null && known.ref().isNameAt(frame.buffer(), start, length)) {
                return known;
            }
        }
        byte[] name = new byte[length];
        frame.buffer().get(start, name);
        return remember(served.topics().named(new String(name, StandardCharsets.UTF_8)));
    }

    private ServedTopics.@Nullable Topic topicWithId(int start) {
        for (ServedTopics.Topic known : recent) {
            if (known != null && known.ref().isIdAt(frame.buffer(), start)) {
                return known;
            }
        }
        return remember(served.topics()
                .withId(new Uuid(frame.buffer().getLong(start), frame.buffer().getLong(start + Long.BYTES))));
    }

    private ServedTopics.@Nullable Topic remember(ServedTopics.@Nullable Topic found) {
        if (found != null) {
            recent[nextRecent] = found;
            nextRecent = (nextRecent + 1) % RECENT_TOPICS;
        }
        return found;
    }

    private boolean readPartition() throws MalformedFrameException {
        frame.begin();
        int index = frame.readInt();
        int recordsBytes = Math.max(0, frame.readLength(flexible));
        int start = frame.position();
        int headerBytes = recordsBytes >= BatchLayout.RECORDS ? BatchLayout.RECORDS : 0;
        frame.skip(headerBytes);
        if (!frame.complete()) {
            return false;
        }
        partitionIndex = index;
        partition = topic == null ? null : topic.partition(index);
        recordBytesLeft = recordsBytes - headerBytes;
        error = headerBytes > 0 ? readHeader(frame.buffer(), start, recordsBytes) : Errors.INVALID_RECORD;
        if (partition == null) {
            boolean unknownId = topic == null && version >= FIRST_WITH_TOPIC_ID;
            error = unknownId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
        } else if (acks < -1 || acks > 1) {
            error = Errors.INVALID_REQUIRED_ACKS;
        }
        if (checkCrc) {
            crc.reset();
            updateCrc(start + Math.min(headerBytes, BatchLayout.CRC_COUNTS_FROM), start + headerBytes);
        }
        step = Step.RECORDS;
        return true;
    }

    /** @return the broker's error for the batch with this header */
    private Errors readHeader(ByteBuffer source, int start, int bytes) {
        batchRecords = source.getInt(start + BatchLayout.RECORDS_COUNT);
        batchCrc = source.getInt(start + BatchLayout.CRC);
        batchBytes = bytes;
        if (source.get(start + BatchLayout.MAGIC) != BatchLayout.MAGIC_2) {
            return Errors.INVALID_RECORD;
        }
        if (source.getInt(start + BatchLayout.LENGTH) != bytes - BatchLayout.LENGTH_COUNTS_FROM) {
            return Errors.CORRUPT_MESSAGE;
        }
        boolean counted = batchRecords > 0 && source.getInt(start + BatchLayout.LAST_OFFSET_DELTA) == batchRecords - 1;
        return counted ? Errors.NONE : Errors.INVALID_RECORD;
    }

    private boolean skipRecords() {
        int start = frame.buffer().position();
        int skipped = frame.consume(recordBytesLeft);
        if (checkCrc) {
            updateCrc(start, start + skipped);
        }
        recordBytesLeft -= skipped;
        if (recordBytesLeft > 0) {
            return false;
        }
        if (checkCrc && error == Errors.NONE && (int) crc.getValue() != batchCrc) {
            error = Errors.CORRUPT_MESSAGE;
        }
        step = Step.PARTITION_END;
        return true;
    }

    private void updateCrc(int start, int end) {
        ByteBuffer in = frame.buffer();
        int position = in.position();
        int limit = in.limit();
        in.limit(end).position(start);
        crc.update(in);
        in.limit(limit).position(position);
    }

    private boolean readPartitionEnd() throws MalformedFrameException {
        if (!readTags()) {
            return false;
        }
        if (error != Errors.NONE) {
            served.refusedBatch();
            response.refuse(partitionIndex, error);
        } else if (refused) {
            response.refuse(partitionIndex, Errors.NOT_LEADER_OR_FOLLOWER);
        } else {
            response.accept(partitionIndex, Objects.requireNonNull(partition), batchRecords, batchBytes);
        }
        partitionsLeft--;
        step = partitionsLeft > 0 ? Step.PARTITION : Step.TOPIC_END;
        return true;
    }

    private boolean readTopicEnd() throws MalformedFrameException {
        if (!readTags()) {
            return false;
        }
        response.topicEnd();
        topicsLeft--;
        step = topicsLeft > 0 ? Step.TOPIC : Step.REQUEST_END;
        return true;
    }

    private boolean readRequestEnd() throws MalformedFrameException {
        if (!readTags()) {
            return false;
        }
        if (frame.frameRemaining() > 0) {
            throw new MalformedFrameException("bytes behind the end of a produce request");
        }
        step = Step.DONE;
        return true;
    }

    private boolean readTags() throws MalformedFrameException {
        if (flexible) {
            frame.begin();
            frame.skipTags();
            return frame.complete();
        }
        return true;
    }

    /**
     * A produce response, written while the request is read. Records are counted and assigned offsets only in {@link
     * #finish()}, so an incomplete request has no effect.
     */
    private final class Response {
        private static final short FIRST_WITH_LOG_START = 5;
        private static final short FIRST_WITH_RECORD_ERRORS = 8;
        private static final long NONE = -1;

        private final FrameWriter out = new FrameWriter(false, 512);

        private ServedTopics.Partition[] partitions = new ServedTopics.Partition[4];
        private int[] records = new int[4];
        private int[] bytes = new int[4];
        private int[] offsetPositions = new int[4];
        private int accepted;
        private boolean failed;

        void start(int correlationId) {
            accepted = 0;
            failed = false;
            out.clear();
            out.writeInt(0); // The size, which is set at the end.
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
            out.writeLong(NONE); // The base offset, which is set at the end for accepted batches.
            out.writeLong(NONE); // The append time.
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
            out.writeInt(0); // The throttle time.
            out.writeNoTags(flexible);
            out.setInt(0, out.position() - Integer.BYTES);
            return produced;
        }
    }
}
