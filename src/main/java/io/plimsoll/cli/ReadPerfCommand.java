package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics.NamedTopics;
import io.plimsoll.report.perf.PerfOutput.ConsumerPerf;
import io.plimsoll.result.Json;
import io.plimsoll.scenario.Plan;
import java.nio.file.Path;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shared options and steps of the commands that replace Kafka's read tools. */
abstract class ReadPerfCommand extends PerfCommand {
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

    /** Suffix of the {@code client.id} of the client with the printed metrics. */
    String metricsSuffix() {
        return "";
    }

    /** Reads the requested records; {@code more} adds keys to the consumer. */
    Exit read(
            Given given,
            List<String> topics,
            Map<String, String> client,
            boolean keepsGroup,
            ConsumerPerf lines,
            Map<String, Object> more) {
        client.put("receive.buffer.bytes", String.valueOf(socketBufferBytes));
        Optional<String> metricsOf = metricsOf(given, client, printMetrics).map(id -> id + metricsSuffix());
        Map<String, Object> consumer = new LinkedHashMap<>(more);
        consumer.put("topic", topics.size() == 1 ? topics.get(0) : topics);
        consumer.put("records", records);
        consumer.put("idleTimeout", timeoutMillis + "ms");
        consumer.put("existingGroup", keepsGroup);
        consumer.put("config", client);
        Map<String, Object> scenario = Json.object(
                "name", spec.name(),
                "topics",
                        topics.stream()
                                .map(t -> Map.of("name", t, "existing", true))
                                .toList(),
                "consumers", List.of(consumer),
                "checks", List.of("consume.records == " + records));
        Plan plan = plan(scenario);
        return run(plan, given.connection(), lines, keepsGroup, metricsOf);
    }

    /** {@code plimsoll consumer-perf-test}: options and output of {@code kafka-consumer-perf-test}. */
    @Command(name = "consumer-perf-test")
    static final class ConsumerPerfCommand extends ReadPerfCommand {
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
        Exit perform() {
            require(zookeeper == null, "cli.noZooKeeper");
            require((topic == null) != (include == null), "cli.exactlyOne", List.of("--topic", "--include"));
            check();
            Given given = given(bootstrapServer, config, "--command-property", properties);
            ConsumerPerf lines = new ConsumerPerf(out(), err(), shown());
            Map<String, Object> start = Map.of("start", fromLatest ? "latest" : "earliest");
            return read(given, topics(given.connection()), client(given), group != null, lines, start);
        }

        private List<String> topics(ClusterConnection connection) {
            if (topic != null) {
                new NamedTopics(connection).require(topic);
                return List.of(topic);
            }
            try {
                Pattern pattern = Pattern.compile(include);
                return new NamedTopics(connection).matching(pattern);
            } catch (PatternSyntaxException e) {
                throw mistake("cli.notARegex", include, e.getDescription());
            }
        }

        private Map<String, String> client(Given given) {
            Map<String, String> client = given.ofClient();
            client.put(
                    "group.id",
                    group == null
                            ? "perf-consumer-" + ThreadLocalRandom.current().nextInt(100_000)
                            : group);
            client.put("max.partition.fetch.bytes", String.valueOf(fetchBytes));
            client.putIfAbsent("client.id", "perf-consumer-client");
            client.remove("auto.offset.reset");
            return client;
        }
    }

    /** {@code plimsoll share-consumer-perf-test}: options and output of {@code kafka-share-consumer-perf-test}. */
    @Command(name = "share-consumer-perf-test")
    static final class ShareConsumerPerfCommand extends ReadPerfCommand {
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
        Exit perform() {
            require(topic != null, "cli.exactlyOne", List.of("--topic"));
            check(threads > 0, "--threads", threads, "cli.a.positive");
            check();
            Given given = given(bootstrapServer, config, "--command-property", properties);
            new NamedTopics(given.connection()).require(topic);
            Map<String, String> client = given.ofClient();
            client.put("group.id", group);
            client.put("fetch.max.bytes", String.valueOf(fetchBytes));
            client.putIfAbsent("client.id", "perf-share-consumer-client");
            Map<String, Object> more =
                    Json.object("kind", "share", "members", threads, "countMembers", detailed || eachConsumer);
            ConsumerPerf.Share lines =
                    new ConsumerPerf.Share(out(), err(), shown(), eachConsumer ? client.get("client.id") : null);
            return read(given, List.of(topic), client, true, lines, more);
        }
    }
}
