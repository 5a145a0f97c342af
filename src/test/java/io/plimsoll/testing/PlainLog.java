package io.plimsoll.testing;

import io.plimsoll.payload.WholeValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The contents of a topic as read by a plain consumer: ground truth for audits. */
public final class PlainLog {
    private record Id(long producer, long sequence) {}

    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

    /** Reads all partitions to their ends. */
    public PlainLog(String bootstrapServers, String topic, String isolation) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", bootstrapServers, "isolation.level", isolation, "auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
    }

    public List<ConsumerRecord<byte[], byte[]>> records() {
        return records;
    }

    private static Id id(ConsumerRecord<byte[], byte[]> record) {
        return new Id(WholeValue.producer(record.value()), WholeValue.sequence(record.value()));
    }

    /** Offsets of records with an invalid checksum. */
    public List<Long> damagedOffsets() {
        return records.stream()
                .filter(r -> !WholeValue.isIntact(r.value()))
                .map(ConsumerRecord::offset)
                .toList();
    }

    /** Number of duplicate records. */
    public long duplicates() {
        Set<Id> seen = new HashSet<>();
        return records.stream().filter(r -> !seen.add(id(r))).count();
    }

    /** Number of records that first appear after a later record of the same producer. */
    public long reordered() {
        Map<List<Integer>, Long> highest = new HashMap<>();
        Set<Id> seen = new HashSet<>();
        long count = 0;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Id id = id(record);
            List<Integer> place = List.of(record.partition(), (int) id.producer());
            boolean late = id.sequence() < highest.getOrDefault(place, -1L);
            highest.merge(place, id.sequence(), Math::max);
            if (seen.add(id) && late) {
                count++;
            }
        }
        return count;
    }
}
