package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.scenario.omb.OmbRun;
import io.plimsoll.scenario.omb.OmbSetting;
import io.plimsoll.scenario.omb.OmbSetting.KafkaProperties;
import io.plimsoll.scenario.omb.OmbSetting.PayloadFile;
import io.plimsoll.scenario.omb.OmbTranslation;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** The files of OpenMessaging Benchmark, read and translated: all of them, before anything runs. */
final class OmbSource {
    private final OmbSetting.Reading reading;
    private final OmbSetting.Cluster cluster;

    OmbSource(OmbSetting.Reading reading, OmbSetting.Cluster cluster) {
        this.reading = reading;
        this.cluster = cluster;
    }

    /**
     * A workload on a driver.
     *
     * @param atRate the same, when the rate has been found that {@code producerRate: 0} asks for
     */
    record Translated(OmbRun run, DoubleFunction<OmbRun> atRate) {}

    /** Every workload on every driver, in the order of the command line; the mistakes of all of them at once. */
    List<Translated> translate(List<Path> drivers, List<Path> workloads) {
        List<Translated> runs = new ArrayList<>();
        Set<Sentence> mistakes = new LinkedHashSet<>();
        for (Path workload : workloads) {
            for (Path driver : drivers) {
                try {
                    String driverText = ScenarioSource.read(driver, "cli.aDriverFile");
                    String workloadText = ScenarioSource.read(workload, "cli.aWorkloadFile");
                    OmbSetting setting =
                            setting(workload, workloads.size() * drivers.size() == 1 ? "" : "-" + runs.size());
                    Function<OmbSetting, OmbRun> translation = s -> OmbTranslation.translate(
                            driverText, driver.toString(), workloadText, workload.toString(), s);
                    runs.add(new Translated(
                            translation.apply(setting), rate -> translation.apply(setting.withHighestRate(rate))));
                } catch (ScenarioException e) {
                    e.problems().forEach(problem -> mistakes.add(problem.sentence()));
                } catch (PlimsollException e) {
                    mistakes.add(e.sentence());
                }
            }
        }
        if (!mistakes.isEmpty()) {
            throw new PlimsollException(Exit.USAGE, Sentence.lines(List.copyOf(mistakes)));
        }
        return runs;
    }

    private OmbSetting setting(Path workload, String suffix) {
        OmbSetting.Surroundings surroundings = new OmbSetting.Surroundings(
                Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + suffix,
                LocalTime.now(ZoneId.systemDefault()),
                name -> payload(name, workload),
                new KafkaClientProperties());
        return new OmbSetting(reading, cluster, surroundings, OptionalDouble.empty());
    }

    /** Beside the current directory, where OpenMessaging Benchmark looks, those where its files lie if it is not there. */
    private static List<PayloadFile> payload(String name, Path workload) {
        try {
            List<Path> places = new ArrayList<>();
            places.add(Path.of(name));
            for (Path above = workload.toAbsolutePath().getParent();
                    above != null && places.size() < 3;
                    above = above.getParent()) {
                places.add(above.resolve(name));
            }
            Optional<Path> found = places.stream().filter(Files::exists).findFirst();
            return found.isPresent() ? files(found.get()) : List.of();
        } catch (InvalidPathException | IOException e) {
            return List.of();
        }
    }

    private static List<PayloadFile> files(Path path) throws IOException {
        List<PayloadFile> files = new ArrayList<>();
        try (Stream<Path> found = Files.isDirectory(path) ? Files.list(path) : Stream.of(path)) {
            for (Path file : found.filter(Files::isRegularFile).sorted().toList()) {
                files.add(new PayloadFile(file.toString(), Files.size(file)));
            }
        }
        return files;
    }

    private static final class KafkaClientProperties implements KafkaProperties {
        private static final Map<Client, ConfigDef> DEFINITIONS = Map.of(
                Client.PRODUCER, ProducerConfig.configDef(),
                Client.CONSUMER, ConsumerConfig.configDef(),
                Client.ADMIN, AdminClientConfig.configDef());

        @Override
        public Set<String> names(Client client) {
            return DEFINITIONS.get(client).names();
        }

        @Override
        public Optional<Sentence> refusal(Client client, String name, String value) {
            ConfigDef.ConfigKey key = DEFINITIONS.get(client).configKeys().get(name);
            try {
                Object parsed = ConfigDef.parseType(name, value, key.type);
                if (key.validator != null) {
                    key.validator.ensureValid(name, parsed);
                }
                return Optional.empty();
            } catch (ConfigException e) {
                return Optional.of(Sentence.of("cli.clientRefuses", e.getMessage()));
            }
        }
    }
}
