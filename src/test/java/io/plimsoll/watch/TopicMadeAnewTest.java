package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Deletion of a watch's topic is reported, and does not count as loss; the watch continues in the new topic. */
@Order(1)
class TopicMadeAnewTest {
    private static final Lab LAB = SharedLab.foreign();

    @TempDir
    Path directory;

    private final String topic = "anew-" + UUID.randomUUID();
    private final ClusterConnection connection = new ClusterConnection(LAB.bootstrapServers(), Map.of());
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final Watch.Listener listener = new Watch.Listener() {
        @Override
        public void outage(WatchStatus.Outage outage) {
            // The missing topic is an outage, for any duration.
        }

        @Override
        public void problem(Sentence what) {
            problems.add(what.key());
        }
    };

    private WatchSettings settings() {
        return new WatchSettings(
                connection,
                topic,
                new WatchSettings.Layout(2, 1, Map.of()),
                new WatchSettings.Load(50, 100, 1e6, Map.of(), Map.of()),
                Duration.ofSeconds(1),
                Duration.ofMillis(400),
                0.999,
                directory.resolve("state"));
    }

    private static WatchStatus.Audit awaitConfirmed(Watch watch, long more) throws InterruptedException {
        long before = watch.status().place().audit().confirmed();
        WatchStatus.Audit audit = watch.status().place().audit();
        while (audit.confirmed() < before + more) {
            TimeUnit.MILLISECONDS.sleep(20);
            audit = watch.status().place().audit();
        }
        return audit;
    }

    private void awaitTold() throws InterruptedException {
        while (!problems.contains("watch.madeAnew")) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static void assertNothingHeldAgainst(WatchStatus.Audit audit) {
        assertThat(audit.lost()).isZero();
        assertThat(audit.duplicated()).isZero();
        assertThat(audit.disordered()).isZero();
    }

    /**
     * The deletion may be faster than the clients, which make the brokers recreate the topic, or slower: either is
     * reported.
     */
    @Test
    @Timeout(180)
    void reportsTopicRecreatedDuringWatch() throws Exception {
        try (Admin admin = connection.admin()) {
            WatchStatus.Audit last;
            try (Watch watch = new Watch(settings(), listener)) {
                awaitConfirmed(watch, 200);
                admin.deleteTopics(List.of(topic)).all().get();
                awaitTold();
                awaitConfirmed(watch, 200);
                watch.close();
                last = watch.status().place().audit();
            }
            assertNothingHeldAgainst(last);
            assertThat(last.foreign()).isZero();
            assertThat(problems).containsExactly("watch.madeAnew");

            // It is known now, regardless of its creator.
            try (Watch watch = new Watch(settings(), listener)) {
                assertThat(awaitConfirmed(watch, 100).confirmed()).isGreaterThan(last.confirmed());
                assertNothingHeldAgainst(watch.status().place().audit());
            }
            assertThat(problems).containsExactly("watch.madeAnew");
        }
    }

    @Tag("nightly")
    @Test
    @Timeout(180)
    void reportsTopicDeletedBetweenWatches() throws Exception {
        try (Admin admin = connection.admin()) {
            try (Watch watch = new Watch(settings(), listener)) {
                awaitConfirmed(watch, 200);
            }
            admin.deleteTopics(List.of(topic)).all().get();
            try (Watch watch = new Watch(settings(), listener)) {
                awaitTold();
                awaitConfirmed(watch, 100);
                // Missing records are judged now at the latest.
                watch.close();
                assertNothingHeldAgainst(watch.status().place().audit());
            }
        }
    }

    @Tag("nightly")
    @Test
    @Timeout(180)
    void reportsTopicAutoCreatedByBroker() throws Exception {
        try (Admin admin = connection.admin();
                Watch watch = new Watch(settings(), listener)) {
            awaitConfirmed(watch, 200);
            admin.deleteTopics(List.of(topic)).all().get();
            // As created by Kafka if it is faster than the watch: without the mark, and with one partition.
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1)))
                    .all()
                    .toCompletionStage()
                    .exceptionally(e -> null)
                    .toCompletableFuture()
                    .get();
            awaitTold();
            awaitConfirmed(watch, 200);
            watch.close();
            assertNothingHeldAgainst(watch.status().place().audit());
            String id = admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .topicId()
                    .toString();
            assertThat(directory.resolve("state").resolve("audit.json"))
                    .content()
                    .contains('"' + id + '"');
        }
    }
}
