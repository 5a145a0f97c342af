package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.testing.Said;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A lab is read from a scenario, varied by trials, and its mistakes are found before the start. */
class LabKeysTest {
    private static final String LOAD = "topics: [{name: a}]\nproducers: [{topic: a}]\n";

    private static Plan plan(String lab, String... overrides) {
        return ScenarioReader.read(LOAD + lab, "test.yaml", List.of(overrides), 1);
    }

    private static Stream<LabSpec> labs(Plan plan) {
        return plan.trials().stream().map(t -> t.scenario().lab());
    }

    @Test
    void readsEveryKey() {
        LabSpec lab = labs(plan("""
                lab:
                  brokers: 3
                  controllers: 3
                  kafkaVersion: 3.9.1
                  config: {num.io.threads: 4}
                  jvm: {heap: 2GiB, collector: Z, flags: -Xss1m}
                  disks: [512MiB, /mnt/b]
                  cpus: 0.2
                  network: {clients: {delay: 5ms, jitter: 1ms}, brokers: {bandwidth: 20MB/s}}
                  security: SSL
                  racks: 2
                """)).findFirst().orElseThrow();
        assertThat(lab.get(LabSpec.BROKERS)).isEqualTo(3);
        assertThat(lab.get(LabSpec.CONTROLLERS)).isEqualTo(3);
        assertThat(lab.get(LabSpec.KAFKA_VERSION)).isEqualTo("3.9.1");
        assertThat(lab.get(LabSpec.CONFIG)).containsEntry("num.io.threads", "4");
        assertThat(lab.get(LabSpec.JVM).get(LabSpec.COLLECTOR)).isEqualTo("Z");
        assertThat(lab.get(LabSpec.DISKS)).containsExactly("512MiB", "/mnt/b");
        assertThat(lab.get(LabSpec.NETWORK).get(LabSpec.CLIENTS))
                .isEqualTo(new LabSpec.Link(Duration.ofMillis(5), Duration.ofMillis(1), 0));
        assertThat(lab.get(LabSpec.NETWORK).get(LabSpec.BETWEEN).bytesPerSecond())
                .isEqualTo(20e6);
    }

    @Test
    void matrixAndTurnsVaryLab() {
        assertThat(labs(plan("matrix: {lab.config.num.io.threads: [2, 8], lab.disks: [1, 2]}")))
                .extracting(lab -> lab.get(LabSpec.CONFIG).get("num.io.threads") + " "
                        + lab.get(LabSpec.DISKS).size())
                .containsExactly("2 1", "2 2", "8 1", "8 2");
        List<String> overrides = ABVariants.overrides("lab.kafkaVersion=3.9.1|4.3.1");
        Plan turns = ABVariants.inTurns(
                overrides.stream().map(more -> plan("", more)).toList(), overrides, 2);
        assertThat(labs(turns))
                .extracting(lab -> lab.get(LabSpec.KAFKA_VERSION))
                .containsExactly("3.9.1", "3.9.1", "4.3.1", "4.3.1", "3.9.1");
        assertThat(turns.comparesLabs()).isTrue();
        assertThat(plan("matrix: {lab.brokers: [1, 2]}").comparesLabs()).isFalse();
    }

    /** Trials with equal labs share one. */
    @Test
    void equivalentLabsAreEqual() {
        assertThat(labs(plan("lab: {brokers: 2, jvm: {heap: 1024MiB}}")).toList())
                .isEqualTo(labs(plan("lab: {jvm: {heap: 1GiB}, brokers: 2}")).toList())
                .isNotEqualTo(labs(plan("lab: {brokers: 3}")).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "lab: {kafkaVersion: 4.x}, a Kafka release such as 3.9.1",
        "lab: {brokers: 0}, from 1 to 9",
        "lab: {cpus: none}, a fraction of a core",
        "lab: {disks: [big]}, an amount of data",
        "lab: {network: {clients: {delay: 1ms; jitter: 2ms}}}, «scenario.jitter»",
        "lab: {kafkaversion: 3.9.1}, did you mean kafkaVersion"
    })
    void reportsMistakes(String yaml, String message) {
        assertThatThrownBy(() -> plan(yaml.replace(';', ',')))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining(Said.text(message));
    }
}
