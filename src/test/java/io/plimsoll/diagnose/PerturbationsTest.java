package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.diagnose.Diagnosis.Change;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.testing.Scenarios;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Guards which single changes of a load are tried to prove a cause. */
class PerturbationsTest {
    private static final List<Integer> BROKERS = List.of(3, 1, 2);

    private static Scenario scenario(String topic) {
        String yaml = "topics: [{name: t, " + topic + "}]\nproducers: [{topic: t, rate: unlimited}]\nduration: 5s\n";
        return Scenarios.scenario(yaml);
    }

    private static List<Change> changes(String topic, Sentence where) {
        Suspect slow = new Suspect(
                Sentence.of("diagnose.cause.slowBroker"), where, 1, Sentence.verbatim("It is slow."), List.of());
        return Diagnosis.changes(new ProbedLoad(scenario(topic), BROKERS, List.of()), slow)
                .toList();
    }

    private static Optional<Change> broker(String topic, int slow) {
        return changes(topic, Sentence.of("diagnose.broker", slow)).stream()
                .filter(c -> c.factor().english().equals("broker"))
                .findFirst();
    }

    @Test
    void excludesSlowBroker() {
        Change change = broker("partitions: 6", 2).orElseThrow();
        assertThat(change.limits())
                .containsExactly(Sentence.of("diagnose.cause.slowBroker").english());
        // In turn on 1, 2 and 3: broker 2 has the second and the fifth.
        assertThat(change.scenario().topics().get(0).brokers()).isEqualTo(3);
        assertThat(change.scenario().producers().get(0).partitions()).containsExactly(0, 2, 3, 5);
        assertThat(broker("partitions: 2", 1)
                        .orElseThrow()
                        .scenario()
                        .producers()
                        .get(0)
                        .partitions())
                .containsExactly(1);
    }

    @Test
    void keepsSlowBrokerIfReplicatedOrSoleLeader() {
        assertThat(broker("partitions: 6, replication: 3", 2)).isEmpty();
        assertThat(broker("partitions: 1", 1)).isEmpty();
        assertThat(broker("partitions: 6", 7)).isEmpty();
    }

    private static List<Change> anew(String cause, String topic) {
        Suspect suspect = new Suspect(
                Sentence.of("diagnose.cause." + cause), null, 1, Sentence.verbatim("It packs anew."), List.of());
        return Diagnosis.changes(new ProbedLoad(scenario(topic), BROKERS, List.of()), suspect)
                .toList();
    }

    @Test
    void removesTopicSettingsThatRepackRecords() {
        String codec = "config: {compression.type: zstd, retention.ms: 1000}";
        assertThat(anew("recompression", codec)).singleElement().satisfies(change -> {
            assertThat(change.change().english())
                    .isEqualTo(Sentence.of("diagnose.change.leftOut", "compression.type", "zstd")
                            .english());
            assertThat(change.scenario().topics().get(0).config()).containsOnlyKeys("retention.ms");
        });
        assertThat(anew("format", "config: {message.format.version: 0.10.2}"))
                .singleElement()
                .satisfies(change ->
                        assertThat(change.scenario().topics().get(0).config()).isEmpty());
        assertThat(anew("recompression", "existing: true")).isEmpty();
        assertThat(anew("recompression", "partitions: 1")).isEmpty();
    }

    @Test
    void excludesNoBrokerWithoutSlowOne() {
        assertThat(changes("partitions: 6", null))
                .isNotEmpty()
                .noneMatch(c -> c.factor().english().equals("broker"));
    }

    /** More brokers than exist would change nothing, and a random improvement would be taken for a proof. */
    @Test
    void usesFewerBrokersOnlyIfSlowOneIsDropped() {
        assertThat(factor("brokers", changes("partitions: 6", Sentence.of("diagnose.broker", 3))))
                .hasValueSatisfying(change ->
                        assertThat(change.scenario().topics().get(0).brokers()).isEqualTo(2));
        assertThat(factor("brokers", changes("partitions: 6", Sentence.of("diagnose.broker", 2))))
                .as("the slow one would stay")
                .isEmpty();
        assertThat(factor("brokers", changes("partitions: 1", Sentence.of("diagnose.broker", 3))))
                .isEmpty();
    }

    private static Optional<Change> factor(String name, List<Change> changes) {
        return changes.stream().filter(c -> c.factor().english().equals(name)).findFirst();
    }

    @Test
    void singleReplicaLowersMinInsyncReplicas() {
        String topic = "partitions: 6, replication: 3, config: {min.insync.replicas: 2}";
        assertThat(factor("replication", changes(topic, null))).hasValueSatisfying(change -> assertThat(
                        change.scenario().topics().get(0).config())
                .containsEntry("min.insync.replicas", "1"));
    }

    private static Optional<String> batchSize(String topic, String config) {
        String yaml = "topics: [{name: t" + topic + "}]\nproducers: [{topic: t, rate: unlimited, config: {" + config
                + "}}]\nduration: 5s\n";
        Scenario scenario = Scenarios.scenario(yaml);
        Suspect small = new Suspect(
                Sentence.of("diagnose.cause.batches"), null, 1, Sentence.verbatim("They are small."), List.of());
        return Diagnosis.changes(new ProbedLoad(scenario, BROKERS, List.of()), small)
                .findFirst()
                .map(c -> c.scenario().producers().get(0).config().get("batch.size"));
    }

    @Test
    void batchSizeStaysWithinBrokerLimit() {
        assertThat(batchSize("", "batch.size: 300")).hasValue("131072");
        assertThat(batchSize("", "batch.size: 65536")).hasValue("524288");
        assertThat(batchSize("", "batch.size: 262144")).hasValue("1000000");
        assertThat(batchSize("", "batch.size: 1000000")).isEmpty();
        assertThat(batchSize(", config: {max.message.bytes: 20000}", "batch.size: 300"))
                .hasValue("20000");
    }

    /** The causes that a probe claims to remove match the rules. */
    @Test
    void changeNamesAllCausesItRemoves() {
        assertThat(Diagnosis.liftedBy(Perturbation.CLIENTS))
                .containsExactlyInAnyOrder(
                        "client quota",
                        "buffer.memory",
                        "synchronous sends",
                        "load generator",
                        Sentence.of("diagnose.cause.latency").english());
        assertThat(Diagnosis.liftedBy(Perturbation.ENGINE))
                .containsExactlyInAnyOrder(
                        "load generator", Sentence.of("diagnose.cause.host").english(), "garbage collection");
    }
}
