package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireUse;
import io.plimsoll.scenario.ConsumerSpec;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Memory cost of consuming. */
class RawConsumersTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int RECORDS = 100_000;

    private long requests;

    /** Small fetches, for many requests. */
    @Test
    @Tag("nightly")
    void fetchAllocatesLessThanOneKilobyte() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        String topic = "raw-allocation";
        fill(servers, topic);
        ConsumerSpec spec = ConsumerSpec.of(List.of(topic))
                .with(ConsumerSpec.COMMIT, new ConsumerSpec.Commit.None())
                .with(ConsumerSpec.ENGINE, "raw")
                .with(ConsumerSpec.RECORDS, OptionalLong.of(RECORDS))
                .with(ConsumerSpec.IDLE_TIMEOUT, Duration.ofSeconds(20))
                .with(ConsumerSpec.CONFIG, Map.of("max.partition.fetch.bytes", "2000", "fetch.max.bytes", "4000"));
        LoadContext context = new LoadContext(Map.of("bootstrap.servers", servers), "raw-allocation", 1, 1, text -> {});
        try (RawConsumers consumers = new RawConsumers(new ConsumerKind.Entry(
                context, spec, Slice.all(1), "consumers-0", EndToEndSource.STAMP, null, topics -> new int[] {2}))) {
            consumers.prepare(Duration.ofSeconds(30));
            long thread = Thread.getAllStackTraces().keySet().stream()
                    .filter(t -> t.getName().equals("plimsoll-raw-raw-allocation-consumers-0-group-0-0"))
                    .findFirst()
                    .orElseThrow()
                    .getId();
            long now = System.nanoTime();
            consumers.start(new TrialClock(now, now, Long.MAX_VALUE, 0));
            long[] first = await(consumers, thread, RECORDS * 2 / 3);
            long[] second = await(consumers, thread, RECORDS - RECORDS / 10);
            long between = second[0] - first[0];
            assertThat(between).isGreaterThan(300);
            assertThat((second[1] - first[1]) / between).isLessThan(1024);
        }
    }

    /** @return requests so far and allocated bytes after this number of records */
    private long[] await(RawConsumers consumers, long thread, int records) throws InterruptedException {
        while (true) {
            long allocated = THREADS.getThreadAllocatedBytes(thread);
            requests +=
                    MeterCounts.of(into -> consumers.read(into, false)).whole().get(WireUse.FETCH_REQUESTS);
            long read = consumers.consumedByPartition().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            if (read >= records) {
                return new long[] {requests, allocated};
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static void fill(String servers, String topic) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
        }
        Map<String, Object> properties = Map.of("bootstrap.servers", servers, "batch.size", 1500, "linger.ms", 20);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                var unused = producer.send(new ProducerRecord<>(topic, i % 2, null, new byte[200]));
            }
        }
    }
}
