package io.plimsoll.observe.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Observation;
import io.plimsoll.observe.broker.PrometheusSource.PrometheusText;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Broker figures are extracted from Prometheus text of any exporter. */
class PrometheusTextTest {
    /** Like the JMX exporter without rules. */
    private static final String PLAIN = """
        # HELP kafka_server_BrokerTopicMetrics_Count Attribute exposed for management
        # TYPE kafka_server_BrokerTopicMetrics_Count untyped
        kafka_server_BrokerTopicMetrics_Count{name="BytesInPerSec",topic="orders",} 7.0
        kafka_server_BrokerTopicMetrics_Count{name="BytesInPerSec",} %d
        kafka_network_RequestMetrics_Count{name="TotalTimeMs",request="Produce",} 100.0
        kafka_network_RequestMetrics_Mean{name="TotalTimeMs",request="Produce",} 2.5
        kafka_network_RequestMetrics_Count{name="TotalTimeMs",request="FetchConsumer",} 4.0
        kafka_network_RequestMetrics_Mean{name="TotalTimeMs",request="FetchConsumer",} 500.0
        kafka_server_ReplicaManager_Value{name="UnderReplicatedPartitions",} 3.0
        process_cpu_seconds_total 12.5
        process_open_fds 321
        jvm_memory_pool_collection_used_bytes{pool="G1 Old Gen",} 5e8
        jvm_memory_pool_collection_used_bytes{pool="G1 Eden Space",} 7.0
        jvm_gc_collection_seconds_sum{gc="G1 Young Generation",} 1.5
        jvm_gc_collection_seconds_sum{gc="G1 Concurrent GC",} 9.0
        """;

    /** Like the exporter's example rules, with a node exporter behind the same address. */
    private static final String RULES = """
        kafka_server_brokertopicmetrics_bytesin_total{topic="orders"} 7
        kafka_server_brokertopicmetrics_bytesin_total 1e6 1700000000000
        kafka_network_requestmetrics_totaltimems_count{request="Produce"} 100
        kafka_network_requestmetrics_totaltimems_mean{request="Produce"} 2.5
        kafka_server_replicamanager_underreplicatedpartitions 3
        node_cpu_seconds_total{cpu="0",mode="idle"} 50
        node_cpu_seconds_total{cpu="0",mode="user"} 30
        node_cpu_seconds_total{cpu="1",mode="iowait"} 5
        node_cpu_seconds_total{cpu="1",mode="steal"} 2
        node_disk_written_bytes_total{device="sda"} 1000
        node_disk_written_bytes_total{device="sdb"} 500
        node_disk_written_bytes_total{device="md0"} 1500
        node_network_transmit_bytes_total{device="eth0"} 40
        node_network_transmit_bytes_total{device="lo"} 9000
        node_network_transmit_bytes_total{device="bond0"} 40
        node_network_transmit_bytes_total{device="eth0.100"} 30
        """;

    @Test
    void findsBeansNamedWithoutRules() throws IOException {
        Reading reading = PrometheusText.read(PLAIN.formatted(1_000_000).lines(), List.of("orders"));
        assertThat(reading.counters())
                .containsEntry("bytesIn", 1e6)
                .containsEntry("topic:bytesIn:orders", 7.0)
                .containsEntry("produce.requests", 100.0)
                .containsEntry("produce.totalMs", 250.0)
                .containsEntry("fetch.totalMs", 2000.0)
                .containsEntry("cpuSeconds", 12.5)
                .containsEntry("gcSeconds", 1.5)
                .doesNotContainKey("bytesOut");
        assertThat(reading.gauges())
                .containsEntry("underReplicated", 3.0)
                .containsEntry("openFiles", 321.0)
                .containsEntry("heapAfterCollection", 5e8)
                .doesNotContainKey("followerLag");
    }

    @Test
    void findsBeansNamedByUsualRules() throws IOException {
        Reading reading = PrometheusText.read(RULES.lines(), List.of("orders"));
        assertThat(reading.counters())
                .containsEntry("bytesIn", 1e6)
                .containsEntry("topic:bytesIn:orders", 7.0)
                .containsEntry("produce.totalMs", 250.0)
                .containsEntry("host.cpuSeconds", 30.0)
                .containsEntry("host.stealSeconds", 2.0)
                .containsEntry("host.diskWriteBytes", 1500.0)
                .containsEntry("host.networkOutBytes", 40.0)
                .doesNotContainKey("host.networkInBytes");
        assertThat(reading.gauges()).containsEntry("underReplicated", 3.0);
    }

    @Test
    void identifiesNamingSchemes() throws IOException {
        assertThat(names(PLAIN.formatted(1))).containsExactly("plain");
        assertThat(names(RULES)).containsExactly("node", "rules");
        assertThat(names("node_cpu_seconds_total{mode=\"user\"} 3\nnode_cpu_seconds_total{mode=\"idle\"} 1"))
                .containsExactly("node");
        assertThat(names("kafka_server_brokertopicmetrics_bytesinpersec 5")).containsExactly("confluent");
        assertThat(names("kafka_server_brokertopicmetrics_bytesinpersec_total 5"))
                .containsExactly("reporter");
        assertThat(names("kafka_server_brokertopicmetrics_bytesinpersec_count 5"))
                .containsExactly("persec");
        assertThat(names("my_own_name 5")).isEmpty();
    }

    /** The number is found in each form, and per-topic values are not mistaken for broker totals. */
    @Test
    void findsCountersInEveryForm() throws IOException {
        for (String form : List.of("bytesin_total", "bytesinpersec", "bytesinpersec_total", "bytesinpersec_count")) {
            String name = "kafka_server_brokertopicmetrics_" + form;
            Reading reading =
                    PrometheusText.read((name + "{topic=\"orders\"} 3\n" + name + " 8\n").lines(), List.of("orders"));
            assertThat(reading.counters())
                    .as(form)
                    .containsEntry("bytesIn", 8.0)
                    .containsEntry("topic:bytesIn:orders", 3.0);
        }
    }

    private static Set<String> names(String text) throws IOException {
        return PrometheusText.read(text.lines(), List.of()).names();
    }

    @Test
    void observationIsTheIncrease() throws IOException {
        Reading first = PrometheusText.read(PLAIN.formatted(1_000_000).lines(), List.of());
        Reading second = PrometheusText.read(PLAIN.formatted(1_250_000).lines(), List.of());
        Observation seen = second.since(first, "broker 1", "prometheus", first.atNanos());
        assertThat(seen.sums()).containsEntry("bytesIn", 250_000.0).containsEntry("produce.requests", 0.0);
        assertThat(seen.fromNanos()).isZero();
        assertThat(seen.toNanos()).isEqualTo(second.atNanos() - first.atNanos());
    }

    /** Shortly after its start, all counters of a broker are small. */
    private static String restarted(long bytesIn) {
        return PLAIN.formatted(bytesIn)
                .replace("} 100.0", "} 3.0")
                .replace("} 4.0", "} 1.0")
                .replace("_total 12.5", "_total 0.4")
                .replace("} 1.5", "} 0.1");
    }

    @Test
    void doesNotSubtractCountsFromBeforeARestart() throws IOException {
        Reading first = PrometheusText.read(PLAIN.formatted(1_000_000).lines(), List.of());
        Reading second = PrometheusText.read(restarted(40).lines(), List.of());
        assertThat(second.since(first, "broker 1", "prometheus", 0).sums())
                .containsEntry("bytesIn", 40.0)
                .containsEntry("produce.requests", 3.0);
    }

    @Test
    void hostCountersContinueAcrossBrokerRestart() throws IOException {
        String node = "node_network_transmit_bytes_total{device=\"eth0\"} ";
        Reading first = PrometheusText.read((PLAIN.formatted(1_000_000) + node + 7_000).lines(), List.of());
        Reading second = PrometheusText.read((restarted(40) + node + 7_100).lines(), List.of());
        assertThat(second.since(first, "broker 1", "prometheus", 0).sums())
                .containsEntry("bytesIn", 40.0)
                .containsEntry("host.networkOutBytes", 100.0);
        Reading untold = PrometheusText.read(restarted(30).lines(), List.of());
        assertThat(second.since(untold, "broker 1", "prometheus", 0).sums())
                .as("what was not told before is not of the last second")
                .containsEntry("bytesIn", 10.0)
                .containsEntry("host.networkOutBytes", 0.0);
    }

    /** A sum over disks does not show whether one of them is busy all the time. */
    @Test
    void namesBusiestDiskOfHost() throws IOException {
        String disks = """
            node_disk_io_time_seconds_total{device="nvme0n1"} %s
            node_disk_io_time_seconds_total{device="sda"} 90
            """;
        Reading first = PrometheusText.read(disks.formatted(10).lines(), List.of());
        Reading second = PrometheusText.read(disks.formatted(11.5).lines(), List.of());
        Reading later = new Reading(first.atNanos() + 2_000_000_000L, second.counters(), second.gauges(), Set.of());
        Observation seen = later.since(first, "broker 1", "prometheus", 0);
        assertThat(seen.gauges()).containsEntry("host.busiestDisk", 0.75);
        assertThat(seen.sums()).containsEntry("host.diskBusySeconds", 1.5).doesNotContainKey("host.disk.sda");
    }

    /** CPU is attributed to the right process; the exporter's seconds are added to the broker's observed time. */
    @Test
    void doesNotMistakeNodeExporterForBroker() throws IOException {
        String node = """
            node_cpu_seconds_total{mode="user"} 3
            node_cpu_seconds_total{mode="idle"} 9
            process_cpu_seconds_total 12.5
            process_open_fds 9
            go_threads 7
            """;
        Reading reading = PrometheusText.read(node.lines(), List.of());
        assertThat(reading.counters()).doesNotContainKey("cpuSeconds");
        assertThat(reading.gauges()).doesNotContainKey("openFiles");
        assertThat(reading.since(reading, "broker 1", "prometheus", 0).sums())
                .containsKey("host.seconds")
                .doesNotContainKey("seconds");
    }

    @Test
    void refusesResponseWithoutMetrics() {
        assertThatThrownBy(() -> PrometheusText.read("<html>hello</html>".lines(), List.of()))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining("no metrics");
    }
}
