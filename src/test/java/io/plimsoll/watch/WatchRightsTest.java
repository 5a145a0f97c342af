package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabLogins;
import io.plimsoll.testing.Acls;
import io.plimsoll.text.Sentence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The behavior of a watch with the rights in docs/reference/rights.md, on each start, and without some of them. */
@Timeout(180)
@Order(1)
class WatchRightsTest {
    @TempDir
    Path directory;

    private final String topic = "rights-" + UUID.randomUUID();
    private final LabLogins logins = OwnLab.LAB.logins().orElseThrow();
    private final Admin admin = new ClusterConnection(OwnLab.LAB.bootstrapServers(), logins.client()).admin();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final List<WatchStatus.Outage> outages = new CopyOnWriteArrayList<>();

    private WatchSettings settings(String state) {
        return WatchSamples.settings(
                new ClusterConnection(OwnLab.LAB.bootstrapServers(), logins.client(LabLogins.USER, "SCRAM-SHA-512")),
                topic,
                10,
                directory.resolve(state));
    }

    private Watch watch(String state) {
        return new Watch(settings(state), new Watch.Listener() {
            @Override
            public void outage(WatchStatus.Outage outage) {
                outages.add(outage);
            }

            @Override
            public void problem(Sentence what) {
                problems.add(what.english());
            }
        });
    }

    private void allow(ResourceType type, String name, AclOperation... operations) throws Exception {
        PatternType pattern = type == ResourceType.GROUP ? PatternType.PREFIXED : PatternType.LITERAL;
        List<AclBinding> acls = Arrays.stream(operations)
                .map(operation -> new AclBinding(
                        new ResourcePattern(type, name, pattern),
                        new AccessControlEntry("User:" + LabLogins.USER, "*", operation, AclPermissionType.ALLOW)))
                .toList();
        Acls.create(admin, acls);
    }

    @AfterEach
    void takeTheRightsAway() throws Exception {
        Acls.delete(admin, AclBindingFilter.ANY);
        admin.deleteTopics(List.of(topic)).all().get();
        admin.close();
    }

    private static void until(Watch watch, Predicate<WatchStatus> known) throws InterruptedException {
        while (!known.test(watch.status())) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static long tried(WatchStatus status, Signal signal, boolean good) {
        return status.signals().stream()
                .filter(s -> s.signal() == signal && s.broker() == WatchStatus.ALL)
                .mapToLong(s -> good ? s.good() : s.bad())
                .sum();
    }

    private void goOn(String state) throws InterruptedException {
        try (Watch watch = watch(state)) {
            long before = watch.status().place().audit().confirmed();
            until(watch, status -> status.place().audit().confirmed() > before + 10);
            until(watch, status -> tried(status, Signal.COMMIT, true) > 0);
        }
    }

    @Test
    void everyStartNeedsOnlyTheRightsOfTheFirst() throws Exception {
        allow(ResourceType.TOPIC, topic, AclOperation.CREATE, AclOperation.WRITE, AclOperation.READ);
        allow(ResourceType.TOPIC, "__consumer_offsets", AclOperation.DESCRIBE);
        allow(ResourceType.GROUP, topic, AclOperation.READ);
        goOn("state");
        goOn("state");
        // Accounts of an earlier version do not contain the topic id.
        Path audit = directory.resolve("state").resolve("audit.json");
        Files.writeString(audit, Files.readString(audit).replaceFirst("\"topicId\":\"[^\"]*\",", ""));
        goOn("state");
        assertThat(problems).isEmpty();
        // Without accounts of the topic, the watch must check its creator.
        assertThatThrownBy(() -> watch("other").close())
                .hasMessageContaining("on the topic that allows DESCRIBE_CONFIGS");
        allow(ResourceType.TOPIC, topic, AclOperation.DESCRIBE_CONFIGS);
        goOn("other");
    }

    /**
     * Acknowledged records cannot be read; this is reported once, with the missing right, and the outage has the
     * reason. It reads all records once it has the permission.
     */
    @Test
    void reportsMissingReadPermission() throws Exception {
        allow(ResourceType.TOPIC, topic, AclOperation.CREATE, AclOperation.WRITE, AclOperation.DESCRIBE);
        try (Watch watch = watch("state")) {
            until(watch, status -> outages.stream()
                    .anyMatch(o -> o.signal() == Signal.END_TO_END && "authorization".equals(o.error())));
            until(watch, status -> status.place().audit().acknowledged() >= 10);
            String refused = "cannot read from topic " + topic;
            until(watch, status -> problems.stream().anyMatch(p -> p.startsWith(refused)));
            // On a busy host, an outage can begin with a timeout.
            assertThat(watch.status().outages())
                    .filteredOn(o -> o.signal() == Signal.END_TO_END && o.ongoing())
                    .isNotEmpty()
                    .allSatisfy(o -> assertThat(o.error()).isNotNull());
            assertThat(problems)
                    .doesNotHaveDuplicates()
                    .filteredOn(p -> p.startsWith(refused))
                    .singleElement()
                    .asString()
                    .contains("not authorized", "allows READ");
            WatchStatus.Audit audit = watch.status().place().audit();
            assertThat(audit.blind()).isTrue();
            assertThat(audit.clean()).isTrue();
            allow(ResourceType.TOPIC, topic, AclOperation.READ);
            until(watch, status -> status.place().audit().confirmed() >= audit.acknowledged());
            assertThat(watch.status().place().audit().clean()).isTrue();
        }
    }

    /** No broker has an outage because of it, and permitted operations continue. */
    @Tag("nightly")
    @Test
    void reportsAndSkipsGroupSignalsUntilPermitted() throws Exception {
        allow(ResourceType.TOPIC, topic, AclOperation.CREATE, AclOperation.WRITE, AclOperation.READ);
        allow(ResourceType.TOPIC, "__consumer_offsets", AclOperation.DESCRIBE);
        allow(ResourceType.GROUP, topic, AclOperation.DESCRIBE);
        try (Watch watch = watch("state")) {
            while (problems.stream()
                            .filter(p -> p.contains("on the group that allows READ"))
                            .count()
                    < 2) {
                TimeUnit.MILLISECONDS.sleep(50);
            }
            // Longer than the minimum duration of their outages.
            long before = watch.status().place().audit().confirmed();
            until(watch, status -> status.place().audit().confirmed() > before + 100);
            assertThat(tried(watch.status(), Signal.COMMIT, false)).isZero();
            assertThat(tried(watch.status(), Signal.JOIN, false)).isZero();
            assertThat(outages).noneMatch(o -> o.signal() == Signal.COMMIT || o.signal() == Signal.JOIN);
            allow(ResourceType.GROUP, topic, AclOperation.READ);
            until(watch, status -> tried(status, Signal.COMMIT, true) > 0);
            until(watch, status -> tried(status, Signal.JOIN, true) > 0);
        }
    }

    /** No other user's rights are removed there. It ends with the JVM. */
    private static final class OwnLab {
        static final Lab LAB = SecuredLab.start("SASL_PLAINTEXT,SCRAM-SHA-512,acls");
    }
}
