package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.NamedTopics;
import io.plimsoll.report.perf.EndToEndPerf;
import io.plimsoll.result.Json;
import io.plimsoll.scenario.Plan;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll end-to-end-latency}: the options and lines of {@code kafka-e2e-latency}. */
@Command(name = "end-to-end-latency")
final class EndToEndLatencyCommand extends PerfCommand {
    private static final int MOST_HEADERS = 1000;

    @Parameters(
            arity = "0..*",
            paramLabel = "BROKERS TOPIC RECORDS ACKS BYTES [PROPERTIES_FILE]",
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
    Exit perform() {
        takePositional();
        long count = check();
        checkOutput();
        Given given = given(bootstrapServer, config, "--command-property", List.of());
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
        Map<String, String> required = new LinkedHashMap<>();
        required.put("--bootstrap-server", bootstrapServer);
        required.put("--topic", topic);
        required.put("--num-records", records);
        required.put("--producer-acks", acks);
        required.put("--record-size", recordBytes);
        required.forEach((name, value) -> require(value != null, "cli.missing", name));
        require(Set.of("1", "all").contains(acks), "cli.acksForLatency", acks);
        check(records.matches("[1-9][0-9]{0,17}"), "--num-records", records, "cli.a.positiveNumber");
        check(recordBytes.matches("[0-9]{1,9}"), "--record-size", recordBytes, "cli.a.numberOfBytes");
        check(keyBytes >= 0, "--record-key-size", keyBytes, "cli.a.bytes");
        require(
                headers >= 0 && headers <= MOST_HEADERS,
                "cli.giveInstead",
                "--num-headers",
                headers,
                Sentence.of("cli.a.range", 0, MOST_HEADERS));
        check(headerKeyBytes >= 0, "--record-header-key-size", headerKeyBytes, "cli.a.bytes");
        check(headerBytes >= -1, "--record-header-size", headerBytes, "cli.a.bytesOrNone");
        return Long.parseLong(records);
    }

    private Map<String, Object> scenario(long count, Given given) {
        Map<String, String> sending = given.ofClient();
        Map<String, String> reading = new LinkedHashMap<>(sending);
        // One file is for both clients: each takes what it knows, and what neither knows is told of once.
        sending.keySet()
                .removeIf(name -> ConsumerConfig.configNames().contains(name)
                        && !ProducerConfig.configNames().contains(name));
        reading.keySet().removeIf(name -> !ConsumerConfig.configNames().contains(name));
        reading.keySet().removeAll(Set.of("group.id", "auto.offset.reset", "enable.auto.commit"));
        sending.put("acks", acks);
        sending.put("linger.ms", "0");
        Map<String, Object> producer = Json.object(
                "topic",
                topic,
                "rate",
                "unlimited",
                "records",
                count,
                "send",
                "sync",
                "record",
                record(),
                "config",
                sending);
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
