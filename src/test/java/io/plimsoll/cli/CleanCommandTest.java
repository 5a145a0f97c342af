package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Groups;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The leftovers of a killed run on a cluster are found and removed, and nothing more. */
@Tag("nightly")
class CleanCommandTest {
    private static final String SERVERS = SharedLab.foreign().bootstrapServers();
    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final String SCENARIO = "name: killed\ntopics: [{name: killed-orders}]\n"
            + "producers: [{topic: killed-orders, rate: 100/s}]\n"
            + "consumers: [{topic: killed-orders, config: {group.id: killed-group, session.timeout.ms: 6000}}]\n"
            + "warmup: 0s\nduration: 60s\n";

    @TempDir
    Path directory;

    private final Admin admin = ClusterConnection.of(SERVERS, null, List.of()).admin();
    private final Topics topics = new Topics(admin);
    private final Groups groups = new Groups(admin);

    @AfterEach
    void close() {
        admin.close();
    }

    private InProcess clean(String... options) {
        List<String> all = Stream.concat(Stream.of("clean", "--bootstrap-server", SERVERS), Stream.of(options))
                .toList();
        return InProcess.run(all.toArray(String[]::new));
    }

    /** A run killed during its measured window. */
    private Path killed() throws Exception {
        Path file = Files.writeString(directory.resolve("s.yaml"), SCENARIO);
        Path out = directory.resolve("runs");
        try (RunningCommand run = new RunningCommand(
                directory, "run", file, "--bootstrap-server", SERVERS, "--out", out, "--guard", "probe.p99 < 60s")) {
            CountDownLatch never = new CountDownLatch(1);
            while (made(out).isEmpty()) {
                assertThat(run.process().isAlive()).as(run.err()).isTrue();
                never.await(100, TimeUnit.MILLISECONDS);
            }
            run.awaitProduced(out, 100);
            Path made = made(out).get();
            InProcess early = clean("--run", made.toString(), "--yes");
            assertThat(early.exit()).isEqualTo(2);
            assertThat(early.err()).contains("is still active and uses its topics");
            run.process().destroyForcibly().waitFor();
            return made;
        }
    }

    private static Optional<Path> made(Path out) throws IOException {
        if (!Files.exists(out)) {
            return Optional.empty();
        }
        try (Stream<Path> runs = Files.list(out)) {
            return runs.filter(run -> Files.exists(run.resolve("timeline.jsonl")))
                    .findFirst();
        }
    }

    @Test
    void listsAndRemovesOnlyLeftoversOfKilledRun() throws Exception {
        topics.create(List.of(new NewTopic("plimsoll-lookalike", 1, (short) 1)), WAIT);
        Path run = killed();
        String probe = topics.names(false).stream()
                .filter(n -> n.endsWith("-probe"))
                .findFirst()
                .orElseThrow();
        awaitNoMembers();
        InProcess young =
                clean("--older-than", "0s", "--out", directory.resolve("runs").toString(), "--dry-run");
        assertThat(young.out()).contains("topic killed-orders was kept", "pass its directory with --run");
        InProcess dry = clean("--run", run.toString(), "--dry-run");
        assertThat(dry.out()).contains("topic killed-orders  created by run", "topic " + probe, "group killed-group");
        InProcess unasked = clean("--run", run.toString());
        assertThat(unasked.exit()).isEqualTo(2);
        assertThat(unasked.err()).containsPattern(Said.en("cli.clean.notAsked"));
        assertThat(topics.names(false)).contains("killed-orders", probe, "plimsoll-lookalike");
        InProcess cleaned = clean("--run", run.toString(), "--yes");
        assertThat(cleaned.exit()).as(cleaned.err()).isZero();
        assertThat(cleaned.out()).contains("removed 2 topics and 1 group");
        assertThat(topics.names(false)).contains("plimsoll-lookalike").doesNotContain("killed-orders", probe);
        assertThat(groups.existing(Set.of("killed-group"))).isEmpty();
        assertThat(clean("--run", run.toString(), "--yes").out()).contains("nothing to remove");
        // Another client has created a topic with that name since.
        topics.create(List.of(new NewTopic("killed-orders", 1, (short) 1)), WAIT);
        assertThat(clean("--run", run.toString(), "--yes").out())
                .contains(Said.text("«run.clean.noMark¦killed-orders»"))
                .contains("nothing to remove");
        topics.delete(Set.of("killed-orders", "plimsoll-lookalike"), WAIT);
    }

    private void awaitNoMembers() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        while (groups.members(Set.of("killed-group")).getOrDefault("killed-group", 0) > 0) {
            never.await(200, TimeUnit.MILLISECONDS);
        }
    }

    @Test
    void removesTopicsOfExpiredRunsByMarkAlone() {
        Instant hours = Instant.now().minus(Duration.ofHours(3));
        String old = new TopicMark(0x1234, hours, Duration.ofMinutes(5)).text();
        String soak = new TopicMark(0x1235, hours, Duration.ofDays(2)).text();
        topics.create(
                List.of(
                        new NewTopic("old-one", 1, (short) 1).configs(Map.of(TopicMark.PROPERTY, old)),
                        new NewTopic("soak-one", 1, (short) 1).configs(Map.of(TopicMark.PROPERTY, soak)),
                        new NewTopic("others-one", 1, (short) 1).configs(Map.of(TopicMark.PROPERTY, "7"))),
                WAIT);
        assertThat(clean("--older-than", "4h", "--yes").out()).contains("topic old-one was kept");
        InProcess cleaned = clean("--yes");
        assertThat(cleaned.out())
                .contains(Said.text("topic old-one  «run.clean.made¦001234»"))
                .contains("topic soak-one was kept (created by run 001235")
                .contains("removed 1 topic and 0 groups");
        assertThat(topics.names(false)).contains("soak-one", "others-one").doesNotContain("old-one");
        topics.delete(Set.of("soak-one", "others-one"), WAIT);
    }
}
