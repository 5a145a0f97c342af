package io.plimsoll.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.report.Look;
import io.plimsoll.report.RunReport;
import io.plimsoll.result.CheckResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.PlainLog;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a run, records change to the next version of their schema when they are due, and the result counts each version. */
class EvolvingRunTest {
    private static final int FIRST = MemoryRegistry.FIRST_ID;

    @TempDir
    Path directory;

    @Test
    void changesSchemaOnScheduleAndCountsVersions() throws Exception {
        Files.writeString(directory.resolve("v2.avsc"), "\"string\"");
        String topic = "evolving-" + System.nanoTime();
        String servers = SharedLab.oneBroker().bootstrapServers();
        try (Admin admin = ClusterConnection.of(servers, null, List.of()).admin()) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(20));
        }
        RunResult result;
        try (MemoryRegistry registry = new MemoryRegistry(HttpServer.create(MemoryRegistry.ANY_PORT, 0), "")) {
            registry.register("orders-value", "\"long\"");
            registry.register("orders-value", "\"string\"");
            result = Runs.run("""
                    name: orders
                    topics: [{name: TOPIC, existing: true}]
                    producers:
                      - topic: TOPIC
                        rate: 500/s
                        record:
                          schema: {registry: "ADDRESS", subject: orders-value, version: 1, evolve: {at: 1s, file: FILE}}
                    consumers: [{topic: TOPIC, schema: {decode: 1}}]
                    checks: [consume.undecodable == 0, consume.unknownSchema == 0]
                    warmup: 0s
                    duration: 2s
                    """
                    .replace("TOPIC", topic)
                    .replace("ADDRESS", registry.address())
                    .replace("FILE", directory.resolve("v2.avsc").toString()), servers, directory);
        }
        TrialResult trial = result.trials().get(0);
        assertThat(trial.produce().events())
                .containsAllEntriesOf(Map.of("schema." + FIRST, 500L, "schema." + (FIRST + 1) + "@1s", 500L));
        assertThat(trial.consume().events())
                .containsAllEntriesOf(Map.of("schema." + FIRST, 500L, "schema." + (FIRST + 1), 500L));
        assertThat(trial.judgement().checks()).hasSize(2).allMatch(CheckResult::passed);
        assertThat(RunReport.terminal(result, Look.plain(Language.EN)))
                .containsPattern(Said.en("report.facts.encoding"))
                .containsPattern(Said.en("report.encoding.serializeTime", (Object) null))
                .containsPattern(Said.en("report.encoding.serializeCpu", (Object) null));
        List<ConsumerRecord<byte[], byte[]>> records = new PlainLog(servers, topic, "read_uncommitted")
                .records().stream()
                        .sorted(Comparator.comparingLong(ConsumerRecord::offset))
                        .toList();
        assertThat(records.subList(0, 500)).allMatch(r -> id(r) == FIRST);
        assertThat(records.subList(500, 1000)).allMatch(r -> id(r) == FIRST + 1);
        String timeline;
        try (Stream<Path> files = Files.walk(directory)) {
            timeline = Files.readString(files.filter(f -> f.endsWith("timeline.jsonl")).findFirst().orElseThrow());
        }
        String change = timeline.lines().filter(l -> l.contains("run.schemaChanged")).findFirst().orElseThrow();
        Instant at = Instant.parse(change.replaceFirst(".*?\"at\":\"([^\"]+)\".*", "$1"));
        assertThat(at.toEpochMilli() - records.get(500).timestamp()).isBetween(-1L, 1L);
    }

    private static int id(ConsumerRecord<byte[], byte[]> record) {
        return ByteBuffer.wrap(record.value()).getInt(1);
    }
}
