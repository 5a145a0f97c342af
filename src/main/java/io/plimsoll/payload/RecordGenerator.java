package io.plimsoll.payload;

import io.plimsoll.payload.KeySequence.KeyGenerator;
import io.plimsoll.payload.PayloadSource.ValueGenerator;
import io.plimsoll.payload.PayloadSource.ValueMaker;
import io.plimsoll.scenario.RecordSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The records of one sending thread; equal arguments give equal records. Owned by that thread.
 *
 * <p>The arrays of {@link #nextKey} and {@link #nextValue} are reused or shared: callers copy them and never modify
 * them. {@code KafkaProducer.send} copies both before it returns.
 */
public final class RecordGenerator {
    private static final long KEYS = 0x6b657973;
    private static final long VALUES = 0x76616c73;
    private static final long HEADERS = 0x68656164;
    /** Producer number for records without an identity. */
    public static final int NO_PRODUCER = -1;

    private final KeyGenerator keys;
    private final ValueGenerator values;
    private final String[] headerNames;
    private final byte[][] headerValues;
    private final ValueMaker[] ofHeaders;
    private final boolean serializes;

    private RecordGenerator(
            KeyGenerator keys,
            ValueGenerator values,
            RecordSpec.Headers headers,
            Map<String, ValueMaker> named,
            long seed,
            boolean serializes) {
        this.serializes = serializes;
        this.keys = keys;
        this.values = values;
        this.headerNames = new String[headers.all()];
        this.headerValues = new byte[headers.all()][headers.valueBytes()];
        this.ofHeaders = named.values().toArray(new ValueMaker[0]);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < headers.count(); i++) {
            headerNames[i] = headerName(i, headers.keyBytes());
            random.nextBytes(headerValues[i]);
        }
        int next = headers.count();
        for (String name : named.keySet()) {
            headerNames[next++] = name;
        }
        fillHeaders(0, 0);
    }

    /**
     * Creates a generator; its records have an {@link Identity} if {@link #identifiable}.
     * @param seed seed of the run
     * @param threadIndex 0 to {@code threadCount − 1}, among all threads of the entry
     * @param runId run ID in the stamps
     * @param source values loaded from the same {@code record}
     * @param producer producer number in the identities, beside the sequence passed to {@link #nextValue}; {@link
     *     #NO_PRODUCER} for none
     */
    public static RecordGenerator of(
            RecordSpec record,
            long seed,
            int threadIndex,
            int threadCount,
            long runId,
            PayloadSource source,
            int producer) {
        if (threadIndex < 0 || threadIndex >= threadCount) {
            throw new IllegalArgumentException("thread " + threadIndex + " of " + threadCount);
        }
        KeyGenerator keys = source.keys(record.key(), derive(seed, KEYS, threadIndex), threadIndex, threadCount);
        ValueGenerator values =
                source.values(derive(seed, VALUES, threadIndex), threadIndex, threadCount, runId, producer);
        return new RecordGenerator(
                keys,
                values,
                record.headers(),
                PayloadSource.headers(
                        record.headers(), derive(seed, HEADERS, threadIndex + 1), threadIndex, threadCount),
                derive(seed, HEADERS, 0),
                !record.schemas().isEmpty());
    }

    /** An independent seed for each use and thread. */
    private static long derive(long seed, long use, int threadIndex) {
        return new SplittableRandom(seed ^ use * 0x9e3779b97f4a7c15L ^ (long) threadIndex << 48).nextLong();
    }

    /** The index of the header, padded with {@code h} to this length; unique if the length permits. */
    private static String headerName(int index, int length) {
        byte[] name = new byte[length];
        Arrays.fill(name, (byte) 'h');
        byte[] number = Integer.toString(index).getBytes(StandardCharsets.US_ASCII);
        int shown = Math.min(number.length, length);
        System.arraycopy(number, number.length - shown, name, length - shown, shown);
        return new String(name, StandardCharsets.US_ASCII);
    }

    /**
     * The next key; null for records without a key.
     * @param intendedEpochNanos intended time in ns since 1970, 0 or more
     */
    public byte @Nullable [] nextKey(long intendedEpochNanos) {
        return keys.next().apply(intendedEpochNanos);
    }

    /**
     * @param sequence the record's number, 0 or more
     * @param intendedEpochNanos intended time in ns since 1970, 0 or more
     */
    public byte[] nextValue(long sequence, long intendedEpochNanos) {
        fillHeaders(sequence, intendedEpochNanos);
        return values.maker().next(sequence, intendedEpochNanos);
    }

    private void fillHeaders(long sequence, long intendedEpochNanos) {
        for (int i = 0; i < ofHeaders.length; i++) {
            headerValues[headerValues.length - ofHeaders.length + i] = ofHeaders[i].next(sequence, intendedEpochNanos);
        }
    }

    /** The header names, equal for all records; read-only. */
    public String[] headerNames() {
        return headerNames;
    }

    /** The header values of the last record, in the order of the header names; read-only. */
    public byte[][] headerValues() {
        return headerValues;
    }

    /** Whether headers differ from record to record. */
    public boolean headersDiffer() {
        return ofHeaders.length > 0;
    }

    /** Mean bytes of key and value. Exact, except that sequence numbers in text count as seven digits. */
    public double meanPayloadBytes() {
        return keys.meanBytes() + values.meanBytes();
    }

    /** Whether values change to another version of their schema. */
    public boolean evolves() {
        return values.maker() instanceof SchemaSupport.Writer writer && writer.evolves();
    }

    /** Changes the schema version like {@link SchemaSupport.Writer#at}, if the schema {@link #evolves}. */
    public String evolve(long nanos) {
        return ((SchemaSupport.Writer) values.maker()).at(nanos);
    }

    /** Whether keys or values are encoded with a schema. */
    public boolean serializes() {
        return serializes;
    }

    public int maxValueBytes() {
        return values.maxBytes();
    }

    /** Whether each value is large enough for an {@link Identity}. */
    public boolean identifiable() {
        return values.identifiable();
    }

    /** Whether each value starts with a {@link Stamp}: generated values do if they are large enough, templates and files do not. */
    public boolean stamped() {
        return values.stamped();
    }
}
