package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeFeaturesOptions;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rehearsals change the cluster as described, verified by its own metadata, without data loss. */
class RehearsalsTest {
    private static final String FEATURE = "metadata.version";

    @TempDir
    Path out;

    private static List<FaultResult> faults(RunResult result) {
        TrialResult trial = result.trials().get(0);
        assertThat(trial.audit().counts().lost()).isZero();
        assertThat(trial.detail().faults())
                .allSatisfy(f -> assertThat(f.deed().outcome()).as(f.toString()).isEqualTo("over"));
        return trial.detail().faults().stream()
                .filter(f -> !f.deed().action().equals("exec"))
                .toList();
    }

    /** Queries the cluster once per second of the load. */
    private static Consumer<Snapshot> asking(Admin admin, Asked asked) {
        return snapshot -> {
            try {
                asked.ask(admin);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private interface Asked {
        void ask(Admin admin) throws Exception;
    }

    @Test
    void movesPartitionsAndChangesSettingsByAdminApi() {
        String servers = SharedLab.threeBrokers().bootstrapServers();
        Set<String> codecs = new ConcurrentSkipListSet<>();
        List<Integer> places = new CopyOnWriteArrayList<>();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            List<FaultResult> faults = faults(Runs.run(Runs.request("""
                            topics: [{name: rehearsed, partitions: 1, replication: 1}]
                            producers: [{topic: rehearsed, rate: 200/s, record: {size: 100}}]
                            warmup: 1s
                            duration: 14s
                            audit: true
                            faults:
                              - {at: 1s, electLeaders: all}
                              - {at: 3s, reassign: rehearsed}
                              - {at: 5s, changeConfig: rehearsed, set: {compression.type: lz4}, for: 3s}
                            """, servers, out), asking(admin, each -> {
                ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "rehearsed");
                codecs.add(each.describeConfigs(Set.of(topic))
                        .all()
                        .get()
                        .get(topic)
                        .get("compression.type")
                        .value());
                places.addAll(replicas(each, "rehearsed"));
            })));
            assertThat(faults)
                    .extracting(f -> f.deed().action())
                    .containsExactly("electLeaders", "reassign", "changeConfig");
        }
        assertThat(codecs).containsExactly("lz4", "producer");
        // The only replica moved to the next broker, and stayed there.
        assertThat(places.get(places.size() - 1)).isEqualTo(places.get(0) % 3 + 1);
        assertThat(places.stream().distinct()).hasSize(2);
    }

    private static Set<Integer> replicas(Admin admin, String topic) throws Exception {
        Set<Integer> ids = new TreeSet<>();
        admin.describeTopics(Set.of(topic))
                .allTopicNames()
                .get()
                .get(topic)
                .partitions()
                .forEach(p -> p.replicas().stream().map(Node::id).forEach(ids::add));
        return ids;
    }

    /** A download during the load would disturb the measurement. */
    @Test
    void releasesOfFaultsAreKnownBeforeStart() {
        String yaml = """
                lab: {kafkaVersion: 3.9.1, brokers: 3}
                topics: [{name: up, replication: 3}]
                producers: [{topic: up, rate: 100/s}]
                duration: 60s
                faults:
                  - {at: 1s, upgrade: each, to: 4.0.0, finalize: false}
                  - {at: 30s, downgrade: each, to: 3.9.1}
                """;
        RunRequest request = Runs.request(ScenarioReader.read(yaml, "test.yaml", List.of(), 1), out);
        assertThat(request.releases()).containsExactly("3.9.1", "4.0.0");
    }

    @Test
    void refusesToChangeForeignBrokers() {
        String servers = SharedLab.foreign().bootstrapServers();
        assertThatThrownBy(() -> Runs.run(Runs.request("""
                        topics: [{name: spared}]
                        producers: [{topic: spared, rate: 100/s}]
                        duration: 2s
                        faults: [{at: 1s, changeConfig: brokers, set: {log.cleaner.threads: 2}}]
                        """, servers, out)))
                .message()
                .containsPattern(Said.en("guards.changesBrokers"));
    }

    @Test
    @Tag("nightly")
    @Timeout(600)
    void rollsUpgradesAndDowngradesAndRaisesFeaturesLast() {
        String yaml = """
                lab: {kafkaVersion: 3.9.1, brokers: 3}
                topics: [{name: up, partitions: 3, replication: 3, config: {min.insync.replicas: 2}}]
                producers: [{topic: up, rate: 300/s, record: {size: 100}, config: {acks: all}}]
                warmup: 2s
                duration: 320s
                audit: true
                faults:
                  - {at: 0s, exec: 'echo $PLIMSOLL_BROKER_PORT > TOLD', on: 1}
                  - {at: 1s, upgrade: each, to: 4.0.0, finalize: false}
                  - {at: 110s, downgrade: each, to: 3.9.1}
                  - {at: 220s, upgrade: each, to: 4.0.0}
                """;
        Set<Short> raised = new LinkedHashSet<>();
        Map<Integer, List<Short>> able = new ConcurrentHashMap<>();
        List<FaultResult> faults = faults(run(yaml, admin -> {
            for (int id = 1; id <= 3; id++) {
                FeatureMetadata of = admin.describeFeatures(new DescribeFeaturesOptions().nodeId(id))
                        .featureMetadata()
                        .get(2, TimeUnit.SECONDS);
                raised.add(of.finalizedFeatures().get(FEATURE).maxVersionLevel());
                List<Short> levels = able.computeIfAbsent(id, i -> new ArrayList<>());
                short level = of.supportedFeatures().get(FEATURE).maxVersion();
                if (levels.isEmpty() || levels.get(levels.size() - 1) != level) {
                    levels.add(level);
                }
            }
        }));
        assertThat(faults).hasSize(9).allSatisfy(f -> {
            assertThat(f.effect().underReplicated()).isPositive();
            assertThat(f.effect().isrFullSeconds()).isPositive();
        });
        assertThat(faults).extracting(f -> f.deed().broker()).containsExactly(1, 2, 3, 1, 2, 3, 1, 2, 3);
        // Supported and finalized levels: 3.9 supports up to 21, 4.0 up to 25.
        assertThat(able).hasSize(3).allSatisfy((id, levels) -> assertThat(levels)
                .containsExactly((short) 21, (short) 25, (short) 21, (short) 25));
        assertThat(raised).containsExactly((short) 21, (short) 25);
    }

    @Test
    @Tag("nightly")
    @Timeout(300)
    void addsBrokerWithItsShareAndDrainsAnother() {
        String yaml = """
                lab: {brokers: 3}
                topics: [{name: grown, partitions: 6, replication: 2}]
                producers: [{topic: grown, rate: 300/s, record: {size: 100}, config: {acks: all}}]
                warmup: 2s
                duration: 75s
                audit: true
                faults:
                  - {at: 0s, exec: 'echo $PLIMSOLL_BROKER_PORT > TOLD', on: 1}
                  - {at: 1s, addBroker: grown}
                  - {at: 25s, stop: 1, restartAfter: 1s}
                  - {at: 45s, electLeaders: grown}
                  - {at: 50s, removeBroker: 2, throttle: 20MB/s}
                """;
        List<Set<Integer>> holders = new ArrayList<>();
        List<Boolean> preferred = new ArrayList<>();
        List<FaultResult> faults = faults(run(yaml, admin -> {
            List<TopicPartitionInfo> partitions = admin.describeTopics(Set.of("grown"))
                    .allTopicNames()
                    .get(2, TimeUnit.SECONDS)
                    .get("grown")
                    .partitions();
            changed(
                    holders,
                    partitions.stream()
                            .flatMap(p -> p.replicas().stream())
                            .map(Node::id)
                            .collect(Collectors.toCollection(TreeSet::new)));
            changed(
                    preferred,
                    partitions.stream()
                            .allMatch(p -> p.leader() != null
                                    && p.leader().id() == p.replicas().get(0).id()));
        }));
        assertThat(faults)
                .extracting(f -> f.deed().action())
                .containsExactly("addBroker", "stop", "electLeaders", "removeBroker");
        assertThat(holders)
                .startsWith(Set.of(1, 2, 3))
                .endsWith(Set.of(1, 3, 4))
                .contains(Set.of(1, 2, 3, 4));
        // Broker 1 lost its leaderships until the election.
        assertThat(preferred).containsSubsequence(true, false, true);
        // Its replicas are on other brokers: its end leaves no partition under-replicated.
        assertThat(faults.get(3).effect().lost()).isZero();
    }

    private static <T> void changed(List<T> seen, T now) {
        if (seen.isEmpty() || !seen.get(seen.size() - 1).equals(now)) {
            seen.add(now);
        }
    }

    /** On its own lab, polled once a second from the start of its first broker. */
    private RunResult run(String yaml, Asked asked) {
        Path port = out.resolve("port");
        AtomicReference<Admin> admin = new AtomicReference<>();
        Run.Finished finished = new Run(
                        Runs.request(
                                        ScenarioReader.read(
                                                yaml.replace("TOLD", port.toString()), "test.yaml", List.of(), 1),
                                        out.resolve("runs"))
                                .with(draft -> draft.allowExec = true),
                        Runs.hearing(snapshot -> {
                            try {
                                if (admin.get() == null && Files.exists(port)) {
                                    admin.set(Admin.create(Map.of(
                                            "bootstrap.servers",
                                            "127.0.0.1:"
                                                    + Files.readString(port).strip())));
                                }
                                if (admin.get() != null) {
                                    asked.ask(admin.get());
                                }
                            } catch (TimeoutException | ExecutionException e) {
                                // A broker is down, and is queried again.
                            } catch (Exception e) {
                                throw new IllegalStateException(e);
                            }
                        }))
                .execute();
        admin.get().close(Duration.ZERO);
        assertThat(finished.failure()).isNull();
        return finished.result();
    }
}
