package io.plimsoll.cluster;

import io.plimsoll.Exit;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Looks at a consumer group of others without touching it: Admin tells what it has committed and who its members are, and
 * a consumer without a group reads the first record that it has not committed, for that record's time. Nothing joins,
 * commits or subscribes. Used by one thread at a time, but for {@link #close()}.
 */
public final class GroupWatch implements AutoCloseable {
    private static final Duration READING = Duration.ofMillis(800);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final String READ_ENDS = "read the end offsets of the topics of group";
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration CLOSING = Duration.ofSeconds(1);
    /** A batch that is larger is read all the same, one in each answer. */
    private static final int BATCH_BYTES = 65_536;

    private final Admin admin;
    private final KafkaConsumer<byte[], byte[]> reader;
    private final String group;
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    /** What is not answered yet: a partition without a leader must not keep the others waiting. */
    private final Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> asked = new HashMap<>();

    /**
     * How far a group is in its partitions.
     *
     * @param committed the offsets that it has committed; partitions without one are left out
     * @param ends the offset that the next record of each of them will get
     */
    public record Progress(Map<TopicPartition, Long> committed, Map<TopicPartition, Long> ends) {
        /** Records that it has not read. */
        public long lag(TopicPartition partition) {
            return Math.max(0, ends.getOrDefault(partition, 0L) - committed.get(partition));
        }
    }

    /**
     * Who is in a group.
     *
     * @param stable nobody is waiting for partitions
     * @param assigned the partitions of each member, by its id
     */
    public record Members(boolean stable, Map<String, Set<TopicPartition>> assigned) {
        /** Whether there are members, and none of them waits. */
        public boolean settled() {
            return stable && !assigned.isEmpty();
        }
    }

    public GroupWatch(ClusterConnection connection, String group) {
        this.group = group;
        this.admin = connection.admin();
        Map<String, Object> config = connection.clientProperties();
        config.remove(ConsumerConfig.GROUP_ID_CONFIG);
        config.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, "plimsoll-lag");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, BATCH_BYTES);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        try {
            reader = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        } catch (KafkaException e) {
            admin.close(CLOSING);
            throw connection.unusable(e);
        }
    }

    /** The topics in which it has committed offsets, or whose partitions its members have. */
    public Set<String> topics() {
        Set<TopicPartition> partitions = new HashSet<>(committed().keySet());
        members().ifPresent(m -> m.assigned().values().forEach(partitions::addAll));
        Exit.CLUSTER.when(partitions.isEmpty(), "cluster.groupReadsNothing", group);
        return partitions.stream().map(TopicPartition::topic).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Asks how far it is. A partition without a leader gets no records, so that its end stays what it was; where that is
     * unknown, it is left out.
     *
     * @throws PlimsollException if the cluster does not say
     */
    public Progress progress() {
        Map<TopicPartition, Long> committed = committed();
        askEnds(committed.keySet());
        committed.keySet().retainAll(ends.keySet());
        return new Progress(committed, Map.copyOf(ends));
    }

    private void askEnds(Set<TopicPartition> partitions) {
        ends.keySet().retainAll(partitions);
        asked.keySet().retainAll(partitions);
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.stream().filter(p -> !asked.containsKey(p)).forEach(p -> wanted.put(p, OffsetSpec.latest()));
        ListOffsetsResult answers = admin.listOffsets(wanted);
        wanted.keySet().forEach(p -> asked.put(p, answers.partitionResult(p)));
        Answers.settle(wanted.keySet().stream().map(asked::get).toList(), PATIENCE, READ_ENDS, group);
        // Where nobody answers the cluster is slow, and what it will say is waited for.
        boolean none = asked.values().stream().noneMatch(KafkaFuture::isDone);
        for (TopicPartition partition : List.copyOf(asked.keySet())) {
            if (none || asked.get(partition).isDone()) {
                Answers.await(asked.remove(partition), READ_ENDS, group, e -> !none && isWithoutLeader(e))
                        .ifPresent(info -> ends.put(partition, info.offset()));
            }
        }
    }

    /** The partitions whose ends nobody told at the last look: what is known of them is as it was, or nothing. */
    public List<String> untold() {
        return asked.keySet().stream().map(TopicPartition::toString).sorted().toList();
    }

    private static boolean isWithoutLeader(Throwable e) {
        return e instanceof TimeoutException
                || e instanceof LeaderNotAvailableException
                || e instanceof UnknownTopicOrPartitionException;
    }

    private Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> committed = new HashMap<>();
        Answers.await(
                        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(),
                        "read the offsets of group",
                        group)
                .forEach((partition, offset) -> committed.put(partition, offset == null ? null : offset.offset()));
        committed.values().removeIf(Objects::isNull);
        return committed;
    }

    /** Asks who is in it; empty if there is no such group. */
    public Optional<Members> members() {
        return Answers.await(
                        admin.describeConsumerGroups(Set.of(group))
                                .describedGroups()
                                .get(group),
                        "describe consumer group",
                        group,
                        e -> e instanceof GroupIdNotFoundException)
                .filter(found -> found.groupState() != GroupState.DEAD)
                .map(GroupWatch::members);
    }

    private static Members members(ConsumerGroupDescription found) {
        Map<String, Set<TopicPartition>> assigned = new HashMap<>();
        found.members().forEach(m -> assigned.put(m.consumerId(), m.assignment().topicPartitions()));
        boolean stable = found.groupState() == GroupState.STABLE || found.groupState() == GroupState.EMPTY;
        return new Members(stable, assigned);
    }

    /**
     * Reads, for each partition with unread records, the time of the first of them, in milliseconds since 1970; partitions
     * of which that is not known in time are left out.
     */
    public Map<TopicPartition, Long> firstUnread(Progress progress) {
        Map<TopicPartition, Long> times = new HashMap<>();
        Set<TopicPartition> missing = new HashSet<>(progress.committed().keySet());
        missing.removeIf(partition -> progress.lag(partition) == 0);
        try {
            reader.resume(reader.assignment());
            reader.assign(missing);
            missing.forEach(
                    partition -> reader.seek(partition, progress.committed().get(partition)));
            long untilNanos = System.nanoTime() + READING.toNanos();
            while (!missing.isEmpty() && System.nanoTime() < untilNanos) {
                ConsumerRecords<byte[], byte[]> records = reader.poll(POLL);
                records.forEach(r -> times.put(new TopicPartition(r.topic(), r.partition()), r.timestamp()));
                missing.removeAll(records.partitions());
                reader.pause(records.partitions());
            }
        } catch (KafkaException e) {
            throw KafkaErrors.explain(e, "read the first unread records of group", group);
        }
        times.values().removeIf(millis -> millis < 0);
        return times;
    }

    @Override
    public void close() {
        reader.close(CloseOptions.timeout(CLOSING));
        admin.close(CLOSING);
    }
}
