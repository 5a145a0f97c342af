package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Said;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings that a watch accepts from a scenario, and the ones that it rejects. */
class WatchScenarioTest {
    private static final String ORDERS = """
            name: orders
            topics: [{name: orders, partitions: 6, replication: 2, config: {retention.ms: 60000}}]
            producers:
              - topic: orders
                rate: 120/s
                record: {size: 500}
                config: {acks: 1, bootstrap.servers: "kafka1:9092"}
            consumers: [{topic: orders, config: {isolation.level: read_committed}}]
            checks: [produce.response.p99.9 < 200ms, audit.lost == 0]
            duration: 60s
            """;

    private static WatchScenario read(String... changes) {
        return WatchScenario.of(ScenarioReader.read(ORDERS, "orders.yaml", List.of(changes), 1));
    }

    @Test
    void takesTopicLoadClientsClusterAndObjective() {
        WatchScenario said = read();
        assertThat(said.options())
                .containsOnly(
                        Map.entry("--topic", "orders"),
                        Map.entry("--rate", "120/s"),
                        Map.entry("--max-rate", "60KB/s"),
                        Map.entry("--record-size", "500"),
                        Map.entry("--within", "200ms"),
                        Map.entry("--objective", "99.9%"));
        assertThat(said.layout()).isEqualTo(new WatchSettings.Layout(6, 2, Map.of("retention.ms", "60000")));
        assertThat(said.producing()).containsEntry("acks", "1");
        assertThat(said.reading()).isEqualTo(Map.of("isolation.level", "read_committed"));
        assertThat(said.bootstrapServers()).contains("kafka1:9092");
        assertThat(read("producers[0].rate=60KB/s").options()).isEqualTo(said.options());
    }

    /** A total rate is divided among all partitions. */
    @Test
    void capLimitsTotalRateOfPartitions() {
        WatchSettings.Load load = new WatchSettings.Load(120, 500, 60_000, Map.of(), Map.of());
        assertThat(load.everyNanos(6)).isEqualTo(50_000_000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "producers[0].rate=unlimited | producers.rate",
                "producers[0].rate=1MB/s wire | producers.rate",
                "producers[0].rate=6001/s | producers.rate",
                "producers[0].record.key=sequential | producers.record.key",
                "producers[0].clients=2 | producers.clients",
                "producers[0].config={enable.auto.commit: true} | producers.config.enable.auto.commit",
                "consumers[0].config={auto.offset.reset: latest} | consumers.config.auto.offset.reset",
                "consumers[0].members=2 | consumers.members",
                "topics[0].existing=true | topics.existing",
                "abortOnFail=true | abortOnFail",
                "checks=[produce.throughput > 10/s] | produce.throughput > 10/s",
                "checks=[produce.response.p99 < 1s, consume.endToEnd.p99 < 1s] | consume.endToEnd.p99 < 1s"
            })
    void refusesUnsupportedSettingsByName(String change, String named) {
        assertThatThrownBy(() -> read(change)).message().matches(Said.en("watch.notDone", named));
    }
}
