package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireUse;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.ScenarioReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory cost and number of connections of producing. */
class RawProducersTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    Path directory;

    private static void create(String topic) throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(new NewTopic(topic, 4, (short) 1))).all().get();
        }
    }

    private static RawProducers producers(String servers, String topic, String more) {
        String yaml = "topics: [{name: %1$s, partitions: 4}]\nproducers: [{topic: %1$s, engine: raw, %2$s}]\n";
        ProducerSpec spec = ScenarioReader.read(yaml.formatted(topic, more), "test", List.of(), 1)
                .trials()
                .get(0)
                .scenario()
                .producers()
                .get(0);
        LoadContext context = new LoadContext(Map.of("bootstrap.servers", servers), topic, 1, 1, text -> {});
        RawProducers producers = new RawProducers(new ProducerKind.Entry(
                context,
                spec,
                Slice.all(spec.clients()),
                "producers-0",
                WarmupEnd.after(0),
                topics -> new int[] {4},
                Set.of()));
        producers.prepare(Duration.ofSeconds(30));
        return producers;
    }

    private static TrialClock clock() {
        long now = System.nanoTime();
        return new TrialClock(now, now, Long.MAX_VALUE, 0);
    }

    /** Requests of the producers counted so far. */
    private long requests;

    private long records;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate: 50000/s, record: {size: 100, key: {uniform: 1000}}, config: {linger.ms: 1}",
                "record: {size: 100}, config: {batch.size: 2000}",
                "record: {size: 100}, config: {batch.size: 2000, acks: 0, enable.idempotence: false}"
            })
    @Tag("nightly")
    void allocatesLittlePerRequest(String more) throws Exception {
        String topic = "raw-produce-allocation-" + Integer.toHexString(more.hashCode());
        create(topic);
        try (RawProducers producers = producers(SharedLab.oneBroker().bootstrapServers(), topic, more)) {
            long thread = Thread.getAllStackTraces().keySet().stream()
                    .filter(t -> t.getName().equals("plimsoll-raw-" + topic + "-producers-0-0"))
                    .findFirst()
                    .orElseThrow()
                    .getId();
            producers.start(clock());
            // Warms the code up: uncompiled code allocates objects that compiled code avoids.
            await(producers, 6_000);
            long first = requests;
            long firstRecord = records;
            long before = THREADS.getThreadAllocatedBytes(thread);
            await(producers, first + 1_500);
            long bytes = THREADS.getThreadAllocatedBytes(thread) - before;
            // On a busy host a request carries the accumulated records, each with a few bytes.
            assertThat(bytes).isLessThan(1024 * (requests - first) + 16 * (records - firstRecord));
            producers.stop();
        }
    }

    private void await(RawProducers producers, long wanted) throws InterruptedException {
        while (requests < wanted) {
            TimeUnit.MILLISECONDS.sleep(1);
            Counts wire = MeterCounts.of(producers::read).whole();
            requests += wire.get(WireUse.REQUESTS);
            records += wire.get(WireUse.BATCHED_RECORDS);
        }
    }

    /** The broker opens partitions one after another: at first it does not lead the last ones. */
    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void failsOnlyRecordsThatAreTooLarge(String idempotent) throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        String topic = "raw-too-large-" + idempotent;
        List<String> others =
                IntStream.range(0, 30).mapToObj(i -> topic + "-" + i).toList();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            NewTopic small = new NewTopic(topic, 4, (short) 1).configs(Map.of("max.message.bytes", "3000"));
            Stream<NewTopic> many = others.stream().map(name -> new NewTopic(name, 20, (short) 1));
            admin.createTopics(Stream.concat(many, Stream.of(small)).toList())
                    .all()
                    .get();
        }
        Path lines = directory.resolve("lines.txt");
        Files.writeString(lines, "x".repeat(100) + "\n" + "y".repeat(100) + "\n" + "z".repeat(5000) + "\n");
        String more = "records: 2000, record: {payload: {file: \"" + lines + "\"}}, config: {enable.idempotence: "
                + idempotent + "}";
        try (RawProducers producers = producers(servers, topic, more)) {
            producers.start(clock());
            assertThat(producers.awaitSent(Duration.ofSeconds(60))).isTrue();
            assertThat(producers.drain(Duration.ofSeconds(60))).isTrue();
            Counts counts = MeterCounts.of(producers::read).measured();
            long failed = counts.get(Produced.ERRORS).getOrDefault("recordTooLarge", 0L);
            assertThat(counts.get(Produced.ERRORS)).containsOnlyKeys("recordTooLarge");
            // Every third line is too large: 667 of 2000 random lines; 105 are five standard deviations.
            assertThat(failed).isBetween(562L, 772L);
            assertThat(counts.get(Produced.ACKNOWLEDGED)).isEqualTo(2000 - failed);
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
                Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
                for (int p = 0; p < 4; p++) {
                    ends.put(new TopicPartition(topic, p), OffsetSpec.latest());
                }
                long written = admin.listOffsets(ends).all().get().values().stream()
                        .mapToLong(o -> o.offset())
                        .sum();
                assertThat(written).isEqualTo(counts.get(Produced.ACKNOWLEDGED));
                admin.deleteTopics(others).all().get();
            }
        }
    }

    @Test
    void opensRequestedConnectionsPerClient() throws Exception {
        NullBrokerOptions options = new NullBrokerOptions().topic("connections", 4);
        try (NullBroker broker = NullBroker.start(options);
                RawProducers producers = producers(
                        broker.bootstrapServers(), "connections", "connections: 3, clients: 2, records: 4000")) {
            producers.start(clock());
            assertThat(producers.awaitSent(Duration.ofSeconds(30))).isTrue();
            assertThat(producers.drain(Duration.ofSeconds(30))).isTrue();
            assertThat(broker.stats().records()).isEqualTo(4000);
            // In addition each client requests metadata once.
            assertThat(broker.stats().connections()).isEqualTo(2 * (3 + 1));
        }
    }
}
