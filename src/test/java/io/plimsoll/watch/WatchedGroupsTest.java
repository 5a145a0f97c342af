package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SpreadTopic;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.GroupListing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Groups are charged to the broker that coordinates them, for commits and for joins. */
class WatchedGroupsTest {
    @TempDir
    Path directory;

    private static Set<String> groups(Admin admin, String prefix) throws Exception {
        return admin.listGroups().all().get().stream()
                .map(GroupListing::groupId)
                .filter(id -> id.startsWith(prefix))
                .collect(Collectors.toSet());
    }

    /** The properties can come from an application with its own group. */
    @Test
    void ignoresGroupAndOffsetsInConnectionProperties() {
        ClusterConnection connection = new ClusterConnection(
                "127.0.0.1:1",
                Map.of(
                        "group.id", "orders",
                        "group.instance.id", "orders-1",
                        "auto.offset.reset", "latest",
                        "enable.auto.commit", "true",
                        "allow.auto.create.topics", "true",
                        "transactional.id", "orders-1",
                        "client.id", "orders"));
        WatchSettings settings = WatchSamples.settings(connection, "watched", 10, directory);
        Map<String, Object> own = Map.of("group.id", "watched-0", "enable.auto.commit", false);
        assertThat(settings.client("group", own, Map.of()))
                .containsAllEntriesOf(own)
                .containsEntry("client.id", "orders")
                .doesNotContainKeys(
                        "group.instance.id", "auto.offset.reset", "allow.auto.create.topics", "transactional.id");
    }

    @Test
    @Timeout(120)
    void joinsGroupCoordinatedByChargedBroker() throws Exception {
        Lab lab = SharedLab.threeBrokers();
        String topic;
        do {
            topic = "joined-" + UUID.randomUUID();
            // The remainder of a negative hash differs from the remainder of its absolute value.
        } while ((topic + "-join-0").hashCode() >= 0);
        ClusterConnection connection = new ClusterConnection(lab.bootstrapServers(), Map.of());
        WatchSettings settings = WatchSamples.settings(connection, topic, 10, directory);
        Ledger ledger = new Ledger(new WatchClock(20_000_000), settings.slow(), settings.outage(), outage -> {});
        try (Admin admin = connection.admin();
                WatchedGroups watched = new WatchedGroups(settings, ledger, new Refusals(what -> {}))) {
            SpreadTopic spread = new SpreadTopic(admin, topic, 3);
            spread.create(Map.of(), 1, null, false);
            // Only the groups to be joined: every existing group has been joined then.
            Map<Integer, String> joins = spread.groups(topic + "-join-");
            assertThat(joins.keySet()).containsExactly(1, 2, 3);
            watched.use(joins.keySet(), Map.of(), joins);
            while (groups(admin, topic).isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            Set<String> joined = groups(admin, topic);
            assertThat(joins.values()).containsAll(joined);
            Map<String, ConsumerGroupDescription> described =
                    admin.describeConsumerGroups(joined).all().get();
            described.forEach((group, found) ->
                    assertThat(joins).containsEntry(found.coordinator().id(), group));
        }
    }
}
