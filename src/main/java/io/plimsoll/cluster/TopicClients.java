package io.plimsoll.cluster;

import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeProducersResult;
import org.apache.kafka.clients.admin.DescribeProducersResult.PartitionProducerState;
import org.apache.kafka.clients.admin.DescribeTransactionsResult;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Usage of topics: producers, consumer groups, and log positions, as far as brokers report it. */
public record TopicClients(Admin admin) {
    /** Protocol types of consumer groups. */
    private static final Set<String> NO_OTHERS = Set.of("", "consumer");

    /** Active groups that read a topic, their members, and their total lag. */
    public record Readers(int groups, int members, long lag) {
        public static final Readers NONE = new Readers(0, 0, 0);

        public Readers and(Readers more) {
            return new Readers(groups + more.groups, members + more.members, lag + more.lag);
        }
    }

    /** Consumer groups by topic with committed offsets in these partitions; empty without permission. */
    public Map<String, Readers> readers(Map<TopicPartition, Long> ends) {
        Map<String, Readers> readers = new TreeMap<>();
        try {
            Map<String, ListConsumerGroupOffsetsSpec> ids = new TreeMap<>();
            for (GroupListing group : admin.listGroups().all().get()) {
                if (group.type().orElse(GroupType.CLASSIC) != GroupType.SHARE && NO_OTHERS.contains(group.protocol())) {
                    ids.put(group.groupId(), new ListConsumerGroupOffsetsSpec());
                }
            }
            var described = admin.describeConsumerGroups(ids.keySet()).describedGroups();
            for (var group : admin.listConsumerGroupOffsets(ids).all().get().entrySet()) {
                Map<String, Long> lags = new TreeMap<>();
                group.getValue().forEach((partition, offset) -> {
                    if (offset != null && ends.containsKey(partition)) {
                        lags.merge(partition.topic(), Math.max(0, ends.get(partition) - offset.offset()), Long::sum);
                    }
                });
                int members = described.get(group.getKey()).get().members().size();
                lags.forEach((topic, lag) ->
                        readers.merge(topic, new Readers(members > 0 ? 1 : 0, members, lag), Readers::and));
            }
            return readers;
        } catch (ExecutionException e) {
            // Groups need another permission than topics.
            return Map.of();
        } catch (InterruptedException e) {
            throw Answers.interrupted(e, "describe", Sentence.of("cluster.allGroups"));
        }
    }

    /** An offset for each partition; −1 if {@code spec} is a time and no record is that recent. */
    public Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, OffsetSpec spec) {
        List<String> topics =
                partitions.stream().map(TopicPartition::topic).distinct().toList();
        return Answers.offsets(
                admin, partitions, spec, new ListOffsetsOptions(), "read the offsets of", Sentence.list(topics, 3));
    }

    /** Ids of idempotent producers that wrote to each topic since then, as far as leaders remember. */
    public Map<String, Set<Long>> producers(Collection<TopicPartition> partitions, long sinceMillis) {
        DescribeProducersResult result = admin.describeProducers(partitions);
        Map<String, Set<Long>> ids = new HashMap<>();
        for (TopicPartition partition : partitions) {
            Optional<PartitionProducerState> state = Answers.await(
                    result.partitionResult(partition), "describe the producers of", partition.topic(), e -> true);
            if (state.isEmpty()) {
                // Not supported by older brokers, or not authorized.
                return Map.of();
            }
            state.get().activeProducers().stream()
                    .filter(p -> p.lastTimestamp() >= sinceMillis)
                    .forEach(p -> ids.computeIfAbsent(partition.topic(), t -> new HashSet<>())
                            .add(p.producerId()));
        }
        return ids;
    }

    /** Those of these transactional ids that are in use; empty before Kafka 3.0. */
    public Optional<Set<String>> transactionalIds(Collection<String> ids) {
        Set<String> existing = new TreeSet<>();
        DescribeTransactionsResult answers = admin.describeTransactions(ids);
        for (String id : ids) {
            try {
                if (Answers.done(
                        answers.description(id),
                        "describe transactional id",
                        id,
                        e -> e instanceof TransactionalIdNotFoundException)) {
                    existing.add(id);
                }
            } catch (PlimsollException e) {
                if (KafkaErrors.unwrap(e.getCause()) instanceof UnsupportedVersionException) {
                    return Optional.empty();
                }
                throw e;
            }
        }
        return Optional.of(existing);
    }
}
