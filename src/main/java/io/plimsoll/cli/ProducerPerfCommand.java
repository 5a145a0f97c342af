package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.NamedTopics;
import io.plimsoll.payload.PayloadFile;
import io.plimsoll.report.perf.ProducerPerf;
import io.plimsoll.result.Json;
import io.plimsoll.scenario.Plan;
import io.plimsoll.text.Sentence;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plimsoll producer-perf-test}: the options and lines of {@code kafka-producer-perf-test}. */
@Command(name = "producer-perf-test")
final class ProducerPerfCommand extends PerfCommand {
    private static final long DEFAULT_TRANSACTION_MILLIS = 3000;

    @Option(names = "--topic", required = true, paramLabel = "TOPIC")
    String topic;

    @Option(names = "--num-records", required = true, paramLabel = "N")
    long records;

    @Option(names = "--throughput", required = true, paramLabel = "N")
    BigDecimal throughput;

    @Option(names = "--record-size", paramLabel = "BYTES")
    Integer recordSize;

    @Option(names = "--payload-file", paramLabel = "FILE")
    String payloadFile;

    @Option(names = "--payload-delimiter", paramLabel = "TEXT", defaultValue = "\\n")
    String payloadDelimiter;

    @Option(names = "--payload-monotonic")
    boolean payloadMonotonic;

    @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT[,...]")
    String bootstrapServer;

    @Option(
            names = {"--producer-props", "--command-property"},
            arity = "1..*",
            paramLabel = "NAME=VALUE")
    List<String> properties = new ArrayList<>();

    @Option(
            names = {"--producer.config", "--command-config"},
            paramLabel = "FILE")
    Path config;

    @Option(names = "--print-metrics")
    boolean printMetrics;

    @Option(names = "--transactional-id", paramLabel = "ID")
    String transactionalId;

    @Option(names = "--transaction-duration-ms", paramLabel = "MS")
    Long transactionMillis;

    @Option(names = "--warmup-records", paramLabel = "N", defaultValue = "0")
    long warmupRecords;

    @Option(names = "--reporting-interval", paramLabel = "MS", defaultValue = "5000")
    long intervalMillis;

    @Override
    Exit perform() {
        check();
        checkOutput();
        Given given = given(bootstrapServer, config, "--producer-props", properties);
        Map<String, String> client = given.ofClient();
        client.putIfAbsent("client.id", "perf-producer-client");
        Map<String, Object> transactions = transactions(client);
        Optional<String> metricsOf = metricsOf(given, client, printMetrics);
        List<String> payloadLines = new ArrayList<>();
        Plan plan = plan(scenario(client, transactions, payload(payloadLines)));
        if (new NamedTopics(given.connection()).createOnDemand(topic)) {
            say(Sentence.of("cli.topicMade", topic));
        }
        ProducerPerf lines = new ProducerPerf(
                out(),
                err(),
                intervalMillis,
                Math.max(0, throughput.doubleValue()),
                Math.max(0, warmupRecords),
                payloadLines);
        return run(plan, given.connection(), lines, false, metricsOf);
    }

    private void check() {
        long payloads = Stream.of(recordSize != null, payloadFile != null, payloadMonotonic)
                .filter(Boolean::booleanValue)
                .count();
        require(payloads == 1, "cli.exactlyOne", List.of("--record-size", "--payload-file", "--payload-monotonic"));
        check(recordSize == null || recordSize > 0, "--record-size", recordSize, "cli.a.positiveBytes");
        check(records > 0, "--num-records", records, "cli.a.positive");
        require(throughput.signum() != 0, "cli.neverSends");
        require(warmupRecords < records, "cli.onlyWarmup", warmupRecords, records);
        check(
                transactionMillis == null || transactionMillis >= 0,
                "--transaction-duration-ms",
                transactionMillis,
                "cli.a.positiveMillis");
        check(intervalMillis > 0, "--reporting-interval", intervalMillis, "cli.a.millis");
    }

    /** Transactions are those of Kafka 4: an id alone asks for transactions, a duration alone gets an id. In 2.x, 0 meant none. */
    private Map<String, Object> transactions(Map<String, String> client) {
        String id = transactionalId != null ? transactionalId : client.get("transactional.id");
        boolean none = transactionMillis == null ? id == null : transactionMillis == 0;
        if (none) {
            require(id == null, "cli.idWithoutTransactions");
            return Map.of();
        }
        client.put("transactional.id", id == null ? "performance-producer-" + UUID.randomUUID() : id);
        long millis = transactionMillis == null ? DEFAULT_TRANSACTION_MILLIS : transactionMillis;
        return Map.of("transactions", Map.of("every", millis + "ms"));
    }

    /** @param lines takes what Kafka's tool says about a file */
    private Map<String, Object> payload(List<String> lines) {
        if (recordSize != null) {
            return Map.of("size", recordSize, "payload", "letters");
        }
        if (payloadMonotonic) {
            return Map.of("payload", Map.of("template", "${sequence}"));
        }
        String delimiter = unescaped(payloadDelimiter);
        int pieces = PayloadFile.read(payloadFile, delimiter).size();
        require(
                pieces > 1 || !(payloadDelimiter.matches(".*[\\[({*+?|^$].*") || delimiter.matches(".*\\\\[A-Za-z].*")),
                "cli.noSuchDelimiter",
                payloadDelimiter,
                payloadFile);
        lines.add("Reading payloads from: " + Path.of(payloadFile).toAbsolutePath());
        lines.add("Number of records read: " + pieces);
        return Map.of("payload", Map.of("file", payloadFile, "delimiter", delimiter));
    }

    /** Replaces what a shell cannot hand over as it is: \n, \r, \t; and what somebody has escaped for a regular expression. */
    private static String unescaped(String text) {
        return text.replace("\\n", "\n")
                .replace("\\r", "\r")
                .replace("\\t", "\t")
                .replaceAll("\\\\([^A-Za-z0-9])", "$1");
    }

    private Map<String, Object> scenario(
            Map<String, String> client, Map<String, Object> transactions, Map<String, Object> record) {
        Map<String, Object> producer = Json.object(
                "topic", topic,
                "rate", throughput.signum() < 0 ? "unlimited" : throughput.toPlainString() + "/s",
                "records", records,
                "record", record);
        producer.putAll(transactions);
        producer.put("config", client);
        Map<String, Object> scenario = Json.object(
                "name", spec.name(),
                "topics", List.of(Map.of("name", topic, "existing", true)),
                "producers", List.of(producer),
                "checks", List.of("produce.errors == 0", "produce.unacknowledged == 0"));
        if (warmupRecords > 0) {
            scenario.put("trials", trials());
        }
        return scenario;
    }

    /** A trial of its own warms up this process and the cluster, and leaves nothing in the buffers of the other. */
    private List<Map<String, Object>> trials() {
        Map<String, Object> steady = Json.object("producers[0].records", records - warmupRecords);
        if (payloadMonotonic) {
            steady.put("producers[0].record.payload", Map.of("template", "${sequence:" + warmupRecords + "}"));
        }
        return List.of(
                Map.of("name", "warm-up", "set", Map.of("producers[0].records", warmupRecords)),
                Map.of("name", "steady-state", "set", steady));
    }
}
