package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The duration and the written data of a run are estimated from its scenario. */
class EstimateTest {
    private static Plan plan(String yaml, double scale) {
        return ScenarioReader.read(yaml, "x", List.of(), scale);
    }

    private static LoadEstimate.Trial only(String yaml) {
        return LoadEstimate.of(plan(yaml, 1)).trials().get(0);
    }

    @Test
    void estimatesRateAndDuration() {
        LoadEstimate.Trial t = only("""
            topics: [{name: a}, {name: b}]
            producers: [{topic: [a, b], rate: 1000/s, record: {size: 92}}]
            warmup: 2s
            duration: 10s
            """);
        assertThat(t.produced()).isEqualTo(12_000);
        assertThat(t.seconds()).isEqualTo(12);
        assertThat(t.assumed()).isFalse();
        assertThat(t.bytesByTopic()).containsEntry("a", 600_000L).containsEntry("b", 600_000L);
    }

    /** Each group of a pipeline writes all records that it reads. */
    @Test
    void estimatesPipeline() {
        LoadEstimate.Trial t = only("""
            topics: [{name: a}, {name: b}]
            producers: [{topic: a, records: 1000, record: {size: 92}}]
            consumers: [{kind: pipeline, topic: a, output: b, groups: 2}]
            """);
        assertThat(t.bytesByTopic()).containsEntry("a", 100_000L).containsEntry("b", 200_000L);
    }

    /** A batch of one record has its own header. */
    @Test
    void estimatesBytesOfSynchronousSends() {
        String yaml = """
            topics: [{name: a}]
            producers: [{topic: a, records: 1000, record: {size: 92}, send: SEND, threads: 2}]
            """;
        assertThat(only(yaml.replace("SEND", "async")).bytes()).isEqualTo(100_000);
        assertThat(only(yaml.replace("SEND", "sync")).bytes()).isEqualTo(130_500);
        assertThat(only(yaml.replace("SEND", "{flushEvery: 10}")).bytes()).isEqualTo(103_050);
    }

    /** The wait of a thread includes the response and the linger time before it. */
    @Test
    void estimatesDurationOfSynchronousSends() {
        String yaml = """
            topics: [{name: a}]
            producers: [{topic: a, records: 120k, send: SEND, threads: 16, config: {linger.ms: 10}}]
            warmup: 0
            """;
        assertThat(only(yaml.replace("SEND", "sync")).seconds()).isCloseTo(90, within(1.0));
        assertThat(only(yaml.replace("SEND", "{flushEvery: 3}")).seconds()).isCloseTo(5, within(0.1));
        assertThat(only(yaml.replace("SEND", "async")).seconds()).isLessThan(5);
    }

    @Test
    void estimatesChangingRates() {
        String yaml = """
            topics: [{name: a}]
            producers: [{topic: a, rate: RATE}]
            warmup: 0
            duration: 10s
            """;
        assertThat(only(yaml.replace("RATE", "{ramp: [0/s, 1000/s], over: 4s}")).produced())
                .isEqualTo(8000);
        assertThat(only(yaml.replace("RATE", "{steps: [100/s, 200/s], each: 4s}"))
                        .produced())
                .isEqualTo(400 + 6 * 200);
        assertThat(only(yaml.replace("RATE", "{daily: {mean: 50/s, amplitude: 1, period: 10s}}"))
                        .produced())
                .isEqualTo(500);
        assertThat(only(yaml.replace("RATE", "1MB/s")).produced()).isEqualTo(10_000);
        assertThat(only(yaml.replace("RATE", "1MB/s wire")).bytes()).isEqualTo(10_000_000);
    }

    /** The number of records in compressed bytes depends on the payload. */
    @Test
    void marksRecordRateOfCompressedBytesAsUnknown() {
        String yaml = """
            topics: [{name: a}]
            producers: [{topic: a, rate: RATE, config: {compression.type: TYPE}}]
            """;
        assertThat(recordsUnknown(yaml, "1MB/s wire", "lz4")).isTrue();
        assertThat(recordsUnknown(yaml, "1MB/s wire", "none")).isFalse();
        assertThat(recordsUnknown(yaml, "1MB/s", "lz4")).isFalse();
    }

    private static boolean recordsUnknown(String yaml, String rate, String type) {
        return only(yaml.replace("RATE", rate).replace("TYPE", type)).peak().recordsUnknown();
    }

    @Test
    void prefersPublishedRateToAssumedOne() {
        String yaml = """
            topics: [{name: a, keep: true}]
            trials:
              - {name: write, set: {producers: [{topic: a, records: 50M, record: {size: 100}}]}}
              - {name: other, set: {producers: [{topic: a, records: 1M, record: {size: 100}}]}}
              - {name: read, set: {consumers: [{topic: a, records: 50M, groups: 2}]}}
            reference:
              tables:
                - columns: {r: produce.throughput in records/s, c: consume.throughput in records/s}
                  rows:
                    - {trial: write, values: ["1,000,000", null]}
                    - {trial: read, values: [null, "2,500,000.0/s"]}
            """;
        LoadEstimate estimate = LoadEstimate.of(plan(yaml, 1));
        assertThat(estimate.trials().get(0).seconds()).isEqualTo(50);
        assertThat(estimate.trials().get(0).assumed()).isFalse();
        assertThat(estimate.trials().get(1).assumed()).isTrue();
        assertThat(estimate.trials().get(1).seconds()).isEqualTo(5);
        assertThat(estimate.trials().get(2).seconds()).isEqualTo(40);
        assertThat(estimate.trials().get(2).read()).isEqualTo(100_000_000);
        assertThat(LoadEstimate.of(plan(yaml, 0.01)).trials().get(0).produced()).isEqualTo(500_000);
    }

    /** 100 MB in one replica: the permanent data, the maximum of two consecutive trials, and the number of brokers. */
    @Test
    void estimatesPeakDiskUsage() {
        String yaml = """
            topics: [{name: kept, replication: 3, keep: true}, {name: own, replication: 1, partitions: 3}]
            trials:
              - {name: a, set: {producers: [{topic: kept, records: 1M, record: {size: 92}}]}}
              - {name: b, set: {producers: [{topic: own, records: 1M, record: {size: 92}}]}}
              - {name: c, set: {producers: [{topic: own, records: 1M, record: {size: 92}}], "topics[1].brokers": 1}}
            """;
        Plan plan = plan(yaml, 1);
        LoadEstimate estimate = LoadEstimate.of(plan);
        assertThat(estimate.bytes()).isEqualTo(300_000_000);
        assertThat((double) estimate.peakBytesPerBroker(plan, 3, Map.of()))
                .isCloseTo(100e6 + 33.3e6 + 100e6, within(1e6));
        assertThat((double) estimate.peakBytesPerBroker(plan, 3, Map.of("own", 3)))
                .as("an existing topic with three replicas")
                .isCloseTo(300e6, within(1e6));
    }

    /** One broker stores all data of a topic with one partition, and three of seven partitions on three brokers. */
    @Test
    void estimatesWholePartitionsPerBroker() {
        String yaml = """
            topics: [{name: a, partitions: PARTITIONS, replication: 1}]
            producers: [{topic: a, records: 1M, record: {size: 92}}]
            """;
        assertThat(perBroker(yaml.replace("PARTITIONS", "1"))).isCloseTo(100e6, within(1e6));
        assertThat(perBroker(yaml.replace("PARTITIONS", "7"))).isCloseTo(100e6 * 3 / 7, within(1e6));
        assertThat(perBroker(yaml.replace("partitions: PARTITIONS, replication: 1", "existing: true")))
                .as("the number of partitions is unknown")
                .isCloseTo(33.3e6, within(1e6));
    }

    private static double perBroker(String yaml) {
        Plan plan = plan(yaml, 1);
        return LoadEstimate.of(plan).peakBytesPerBroker(plan, 3, Map.of());
    }
}
