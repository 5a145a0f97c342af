package io.plimsoll.wire.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.protocol.Errors;

/**
 * A fetch response: the batches are sent from the memory of the {@link SyntheticLog}, all other fields, including base
 * offsets, from a small buffer of this connection. Gathering writes combine both. Used by one thread.
 */
public final class FetchSend {
    private static final short FIRST_WITH_LOG_START = 5;
    private static final short FIRST_WITH_SESSION = 7;
    private static final short FIRST_WITH_PREFERRED_REPLICA = 11;
    private static final short FIRST_FLEXIBLE = 12;
    private static final short FIRST_WITH_TOPIC_ID = 13;
    private static final int NO_SESSION = 0;
    /** Maximum number of batches in a response, to limit its memory; the client fetches the remaining batches later. */
    private static final int MOST_BATCHES = 2048;

    private final Served served;
    private final SyntheticLog log;
    private final FrameWriter head = new FrameWriter(true, 1 << 12);
    private ByteBuffer viewedHead = head.buffer();
    private final List<ByteBuffer> headViews = new ArrayList<>();
    private final List<ByteBuffer> batchViews = new ArrayList<>();
    private ByteBuffer[] pieces = new ByteBuffer[16];
    private int pieceCount;
    private int firstUnsent;

    private final int[] chosen = new int[MOST_BATCHES];
    private final int[] cuts = new int[MOST_BATCHES];
    private int batches;
    private long recordBytes;
    private long records;
    private boolean failed;
    private short version;
    private boolean flexible;

    public FetchSend(Served served) {
        this.served = served;
        this.log = served.log;
    }

    /** Number of batch bytes in the response. */
    public long recordBytes() {
        return recordBytes;
    }

    public long records() {
        return records;
    }

    /** Whether the response contains an error, so that it must not wait. */
    public boolean failed() {
        return failed;
    }

    /** Composes the response from the currently available records. */
    public void compose(Request fetch) {
        FetchRequestData request = (FetchRequestData) fetch.message();
        version = fetch.version();
        flexible = version >= FIRST_FLEXIBLE;
        head.clear();
        batches = 0;
        records = 0;
        recordBytes = 0;
        failed = false;
        // Fetch sessions are not supported: no id is assigned, and a request with an id gets an error.
        boolean foreignSession = request.sessionId() != NO_SESSION;
        head.writeInt(0);
        head.writeInt(fetch.correlationId());
        head.writeNoTags(flexible);
        head.writeInt(0);
        if (version >= FIRST_WITH_SESSION) {
            head.writeShort((foreignSession ? Errors.FETCH_SESSION_ID_NOT_FOUND : Errors.NONE).code());
            head.writeInt(NO_SESSION);
        }
        failed = foreignSession;
        List<FetchTopic> topics = foreignSession ? List.of() : request.topics();
        head.writeLength(topics.size(), flexible);
        for (FetchTopic topic : topics) {
            topic(topic, request.maxBytes());
        }
        head.writeNoTags(flexible);
        // Base offsets count as batch bytes, but they are in the head buffer.
        long bodies = recordBytes - (long) batches * SyntheticLog.BASE_OFFSET_BYTES;
        head.setInt(0, (int) (head.position() + bodies - Integer.BYTES));
        gather();
    }

    private void topic(FetchTopic topic, int mostBytes) {
        ServedTopics.Topic known;
        if (version >= FIRST_WITH_TOPIC_ID) {
            known = served.topics().withId(topic.topicId());
            head.writeLong(topic.topicId().getMostSignificantBits());
            head.writeLong(topic.topicId().getLeastSignificantBits());
        } else {
            known = served.topics().named(topic.topic());
            byte[] name = topic.topic().getBytes(StandardCharsets.UTF_8);
            head.writeStringLength(name.length, flexible);
            head.writeBytes(ByteBuffer.wrap(name), 0, name.length);
        }
        head.writeLength(topic.partitions().size(), flexible);
        for (FetchPartition wanted : topic.partitions()) {
            ServedTopics.Partition partition = known == null ? null : known.partition(wanted.partition());
            if (partition == null) {
                boolean unknownId = known == null && version >= FIRST_WITH_TOPIC_ID;
                Errors error = unknownId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION;
                partition(wanted.partition(), error, -1);
                head.writeLength(0, flexible);
            } else {
                partition(wanted, partition.endOffset(), mostBytes);
            }
            head.writeNoTags(flexible);
        }
        head.writeNoTags(flexible);
    }

    private void partition(FetchPartition wanted, long endOffset, int mostBytes) {
        long offset = wanted.fetchOffset();
        boolean inRange = offset >= 0 && offset <= endOffset;
        partition(wanted.partition(), inRange ? Errors.NONE : Errors.OFFSET_OUT_OF_RANGE, endOffset);
        int first = batches;
        long room = Math.min(wanted.partitionMaxBytes(), mostBytes - recordBytes);
        long bytes = inRange ? choose(offset, endOffset, room) : 0;
        head.writeLength((int) bytes, flexible);
        long baseOffset = offset;
        for (int i = first; i < batches; i++) {
            head.writeLong(baseOffset);
            cuts[i] = head.position();
            baseOffset += log.records(chosen[i]);
        }
        records += baseOffset - offset;
        recordBytes += bytes;
    }

    private void partition(int index, Errors error, long endOffset) {
        failed |= error != Errors.NONE;
        head.writeInt(index);
        head.writeShort(error.code());
        head.writeLong(endOffset); // High watermark.
        head.writeLong(endOffset); // Last stable offset.
        if (version >= FIRST_WITH_LOG_START) {
            head.writeLong(0);
        }
        head.writeLength(-1, flexible); // Aborted transactions.
        if (version >= FIRST_WITH_PREFERRED_REPLICA) {
            head.writeInt(-1);
        }
    }

    /** Selects batches of at most this total size, but at least one batch per response; returns their total size. */
    private long choose(long offset, long endOffset, long room) {
        long bytes = 0;
        long next = offset;
        while (next < endOffset && batches < MOST_BATCHES) {
            int batch = log.choose(next, endOffset - next);
            boolean first = recordBytes + bytes == 0;
            if (!first && bytes + log.bytes(batch) > room) {
                break;
            }
            chosen[batches++] = batch;
            bytes += log.bytes(batch);
            next += log.records(batch);
        }
        return bytes;
    }

    @SuppressWarnings("ReferenceEquality") // The identity comparison is intended.
    private void gather() {
        if (viewedHead != head.buffer()) {
            viewedHead = head.buffer();
            headViews.clear();
        }
        while (headViews.size() <= batches) {
            headViews.add(viewedHead.duplicate());
        }
        while (batchViews.size() < batches) {
            batchViews.add(log.view());
        }
        pieceCount = 2 * batches + 1;
        firstUnsent = 0;
        if (pieces.length < pieceCount) {
            pieces = new ByteBuffer[Math.max(pieceCount, pieces.length * 2)];
        }
        int from = 0;
        for (int i = 0; i <= batches; i++) {
            int to = i < batches ? cuts[i] : head.position();
            pieces[2 * i] = headViews.get(i).limit(to).position(from);
            from = to;
            if (i < batches) {
                log.show(batchViews.get(i), chosen[i]);
                pieces[2 * i + 1] = batchViews.get(i);
            }
        }
    }

    /** @return true if the response is completely sent; false if the socket is full */
    public boolean flush(SocketChannel channel) throws IOException {
        while (firstUnsent < pieceCount) {
            long sent = channel.write(pieces, firstUnsent, pieceCount - firstUnsent);
            while (firstUnsent < pieceCount && !pieces[firstUnsent].hasRemaining()) {
                firstUnsent++;
            }
            if (sent == 0) {
                return firstUnsent == pieceCount;
            }
        }
        return true;
    }
}
