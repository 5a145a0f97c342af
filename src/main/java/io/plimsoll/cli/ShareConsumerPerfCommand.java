package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.NamedTopics;
import io.plimsoll.report.perf.ShareConsumerPerf;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plimsoll share-consumer-perf-test}: the options and lines of {@code kafka-share-consumer-perf-test}. */
@Command(name = "share-consumer-perf-test")
final class ShareConsumerPerfCommand extends ReadPerfCommand {
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
        Map<String, Object> more = new LinkedHashMap<>();
        more.put("kind", "share");
        more.put("members", threads);
        more.put("countMembers", detailed || eachConsumer);
        ShareConsumerPerf lines =
                new ShareConsumerPerf(out(), err(), shown(), eachConsumer ? client.get("client.id") : null);
        return read(given, List.of(topic), client, true, lines, more);
    }
}
