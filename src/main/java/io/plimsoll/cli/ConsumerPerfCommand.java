package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.NamedTopics;
import io.plimsoll.report.perf.ConsumerPerf;
import io.plimsoll.scenario.Plan;
import io.plimsoll.text.Sentence;
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

/** {@code plimsoll consumer-perf-test}: the options and lines of {@code kafka-consumer-perf-test}. */
@Command(name = "consumer-perf-test")
final class ConsumerPerfCommand extends PerfCommand {
    private static final String NAME = "consumer-perf-test";

    @Option(
            names = {"--bootstrap-server", "--broker-list"},
            paramLabel = "HOST:PORT[,...]")
    String bootstrapServer;

    @Option(names = "--topic", paramLabel = "TOPIC")
    String topic;

    @Option(names = "--include", paramLabel = "REGEX")
    String include;

    @Option(
            names = {"--num-records", "--messages"},
            required = true,
            paramLabel = "N")
    long records;

    @Option(names = "--group", paramLabel = "ID")
    String group;

    @Option(names = "--fetch-size", paramLabel = "BYTES", defaultValue = "1048576")
    int fetchBytes;

    @Option(names = "--socket-buffer-size", paramLabel = "BYTES", defaultValue = "2097152")
    int socketBufferBytes;

    @Option(names = "--from-latest")
    boolean fromLatest;

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
        check();
        checkOutput();
        Given given = given(bootstrapServer, config, "--command-property", properties);
        ConsumerPerf lines = new ConsumerPerf(out(), err(), shown());
        List<String> topics = topics(given.connection());
        Map<String, String> client = client(given);
        Optional<String> metricsOf = metricsOf(client, printMetrics);
        Plan plan = plan(scenario(topics, client));
        return run(plan, given.connection(), lines, group != null, metricsOf);
    }

    private void check() {
        require(zookeeper == null, "cli.noZooKeeper");
        require((topic == null) != (include == null), "cli.exactlyOne", List.of("--topic", "--include"));
        check(records > 0, "--num-records", records, "cli.a.positive");
        check(timeoutMillis > 0, "--timeout", timeoutMillis, "cli.a.millis");
        check(intervalMillis > 0, "--reporting-interval", intervalMillis, "cli.a.millis");
    }

    private ConsumerPerf.Options shown() {
        try {
            return new ConsumerPerf.Options(
                    records,
                    timeoutMillis,
                    intervalMillis,
                    detailed,
                    !hideHeader,
                    new SimpleDateFormat(dateFormat, Locale.getDefault()));
        } catch (IllegalArgumentException e) {
            throw mistake(Sentence.of("cli.notADateFormat", dateFormat, e.getMessage()));
        }
    }

    private List<String> topics(ClusterConnection connection) {
        if (topic != null) {
            new NamedTopics(connection).require(topic);
            return List.of(topic);
        }
        try {
            return new NamedTopics(connection).matching(Pattern.compile(include));
        } catch (PatternSyntaxException e) {
            throw mistake(Sentence.of("cli.notARegex", include, e.getDescription()));
        }
    }

    private Map<String, String> client(Given given) {
        Map<String, String> client = given.ofClient();
        client.put(
                "group.id",
                group == null ? "perf-consumer-" + ThreadLocalRandom.current().nextInt(100_000) : group);
        client.put("max.partition.fetch.bytes", String.valueOf(fetchBytes));
        client.put("receive.buffer.bytes", String.valueOf(socketBufferBytes));
        client.putIfAbsent("client.id", "perf-consumer-client");
        client.remove("auto.offset.reset");
        return client;
    }

    private Map<String, Object> scenario(List<String> topics, Map<String, String> client) {
        Map<String, Object> consumer = new LinkedHashMap<>();
        consumer.put("topic", topics.size() == 1 ? topics.get(0) : topics);
        consumer.put("records", records);
        consumer.put("start", fromLatest ? "latest" : "earliest");
        consumer.put("idleTimeout", timeoutMillis + "ms");
        consumer.put("existingGroup", group != null);
        consumer.put("config", client);
        Map<String, Object> scenario = new LinkedHashMap<>();
        scenario.put("name", NAME);
        scenario.put(
                "topics",
                topics.stream().map(t -> Map.of("name", t, "existing", true)).toList());
        scenario.put("consumers", List.of(consumer));
        scenario.put("checks", List.of("consume.records == " + records));
        return scenario;
    }
}
