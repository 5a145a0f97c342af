package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pipeline anomalies on a real broker are detected: interceptors and extra producers change records as faulty
 * applications do.
 */
class PipelineAnomaliesTest {
    private static final String STEP = "plimsoll-step";
    private static final int INCARNATION_AT = 4 + 8 + 4;
    private static final int SIZE_AT = INCARNATION_AT + 8 + 8;
    private static final Map<String, Plant> PLANTS = new ConcurrentHashMap<>();
    private static final String LOAD =
            "[{topic: %1$s-in, rate: 500/s, records: 1500, record: {size: 100, key: {uniform: 20}}}]";
    private static final String TWO = """
        [{topic: %1$s-in, rate: 1000/s, records: 200, partitions: [0], record: {size: 100}}, \
        {topic: %1$s-in, rate: 300/s, records: 900, partitions: [1], record: {size: 100}}]""";
    private static final String LONG = LOAD.replace("1500", "4000");
    private static final String ABORTING = LOAD.replace("rate:", "transactions: {records: 50, abortRatio: 0.3}, rate:");

    @TempDir
    Path out;

    /** Changes to the records of one pipeline; called by one member thread at a time. */
    static class Plant {
        String topic;
        String group;
        int sent;
        boolean done;
        final List<ProducerRecord<byte[], byte[]>> kept = new ArrayList<>();

        /** @return the record to write */
        ProducerRecord<byte[], byte[]> write(ProducerRecord<byte[], byte[]> record) {
            return record;
        }

        /** @return the records that the member reads */
        List<ConsumerRecord<ByteBuffer, ByteBuffer>> read(List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
            return records;
        }

        final KafkaProducer<byte[], byte[]> producer(String transactionalId) {
            Map<String, Object> properties = new HashMap<>();
            properties.put("bootstrap.servers", SharedLab.oneBroker().bootstrapServers());
            if (transactionalId != null) {
                properties.put("transactional.id", transactionalId);
            }
            KafkaProducer<byte[], byte[]> producer =
                    new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
            if (transactionalId != null) {
                producer.initTransactions();
            }
            return producer;
        }

        final void beside(List<ProducerRecord<byte[], byte[]>> records) {
            try (KafkaProducer<byte[], byte[]> producer = producer(null)) {
                for (ProducerRecord<byte[], byte[]> record : records) {
                    var unused = producer.send(record);
                }
            }
        }

        static ProducerRecord<byte[], byte[]> like(
                ProducerRecord<byte[], byte[]> r, String to, Integer in, byte[] value) {
            return new ProducerRecord<>(to, in, r.timestamp(), r.key(), value, r.headers());
        }

        /** The same record attributed to another writer. */
        static ProducerRecord<byte[], byte[]> by(ProducerRecord<byte[], byte[]> r, long earlier, int size) {
            ByteBuffer step =
                    ByteBuffer.wrap(r.headers().lastHeader(STEP).value().clone());
            step.putLong(INCARNATION_AT, step.getLong(INCARNATION_AT) - earlier).putInt(SIZE_AT, size);
            ProducerRecord<byte[], byte[]> copy =
                    new ProducerRecord<>(r.topic(), null, r.timestamp(), r.key(), r.value(), List.<Header>of());
            copy.headers().add(STEP, step.array());
            return copy;
        }
    }

    /** Performs an action once, at a record of the pipeline. */
    private interface Deed {
        ProducerRecord<byte[], byte[]> at(Plant plant, ProducerRecord<byte[], byte[]> record);
    }

    private static Plant atRecord(int number, Deed deed) {
        return new Plant() {
            @Override
            ProducerRecord<byte[], byte[]> write(ProducerRecord<byte[], byte[]> record) {
                return sent == number ? deed.at(this, record) : record;
            }
        };
    }

    /** Keeps one record, and writes it or a part of it again after all earlier records were committed. */
    private static Plant later(Deed deed) {
        return new Plant() {
            @Override
            ProducerRecord<byte[], byte[]> write(ProducerRecord<byte[], byte[]> record) {
                if (sent == 100) {
                    kept.add(record);
                } else if (sent == 700) {
                    beside(List.of(deed.at(this, kept.get(0))));
                }
                return record;
            }
        };
    }

    private static Plant reading(UnaryOperator<List<ConsumerRecord<ByteBuffer, ByteBuffer>>> edit) {
        return new Plant() {
            @Override
            List<ConsumerRecord<ByteBuffer, ByteBuffer>> read(List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
                List<ConsumerRecord<ByteBuffer, ByteBuffer>> edited =
                        done ? records : edit.apply(new ArrayList<>(records));
                done |= !edited.equals(records);
                return edited;
            }
        };
    }

    private static List<ConsumerRecord<ByteBuffer, ByteBuffer>> swapped(
            List<ConsumerRecord<ByteBuffer, ByteBuffer>> all) {
        for (int i = 0; i < all.size() - 1; i++) {
            for (int j = i + 1; j < all.size() - 1; j++) {
                if (all.get(i).key().equals(all.get(j).key())) {
                    ConsumerRecord<ByteBuffer, ByteBuffer> first = all.get(i);
                    all.set(i, all.get(j));
                    all.set(j, first);
                    return all;
                }
            }
        }
        return all;
    }

    private static List<ConsumerRecord<ByteBuffer, ByteBuffer>> without(
            List<ConsumerRecord<ByteBuffer, ByteBuffer>> all) {
        if (all.size() > 2 && all.get(0).offset() > 50) {
            all.remove(1);
        }
        return all;
    }

    /** One key in two partitions. */
    private static final class Misrouting extends Plant {
        @Override
        ProducerRecord<byte[], byte[]> write(ProducerRecord<byte[], byte[]> record) {
            boolean same = !kept.isEmpty() && Arrays.equals(kept.get(0).key(), record.key());
            if (sent < 100 || done || (!kept.isEmpty() && !same)) {
                return record;
            }
            done = same;
            kept.add(record);
            return like(record, topic, same ? 1 : 0, record.value());
        }
    }

    /** Shows the first record of each of the first transactions, including aborted ones. */
    private static final class ShowingAborted extends Plant {
        @Override
        ProducerRecord<byte[], byte[]> write(ProducerRecord<byte[], byte[]> record) {
            if (sent % 10 == 0 && sent <= 200) {
                kept.add(record);
            } else if (sent == 700) {
                beside(kept);
            }
            return record;
        }
    }

    private static Arguments plant(String named, String load, String pipeline, Plant plant, String... also) {
        Set<String> all =
                Stream.concat(Stream.of(named.split(" ")), Stream.of(also)).collect(Collectors.toSet());
        all.remove("none");
        return Arguments.of(named, all, load, pipeline, plant);
    }

    /** A missing member is identified by its group only, as in no other call. */
    @SuppressWarnings("removal")
    static Stream<Arguments> anomalies() {
        return Stream.of(
                plant("none", LOAD, "", new Plant()),
                plant("lost", LOAD, "", reading(PipelineAnomaliesTest::without)),
                plant("doubled", LOAD, "", later((p, r) -> r)),
                plant("phantom", LOAD, "", atRecord(100, (p, r) -> {
                    p.beside(List.of(new ProducerRecord<>(p.topic, r.key(), r.value())));
                    return r;
                })),
                plant("altered", LOAD, "", atRecord(100, (p, r) -> Plant.like(r, p.topic, null, new byte[100]))),
                plant("reordered", LOAD, "", reading(PipelineAnomaliesTest::swapped)),
                plant("misrouted", LOAD, "", new Misrouting()),
                plant("abortedinput", ABORTING, "isolation.level: read_uncommitted, ", new Plant()),
                plant("abortedread", LOAD, "failing", new ShowingAborted(), "doubled", "torn"),
                plant(
                        "torn",
                        LOAD,
                        "",
                        atRecord(100, (p, r) -> Plant.like(r, p.topic + "-else", null, r.value())),
                        "lost"),
                plant("zombie", LOAD, "", later((p, r) -> Plant.by(r, 1_000, 1)), "doubled"),
                plant("rewound", TWO, "", atRecord(900, (p, r) -> {
                    try (KafkaProducer<byte[], byte[]> other = p.producer(p.group + "-other")) {
                        other.beginTransaction();
                        TopicPartition first = new TopicPartition(p.topic.replace("-out", "-in"), 0);
                        other.sendOffsetsToTransaction(
                                Map.of(first, new OffsetAndMetadata(150)), new ConsumerGroupMetadata(p.group));
                        other.commitTransaction();
                    }
                    return r;
                })),
                plant("stuck", LONG, "", atRecord(100, (p, r) -> {
                    KafkaProducer<byte[], byte[]> other = p.producer(p.group + "-other");
                    other.beginTransaction();
                    var unused = other.send(new ProducerRecord<>(p.topic, r.key(), r.value()));
                    other.flush();
                    other.close(Duration.ZERO);
                    return r;
                })),
                // Another producer takes over a member's transactional id: the broker fences the member, and no anomaly
                // results.
                plant("none", LOAD, "", atRecord(100, (p, r) -> {
                    p.producer(p.group + "-0").close();
                    return r;
                })));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("anomalies")
    @Tag("nightly")
    void findsExactlyPlantedAnomalies(String named, Set<String> all, String load, String pipeline, Plant plant) {
        String id = "anomaly-" + Integer.toHexString(System.identityHashCode(plant)) + "-" + named;
        boolean failing = pipeline.equals("failing");
        PLANTS.put(id, plant);
        plant.topic = id + "-out";
        TrialResult trial = Runs.run(
                        """
                        name: anomalies
                        topics: [{name: %1$s-in, partitions: 2}, {name: %1$s-out, partitions: 2}, {name: %1$s-out-else}]
                        producers: %2$s
                        consumers:
                          - kind: pipeline
                            topic: %1$s-in
                            output: %1$s-out
                            members: 2
                            work: {each: 0.2ms, failures: %3$s}
                            config: {%4$smax.poll.records: 20, plant.id: %1$s, interceptor.classes: %5$s}
                            outputConfig: {plant.id: %1$s, interceptor.classes: %6$s}
                        warmup: 0s
                        """.formatted(
                                        id,
                                        load.formatted(id),
                                        failing ? "1%" : "0%",
                                        failing ? "" : pipeline,
                                        Incoming.class.getName(),
                                        Outgoing.class.getName()),
                        SharedLab.oneBroker().bootstrapServers(),
                        out)
                .trials()
                .get(0);
        Map<String, Long> found = new TreeMap<>(trial.consume().events());
        found.keySet().removeIf(event -> !event.startsWith("pipeline.") || event.equals("pipeline.inputs"));
        assertThat(found.keySet().stream().map(e -> e.substring("pipeline.".length())))
                .as(found + " " + trial.judgement().warnings())
                .containsExactlyInAnyOrderElementsOf(all);
        if (all.contains("stuck")) {
            assertThat((Double) trial.observed().cluster().get("stuckSeconds")).isGreaterThan(1);
            assertThat((Double) trial.observed().cluster().get("openRecords")).isPositive();
        }
    }

    /** Intercepts records read by members. */
    public static final class Incoming implements ConsumerInterceptor<ByteBuffer, ByteBuffer> {
        private Plant plant;

        @Override
        public void configure(Map<String, ?> config) {
            plant = PLANTS.get(config.get("plant.id"));
            plant.group = String.valueOf(config.get("group.id"));
        }

        @Override
        public ConsumerRecords<ByteBuffer, ByteBuffer> onConsume(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
            Map<TopicPartition, List<ConsumerRecord<ByteBuffer, ByteBuffer>>> edited = new HashMap<>();
            Plant planted = plant;
            synchronized (planted) {
                records.partitions().forEach(p -> edited.put(p, planted.read(records.records(p))));
            }
            return new ConsumerRecords<>(edited, records.nextOffsets());
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void close() {}
    }

    /** Intercepts records written by members. */
    public static final class Outgoing implements ProducerInterceptor<byte[], byte[]> {
        private Plant plant;

        @Override
        public void configure(Map<String, ?> config) {
            plant = PLANTS.get(config.get("plant.id"));
        }

        @Override
        public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
            Plant planted = plant;
            synchronized (planted) {
                planted.sent++;
                return planted.write(record);
            }
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

        @Override
        public void close() {}
    }
}
