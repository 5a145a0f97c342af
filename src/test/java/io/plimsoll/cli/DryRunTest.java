package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.LoadEstimate;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a plan would do, told without doing it; and whether it then does that. */
class DryRunTest {
    @TempDir
    Path out;

    private InProcess dryRun(String... args) {
        String[] all = new String[args.length + 4];
        all[0] = "run";
        System.arraycopy(args, 0, all, 1, args.length);
        all[args.length + 1] = "--dry-run";
        all[args.length + 2] = "--out";
        all[args.length + 3] = out.resolve("runs").toString();
        return InProcess.run(all);
    }

    @Test
    void tellsWhatWillBeWrittenAndHowMuchDiskThatNeeds() {
        InProcess ended = dryRun("linkedin-2m", "--brokers", "3", "--scale", "0.01");
        assertThat(ended.exit()).isZero();
        assertThat(ended.err()).isEmpty();
        assertThat(ended.out())
                .startsWith("linkedin-2m: 10 trials, about ")
                .contains("at scale 0.01. Nothing was run.")
                .containsPattern("one producer, replication 3, acks=1 +2? ?1? s +500,000 +54 MB +–")
                .contains("It writes 2,510,002 records, 280 MB without copies")
                .containsPattern("each of 3\\s+brokers needs 133 MB of disk, copies included")
                .contains("produce linkedin-all-6-3: 500,000 records, as fast as possible, 100 B values, 1 client;")
                .contains("acks=all")
                .contains("consume linkedin-6-3: 1 group of 1 member, 170,000 records each");
        assertThat(out).isEmptyDirectory();
    }

    @ParameterizedTest
    @MethodSource("names")
    void ofEachThatComesWithTheTool(String name) {
        InProcess ended = dryRun(name);
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith(name + ": ").containsPattern("of\\s+disk,\\s+copies\\s+included");
    }

    static List<String> names() {
        return BuiltIns.names();
    }

    @Test
    void tellsTheLabThatWouldBeStarted() {
        String[] lab = {
            "rolling-restart",
            "--set",
            "lab={controllers: 1, config: {num.io.threads: 3}, jvm: {heap: 512MiB}, disks: 2, cpus: 1, racks: 3, tiered: true}",
            "--set",
            "lab.network.clients={delay: 5ms, bandwidth: 20MB/s}"
        };
        assertThat(dryRun(lab).out().replaceAll("\\s+", " "))
                .containsPattern(
                        "lab: 3 brokers of Kafka 4\\.\\d\\.\\d, 1 controller apart, a heap of 512 MB each \\(G1\\), 2 disks"
                                + " each, cores 1 each, from clients to brokers 5ms each way, 20 MB/s, proxies before the brokers,"
                                + " 3 racks, a second tier; num.io.threads=3");
        String[] chinese = Arrays.copyOf(lab, lab.length + 2);
        chinese[lab.length] = "--lang";
        chinese[lab.length + 1] = "zh";
        assertThat(dryRun(chinese).out().replaceAll("\\s+", ""))
                .containsPattern("lab（本地集群）：3个Kafka4\\.\\d\\.\\d的broker，另有1个独立的controller，每个堆512MB（G1）");
        assertThat(dryRun("rolling-upgrade").out()).contains("fault after 10 s: upgrade each broker", "to 4.3.1");
        // Where trials have labs of their own each of them says so.
        assertThat(dryRun("disks").out()).contains("1 disk each", "2 disks each");
        assertThat(dryRun("quick", "--bootstrap-server", SharedLab.oneBroker().bootstrapServers())
                        .out())
                .doesNotContain("lab: ");
    }

    @Test
    void findsMistakesAllTheSame() {
        InProcess ended = dryRun("quick", "--set", "topics.partitons=3");
        assertThat(ended.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(ended.err()).contains("did you mean topics.partitions?");
    }

    /** The brokers' own word for how large the log has become. */
    @ParameterizedTest
    @ValueSource(strings = {"async", "sync", "{flushEvery: 20}"})
    void theBytesAreThoseThatAreWritten(String send) {
        String topic = "dry-run-" + System.nanoTime();
        String yaml = """
                name: dry
                topics: [{name: TOPIC, existing: true}]
                producers: [{topic: TOPIC, records: 500, record: {size: 1000, key: sequential}, send: SEND}]
                """.replace("TOPIC", topic).replace("SEND", send);
        long expected =
                LoadEstimate.of(ScenarioReader.read(yaml, "dry", List.of(), 1)).bytes();
        String servers = SharedLab.oneBroker().bootstrapServers();
        try (Admin admin = ClusterConnection.of(servers, null, List.of()).admin()) {
            Topics topics = new Topics(admin);
            topics.create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(20));
            try {
                Runs.run(yaml, servers, out);
                long written = topics.sizesOnDisk(Set.of(topic)).orElseThrow().values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
                assertThat(written).isCloseTo(expected, Percentage.withPercentage(3));
            } finally {
                topics.delete(Set.of(topic), Duration.ofSeconds(20));
            }
        }
    }
}
