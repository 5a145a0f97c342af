package io.plimsoll.cluster;

import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The groups of a cluster, through the Admin API. */
public record Groups(Admin admin) {
    /**
     * Maximum number of attempts to delete a group. Brokers can still count a member that just left. A member that
     * could not leave properly, with thousands of commits in flight, counts until its session times out: 10 s in 2.x
     * clients. A coordinator can also be loading.
     */
    private static final int ATTEMPTS = 120;

    private static final long BETWEEN_ATTEMPTS_MILLIS = 100;
    /** Protocol types of consumer groups; a group that never had a member has no type. */
    private static final Set<String> CONSUMERS = Set.of("consumer", "");
    /** Protocol type of Kafka Streams since KIP-1071; previously, its groups were consumer groups. */
    private static final String STREAMS = "streams";

    /** The groups among these that exist, as far as the user may list them. */
    public Set<String> existing(Collection<String> ids) {
        return types(ids).keySet();
    }

    /** Ids of groups that commit offsets, excluding share groups and Connect workers. */
    public List<String> consuming() {
        return list().filter(Groups::commits)
                .map(GroupListing::groupId)
                .sorted()
                .toList();
    }

    /** Whether a group commits offsets, unlike share groups and Connect workers. */
    static boolean commits(GroupListing group) {
        return group.type().orElse(GroupType.UNKNOWN) != GroupType.SHARE
                && (CONSUMERS.contains(group.protocol()) || group.protocol().equals(STREAMS));
    }

    /**
     * Those groups that a consumer cannot join: they are neither consumer groups nor share groups, but belong to
     * Connect workers or to Kafka Streams.
     */
    public Set<String> ofOtherKinds(Collection<String> ids) {
        Set<String> wanted = Set.copyOf(ids);
        return list().filter(group -> wanted.contains(group.groupId()))
                .filter(group -> group.type().orElse(GroupType.UNKNOWN) != GroupType.SHARE)
                .filter(group -> !CONSUMERS.contains(group.protocol()))
                .map(GroupListing::groupId)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<GroupListing> list() {
        return Answers.await(admin.listGroups().all(), "list", Sentence.of("cluster.allGroups")).stream();
    }

    private Map<String, GroupType> types(Collection<String> ids) {
        Map<String, GroupType> types = new TreeMap<>();
        Set<String> wanted = Set.copyOf(ids);
        list().filter(group -> wanted.contains(group.groupId()))
                .forEach(group -> types.put(group.groupId(), group.type().orElse(GroupType.UNKNOWN)));
        return types;
    }

    /** Current number of members by group; missing groups are omitted. */
    public Map<String, Integer> members(Collection<String> ids) {
        Map<String, Integer> members = new TreeMap<>();
        Map<String, GroupType> existing = types(ids);
        Set<String> shares = new TreeSet<>(existing.keySet());
        shares.removeIf(id -> existing.get(id) != GroupType.SHARE);
        existing.keySet().removeAll(shares);
        admin.describeConsumerGroups(existing.keySet())
                .describedGroups()
                .forEach((id, group) -> members.put(
                        id,
                        Answers.await(group, KafkaErrors.DESCRIBE_GROUP, id)
                                .members()
                                .size()));
        admin.describeShareGroups(shares)
                .describedGroups()
                .forEach((id, group) -> members.put(
                        id,
                        Answers.await(group, "describe share group", id)
                                .members()
                                .size()));
        return members;
    }

    public Set<String> committedTopics(String id) {
        Set<TopicPartition> committed = types(List.of(id)).get(id) == GroupType.SHARE
                ? shareOffsets(id).keySet()
                : Answers.await(
                                admin.listConsumerGroupOffsets(id).partitionsToOffsetAndMetadata(),
                                "read the offsets of",
                                id)
                        .keySet();
        return committed.stream().map(TopicPartition::topic).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Deletes these groups with their offsets; missing groups are ignored. */
    public void delete(Collection<String> ids) {
        Set<String> left = new TreeSet<>(ids);
        for (int attempt = 1; !left.isEmpty(); attempt++) {
            Map<String, KafkaFuture<Void>> deletions =
                    admin.deleteConsumerGroups(left).deletedGroups();
            for (Map.Entry<String, KafkaFuture<Void>> deletion : deletions.entrySet()) {
                if (deleted(deletion.getKey(), deletion.getValue(), attempt == ATTEMPTS)) {
                    left.remove(deletion.getKey());
                }
            }
            if (!left.isEmpty()) {
                Answers.pause(BETWEEN_ATTEMPTS_MILLIS, "delete consumer group", left);
            }
        }
    }

    private static boolean deleted(String id, KafkaFuture<Void> deletion, boolean lastAttempt) {
        try {
            deletion.get();
            return true;
        } catch (ExecutionException e) {
            Throwable cause = KafkaErrors.unwrap(e);
            if (cause instanceof GroupIdNotFoundException) {
                return true;
            }
            boolean temporary = cause instanceof GroupNotEmptyException
                    || (cause instanceof RetriableException && !(cause instanceof TimeoutException));
            if (temporary && !lastAttempt) {
                return false;
            }
            throw KafkaErrors.explain(e, "delete consumer group", id);
        } catch (InterruptedException e) {
            throw Answers.interrupted(e, "delete consumer group", id);
        }
    }

    /** Changes settings of a share group, which does not need to exist; returns the previous values, null if unset. */
    public Map<String, @Nullable String> configure(String id, Map<String, String> settings) {
        Map<String, @Nullable String> before = new TreeMap<>();
        settings.keySet().forEach(name -> before.put(name, null));
        for (ConfigEntry entry : settings(id)) {
            if (before.containsKey(entry.name()) && entry.source() == ConfigSource.DYNAMIC_GROUP_CONFIG) {
                before.put(entry.name(), entry.value());
            }
        }
        set(id, settings);
        return before;
    }

    /** Changes settings of a share group; null removes a setting. */
    public void set(String id, Map<String, @Nullable String> settings) {
        List<AlterConfigOp> changes = new ArrayList<>();
        settings.forEach((name, value) -> changes.add(
                new AlterConfigOp(new ConfigEntry(name, value), value == null ? OpType.DELETE : OpType.SET)));
        Answers.await(
                admin.incrementalAlterConfigs(Map.of(group(id), changes)).all(), "set the settings of share group", id);
    }

    /** Limits of a share group: delivery attempts per record, acquired records per partition, lock duration, session timeout. */
    public record Limits(int deliveries, int recordLocks, Duration lock, Duration session) {}

    public Limits limits(String id) {
        Collection<ConfigEntry> settings = settings(id);
        return new Limits(
                number(settings, "share.delivery.count.limit", 5),
                number(settings, "share.partition.max.record.locks", 2_000),
                Duration.ofMillis(number(settings, "share.record.lock.duration.ms", 30_000)),
                Duration.ofMillis(number(settings, "share.session.timeout.ms", 45_000)));
    }

    private static int number(Collection<ConfigEntry> settings, String name, int otherwise) {
        return settings.stream()
                .filter(entry -> entry.name().equals(name) && entry.value() != null)
                .mapToInt(entry -> Integer.parseInt(entry.value()))
                .findFirst()
                .orElse(otherwise);
    }

    private Collection<ConfigEntry> settings(String id) {
        return Objects.requireNonNull(Answers.await(
                                admin.describeConfigs(Set.of(group(id))).all(), "read the settings of share group", id)
                        .get(group(id)))
                .entries();
    }

    private static ConfigResource group(String id) {
        return new ConfigResource(ConfigResource.Type.GROUP, id);
    }

    /** Whether a share group is stable and has at least this number of members with assigned partitions. */
    public boolean ready(String id, int members) {
        return Answers.await(
                        Objects.requireNonNull(admin.describeShareGroups(Set.of(id))
                                .describedGroups()
                                .get(id)),
                        "describe share group",
                        id,
                        e -> e instanceof GroupIdNotFoundException || e instanceof RetriableException)
                .filter(group -> group.groupState() == GroupState.STABLE)
                .filter(group -> group.members().stream()
                                .filter(m -> !m.assignment().topicPartitions().isEmpty())
                                .count()
                        >= members)
                .isPresent();
    }

    /** Start offset and lag of a share group by partition. */
    public Map<TopicPartition, SharePartitionOffsetInfo> shareOffsets(String id) {
        return Answers.await(
                admin.listShareGroupOffsets(Map.of(id, new ListShareGroupOffsetsSpec()))
                        .partitionsToOffsetInfo(id),
                "read the offsets of share group",
                id);
    }
}
