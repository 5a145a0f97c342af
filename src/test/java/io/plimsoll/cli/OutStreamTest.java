package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Phase;
import io.plimsoll.result.Json;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.testing.PlainLog;
import io.plimsoll.testing.Said;
import io.plimsoll.web.FigureStream;
import io.plimsoll.web.FigureStream.Destination;
import io.plimsoll.web.FigureStream.Format;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The streams of {@code --out-stream} have each second of all clients and of each label, and add up to the log. */
class OutStreamTest {
    @TempDir
    Path directory;

    @Test
    void streamsEachSecondOfEachLabel() throws Exception {
        String bootstrap = SharedLab.oneBroker().bootstrapServers();
        String topic = "stream-" + UUID.randomUUID();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            new Topics(admin).create(List.of(new NewTopic(topic, 1, (short) 1)), Duration.ofSeconds(30));
        }
        Path scenario = Files.writeString(directory.resolve("s.yaml"), """
                name: stream
                topics: [{name: %1$s, existing: true}]
                producers:
                  - {topic: %1$s, rate: 100/s, record: {size: 100B, key: {fixed: p}}, labels: {team: a b}}
                  - {topic: %1$s, rate: 40/s, record: {size: 100B, key: {fixed: a}}, labels: {team: audit}}
                consumers: [{topic: %1$s}]
                warmup: 0s
                duration: 3s
                """.formatted(topic));
        Path influx = directory.resolve("figures.influx");
        try (DatagramSocket statsd = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            statsd.setReceiveBufferSize(1 << 20);
            statsd.setSoTimeout(60_000);
            InProcess run = InProcess.run(
                    "run",
                    scenario.toString(),
                    "--yes",
                    "--bootstrap-server",
                    bootstrap,
                    "--out",
                    directory.resolve("runs").toString(),
                    "--out-stream",
                    "jsonl=-",
                    "--out-stream",
                    "influx=" + influx,
                    "--out-stream",
                    "statsd=127.0.0.1:" + statsd.getLocalPort());
            assertThat(run.exit()).as(run.err()).isIn(0, 5);
            assertThat(run.err()).contains("report.html");

            Map<String, Long> log = new HashMap<>();
            new PlainLog(bootstrap, topic, "read_committed")
                    .records()
                    .forEach(r -> log.merge(new String(r.key(), StandardCharsets.UTF_8), 1L, Long::sum));
            Map<String, Double> records = new HashMap<>();
            Map<String, Double> until = new HashMap<>();
            Map<String, Integer> lines = new HashMap<>();
            for (String line : run.out().split("\n")) {
                JsonNode json = Json.MAPPER.readTree(line);
                String label = json.at("/labels/team").asText();
                double second = json.get("second").asDouble();
                double length = second - until.getOrDefault(label, 0.0);
                until.put(label, second);
                lines.merge(label, 1, Integer::sum);
                records.merge(label, json.at("/figures/produce.throughput").asDouble() * length, Double::sum);
                assertThat(json.get("figures").has("consume.throughput")).isEqualTo(label.isEmpty());
                assertThat(label.isEmpty() || !json.get("figures").has("generator.cpu"))
                        .isTrue();
            }
            // An end of less than 0.2 s has no line.
            assertThat(records.get("a b")).isCloseTo(log.get("p"), within(0.3 * log.get("p")));
            assertThat(records.get("audit")).isCloseTo(log.get("a"), within(0.3 * log.get("a")));
            assertThat(records.get("")).isCloseTo(records.get("a b") + records.get("audit"), within(0.5));
            assertThat(lines).containsOnlyKeys("", "a b", "audit");
            assertThat(lines.values()).allMatch(count -> count <= lines.get(""));

            assertThat(Files.readAllLines(influx))
                    .hasSize(lines.values().stream().mapToInt(n -> n).sum())
                    .allMatch(
                            line -> line.matches(
                                    "plimsoll,trial=stream,phase=[a-z]+(,team=(a\\\\ b|audit))? ([a-zA-Z0-9.]+=[0-9.E-]+,?)+ \\d{19}"));
            Set<String> tags = new HashSet<>();
            while (tags.size() < 3) {
                DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
                statsd.receive(packet);
                String text = new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
                for (String line : text.split("\n")) {
                    assertThat(line).matches("plimsoll\\.[a-zA-Z0-9.]+:[0-9.E-]+\\|g\\|#trial:stream,phase:.*");
                    tags.add(line.replaceAll(".*phase:[a-z]+", ""));
                }
            }
            assertThat(tags).containsExactlyInAnyOrder("", ",team:a b", ",team:audit");
        }
    }

    /** The bracket makes the host invalid without a request to a name server. */
    @Test
    void refusesUnresolvedHostBeforeLoad() {
        InProcess run = InProcess.run("run", "quick", "--out-stream", "statsd=[metrics:8125");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).containsPattern(Said.en("cli.unknownHost", "[metrics"));
    }

    @Test
    void anyFailureEndsOnlyStream() {
        List<Exception> failures = new ArrayList<>();
        Destination broken = lines -> {
            throw new IllegalArgumentException();
        };
        FigureStream stream = new FigureStream(Format.STATSD, broken, failures::add);
        for (int i = 0; i < 2; i++) {
            stream.snapshot(new Second(100, Timelines.latencies(100, 1000))
                    .snapshot("stream", i, Phase.MEASURE, Timelines.plan(true)));
        }
        assertThat(failures).hasSize(1);
    }

    @Test
    void refusesInvalidStreamAndListsFormats() {
        InProcess run = InProcess.run("run", "quick", "--out-stream", "json");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).containsPattern(Said.en("cli.outStream", "json"));
    }
}
