package io.plimsoll.cluster;

import io.plimsoll.PlimsollException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * The share groups of a cluster. Every method is bounded in time by the admin client and throws {@link PlimsollException}
 * with one sentence. Usable by several threads; does not close the admin client.
 */
public record ShareGroups(Admin admin) {

    /**
     * Sets settings of a group, which may not be there yet.
     *
     * @return what they were before: null for those that the group had not
     */
    public Map<String, String> configure(String id, Map<String, String> settings) {
        Map<String, String> before = new TreeMap<>();
        settings.keySet().forEach(name -> before.put(name, null));
        for (ConfigEntry entry : settings(id)) {
            if (before.containsKey(entry.name()) && entry.source() == ConfigSource.DYNAMIC_GROUP_CONFIG) {
                before.put(entry.name(), entry.value());
            }
        }
        set(id, settings);
        return before;
    }

    /** Sets settings of a group; a value of null takes it away. */
    public void set(String id, Map<String, String> settings) {
        List<AlterConfigOp> changes = new ArrayList<>();
        settings.forEach((name, value) -> changes.add(
                new AlterConfigOp(new ConfigEntry(name, value), value == null ? OpType.DELETE : OpType.SET)));
        Answers.await(
                admin.incrementalAlterConfigs(Map.of(group(id), changes)).all(), "set the settings of share group", id);
    }

    /**
     * What a group is held to.
     *
     * @param deliveries how often a record is given to members at most before it is given up
     * @param recordLocks how many records of a partition its members may have at a time
     * @param lock how long a member may have one
     * @param session after which a member that says nothing is out of the group
     */
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
        return Answers.await(admin.describeConfigs(Set.of(group(id))).all(), "read the settings of share group", id)
                .get(group(id))
                .entries();
    }

    private static ConfigResource group(String id) {
        return new ConfigResource(ConfigResource.Type.GROUP, id);
    }

    /** Whether a group has so many members, each of which has been told where to take records from. */
    public boolean ready(String id, int members) {
        return Answers.await(
                        admin.describeShareGroups(Set.of(id)).describedGroups().get(id),
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

    /** Where a group is in each partition, and how many records it still has to take. */
    public Map<TopicPartition, SharePartitionOffsetInfo> offsets(String id) {
        return Answers.await(
                admin.listShareGroupOffsets(Map.of(id, new ListShareGroupOffsetsSpec()))
                        .partitionsToOffsetInfo(id),
                "read the offsets of share group",
                id);
    }
}
