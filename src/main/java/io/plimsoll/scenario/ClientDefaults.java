package io.plimsoll.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The defaults of an earlier Kafka client, as far as they differ from those of the one in use (4.x). An experiment that
 * was published with "default settings" is another one with today's.
 */
enum ClientDefaults {
    /** 2.4 to 2.8: acks=1 and no idempotence until 3.0, no linger until 4.0, a fixed retry backoff until 3.7. */
    KAFKA_2(
            Map.of(
                    "acks", "1",
                    "enable.idempotence", "false",
                    "linger.ms", "0",
                    // Partitions were chosen regardless of how fast their brokers are until 3.3.
                    "partitioner.adaptive.partitioning.enable", "false",
                    "retry.backoff.max.ms", "100",
                    "metadata.recovery.strategy", "none"),
            Map.of(
                    "session.timeout.ms", "10000",
                    "partition.assignment.strategy", "org.apache.kafka.clients.consumer.RangeAssignor",
                    "retry.backoff.max.ms", "100",
                    "metadata.recovery.strategy", "none")),
    /** 3.3 to 3.9. */
    KAFKA_3(
            Map.of("linger.ms", "0", "metadata.recovery.strategy", "none"),
            Map.of("metadata.recovery.strategy", "none")),
    KAFKA_4(Map.of(), Map.of());

    static final Map<String, ClientDefaults> BY_NAME =
            new TreeMap<>(Map.of("kafka-2.x", KAFKA_2, "kafka-3.x", KAFKA_3, "kafka-4.x", KAFKA_4));

    private final Map<String, String> producer;
    private final Map<String, String> consumer;

    ClientDefaults(Map<String, String> producer, Map<String, String> consumer) {
        this.producer = producer;
        this.consumer = consumer;
    }

    /** The scenario's own properties above these defaults. */
    Map<String, String> producer(Map<String, String> own, boolean transactional) {
        Map<String, String> all = new LinkedHashMap<>(producer);
        if (transactional || "true".equals(own.get("enable.idempotence"))) {
            // Who asked for idempotence got acks=all with it.
            all.remove("enable.idempotence");
            all.remove("acks");
        }
        all.putAll(own);
        return Collections.unmodifiableMap(all);
    }

    Map<String, String> consumer(Map<String, String> own) {
        Map<String, String> all = new LinkedHashMap<>(consumer);
        if (own.containsKey("group.protocol") && !own.get("group.protocol").equals("classic")) {
            // The newer protocol has these settings on the broker and refuses them here.
            all.remove("session.timeout.ms");
            all.remove("partition.assignment.strategy");
        }
        all.putAll(own);
        return Collections.unmodifiableMap(all);
    }
}
