package io.plimsoll.omb.files;

import io.plimsoll.omb.files.OmbSetting.KafkaProperties;
import io.plimsoll.omb.files.OmbSetting.PayloadFile;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Translates files for tests, with a few properties of Kafka's clients and a single payload file. */
final class Omb {
    static final String DRIVER = """
        name: Kafka
        driverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver
        replicationFactor: 1
        commonConfig: |
          bootstrap.servers=localhost:9092
        consumerConfig: |
          auto.offset.reset=earliest
        """;
    static final String WORKLOAD = """
        name: a workload
        topics: 2
        partitionsPerTopic: 3
        messageSize: 100
        useRandomizedPayloads: true
        randomBytesRatio: 0.5
        randomizedPayloadPoolSize: 10
        subscriptionsPerTopic: 2
        consumerPerSubscription: 3
        producersPerTopic: 4
        producerRate: 1000
        testDurationMinutes: 5
        """;

    private Omb() {}

    static OmbSetting setting(boolean strict, boolean lab, double scale) {
        return new OmbSetting(
                new OmbSetting.Reading(strict, List.of(), scale),
                new OmbSetting.Cluster(lab, Optional.empty(), Optional.empty()),
                new OmbSetting.Surroundings(
                        "tag",
                        LocalTime.of(23, 0),
                        name -> name.equals("there.data") ? List.of(new PayloadFile("/x/there.data", 100)) : List.of(),
                        new SomeProperties()),
                OptionalDouble.empty());
    }

    static OmbRun run(String driver, String workload) {
        return OmbTranslation.translate(driver, "d.yaml", workload, "w.yaml", setting(false, false, 1));
    }

    static Scenario scenario(String driver, String workload) {
        return run(driver, workload).plan().trials().get(0).scenario();
    }

    /** The workload with an additional key, or another value of it. */
    static String with(String keyAndValue) {
        String key = keyAndValue.substring(0, keyAndValue.indexOf(':') + 1);
        String without = WORKLOAD.replaceAll("(?m)^" + key + ".*\n", "");
        return without + keyAndValue + "\n";
    }

    static String without(String key) {
        return WORKLOAD.replaceAll("(?m)^" + key + ":.*\n", "");
    }

    static String resource(String name) {
        try {
            return Files.readString(Path.of("omb", "src", "test", "resources", name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class SomeProperties implements KafkaProperties {
        private static final Map<Client, Set<String>> NAMES = Map.of(
                Client.PRODUCER,
                Set.of(
                        "bootstrap.servers",
                        "client.id",
                        "acks",
                        "linger.ms",
                        "batch.size",
                        "compression.type",
                        "receive.buffer.bytes",
                        "max.request.size",
                        "max.in.flight.requests.per.connection",
                        "request.timeout.ms",
                        "retries",
                        "enable.idempotence",
                        "sasl.jaas.config"),
                Client.CONSUMER,
                Set.of(
                        "bootstrap.servers",
                        "client.id",
                        "auto.offset.reset",
                        "enable.auto.commit",
                        "receive.buffer.bytes",
                        "max.partition.fetch.bytes",
                        "fetch.max.wait.ms",
                        "max.poll.interval.ms",
                        "isolation.level",
                        "request.timeout.ms",
                        "default.api.timeout.ms",
                        "sasl.jaas.config"),
                Client.ADMIN,
                Set.of(
                        "bootstrap.servers",
                        "client.id",
                        "request.timeout.ms",
                        "default.api.timeout.ms",
                        "sasl.jaas.config"));

        @Override
        public Set<String> names(Client client) {
            return NAMES.get(client);
        }

        @Override
        public Optional<Sentence> refusal(Client client, String name, String value) {
            return name.endsWith(".ms") && !value.matches("\\d+")
                    ? Optional.of(Sentence.verbatim("the Kafka client refuses it: not a number"))
                    : Optional.empty();
        }
    }
}
