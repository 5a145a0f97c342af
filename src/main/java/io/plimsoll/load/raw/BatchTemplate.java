package io.plimsoll.load.raw;

import io.plimsoll.load.raw.RecordPositions.RecordSlice;
import io.plimsoll.payload.Identity;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.payload.Stamp;
import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.Codec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A record batch that is encoded once and sent many times, each time with new identities, header fields and CRC.
 * Acquire it from a {@link TemplateRing}, call {@link #timestamp} and {@link #stamp}, send {@link #bytes}, and release
 * it when the bytes are no longer read.
 *
 * <p>Its buffer is direct: sockets write it without a copy, and CRC-32C is as fast as on an array. Owned by one thread.
 */
public final class BatchTemplate {
    /** Number of records stamped before each CRC update; small records are then still in the L1 cache. */
    private static final int RECORDS_PER_STEP = 256;

    /** Value of producer ID, epoch and sequence without idempotence. */
    static final int NO_PRODUCER = -1;

    private static final int UNKNOWN_LEADER_EPOCH = -1;
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final ByteBuffer buffer;
    private final ByteBuffer view;
    private final IdentityLevel level;
    private final long runId;
    private final @Nullable RecordPositions positions;
    private final boolean sharesPositions;
    private final int maxRecords;
    private final int maxPayloadBytes;
    private final int maxPlainBytes;
    /** Checksums of the value bytes after the identities; empty without identities. */
    private final int[] tailChecksums;

    private final CRC32C crc = new CRC32C();
    private int records;
    private int sizeBytes;
    private @Nullable TemplateRing lentBy;
    private boolean partOfAnother;

    private BatchTemplate(
            RecordEncoder encoder,
            IdentityLevel level,
            @Nullable RecordPositions positions,
            boolean sharesPositions,
            byte[] batch,
            int length,
            Codec codec) {
        this.level = level;
        this.runId = encoder.runId;
        this.positions = positions;
        this.sharesPositions = sharesPositions;
        this.maxRecords = encoder.records();
        this.maxPayloadBytes = encoder.payloadBytes();
        this.maxPlainBytes = encoder.length();
        this.tailChecksums = level == IdentityLevel.IDENTITY ? encoder.tailChecksums() : new int[0];
        this.buffer = ByteBuffer.allocateDirect(length);
        this.view = buffer.duplicate();
        buffer.put(batch, 0, length);
        writeFixed(codec);
        truncate(maxRecords, length);
        timestamp(0);
        producer(NO_PRODUCER, (short) NO_PRODUCER, NO_PRODUCER);
    }

    static BatchTemplate plain(RecordEncoder encoder, @Nullable BatchTemplate other) {
        IdentityLevel level = IdentityLevel.of(encoder.generator, Codec.NONE);
        RecordPositions own = encoder.positions();
        RecordPositions before = other == null ? null : other.positions;
        boolean shares = own.sameAs(before);
        RecordPositions positions = shares ? before : own;
        return new BatchTemplate(encoder, level, positions, shares, encoder.bytes(), encoder.length(), Codec.NONE);
    }

    /** @param batch space for a header, then the compressed records */
    static BatchTemplate compressed(RecordEncoder encoder, Codec codec, byte[] batch) {
        return new BatchTemplate(encoder, IdentityLevel.BATCH, null, false, batch, batch.length, codec);
    }

    private BatchTemplate(BatchTemplate whole, RecordSlice part, int from) {
        this.level = whole.level;
        this.runId = whole.runId;
        this.positions = part.positions();
        this.sharesPositions = false;
        this.maxRecords = part.positions().records();
        this.maxPayloadBytes = part.positions().payloadBytes(maxRecords);
        this.maxPlainBytes = part.length();
        this.tailChecksums = level == IdentityLevel.IDENTITY
                ? Arrays.copyOfRange(whole.tailChecksums, from, from + maxRecords)
                : new int[0];
        this.buffer = ByteBuffer.allocateDirect(part.length());
        this.view = buffer.duplicate();
        this.partOfAnother = true;
        buffer.put(part.bytes(), 0, part.length());
        writeFixed(Codec.NONE);
        truncate(maxRecords, part.length());
    }

    private void writeFixed(Codec codec) {
        buffer.putLong(BatchLayout.BASE_OFFSET, 0);
        buffer.putInt(BatchLayout.PARTITION_LEADER_EPOCH, UNKNOWN_LEADER_EPOCH);
        buffer.put(BatchLayout.MAGIC, BatchLayout.MAGIC_2);
        buffer.putShort(BatchLayout.ATTRIBUTES, codec.attributes());
    }

    /**
     * Creates a batch from some of the records, after the whole batch was rejected. The new batch must be stamped, and
     * belongs to no ring.
     * @throws IllegalStateException if compressed
     */
    BatchTemplate part(int from, int count) {
        if (positions == null) {
            throw new IllegalStateException("a compressed batch cannot be cut");
        }
        return new BatchTemplate(this, RecordSlice.of(buffer, positions, from, count), from);
    }

    boolean divisible() {
        return positions != null;
    }

    private RecordPositions positions() {
        return Objects.requireNonNull(positions);
    }

    int maxRecords() {
        return maxRecords;
    }

    /** Memory of the template in bytes, without the positions that templates share. */
    long memoryBytes() {
        return buffer.capacity()
                + (long) tailChecksums.length * Integer.BYTES
                + (sharesPositions || positions == null ? 0 : positions.memoryBytes());
    }

    /** Lends the batch with its first {@code wanted} records, or with all if it has fewer. */
    void lend(TemplateRing ring, int wanted) {
        if (lentBy != null) {
            throw new IllegalStateException("the template is in use");
        }
        lentBy = ring;
        cut(wanted);
    }

    void cut(int wanted) {
        int count = Math.min(wanted, maxRecords);
        if (positions != null && count != records) {
            truncate(count, positions.endOf(count));
        }
    }

    void release() {
        if (partOfAnother) {
            return;
        }
        if (lentBy == null) {
            throw new IllegalStateException("the template was released before");
        }
        lentBy.release(this);
    }

    void takeBack(TemplateRing ring) {
        if (lentBy != ring) {
            throw new IllegalStateException(
                    lentBy == null ? "the template was released before" : "the template is of another ring");
        }
        lentBy = null;
    }

    private void truncate(int toRecords, int toBytes) {
        records = toRecords;
        sizeBytes = toBytes;
        buffer.putInt(BatchLayout.LENGTH, sizeBytes - BatchLayout.LENGTH_COUNTS_FROM);
        buffer.putInt(BatchLayout.LAST_OFFSET_DELTA, records - 1);
        buffer.putInt(BatchLayout.RECORDS_COUNT, records);
    }

    public int records() {
        return records;
    }

    /** Bytes on the wire, including the batch header. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /** Key and value bytes before compression. */
    public int payloadBytes() {
        return positions == null ? maxPayloadBytes : positions.payloadBytes(records);
    }

    /** Uncompressed bytes, including the batch header. */
    public int plainBytes() {
        return positions == null ? maxPlainBytes : sizeBytes;
    }

    /** The data that {@link #stamp} writes into each record. */
    public IdentityLevel level() {
        return level;
    }

    /** @param epochMillis new timestamp of all records */
    public void timestamp(long epochMillis) {
        // The timestamp deltas of the records are 0.
        buffer.putLong(BatchLayout.BASE_TIMESTAMP, epochMillis);
        buffer.putLong(BatchLayout.MAX_TIMESTAMP, epochMillis);
    }

    /**
     * Sets the ID, epoch and sequence of an idempotent Kafka producer.
     * @param baseSequence of the first record
     */
    public void producer(long producerId, short producerEpoch, int baseSequence) {
        buffer.putLong(BatchLayout.PRODUCER_ID, producerId);
        buffer.putShort(BatchLayout.PRODUCER_EPOCH, producerEpoch);
        buffer.putInt(BatchLayout.BASE_SEQUENCE, baseSequence);
    }

    /**
     * Writes identities according to {@link #level}, and the CRC. Record i has the sequence {@code firstSequence + i}
     * and is due at {@code due[from + i] + offsetNanos}.
     * @param due nanoseconds on any clock
     * @param offsetNanos from that clock to nanoseconds since the epoch
     */
    public void stamp(int producer, long firstSequence, long[] due, int from, long offsetNanos) {
        crc.reset();
        int at = BatchLayout.CRC_COUNTS_FROM;
        if (level != IdentityLevel.BATCH) {
            for (int first = 0; first < records; first += RECORDS_PER_STEP) {
                int end = Math.min(records, first + RECORDS_PER_STEP);
                if (level == IdentityLevel.IDENTITY) {
                    identities(first, end, producer, firstSequence, due, from, offsetNanos);
                } else {
                    stamps(first, end, due, from, offsetNanos);
                }
                at = addToCrc(at, positions().endOf(end));
            }
        }
        addToCrc(at, sizeBytes);
        buffer.putInt(BatchLayout.CRC, (int) crc.getValue());
    }

    private void identities(
            int first, int end, int producer, long firstSequence, long[] due, int from, long offsetNanos) {
        ByteBuffer to = buffer;
        int[] values = positions().values();
        int[] tails = tailChecksums;
        long base = Identity.checksumBase(runId, producer, firstSequence + first);
        for (int i = first; i < end; i++) {
            int at = values[i];
            long intended = due[from + i] + offsetNanos;
            int checksum = Identity.checksum(base, intended, tails[i]);
            LONG.set(to, at + Identity.INTENDED_AT, intended);
            LONG.set(to, at + Identity.SEQUENCE_AT, firstSequence + i);
            LONG.set(to, at + Identity.PRODUCER_AT, Identity.producerAndChecksum(producer, checksum));
            base += Identity.NEXT_SEQUENCE;
        }
    }

    private void stamps(int first, int end, long[] due, int from, long offsetNanos) {
        ByteBuffer to = buffer;
        int[] values = positions().values();
        for (int i = first; i < end; i++) {
            LONG.set(to, values[i] + Identity.INTENDED_AT, due[from + i] + offsetNanos);
        }
    }

    /** Updates only the CRC, for a retry with another epoch or sequence. */
    public void seal() {
        crc.reset();
        addToCrc(BatchLayout.CRC_COUNTS_FROM, sizeBytes);
        buffer.putInt(BatchLayout.CRC, (int) crc.getValue());
    }

    private int addToCrc(int from, int to) {
        view.limit(to).position(from);
        crc.update(view);
        return to;
    }

    /**
     * The sealed batch, from position 0 to the limit. Always the same object: callers that move its position use a
     * duplicate.
     */
    public ByteBuffer bytes() {
        return view.limit(sizeBytes).position(0);
    }

    /** The data written into each record on sending. */
    public enum IdentityLevel {
        /** An {@link Identity}: all values have at least 32 bytes. */
        IDENTITY,
        /** A {@link Stamp}: the smallest values have 16 to 31 bytes. */
        STAMP,
        /** No data, for smaller values, files, templates and compressed records. The batch header can identify these records. */
        BATCH;

        static IdentityLevel of(RecordGenerator generator, Codec codec) {
            if (codec != Codec.NONE || !generator.stamped()) {
                return BATCH;
            }
            return generator.identifiable() ? IDENTITY : STAMP;
        }
    }
}
