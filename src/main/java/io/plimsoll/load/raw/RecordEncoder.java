package io.plimsoll.load.raw;

import io.plimsoll.payload.Identity;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.payload.Stamp;
import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.Codec;
import io.plimsoll.wire.VarInts;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Encodes records in batch format version 2, after the space for a batch header. Offset deltas start at 0 and timestamp
 * deltas are 0, so the first n records of a batch form a valid batch of n records. Owned by one thread.
 */
final class RecordEncoder {
    /** Run ID of records without an identity. */
    static final long NO_RUN = 0;

    private static final int NULL = -1;
    private static final int MOST_WAITING = 32;
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    final RecordGenerator generator;
    private final LongFunction<byte @Nullable []> keys;
    final long runId;
    private final long epochNanos;
    private byte[] headers;
    private byte @Nullable [] key;
    private byte[] value = {};
    private boolean taken = true;
    private long sequence;
    /**
     * Records of mixed sizes that did not fit into a batch; most of them are large. If the next batch always started
     * with such a record, batch sizes would be biased.
     */
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    private final SplittableRandom random = new SplittableRandom(0);
    private int lastRecords = 1;
    private byte[] bytes = new byte[1 << 12];
    private int length;
    private int[] ends = new int[64];
    private int[] values = new int[64];
    private int[] valueEnds = new int[64];
    private int[] payload = new int[64];
    private int records;

    /**
     * @param keys keys instead of the generator's, by due time; each is valid until the next call
     * @param runId as in the generator; not 0
     * @param epochNanos encoding time, used as the due time of keys and as the timestamp in text templates
     */
    RecordEncoder(RecordGenerator generator, LongFunction<byte @Nullable []> keys, long runId, long epochNanos) {
        if (runId == NO_RUN) {
            throw new IllegalArgumentException("run id " + NO_RUN + " says that a record belongs to no run");
        }
        this.generator = generator;
        this.keys = keys;
        this.runId = runId;
        this.epochNanos = epochNanos;
        this.headers = headers(generator.headerNames(), generator.headerValues());
    }

    private record Waiting(byte @Nullable [] key, byte[] value, byte[] headers) {}

    /**
     * Encodes the next records: as many as fit into {@code batchBytes} with the header, from 1 to {@code maxRecords}.
     * Overwrites the previous batch.
     * @param stamped whether the records will be stamped; otherwise they must not look stamped
     */
    void encode(int maxRecords, long batchBytes, boolean stamped) {
        length = BatchLayout.RECORDS;
        records = 0;
        int payloadBytes = 0;
        while (records < maxRecords) {
            take(batchBytes);
            long body = bodyBytes(records);
            long end = length + VarInts.size(Math.min(body, MAX_BYTES)) + body;
            if (records > 0 && end > batchBytes) {
                setAside();
                break;
            }
            if (end > MAX_BYTES) {
                throw new IllegalArgumentException("a record of " + body + " bytes does not fit a batch");
            }
            ensureRoom((int) end);
            payloadBytes += (key == null ? 0 : key.length) + value.length;
            write((int) body, stamped);
            ends[records] = length;
            payload[records] = payloadBytes;
            records++;
            taken = true;
        }
        lastRecords = records;
    }

    private void setAside() {
        long size = (long) (key == null ? 0 : key.length) + value.length;
        boolean allAlike = size * records == payload[records - 1];
        if (!allAlike) {
            waiting.add(new Waiting(key == null ? null : key.clone(), value.clone(), headers));
            taken = true;
        }
    }

    int records() {
        return records;
    }

    /** The encoded batch without header values, up to {@link #length}; read-only. */
    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    RecordPositions positions() {
        return new RecordPositions(
                Arrays.copyOf(ends, records), Arrays.copyOf(values, records), Arrays.copyOf(payload, records));
    }

    int payloadBytes() {
        return payload[records - 1];
    }

    byte[] compressed(Codec codec, OptionalInt level) {
        byte[] plain = Arrays.copyOfRange(bytes, BatchLayout.RECORDS, length);
        byte[] compressed = codec.compress(plain, plain.length, level);
        byte[] batch = new byte[BatchLayout.RECORDS + compressed.length];
        System.arraycopy(compressed, 0, batch, BatchLayout.RECORDS, compressed.length);
        return batch;
    }

    /** Checksums of the values after their identities. */
    int[] tailChecksums() {
        int[] tails = new int[records];
        for (int i = 0; i < records; i++) {
            tails[i] = Identity.tailChecksum(bytes, values[i], valueEnds[i] - values[i]);
        }
        return tails;
    }

    /** Takes the next record, or a record that did not fit before. */
    private void take(long batchBytes) {
        if (!taken) {
            return;
        }
        // Only in the second half of a batch, so that its first records have the generator's distribution.
        boolean behindMiddle = length >= batchBytes / 2 && random.nextInt(lastRecords) < 2 * waiting.size();
        if (waiting.size() > MOST_WAITING || (behindMiddle && !waiting.isEmpty())) {
            Waiting next = waiting.poll();
            key = next.key;
            value = next.value;
            headers = next.headers;
        } else {
            key = keys.apply(epochNanos);
            value = generator.nextValue(sequence, epochNanos);
            sequence++;
            if (generator.headersDiffer()) {
                headers = headers(generator.headerNames(), generator.headerValues());
            }
        }
        taken = false;
    }

    private long bodyBytes(int offsetDelta) {
        int keyBytes = key == null ? VarInts.size(NULL) : VarInts.size(key.length) + key.length;
        return 1L
                + 1
                + VarInts.size(offsetDelta)
                + keyBytes
                + VarInts.size(value.length)
                + (long) value.length
                + headers.length;
    }

    private void write(int body, boolean stamped) {
        int at = VarInts.write(body, bytes, length);
        bytes[at++] = 0;
        bytes[at++] = 0;
        at = VarInts.write(records, bytes, at);
        if (key == null) {
            at = VarInts.write(NULL, bytes, at);
        } else {
            at = append(key, VarInts.write(key.length, bytes, at));
        }
        at = VarInts.write(value.length, bytes, at);
        values[records] = at;
        at = append(value, at);
        valueEnds[records] = at;
        if (!stamped && generator.stamped()) {
            Stamp.write(bytes, values[records], NO_RUN, epochNanos + sequence);
        }
        length = append(headers, at);
    }

    private int append(byte[] from, int at) {
        System.arraycopy(from, 0, bytes, at, from.length);
        return at + from.length;
    }

    private void ensureRoom(int end) {
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.max(end, Math.min(2L * bytes.length, MAX_BYTES)));
        }
        if (records == ends.length) {
            ends = Arrays.copyOf(ends, 2 * records);
            values = Arrays.copyOf(values, 2 * records);
            valueEnds = Arrays.copyOf(valueEnds, 2 * records);
            payload = Arrays.copyOf(payload, 2 * records);
        }
    }

    private static byte[] headers(String[] names, byte[][] values) {
        byte[][] utf8 = new byte[names.length][];
        int size = VarInts.size(names.length);
        for (int i = 0; i < names.length; i++) {
            utf8[i] = names[i].getBytes(StandardCharsets.UTF_8);
            size += VarInts.size(utf8[i].length) + utf8[i].length + VarInts.size(values[i].length) + values[i].length;
        }
        byte[] headers = new byte[size];
        int at = VarInts.write(names.length, headers, 0);
        for (int i = 0; i < names.length; i++) {
            for (byte[] part : new byte[][] {utf8[i], values[i]}) {
                at = VarInts.write(part.length, headers, at);
                System.arraycopy(part, 0, headers, at, part.length);
                at += part.length;
            }
        }
        return headers;
    }
}
