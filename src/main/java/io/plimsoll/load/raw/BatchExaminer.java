package io.plimsoll.load.raw;

import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.LogSink;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.Codec;
import io.plimsoll.wire.VarInts;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reports the contents of a log's batches, including compressed batches, to an audit. Owned by one reading thread. */
final class BatchExaminer {
    private static final int COMPRESSION = 0x07;
    private static final int CONTROL = 0x20;
    private static final int LOG_APPEND_TIME = 0x08;
    /** Number of different sequence numbers in Kafka, which continue at 0 after the largest int. */
    private static final long ROUND = 1L << 31;

    private final @Nullable AuditTrail trail;
    /** Sequence after the last batch of each producer, for records identified by their batch. */
    private final Map<Integer, Long> ends = new HashMap<>();

    BatchExaminer(@Nullable AuditTrail trail) {
        this.trail = trail;
    }

    /**
     * @param at start of an intact batch
     * @param visible false for an aborted transaction
     */
    void examine(LogPartition partition, LogSink sink, ByteBuffer data, int at, int end, boolean visible) {
        long base = data.getLong(at + BatchLayout.BASE_OFFSET);
        int lastDelta = data.getInt(at + BatchLayout.LAST_OFFSET_DELTA);
        int attributes = data.getShort(at + BatchLayout.ATTRIBUTES);
        synchronized (sink) {
            if (!visible || (attributes & CONTROL) != 0) {
                sink.hidden(base, base + lastDelta);
                return;
            }
            AuditTrail.BatchOrigin origin = trail == null
                    ? null
                    : trail.origin(
                            partition,
                            data.getLong(at + BatchLayout.PRODUCER_ID),
                            data.getShort(at + BatchLayout.PRODUCER_EPOCH));
            if (origin != null) {
                byHeader(origin, sink, data, at, base);
            } else if ((attributes & COMPRESSION) == 0) {
                records(sink, data, at, at + BatchLayout.RECORDS, data, attributes);
            } else {
                ByteBuffer plain = decompressed(data, at + BatchLayout.RECORDS, end, attributes & COMPRESSION);
                if (plain == null) {
                    sink.damaged(base, base + lastDelta, data.getLong(at + BatchLayout.MAX_TIMESTAMP));
                } else {
                    records(sink, data, at, 0, plain, attributes);
                }
            }
        }
    }

    private void byHeader(AuditTrail.BatchOrigin origin, LogSink sink, ByteBuffer data, int at, long base) {
        int count = data.getInt(at + BatchLayout.RECORDS_COUNT);
        long sequence = origin.sequence() + data.getInt(at + BatchLayout.BASE_SEQUENCE);
        Long before = ends.get(origin.producer());
        // A reader that takes over from another reader starts in the current round of sequences.
        long last = before == null ? sink.expected(origin.producer()) : before;
        while (sequence < last - ROUND / 2) {
            sequence += ROUND;
        }
        ends.put(origin.producer(), sequence + count);
        sink.records(base, origin.producer(), sequence, count, data.getLong(at + BatchLayout.MAX_TIMESTAMP));
    }

    @SuppressWarnings("EnumOrdinal") // Codecs are declared in the order of their bits in a batch.
    private static @Nullable ByteBuffer decompressed(ByteBuffer data, int from, int to, int codec) {
        byte[] bytes = new byte[to - from];
        data.get(from, bytes);
        try {
            return ByteBuffer.wrap(Codec.of(codec).decompress(bytes));
        } catch (UncheckedIOException | IllegalArgumentException e) {
            return null;
        }
    }

    /** @param records buffer with the records, which start at {@code from}; {@code data} contains the header */
    private void records(LogSink sink, ByteBuffer data, int header, int from, ByteBuffer records, int attributes) {
        long base = data.getLong(header + BatchLayout.BASE_OFFSET);
        int count = data.getInt(header + BatchLayout.RECORDS_COUNT);
        boolean appendTime = (attributes & LOG_APPEND_TIME) != 0;
        long millis = data.getLong(header + (appendTime ? BatchLayout.MAX_TIMESTAMP : BatchLayout.BASE_TIMESTAMP));
        int done = 0;
        try {
            int at = from;
            for (; done < count; done++) {
                at = record(sink, records, at, base, millis, appendTime);
            }
        } catch (IndexOutOfBoundsException e) {
            // The contents are invalid although the CRC is valid.
            sink.damaged(base + done, base + data.getInt(header + BatchLayout.LAST_OFFSET_DELTA), millis);
        }
    }

    private static int record(LogSink sink, ByteBuffer data, int from, long base, long baseMillis, boolean appendTime) {
        long length = VarInts.field(data, from);
        int at = from + VarInts.bytes(length);
        int end = at + (int) VarInts.value(length);
        long millis = VarInts.field(data, ++at);
        at += VarInts.bytes(millis);
        long delta = VarInts.field(data, at);
        at += VarInts.bytes(delta);
        long key = VarInts.field(data, at);
        at += VarInts.bytes(key) + Math.max(0, (int) VarInts.value(key));
        long value = VarInts.field(data, at);
        at += VarInts.bytes(value);
        int valueBytes = (int) VarInts.value(value);
        if (valueBytes > end - at) {
            throw new IndexOutOfBoundsException("a value longer than its record");
        }
        long time = baseMillis + (appendTime ? 0 : VarInts.value(millis));
        sink.record(base + VarInts.value(delta), data, at, valueBytes, time);
        return end;
    }
}
