package io.plimsoll.perf;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cli.Arguments;
import io.plimsoll.cli.ModuleCommand;
import io.plimsoll.cli.RunCommand.ShownRun;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.payload.PayloadFile;
import io.plimsoll.perf.PerfOutput.ConsumerPerf;
import io.plimsoll.perf.PerfOutput.EndToEndPerf;
import io.plimsoll.perf.PerfOutput.ProducerPerf;
import io.plimsoll.result.Json;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Problem;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Base of the commands that replace one of Kafka's performance tools on an existing cluster. */
public abstract class PerfCommand extends ModuleCommand.OfPerf {
    private static final long SEED = 1;
    private static final Map<String, String> OPTIONS = Map.of(
            "topics[0].name", "--topic",
            "producers[0].topic", "--topic",
            "consumers[0].topic", "--topic",
            "producers[0].records", "--num-records",
            "consumers[0].records", "--num-records",
            "producers[0].rate", "--throughput",
            "producers[0].record.size", "--record-size",
            "producers[0].transactions.every", "--transaction-duration-ms",
            "consumers[0].idleTimeout", "--timeout");

    private static final List<String> CONNECTION =
            List.of("security.", "ssl.", "sasl.", "client.dns.", "reconnect.", "config.providers");

    @Option(names = "--json", order = 1, paramLabel = "FILE", descriptionKey = "perf.json")
    private Path json;

    @Option(names = "--report", order = 2, paramLabel = "DIR")
    private Path report;

    private @Nullable Path scratch;
    private Exit kept = Exit.PASSED;

    /** Client properties, divided into connection settings and all other properties. */
    record ClientProperties(ClusterConnection connection, Map<String, String> client) {}

    /**
     * Reads the properties of the client.
     *
     * @param bootstrapServers null if a property sets them
     * @param option the source of the properties, for messages
     * @param properties {@code name=value}, split at the first {@code =}
     * @throws PlimsollException ({@link Exit#USAGE}) with the invalid file, line or option
     */
    static ClientProperties clientProperties(
            @Nullable String bootstrapServers, @Nullable Path file, String option, List<String> properties) {
        if (properties.stream().anyMatch(property -> property.indexOf('=') < 1)) {
            // Not quoted in the message: a value without a name could be a secret.
            throw Exit.USAGE.because("cli.notAProperty", option);
        }
        Map<String, String> all = ClusterConnection.written(bootstrapServers, file, properties);
        String servers = all.remove("bootstrap.servers");
        Map<String, String> connection = new LinkedHashMap<>();
        Map<String, String> client = new LinkedHashMap<>();
        all.forEach((name, value) ->
                (CONNECTION.stream().anyMatch(name::startsWith) ? connection : client).put(name, value));
        client.keySet()
                .removeAll(List.of("key.serializer", "value.serializer", "key.deserializer", "value.deserializer"));
        return new ClientProperties(new ClusterConnection(servers, connection), client);
    }

    /** Creates a scenario from options; errors are reported by option name. */
    static Plan plan(Map<String, Object> scenario) {
        try {
            return ScenarioReader.read(Json.verbatim(scenario), String.valueOf(scenario.get("name")), List.of(), 1);
        } catch (ScenarioException e) {
            List<Sentence> mistakes =
                    e.problems().stream().map(PerfCommand::byOption).distinct().toList();
            throw new PlimsollException(Exit.USAGE, Sentence.lines(mistakes), e);
        }
    }

    private static Sentence byOption(Problem problem) {
        String path = problem.path();
        String name = OPTIONS.getOrDefault(path, path.replaceFirst("^(producers|consumers)\\[0\\]\\.config\\.?", ""));
        return name.isEmpty() ? problem.message() : Sentence.of("text.at", name, problem.message());
    }

    /** @throws ParameterException if the condition is false */
    void check(boolean condition, String option, @Nullable Object value, String wanted, Object... range) {
        require(condition, "cli.giveInstead", option, value, Sentence.of(wanted, range));
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if the result file is not writable */
    void checkOutput() {
        if (json == null) {
            return;
        }
        Path parent = json.toAbsolutePath().getParent();
        Exit.USAGE.when(Files.isDirectory(json), "cli.jsonIsDirectory", json);
        Exit.USAGE.when(parent == null || !Files.isDirectory(parent), "cli.jsonHasNoDirectory", json, parent);
        Exit.USAGE.when(!Files.isWritable(Files.exists(json) ? json : parent), "cli.mayNotWriteJson", json);
    }

    /**
     * Sets the client to keep its metrics when it closes, and returns its {@code client.id}; empty if they are not
     * requested.
     */
    static Optional<String> metricsOf(ClientProperties given, Map<String, String> client, boolean wanted) {
        if (wanted) {
            client.put("metric.reporters", MetricsAtClose.class.getName());
        }
        return Optional.ofNullable(wanted ? given.connection().lookUp(client).get("client.id") : null);
    }

    /**
     * Runs the generated scenario.
     * @param metricsOf {@code client.id} of the client for which metrics are printed; empty for none
     * @return the exit code of the run, but success, as in Kafka's tools, if the load generator was the bottleneck;
     *     failure if a requested file could not be written
     */
    Exit run(Plan plan, ClusterConnection cluster, PerfOutput output, boolean keepGroups, Optional<String> metricsOf) {
        try {
            RunRequest request = RunRequest.of(plan, directory(), Arguments.typed(spec), ToolInfo.ofRun())
                    .with(draft -> {
                        draft.cluster = Optional.of(cluster);
                        draft.seed = SEED;
                        draft.keepGroups = keepGroups;
                        // As in Kafka's tools, topic, rate and number of records are explicit, so only harm to other
                        // clients is refused.
                        draft.limits = LoadLimits.DEFAULT.with(LoadLimits.Consent.GIVEN);
                    });
            output.begin();
            Run.Finished finished = ShownRun.execute(new Run(request, output), end -> {
                if (end.failure() != null) {
                    say(end.failure().sentence());
                }
                keep(end);
                output.end(end.result(), metricsOf.map(MetricsAtClose::take).orElse(Map.of()), language());
                removeScratch();
            });
            Exit exit = finished.result().head().exit();
            return exit == Exit.INVALID_MEASUREMENT || exit == Exit.PASSED ? kept : exit;
        } finally {
            output.close();
            removeScratch();
        }
    }

    private Path directory() {
        if (report != null) {
            return report;
        }
        try {
            scratch = Files.createTempDirectory("plimsoll-perf-");
            return scratch;
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "cli.noTemporaryDirectory", e.getMessage());
        }
    }

    private void keep(Run.Finished finished) {
        try {
            if (json != null) {
                Files.writeString(json, Json.pretty(finished.result()));
            }
            if (report != null) {
                try (RunDirectory directory = RunDirectory.open(finished.directory())) {
                    say("cli.reportIs", ShownRun.writeReports(directory, finished.result(), language()));
                }
            }
        } catch (IOException e) {
            kept = Exit.INTERNAL;
            say("cli.cannotWrite", json, reason(e));
        } catch (PlimsollException e) {
            kept = e.exit();
            say(e.sentence());
        }
    }

    private void removeScratch() {
        if (scratch != null) {
            PrivateFiles.discard(scratch);
            scratch = null;
        }
    }

    /** {@code plimsoll producer-perf-test}: options and output of {@code kafka-producer-perf-test}. */
    @Command(name = "producer-perf-test")
    public static final class ProducerPerfCommand extends PerfCommand {
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
        protected Exit execute() {
            check();
            checkOutput();
            ClientProperties given = clientProperties(bootstrapServer, config, "--producer-props", properties);
            Map<String, String> client = given.client();
            client.putIfAbsent("client.id", "perf-producer-client");
            Map<String, Object> transactions = transactions(client);
            Optional<String> metricsOf = metricsOf(given, client, printMetrics);
            List<String> payloadLines = new ArrayList<>();
            Plan plan = plan(scenario(client, transactions, payload(payloadLines)));
            if (new NamedTopics(given.connection()).createOnDemand(topic)) {
                say("cli.topicMade", topic);
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

        /**
         * Transactions as in Kafka 4: an ID alone enables them, and a duration alone generates an ID. In 2.x, a
         * duration of 0 meant no transactions.
         */
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

        /** @param lines receives the tool's messages about a payload file */
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
                    pieces > 1
                            || !(payloadDelimiter.matches(".*[\\[({*+?|^$].*")
                                    || delimiter.matches(".*\\\\[A-Za-z].*")),
                    "cli.noSuchDelimiter",
                    payloadDelimiter,
                    payloadFile);
            lines.add("Reading payloads from: " + Path.of(payloadFile).toAbsolutePath());
            lines.add("Number of records read: " + pieces);
            return Map.of("payload", Map.of("file", payloadFile, "delimiter", delimiter));
        }

        /** Replaces \n, \r and \t, and removes the backslash before punctuation, as in regular expressions. */
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

        /** The warm-up is a separate trial, so that none of its records are in the producer's buffer during the measurement. */
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

    /** {@code plimsoll end-to-end-latency}: options and output of {@code kafka-e2e-latency}. */
    @Command(name = "end-to-end-latency")
    public static final class EndToEndLatencyCommand extends PerfCommand {
        private static final int MOST_HEADERS = 1000;

        @Parameters(
                arity = "0..*",
                paramLabel = "BROKERS TOPIC N ACKS BYTES [FILE]",
                hideParamSyntax = true,
                descriptionKey = "argument.end-to-end-latency.positional")
        List<String> positional = new ArrayList<>();

        @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT[,...]")
        String bootstrapServer;

        @Option(names = "--topic", paramLabel = "TOPIC")
        String topic;

        @Option(names = "--num-records", paramLabel = "N")
        String records;

        @Option(names = "--producer-acks", paramLabel = "1|all")
        String acks;

        @Option(names = "--record-size", paramLabel = "BYTES")
        String recordBytes;

        @Option(names = "--record-key-size", paramLabel = "BYTES", defaultValue = "0")
        int keyBytes;

        @Option(names = "--num-headers", paramLabel = "N", defaultValue = "0")
        int headers;

        @Option(names = "--record-header-key-size", paramLabel = "BYTES", defaultValue = "0")
        int headerKeyBytes;

        @Option(names = "--record-header-size", paramLabel = "BYTES", defaultValue = "0")
        int headerBytes;

        @Option(names = "--command-config", paramLabel = "FILE")
        Path config;

        @Override
        protected Exit execute() {
            takePositional();
            long count = check();
            checkOutput();
            ClientProperties given = clientProperties(bootstrapServer, config, "--command-property", List.of());
            Plan plan = plan(scenario(count, given));
            boolean created = new NamedTopics(given.connection()).createSmallest(topic);
            EndToEndPerf lines = new EndToEndPerf(out(), err(), created ? Optional.of(topic) : Optional.empty());
            return run(plan, given.connection(), lines, false, Optional.empty());
        }

        private void takePositional() {
            if (positional.isEmpty()) {
                return;
            }
            boolean both = bootstrapServer != null || topic != null || records != null || acks != null;
            require(
                    !both && recordBytes == null && (positional.size() == 5 || positional.size() == 6),
                    "cli.orPositional",
                    "BROKERS TOPIC RECORDS ACKS BYTES [PROPERTIES_FILE]");
            bootstrapServer = positional.get(0);
            topic = positional.get(1);
            records = positional.get(2);
            acks = positional.get(3);
            recordBytes = positional.get(4);
            if (positional.size() == 6 && !positional.get(5).isBlank()) {
                config = Path.of(positional.get(5));
            }
        }

        private long check() {
            Json.object(
                            "--bootstrap-server", bootstrapServer,
                            "--topic", topic,
                            "--num-records", records,
                            "--producer-acks", acks,
                            "--record-size", recordBytes)
                    .forEach((name, value) -> require(value != null, "cli.missing", name));
            require(Set.of("1", "all").contains(acks), "cli.acksForLatency", acks);
            check(records.matches("[1-9][0-9]{0,17}"), "--num-records", records, "cli.a.positiveNumber");
            check(recordBytes.matches("[0-9]{1,9}"), "--record-size", recordBytes, "cli.a.numberOfBytes");
            check(keyBytes >= 0, "--record-key-size", keyBytes, "cli.a.bytes");
            boolean few = headers >= 0 && headers <= MOST_HEADERS;
            check(few, "--num-headers", headers, "cli.a.range", 0, MOST_HEADERS);
            check(headerKeyBytes >= 0, "--record-header-key-size", headerKeyBytes, "cli.a.bytes");
            check(headerBytes >= -1, "--record-header-size", headerBytes, "cli.a.bytesOrNone");
            return Long.parseLong(records);
        }

        private Map<String, Object> scenario(long count, ClientProperties given) {
            Map<String, String> sending = given.client();
            Map<String, String> reading = new LinkedHashMap<>(sending);
            // Both clients read this file: each uses its own properties, and unknown properties are reported once.
            sending.keySet()
                    .removeIf(name -> ConsumerConfig.configNames().contains(name)
                            && !ProducerConfig.configNames().contains(name));
            reading.keySet().removeIf(name -> !ConsumerConfig.configNames().contains(name));
            reading.keySet().removeAll(Set.of("group.id", "auto.offset.reset", "enable.auto.commit"));
            sending.put("acks", acks);
            sending.put("linger.ms", "0");
            Map<String, Object> producer =
                    Json.object("topic", topic, "rate", "unlimited", "records", count, "send", "sync");
            producer.put("record", record());
            producer.put("config", sending);
            Map<String, Object> consumer =
                    Json.object("topic", topic, "start", "latest", "commit", "none", "config", reading);
            return Json.object(
                    "name", spec.name(),
                    "topics", List.of(Map.of("name", topic, "existing", true)),
                    "producers", List.of(producer),
                    "consumers", List.of(consumer),
                    "checks", List.of("produce.records == " + count, "consume.records >= " + count));
        }

        private Map<String, Object> record() {
            Map<String, Object> record = Json.object("size", Integer.parseInt(recordBytes), "payload", "letters");
            if (keyBytes > 0) {
                record.put("key", Map.of("fixed", "K".repeat(keyBytes)));
            }
            if (headers > 0) {
                record.put(
                        "headers",
                        Map.of("count", headers, "keySize", headerKeyBytes, "valueSize", Math.max(0, headerBytes)));
            }
            return record;
        }
    }

    /** Shared options and steps of the commands that replace Kafka's read tools. */
    public abstract static class ReadPerfCommand extends PerfCommand {
        @Option(names = "--topic", paramLabel = "TOPIC")
        String topic;

        @Option(
                names = {"--num-records", "--messages"},
                required = true,
                paramLabel = "N")
        long records;

        @Option(names = "--fetch-size", paramLabel = "BYTES", defaultValue = "1048576")
        int fetchBytes;

        @Option(names = "--socket-buffer-size", paramLabel = "BYTES", defaultValue = "2097152")
        int socketBufferBytes;

        @Option(names = "--timeout", arity = "0..1", paramLabel = "MS", defaultValue = "10000", fallbackValue = "10000")
        long timeoutMillis;

        @Option(names = "--reporting-interval", paramLabel = "MS", defaultValue = "5000")
        long intervalMillis;

        @Option(names = "--show-detailed-stats")
        boolean detailed;

        @Option(names = "--hide-header")
        boolean hideHeader;

        @Option(names = "--date-format", paramLabel = "FORMAT", defaultValue = "yyyy-MM-dd HH:mm:ss:SSS")
        String dateFormat;

        @Option(names = "--print-metrics")
        boolean printMetrics;

        @Option(
                names = {"--command-config", "--consumer.config"},
                paramLabel = "FILE")
        Path config;

        @Option(names = "--command-property", paramLabel = "NAME=VALUE")
        List<String> properties = new ArrayList<>();

        void check() {
            check(records > 0, "--num-records", records, "cli.a.positive");
            check(timeoutMillis > 0, "--timeout", timeoutMillis, "cli.a.millis");
            check(intervalMillis > 0, "--reporting-interval", intervalMillis, "cli.a.millis");
            checkOutput();
        }

        ConsumerPerf.Options shown() {
            try {
                return new ConsumerPerf.Options(
                        records,
                        timeoutMillis,
                        intervalMillis,
                        detailed,
                        !hideHeader,
                        new SimpleDateFormat(dateFormat, Locale.getDefault()));
            } catch (IllegalArgumentException e) {
                throw mistake("cli.notADateFormat", dateFormat, e.getMessage());
            }
        }

        /** Suffix of the {@code client.id} of the client for which metrics are printed. */
        String metricsSuffix() {
            return "";
        }

        /** Reads the requested records; {@code more} adds keys to the consumer. */
        Exit read(ClientProperties given, List<String> topics, boolean keepsGroup, ConsumerPerf lines, Map<String, Object> more) {
            Map<String, String> client = given.client();
            client.put("receive.buffer.bytes", String.valueOf(socketBufferBytes));
            Optional<String> metricsOf = metricsOf(given, client, printMetrics).map(id -> id + metricsSuffix());
            Map<String, Object> consumer = new LinkedHashMap<>(more);
            consumer.put("topic", topics.size() == 1 ? topics.get(0) : topics);
            consumer.put("records", records);
            consumer.put("idleTimeout", timeoutMillis + "ms");
            consumer.put("existingGroup", keepsGroup);
            consumer.put("config", client);
            Plan plan = plan(Json.object(
                    "name", spec.name(),
                    "topics",
                            topics.stream()
                                    .map(t -> Map.of("name", t, "existing", true))
                                    .toList(),
                    "consumers", List.of(consumer),
                    "checks", List.of("consume.records == " + records)));
            return run(plan, given.connection(), lines, keepsGroup, metricsOf);
        }

        /** {@code plimsoll consumer-perf-test}: options and output of {@code kafka-consumer-perf-test}. */
        @Command(name = "consumer-perf-test")
        public static final class ConsumerPerfCommand extends ReadPerfCommand {
            @Option(
                    names = {"--bootstrap-server", "--broker-list"},
                    paramLabel = "HOST:PORT[,...]")
            String bootstrapServer;

            @Option(names = "--include", paramLabel = "REGEX")
            String include;

            @Option(names = "--group", paramLabel = "ID")
            String group;

            @Option(names = "--from-latest")
            boolean fromLatest;

            @Option(
                    names = {"--threads", "--num-fetch-threads"},
                    paramLabel = "N")
            List<Integer> ignoredThreads = new ArrayList<>();

            @Option(names = "--new-consumer")
            boolean newConsumer;

            @Option(names = "--zookeeper", paramLabel = "ADDRESS")
            String zookeeper;

            @Override
            protected Exit execute() {
                require(zookeeper == null, "cli.noZooKeeper");
                require((topic == null) != (include == null), "cli.exactlyOne", List.of("--topic", "--include"));
                check();
                ClientProperties given = clientProperties(bootstrapServer, config, "--command-property", properties);
                ConsumerPerf lines = new ConsumerPerf(out(), err(), shown());
                Map<String, Object> start = Map.of("start", fromLatest ? "latest" : "earliest");
                Map<String, String> client = given.client();
                String random = "perf-consumer-" + ThreadLocalRandom.current().nextInt(100_000);
                client.put("group.id", group == null ? random : group);
                client.put("max.partition.fetch.bytes", String.valueOf(fetchBytes));
                client.putIfAbsent("client.id", "perf-consumer-client");
                client.remove("auto.offset.reset");
                return read(given, topics(given.connection()), group != null, lines, start);
            }

            private List<String> topics(ClusterConnection connection) {
                if (topic != null) {
                    new NamedTopics(connection).require(topic);
                    return List.of(topic);
                }
                Pattern pattern = pattern("--include", include);
                return new NamedTopics(connection).matching(pattern);
            }
        }

        /** {@code plimsoll share-consumer-perf-test}: options and output of {@code kafka-share-consumer-perf-test}. */
        @Command(name = "share-consumer-perf-test")
        public static final class ShareConsumerPerfCommand extends ReadPerfCommand {
            private static final String GROUP = "perf-share-consumer";

            @Option(names = "--bootstrap-server", paramLabel = "HOST:PORT[,...]")
            String bootstrapServer;

            @Option(names = "--group", paramLabel = "ID", defaultValue = GROUP)
            String group;

            @Option(names = "--threads", paramLabel = "N", defaultValue = "1")
            int threads;

            @Option(names = "--show-consumer-stats")
            boolean eachConsumer;

            @Override
            String metricsSuffix() {
                return "-1";
            }

            @Override
            protected Exit execute() {
                require(topic != null, "cli.exactlyOne", List.of("--topic"));
                check(threads > 0, "--threads", threads, "cli.a.positive");
                check();
                ClientProperties given = clientProperties(bootstrapServer, config, "--command-property", properties);
                new NamedTopics(given.connection()).require(topic);
                Map<String, String> client = given.client();
                client.put("group.id", group);
                client.put("fetch.max.bytes", String.valueOf(fetchBytes));
                client.putIfAbsent("client.id", "perf-share-consumer-client");
                Map<String, Object> more =
                        Json.object("kind", "share", "members", threads, "countMembers", detailed || eachConsumer);
                ConsumerPerf.Share lines =
                        new ConsumerPerf.Share(out(), err(), shown(), eachConsumer ? client.get("client.id") : null);
                return read(given, List.of(topic), true, lines, more);
            }
        }
    }
}
