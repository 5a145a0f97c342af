package io.plimsoll.cli;

import io.plimsoll.Exit;
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
import picocli.CommandLine.Option;

/** The options and the way that the commands share which stand in for one of Kafka's tools that read. */
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
            throw mistake(Sentence.of("cli.notADateFormat", dateFormat, e.getMessage()));
        }
    }

    /** What follows the client's id in that of the client whose metrics are shown. */
    String metricsSuffix() {
        return "";
    }

    /** Reads what was asked for; {@code more} are keys of the entry that reads. */
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
        Map<String, Object> scenario = new LinkedHashMap<>();
        scenario.put("name", spec.name());
        scenario.put(
                "topics",
                topics.stream().map(t -> Map.of("name", t, "existing", true)).toList());
        scenario.put("consumers", List.of(consumer));
        scenario.put("checks", List.of("consume.records == " + records));
        Plan plan = plan(scenario);
        return run(plan, given.connection(), lines, keepsGroup, metricsOf);
    }
}
