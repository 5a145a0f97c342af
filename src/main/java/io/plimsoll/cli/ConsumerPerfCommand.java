package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.NamedTopics;
import io.plimsoll.report.perf.ConsumerPerf;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plimsoll consumer-perf-test}: the options and lines of {@code kafka-consumer-perf-test}. */
@Command(name = "consumer-perf-test")
final class ConsumerPerfCommand extends ReadPerfCommand {
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
            throw mistake(Sentence.of("cli.notARegex", include, e.getDescription()));
        }
    }

    private Map<String, String> client(Given given) {
        Map<String, String> client = given.ofClient();
        client.put(
                "group.id",
                group == null ? "perf-consumer-" + ThreadLocalRandom.current().nextInt(100_000) : group);
        client.put("max.partition.fetch.bytes", String.valueOf(fetchBytes));
        client.putIfAbsent("client.id", "perf-consumer-client");
        client.remove("auto.offset.reset");
        return client;
    }
}
