package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.payload.Identity;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.payload.Stamp;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.wire.Codec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.Record;

/** Kafka's own reader returns the encoded records. */
class EncodingPropertiesTest {
    private static final long MILLIS = 1_700_000_000_123L;
    private static final long PRODUCER_ID = 4711;
    private static final short EPOCH = 12;
    private static final int BASE_SEQUENCE = 77;
    private static final int PRODUCER = -3;
    private static final long FIRST_SEQUENCE = 1L << 40;
    private static final long OFFSET = 1_000_000;

    /** @param count number of encoded records, the maximum of sent ones */
    record Case(RecordSpec record, Codec codec, int count) {}

    @Provide
    Arbitrary<Case> cases() {
        Arbitrary<Integer> sizes = Arbitraries.oneOf(
                // Around the minimum sizes for a stamp and for an identity.
                Arbitraries.integers().between(14, 34),
                Arbitraries.integers().between(0, 200),
                Arbitraries.integers().between(0, 20_000),
                Arbitraries.integers().between(0, 1_000_000));
        return Combinators.combine(
                        sizes,
                        keys(),
                        headers(),
                        codecs(),
                        Arbitraries.doubles().between(0, 1))
                .flatAs((size, key, headers, codec, ratio) -> {
                    int most = Math.max(1, Math.min(100_000, 1_500_000 / (size + 10)));
                    return Arbitraries.oneOf(
                                    Arbitraries.integers().between(1, Math.min(most, 100)),
                                    Arbitraries.integers().between(1, most))
                            .map(count -> new Case(
                                    RecordSpec.DEFAULT
                                            .with(RecordSpec.SIZE, new RecordSpec.Sizes(size))
                                            .with(RecordSpec.KEY, key)
                                            .with(RecordSpec.RANDOM_BYTES_RATIO, ratio)
                                            .with(RecordSpec.HEADERS, headers),
                                    codec,
                                    count));
                });
    }

    private static Arbitrary<Codec> codecs() {
        return Arbitraries.oneOf(Arbitraries.just(Codec.NONE), Arbitraries.of(Codec.class));
    }

    private static Arbitrary<KeySpec> keys() {
        Arbitrary<KeySpec.Type> types = Arbitraries.of(KeySpec.Type.class);
        return Arbitraries.oneOf(
                Arbitraries.just(new KeySpec.None()),
                types.map(KeySpec.Sequential::new),
                types.map(type -> new KeySpec.Uniform(1_000_000, type)),
                Arbitraries.strings()
                        .alpha()
                        .ofMaxLength(300)
                        .map(text -> new KeySpec.Fixed(text, KeySpec.Type.STRING)));
    }

    private static Arbitrary<RecordSpec.Headers> headers() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(0, 100),
                        Arbitraries.integers().between(0, 100))
                .as(RecordSpec.Headers::new);
    }

    @Property(tries = 50)
    void kafkaReadsEncodedRecords(@ForAll("cases") Case given, @ForAll @DoubleRange(min = 0, max = 1) double share) {
        BatchTemplate template = encode(given);
        template.cut((int) Math.max(1, Math.round(share * given.count)));
        int wanted = template.records();
        long[] due = due(wanted + 2);
        template.timestamp(MILLIS);
        template.producer(PRODUCER_ID, EPOCH, BASE_SEQUENCE);
        template.stamp(PRODUCER, FIRST_SEQUENCE, due, 2, OFFSET);

        DefaultRecordBatch batch = Encoding.batch(template.bytes());
        assertThat(template.sizeBytes()).isEqualTo(batch.sizeInBytes());
        assertHeader(batch, given.codec, wanted);
        assertRecords(Encoding.records(template.bytes()), template, given, 0, due);
    }

    /** A rejected batch is sent as two halves with the same records. */
    @Property(tries = 50)
    void partOfABatchKeepsItsRecords(
            @ForAll("cases") Case any,
            @ForAll @DoubleRange(min = 0, max = 1) double begin,
            @ForAll @DoubleRange(min = 0, max = 1) double share) {
        Case given = new Case(any.record, Codec.NONE, any.count);
        BatchTemplate whole = encode(given);
        int from = (int) Math.min(given.count - 1, Math.round(begin * given.count));
        int count = (int) Math.max(1, Math.round(share * (given.count - from)));
        long[] due = due(count + 2);
        BatchTemplate part = whole.part(from, count);
        part.timestamp(MILLIS);
        part.producer(PRODUCER_ID, EPOCH, BASE_SEQUENCE);
        part.stamp(PRODUCER, FIRST_SEQUENCE, due, 2, OFFSET);

        assertThat(part.records()).isEqualTo(count);
        assertHeader(Encoding.batch(part.bytes()), Codec.NONE, count);
        assertRecords(Encoding.records(part.bytes()), part, given, from, due);
    }

    private static BatchTemplate encode(Case given) {
        RecordGenerator generator = Encoding.generator(given.record);
        RecordEncoder encoder = new RecordEncoder(generator, generator::nextKey, Encoding.RUN, Encoding.ENCODED_AT);
        boolean plain = given.codec == Codec.NONE;
        encoder.encode(given.count, Long.MAX_VALUE, plain);
        return plain
                ? BatchTemplate.plain(encoder, null)
                : BatchTemplate.compressed(encoder, given.codec, encoder.compressed(given.codec, OptionalInt.empty()));
    }

    private static long[] due(int count) {
        long[] due = new long[count];
        Arrays.setAll(due, i -> Encoding.ENCODED_AT + 13L * i * i);
        return due;
    }

    private static void assertHeader(DefaultRecordBatch batch, Codec codec, int records) {
        assertThat(batch.magic()).isEqualTo((byte) 2);
        assertThat(batch.baseOffset()).isZero();
        assertThat(batch.lastOffset()).isEqualTo(records - 1);
        assertThat(batch.countOrNull()).isEqualTo(records);
        assertThat(batch.partitionLeaderEpoch()).isEqualTo(-1);
        assertThat(batch.compressionType().name).isEqualTo(codec.toString());
        assertThat(batch.timestampType()).isEqualTo(TimestampType.CREATE_TIME);
        assertThat(batch.isTransactional() || batch.isControlBatch()).isFalse();
        assertThat(batch.baseTimestamp()).isEqualTo(MILLIS);
        assertThat(batch.maxTimestamp()).isEqualTo(MILLIS);
        assertThat(batch.producerId()).isEqualTo(PRODUCER_ID);
        assertThat(batch.producerEpoch()).isEqualTo(EPOCH);
        assertThat(batch.baseSequence()).isEqualTo(BASE_SEQUENCE);
    }

    private static void assertRecords(List<Record> read, BatchTemplate template, Case given, int from, long[] due) {
        assertThat(read).hasSize(template.records());
        RecordGenerator twin = Encoding.generator(given.record);
        for (int i = 0; i < from; i++) {
            twin.nextKey(0);
            twin.nextValue(i, 0);
        }
        long payload = 0;
        for (int i = 0; i < read.size(); i++) {
            Record record = read.get(i);
            byte[] key = twin.nextKey(0);
            byte[] value = twin.nextValue(from + i, 0).clone();
            long intended = due[i + 2] + OFFSET;
            switch (template.level()) {
                case IDENTITY ->
                    Identity.write(value, 0, value.length, Encoding.RUN, intended, PRODUCER, FIRST_SEQUENCE + i);
                case STAMP -> Stamp.write(value, Encoding.RUN, intended);
                case BATCH -> unstamp(value, record.value());
            }
            payload += value.length + (key == null ? 0 : key.length);
            if (record.offset() != i || record.timestamp() != MILLIS) {
                assertThat(record).as("record %d", i).isNull();
            }
            assertSame(key, record.key(), i);
            assertSame(value, record.value(), i);
            assertHeaders(record, twin);
        }
        assertThat(template.payloadBytes()).isEqualTo((int) payload);
    }

    /** Compressed records do not identify their run, and cannot be mistaken for records of this one. */
    private static void unstamp(byte[] value, ByteBuffer read) {
        if (value.length >= Stamp.BYTES) {
            assertThat(Stamp.isOurs(read, Encoding.RUN)).isFalse();
            Stamp.write(value, 0, Stamp.intendedEpochNanos(read));
        }
    }

    private static void assertSame(byte[] expected, ByteBuffer read, int record) {
        if (!Arrays.equals(expected, Encoding.bytes(read))) {
            assertThat(Encoding.bytes(read)).as("record %d", record).isEqualTo(expected);
        }
    }

    private static void assertHeaders(Record record, RecordGenerator twin) {
        assertThat(record.headers().length).isEqualTo(twin.headerNames().length);
        for (int i = 0; i < record.headers().length; i++) {
            assertThat(record.headers()[i].key().getBytes(StandardCharsets.UTF_8))
                    .isEqualTo(twin.headerNames()[i].getBytes(StandardCharsets.UTF_8));
            assertThat(record.headers()[i].value()).isEqualTo(twin.headerValues()[i]);
        }
    }
}
