package io.plimsoll.load.raw;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import io.plimsoll.load.raw.BatchTemplate.IdentityLevel;
import io.plimsoll.payload.Identity;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.payload.WholeValue;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.wire.Codec;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.record.internal.DefaultRecord;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A template is not reused before its bytes are free, and batches cut from it are complete. */
class TemplateRingTest {
    private static final long AMPLE = 128_000_000;

    @TempDir
    Path directory;

    private static BatchTemplate stamped(BatchTemplate template) {
        template.timestamp(1);
        template.stamp(0, 0, new long[template.records()], 0, 1);
        return template;
    }

    @Test
    void batchHoldsAsManyRecordsAsFit() {
        TemplateRing ring = Encoding.ring(Encoding.record(100), Encoding.plain(16_384), AMPLE);
        int room = 16_384 - 61;
        int records = 0;
        while (room >= kafkaSize(records)) {
            room -= kafkaSize(records);
            records++;
        }
        assertThat(ring.maxRecords()).isEqualTo(records);
        assertThat(ring.acquire(Integer.MAX_VALUE).sizeBytes()).isEqualTo(16_384 - room);
    }

    private static int kafkaSize(int offsetDelta) {
        return DefaultRecord.sizeInBytes(offsetDelta, 0, -1, 100, new org.apache.kafka.common.header.Header[0]);
    }

    /** An identity in a value that is too small would overwrite the next record. */
    @Test
    void smallestValueDeterminesIdentityLevel() {
        RecordSpec mixed = RecordSpec.DEFAULT.with(
                RecordSpec.SIZE, new RecordSpec.Sizes(List.of(new WeightedSize(20, 1), new WeightedSize(100, 1))));
        BatchTemplate batch =
                stamped(Encoding.ring(mixed, Encoding.plain(16_384), AMPLE).acquire(50));
        assertThat(batch.level()).isEqualTo(IdentityLevel.STAMP);
        assertThat(Encoding.records(batch.bytes()))
                .hasSize(50)
                .extracting(Record::valueSize)
                .contains(20, 100);
    }

    @Test
    void oversizedRecordHasItsOwnBatch() {
        TemplateRing ring = Encoding.ring(Encoding.record(5_000), Encoding.plain(1_000), AMPLE);
        assertThat(ring.maxRecords()).isEqualTo(1);
        assertThat(Encoding.records(stamped(ring.acquire(3)).bytes())).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(Codec.class)
    void templatesHaveDistinctContents(Codec codec) {
        TemplateRing ring = Encoding.ring(Encoding.record(1_000), Encoding.compressed(codec, 16_384), AMPLE);
        Set<ByteBuffer> contents = new HashSet<>();
        for (int i = 0; i < TemplateRing.TEMPLATES; i++) {
            BatchTemplate template = ring.acquire(ring.maxRecords());
            template.timestamp(0);
            template.stamp(0, 0, new long[template.records()], 0, 0);
            for (Record record : Encoding.records(template.bytes())) {
                byte[] value = Encoding.bytes(record.value());
                assertThat(contents.add(ByteBuffer.wrap(value, Identity.BYTES, value.length - Identity.BYTES)
                                .slice()))
                        .isTrue();
            }
        }
    }

    @Test
    void reusesLongestReleasedTemplateFirst() {
        TemplateRing ring = Encoding.ring(Encoding.record(100), Encoding.plain(1_000), AMPLE);
        BatchTemplate first = ring.acquire(1);
        ring.release(first);
        for (int i = 1; i < TemplateRing.TEMPLATES; i++) {
            BatchTemplate other = ring.acquire(1);
            assertThat(other).isNotSameAs(first);
            ring.release(other);
        }
        assertThat(ring.acquire(1)).isSameAs(first);
    }

    @Test
    void boundsMemory() {
        long limit = 1_000_000;
        TemplateRing ring = Encoding.ring(Encoding.record(1_000), Encoding.plain(100_000), limit);
        int count = 0;
        while (ring.acquire(1) != null) {
            count++;
            assertThat(ring.memoryBytes).isLessThanOrEqualTo(limit);
        }
        assertThat(count).isBetween(8, 10);
    }

    @Test
    void allowsOneTemplateBeyondMemoryLimit() {
        TemplateRing ring = Encoding.ring(Encoding.record(100_000), Encoding.plain(100_000), 1_000);
        BatchTemplate only = ring.acquire(1);
        assertThat(ring.acquire(1)).isNull();
        ring.release(only);
        assertThat(ring.acquire(1)).isSameAs(only);
    }

    @Test
    void growsWithinMemoryLimit() {
        TemplateRing ring = Encoding.ring(Encoding.record(100), Encoding.plain(1_000), AMPLE);
        Set<BatchTemplate> all = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 10 * TemplateRing.TEMPLATES; i++) {
            assertThat(all.add(ring.acquire(5))).isTrue();
        }
    }

    @Test
    void evictsUnusedCompressedTemplates() {
        RecordSpec record = Encoding.record(1_000);
        TemplateRing ring = Encoding.ring(record, Encoding.compressed(Codec.LZ4, 20_000), 100_000);
        for (int round = 0; round < 3; round++) {
            for (int records = 1; records <= ring.maxRecords(); records++) {
                BatchTemplate template = stamped(ring.acquire(records));
                assertThat(Encoding.records(template.bytes())).hasSize(records);
                assertThat(ring.memoryBytes).isLessThanOrEqualTo(100_000);
                ring.release(template);
            }
        }
    }

    @Test
    void compressedBatchesFillBatchSize() {
        RecordSpec half = RecordSpec.DEFAULT.with(RecordSpec.RANDOM_BYTES_RATIO, 0.5);
        for (Codec codec : List.of(Codec.GZIP, Codec.SNAPPY, Codec.LZ4, Codec.ZSTD)) {
            TemplateRing ring = Encoding.ring(half, Encoding.compressed(codec, 16_384), AMPLE);
            assertThat(ring.acquire(ring.maxRecords()).sizeBytes())
                    .as(codec.toString())
                    .isBetween(14_500, 16_384);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "lz4", "zstd"})
    void usesConfiguredCompressionLevel(String codec) {
        RecordSpec half = RecordSpec.DEFAULT.with(RecordSpec.RANDOM_BYTES_RATIO, 0.5);
        // The size of the effect depends on the contents; its existence depends only on the level.
        assertThat(Encoding.ring(half, shape(codec, 1), AMPLE).recordBytes())
                .isNotEqualTo(Encoding.ring(half, shape(codec, 9), AMPLE).recordBytes());
    }

    private static BatchShape shape(String codec, int level) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers",
                "127.0.0.1:9",
                "key.serializer",
                ByteArraySerializer.class,
                "value.serializer",
                ByteArraySerializer.class,
                "compression.type",
                codec,
                "compression." + codec + ".level",
                level);
        return RawSettings.of(new ProducerConfig(properties), 1).batch();
    }

    @Test
    void boundsRecordCountOfConstantBatches() {
        RecordSpec constant = RecordSpec.DEFAULT
                .with(RecordSpec.PAYLOAD, new RecordSpec.Payload.Constant())
                .with(RecordSpec.RANDOM_BYTES_RATIO, 0.0);
        TemplateRing ring = Encoding.ring(constant, Encoding.compressed(Codec.ZSTD, 1_000_000), 4_000_000);
        assertThat(ring.maxRecords()).isBetween(1_000, 17_000);
        assertThat(Encoding.records(stamped(ring.acquire(ring.maxRecords())).bytes()))
                .hasSize(ring.maxRecords());
    }

    @Test
    void filePiecesStayUnchanged() throws java.io.IOException {
        Path file = directory.resolve("pieces");
        List<String> pieces = List.of("short", "x".repeat(70), "y".repeat(500));
        Files.writeString(file, String.join("\n", pieces));
        RecordSpec record = RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(0))
                .with(RecordSpec.KEY, new KeySpec.Sequential(KeySpec.Type.STRING))
                .with(RecordSpec.PAYLOAD, new RecordSpec.Payload.File(file.toString(), "\n"));
        RecordGenerator generator = RecordGenerator.of(
                record, 7, 0, 1, Encoding.RUN, PayloadSource.load(record, 7), RecordGenerator.NO_PRODUCER);
        TemplateRing ring = Encoding.ring(generator, 0, Encoding.plain(2_000), AMPLE);
        for (int i = 0; i < 3 * TemplateRing.TEMPLATES; i++) {
            int wanted = ring.maxRecords();
            BatchTemplate template = stamped(ring.acquire(wanted));
            assertThat(template.level()).isEqualTo(IdentityLevel.BATCH);
            assertThat(template.sizeBytes()).isBetween(1_400, 2_000);
            assertThat(Encoding.records(template.bytes())).hasSize(wanted).allSatisfy(read -> assertThat(pieces)
                    .contains(new String(Encoding.bytes(read.value()), UTF_8)));
            ring.release(template);
        }
    }

    @Test
    void refusesToReleaseForeignOrReleasedTemplate() {
        TemplateRing ring = Encoding.ring(Encoding.record(100), Encoding.plain(1_000), AMPLE);
        TemplateRing other = Encoding.ring(Encoding.record(100), Encoding.plain(1_000), AMPLE);
        BatchTemplate template = ring.acquire(1);
        assertThatIllegalStateException().isThrownBy(() -> other.release(template));
        ring.release(template);
        assertThatIllegalStateException().isThrownBy(() -> ring.release(template));
        assertThatIllegalArgumentException().isThrownBy(() -> ring.acquire(0));
    }

    /**
     * A positive number acquires records, any other releases one batch in flight. Batches in flight must not change.
     */
    @Property(tries = 100)
    void templatesInFlightAreNeitherReusedNorChanged(
            @ForAll @Size(min = 20, max = 200) List<@IntRange(min = -6, max = 12) Integer> steps, @ForAll Codec codec) {
        BatchShape shape = new BatchShape(codec, OptionalInt.empty(), 100_000, 10);
        TemplateRing ring = Encoding.ring(Encoding.record(500), shape, 30_000);
        Queue<BatchTemplate> inFlight = new ArrayDeque<>();
        Map<BatchTemplate, byte[]> sent = new HashMap<>();
        long sequence = 0;
        for (int step : steps) {
            if (step > 0) {
                BatchTemplate template = ring.acquire(step);
                if (template == null) {
                    assertThat(inFlight).isNotEmpty();
                    continue;
                }
                assertThat(template.records()).isEqualTo(Math.min(step, 10));
                template.timestamp(sequence);
                template.stamp(1, sequence, new long[10], 0, sequence);
                sequence += template.records();
                assertThat(sent.put(template, Encoding.bytes(template.bytes()))).isNull();
                inFlight.add(template);
            } else if (!inFlight.isEmpty()) {
                BatchTemplate template = inFlight.remove();
                assertThat(Encoding.bytes(template.bytes())).isEqualTo(sent.remove(template));
                assertThat(Encoding.records(template.bytes())).hasSize(template.records());
                ring.release(template);
            }
        }
    }

    @Test
    void retryWithNewEpochNeedsOnlySeal() {
        TemplateRing ring = Encoding.ring(Encoding.record(100), Encoding.plain(100_000), AMPLE);
        BatchTemplate template = ring.acquire(600);
        template.timestamp(5);
        template.producer(9, (short) 0, 1_000);
        long[] due = new long[600];
        Arrays.setAll(due, i -> i);
        template.stamp(3, 40, due, 0, 100);
        List<Record> before = Encoding.records(template.bytes());
        template.producer(9, (short) 1, 0);
        template.seal();
        assertThat(Encoding.batch(template.bytes()).producerEpoch()).isEqualTo((short) 1);
        assertThat(Encoding.records(template.bytes())).hasSize(600).isNotEqualTo(before);
        assertThat(Encoding.records(template.bytes())).allSatisfy(read -> {
            byte[] value = new byte[read.value().remaining()];
            read.value().duplicate().get(value);
            assertThat(WholeValue.isIntact(value)).isTrue();
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = Codec.class,
            names = {"NONE", "LZ4"})
    void stampingAllocatesNothing(Codec codec) {
        TemplateRing ring = Encoding.ring(Encoding.record(100), Encoding.compressed(codec, 16_384), AMPLE);
        long[] due = new long[ring.maxRecords()];
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        int batches = 20_000;
        send(ring, due, batches);
        long before = threads.getThreadAllocatedBytes(thread);
        send(ring, due, batches);
        long allocated = threads.getThreadAllocatedBytes(thread) - before;
        assertThat(allocated).as("bytes for %d batches", batches).isLessThan(batches);
    }

    private static void send(TemplateRing ring, long[] due, int batches) {
        for (int i = 0; i < batches; i++) {
            BatchTemplate template = ring.acquire(due.length);
            template.timestamp(i);
            template.producer(1, (short) 0, i);
            template.stamp(1, (long) i * due.length, due, 0, i);
            if (template.bytes().remaining() != template.sizeBytes()) {
                throw new AssertionError();
            }
            ring.release(template);
        }
    }

    /** Records that do not fit at the end of a batch are mostly large; this must not bias small batches. */
    @Test
    void smallBatchesKeepSizeDistribution() throws Exception {
        Path file = Files.writeString(
                directory.resolve("sizes.txt"), "a".repeat(100) + "\n" + "b".repeat(100) + "\n" + "c".repeat(5000));
        RecordSpec record = RecordSpec.DEFAULT
                .with(RecordSpec.SIZE, new RecordSpec.Sizes(0))
                .with(RecordSpec.PAYLOAD, new RecordSpec.Payload.File(file.toString(), "\n"));
        TemplateRing ring = Encoding.ring(record, Encoding.plain(16_384), 60_000_000);
        int all = 1000;
        int large = 0;
        for (int i = 0; i < all; i++) {
            // None is released, so each one is different.
            List<Record> records = Encoding.records(stamped(ring.acquire(1)).bytes());
            large += records.get(0).valueSize() == 5000 ? 1 : 0;
        }
        assertThat((double) large / all).isBetween(0.25, 0.42);
    }
}
