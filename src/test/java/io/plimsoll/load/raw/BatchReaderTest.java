package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.raw.BatchReader.AbortedTransactions;
import io.plimsoll.payload.Stamp;
import io.plimsoll.wire.BatchLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MemoryRecordsBuilder;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches from Kafka's own writer: complete, truncated and damaged. */
class BatchReaderTest {
    private static final long RUN = 0x1234_5678_9abc_def0L;
    private static final long FIRST_OFFSET = 1_000_000_007L;
    private static final long TIME = 1_700_000_000_000L;

    /** Records calls of the reader. */
    private static final class RecordingSink implements BatchReader.Sink {
        long wanted = Long.MAX_VALUE;
        long records;
        long bytes;
        final List<Long> times = new ArrayList<>();
        final List<Long> appended = new ArrayList<>();
        final List<String> damage = new ArrayList<>();

        @Override
        public int claim(int count) {
            int taken = (int) Math.min(count, wanted);
            wanted -= taken;
            return taken;
        }

        @Override
        public void onRecords(int count, long size, boolean compressed) {
            records += count;
            bytes += size;
        }

        @Override
        public void onLatency(long fromEpochNanos, int count) {
            for (int i = 0; i < count; i++) {
                times.add(fromEpochNanos);
            }
        }

        @Override
        public void onAppended(long millis, int count) {
            appended.addAll(Collections.nCopies(count, millis));
        }

        @Override
        public void damaged(String kind) {
            damage.add(kind);
        }
    }

    /** For the stamp, and for the positions of records in a compressed batch. */
    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void reportsLogAppendTimeOfEachRecord(CompressionType codec) {
        SimpleRecord[] records = {new SimpleRecord(TIME, new byte[20]), new SimpleRecord(TIME, new byte[30])};
        ByteBuffer batch = MemoryRecords.withRecords(
                        RecordBatch.MAGIC_VALUE_V2,
                        FIRST_OFFSET,
                        Compression.of(codec).build(),
                        TimestampType.LOG_APPEND_TIME,
                        records)
                .buffer();
        long at = MemoryRecords.readableRecords(batch.duplicate())
                .batches()
                .iterator()
                .next()
                .maxTimestamp();
        assertThat(at).isNotEqualTo(TIME);
        for (EndToEndSource source : EndToEndSource.values()) {
            assertThat(read(batch, batch.limit(), FIRST_OFFSET, 9, source, true).appended)
                    .containsExactly(at, at);
            assertThat(read(batch, batch.limit(), FIRST_OFFSET, 1, source, true).appended)
                    .containsExactly(at);
        }
        assertThat(read(batches(codec, List.of(List.of(records)))).appended).isEmpty();
    }

    private static RecordingSink read(
            ByteBuffer data, int to, long offset, long wanted, EndToEndSource source, boolean crcs) {
        RecordingSink seen = new RecordingSink();
        seen.wanted = wanted;
        new BatchReader(crcs, source, RUN).read(data, 0, to, offset, null, seen);
        return seen;
    }

    private static RecordingSink read(ByteBuffer data) {
        return read(data, data.limit(), FIRST_OFFSET, Long.MAX_VALUE, EndToEndSource.STAMP, true);
    }

    private static ByteBuffer batches(CompressionType codec, List<List<SimpleRecord>> batches) {
        ByteBuffer all = ByteBuffer.allocate(1 << 20);
        long offset = FIRST_OFFSET;
        for (List<SimpleRecord> batch : batches) {
            ByteBuffer one = MemoryRecords.withRecords(
                            RecordBatch.MAGIC_VALUE_V2,
                            offset,
                            Compression.of(codec).build(),
                            TimestampType.CREATE_TIME,
                            batch.toArray(new SimpleRecord[0]))
                    .buffer();
            all.put(one);
            offset += batch.size();
        }
        ByteBuffer direct = ByteBuffer.allocateDirect(all.position());
        return direct.put(all.flip()).flip();
    }

    private static long payload(SimpleRecord record) {
        return (long) (record.key() == null ? 0 : record.key().remaining())
                + (record.value() == null ? 0 : record.value().remaining());
    }

    private static List<SimpleRecord> flat(List<List<SimpleRecord>> batches) {
        return batches.stream().flatMap(List::stream).toList();
    }

    private static SimpleRecord stamped(int size, int index) {
        byte[] value = new byte[Math.max(size, Stamp.BYTES)];
        Stamp.write(value, RUN, TIME * 1_000_000 + index);
        return new SimpleRecord(TIME + index, null, value);
    }

    @Provide
    static Arbitrary<List<List<SimpleRecord>>> written() {
        Arbitrary<byte[]> bytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
        Arbitrary<Header[]> headers = Combinators.combine(
                        Arbitraries.strings().alpha().ofMaxLength(5), bytes.injectNull(0.2))
                .as((key, value) -> (Header) new RecordHeader(key, value))
                .array(Header[].class)
                .ofMaxSize(3);
        Arbitrary<SimpleRecord> record = Combinators.combine(
                        Arbitraries.longs().between(0, TIME), bytes.injectNull(0.5), bytes.injectNull(0.1), headers)
                .as(SimpleRecord::new);
        return record.list().ofMinSize(1).ofMaxSize(20).list().ofMinSize(1).ofMaxSize(6);
    }

    @Property(tries = 100)
    void countsEveryRecordWithBytesAndTime(@ForAll("written") List<List<SimpleRecord>> written) {
        ByteBuffer data = batches(CompressionType.NONE, written);
        List<SimpleRecord> records = flat(written);
        RecordingSink seen = read(data, data.limit(), FIRST_OFFSET, Long.MAX_VALUE, EndToEndSource.CREATE_TIME, true);
        assertThat(seen.damage).isEmpty();
        assertThat(seen.records).isEqualTo(records.size());
        assertThat(seen.bytes)
                .isEqualTo(records.stream().mapToLong(BatchReaderTest::payload).sum());
        assertThat(seen.times)
                .isEqualTo(records.stream().map(r -> r.timestamp() * 1_000_000).toList());
        assertThat(BatchReader.nextOffset(data, 0, data.limit(), FIRST_OFFSET))
                .isEqualTo(FIRST_OFFSET + records.size());
    }

    @Property(tries = 100)
    void countsRequestedRangeExactly(
            @ForAll("written") List<List<SimpleRecord>> written,
            @ForAll @IntRange(max = 130) int skipped,
            @ForAll @IntRange(max = 130) int wanted) {
        ByteBuffer data = batches(CompressionType.NONE, written);
        List<SimpleRecord> records = flat(written);
        // Brokers begin with the batch that contains the offset.
        int skip = Math.min(skipped, written.get(0).size() - 1);
        RecordingSink seen = read(data, data.limit(), FIRST_OFFSET + skip, wanted, EndToEndSource.CREATE_TIME, true);
        List<SimpleRecord> expected = records.subList(skip, Math.min(records.size(), skip + wanted));
        assertThat(seen.damage).isEmpty();
        assertThat(seen.records).isEqualTo(expected.size());
        assertThat(seen.bytes)
                .isEqualTo(expected.stream().mapToLong(BatchReaderTest::payload).sum());
        assertThat(seen.times)
                .isEqualTo(expected.stream().map(r -> r.timestamp() * 1_000_000).toList());
    }

    @Property(tries = 100)
    void truncatedBatchWaitsForNextFetch(
            @ForAll("written") List<List<SimpleRecord>> written, @ForAll @IntRange(max = 1 << 20) int cut) {
        ByteBuffer data = batches(CompressionType.NONE, written);
        int to = cut % (data.limit() + 1);
        int whole = 0;
        int at = 0;
        for (List<SimpleRecord> batch : written) {
            at += BatchLayout.LENGTH_COUNTS_FROM + data.getInt(at + BatchLayout.LENGTH);
            if (at > to) {
                break;
            }
            whole += batch.size();
        }
        RecordingSink seen = read(data, to, FIRST_OFFSET, Long.MAX_VALUE, EndToEndSource.NONE, true);
        assertThat(seen.damage).isEmpty();
        assertThat(seen.records).isEqualTo(whole);
        assertThat(BatchReader.nextOffset(data, 0, to, FIRST_OFFSET)).isEqualTo(FIRST_OFFSET + whole);
    }

    /** Many records of one shape and a few exceptions, which must be read correctly. */
    @Property(tries = 150)
    void readsExceptionsAmongUniformRecords(
            @ForAll @IntRange(min = 1, max = 400) int count,
            @ForAll @IntRange(max = 200) int size,
            @ForAll @IntRange(min = 1, max = 20) int oneIn,
            @ForAll Random random) {
        List<SimpleRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SimpleRecord usual = stamped(size, i);
            byte[] value = new byte[usual.value().remaining()];
            usual.value().get(value);
            if (random.nextInt(oneIn) > 0) {
                records.add(new SimpleRecord(TIME, (byte[]) null, value));
                continue;
            }
            // Equal total length, divided differently between key, value and headers.
            int part = 1 + random.nextInt(value.length);
            byte[] rest = java.util.Arrays.copyOf(value, value.length - part);
            byte[] other = new byte[Math.max(0, part - random.nextInt(5))];
            records.add(
                    random.nextBoolean()
                            ? new SimpleRecord(TIME, other, rest)
                            : new SimpleRecord(TIME + i, null, rest, new Header[] {new RecordHeader("", other)}));
        }
        RecordingSink seen = read(batches(CompressionType.NONE, List.of(records)));
        assertThat(seen.damage).isEmpty();
        assertThat(seen.records).isEqualTo(count);
        assertThat(seen.bytes)
                .isEqualTo(records.stream().mapToLong(BatchReaderTest::payload).sum());
        assertThat(seen.times)
                .isEqualTo(records.stream()
                        .filter(r -> Stamp.isOurs(r.value(), RUN))
                        .map(r -> Stamp.intendedEpochNanos(r.value()))
                        .toList());
    }

    /** The batches before the damage count, at any position. */
    @Property(tries = 300)
    void reportsDamageAndNeverCountsIt(
            @ForAll("written") List<List<SimpleRecord>> written,
            @ForAll @IntRange(max = 1 << 20) int where,
            @ForAll @IntRange(min = 1, max = 255) int flip) {
        ByteBuffer data = batches(CompressionType.NONE, written);
        int at = where % data.limit();
        int batch = 0;
        int start = 0;
        while (end(data, start) <= at) {
            start = end(data, start);
            batch++;
        }
        int field = at - start;
        data.put(at, (byte) (data.get(at) ^ flip));
        RecordingSink seen = read(data);
        long before = written.subList(0, batch).stream().mapToInt(List::size).sum();
        long all = flat(written).size();
        if (field >= BatchLayout.MAGIC) {
            assertThat(seen.damage).hasSize(1);
            assertThat(seen.records).isEqualTo(before);
        } else if (field >= BatchLayout.PARTITION_LEADER_EPOCH) {
            // Not covered by the checksum, like the offset: the broker fills them in.
            assertThat(seen.records).isEqualTo(all);
        } else if (field >= BatchLayout.LENGTH) {
            // An excessive length looks like a truncated batch.
            assertThat(seen.records).isEqualTo(before);
        } else {
            assertThat(seen.records).isBetween(before, all);
        }
        long next = BatchReader.nextOffset(data, 0, data.limit(), FIRST_OFFSET);
        assertThat(next).isGreaterThanOrEqualTo(FIRST_OFFSET);
    }

    private static int end(ByteBuffer data, int start) {
        return start + BatchLayout.LENGTH_COUNTS_FROM + data.getInt(start + BatchLayout.LENGTH);
    }

    @Property(tries = 300)
    void survivesNoiseWithOrWithoutChecksums(
            @ForAll("written") List<List<SimpleRecord>> written, @ForAll Random random, @ForAll boolean crcs) {
        ByteBuffer data = batches(CompressionType.NONE, written);
        for (int i = 0; i < 1 + data.limit() / 50; i++) {
            data.put(random.nextInt(data.limit()), (byte) random.nextInt());
        }
        RecordingSink seen = read(data, data.limit(), FIRST_OFFSET, Long.MAX_VALUE, EndToEndSource.STAMP, crcs);
        if (crcs) {
            assertThat(seen.records).isLessThanOrEqualTo(flat(written).size());
        }
        assertThat(seen.bytes).isBetween(0L, (long) data.limit());
    }

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
    void countsCompressedBatchesByHeader(CompressionType codec) {
        List<SimpleRecord> records = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            records.add(stamped(100, i));
        }
        ByteBuffer data = batches(codec, List.of(records, records.subList(0, 10)));
        RecordingSink seen = read(data);
        assertThat(seen.records).isEqualTo(1010);
        assertThat(seen.bytes).isEqualTo(data.limit());
        assertThat(seen.times).isEmpty();
        assertThat(seen.damage).isEmpty();
        assertThat(read(data, data.limit(), FIRST_OFFSET + 400, Long.MAX_VALUE, EndToEndSource.NONE, true).records)
                .isEqualTo(610);
        data.put(500, (byte) ~data.get(500));
        assertThat(read(data).records).isZero();
        assertThat(read(data).damage).containsExactly("corruptRecord");
        assertThat(read(data, data.limit(), FIRST_OFFSET, Long.MAX_VALUE, EndToEndSource.NONE, false).damage)
                .as("checksums can be left out")
                .isEmpty();
    }

    @Test
    void readsIntendedTimesFromStamps() {
        List<SimpleRecord> records = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            records.add(stamped(16 + i, i));
        }
        records.add(new SimpleRecord(
                TIME, "of somebody else, and long enough".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        records.add(new SimpleRecord(TIME, null, (byte[]) null));
        RecordingSink seen = read(batches(CompressionType.NONE, List.of(records)));
        assertThat(seen.records).isEqualTo(302);
        assertThat(seen.times).hasSize(300).startsWith(TIME * 1_000_000).endsWith(TIME * 1_000_000 + 299);
    }

    @Test
    void skipsAbortedRecordsAndMarkers() {
        ByteBuffer all = ByteBuffer.allocate(10_000);
        long offset = 0;
        offset = transactional(all, 1, offset, 3); // aborted
        offset = transactional(all, 2, offset, 4); // committed
        offset = marker(all, 1, offset, ControlRecordType.ABORT);
        offset = transactional(all, 1, offset, 5); // committed
        offset = marker(all, 2, offset, ControlRecordType.COMMIT);
        offset = transactional(all, 2, offset, 6); // aborted
        offset = marker(all, 1, offset, ControlRecordType.COMMIT);
        offset = marker(all, 2, offset, ControlRecordType.ABORT);
        all.flip();
        AbortedTransactions aborted = new AbortedTransactions();
        aborted.add(2, 14);
        aborted.add(1, 0);
        RecordingSink committed = new RecordingSink();
        new BatchReader(true, EndToEndSource.NONE, RUN).read(all, 0, all.limit(), 0, aborted, committed);
        assertThat(committed.records).isEqualTo(4 + 5);
        assertThat(committed.damage).isEmpty();
        assertThat(read(all, all.limit(), 0, Long.MAX_VALUE, EndToEndSource.NONE, true).records)
                .isEqualTo(3 + 4 + 5 + 6);
        assertThat(BatchReader.nextOffset(all, 0, all.limit(), 0)).isEqualTo(offset);
    }

    private static long transactional(ByteBuffer to, long producerId, long offset, int records) {
        MemoryRecordsBuilder builder = new MemoryRecordsBuilder(
                ByteBuffer.allocate(1000),
                RecordBatch.MAGIC_VALUE_V2,
                Compression.NONE,
                TimestampType.CREATE_TIME,
                offset,
                TIME,
                producerId,
                (short) 0,
                0,
                true,
                false,
                0,
                1000);
        for (int i = 0; i < records; i++) {
            builder.append(TIME, null, new byte[10]);
        }
        to.put(builder.build().buffer());
        return offset + records;
    }

    private static long marker(ByteBuffer to, long producerId, long offset, ControlRecordType type) {
        to.put(MemoryRecords.withEndTransactionMarker(
                        offset, TIME, 0, producerId, (short) 0, new EndTransactionMarker(type, 0))
                .buffer());
        return offset + 1;
    }
}
