package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.LabSecurity;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.run.faults.OperatorFaults;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.RecordSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;

/**
 * A request for a run: a plan plus options set with {@link #with}. Immutable. {@code command} is the typed command,
 * with secrets redacted.
 */
public record RunRequest(Plan plan, Path out, List<String> command, RunResult.Tool tool, Draft chosen) {
    /** The data that lab brokers record about themselves, beyond figures and their usual log. */
    public enum ObserveLevel {
        LIGHT,
        /** A flight recording. */
        FULL,
        /** A flight recording, and each slow produce request with its stages. */
        REQUESTS;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A request with default options: its own lab, load from this process, no commands from the scenario, and removal
     * of the groups that the run creates.
     */
    public static RunRequest of(Plan plan, Path out, List<String> command, RunResult.Tool tool) {
        return new RunRequest(plan, out, command, tool, new Draft());
    }

    @Override
    public Draft chosen() {
        return chosen.copy();
    }

    /** A copy with changed options. */
    public RunRequest with(Consumer<Draft> change) {
        Draft changed = chosen();
        change.accept(changed);
        return new RunRequest(plan, out, command, tool, changed);
    }

    /** A copy in which configuration providers have resolved the client properties, for guards and clients. */
    RunRequest lookedUp() {
        UnaryOperator<Map<String, String>> lookUp = cluster()
                .<UnaryOperator<Map<String, String>>>map(connection -> connection::lookUp)
                .orElse(config -> ClusterConnection.lookUp(Map.of(), config));
        return new RunRequest(plan.withClientProperties(lookUp), out, command, tool, chosen);
    }

    /** @throws PlimsollException {@link Exit#USAGE} if a value file or template is unreadable */
    Plan sized() {
        Map<RecordSpec, RecordSpec> known = new HashMap<>();
        return plan.withRecords(record -> known.computeIfAbsent(record, PayloadSource::sized));
    }

    /**
     * Topics of earlier runs to delete: all topics of the cluster, provided that each has this prefix; {@code asked}
     * names the option.
     */
    public record OldTopics(String prefix, String asked) {}

    /** The options of a run. */
    public static final class Draft implements Cloneable {
        /** The cluster; if empty, the run starts a lab and removes it at the end. */
        public Optional<ClusterConnection> cluster = Optional.empty();
        /** Number of lab brokers; if empty, it is derived from the topics. */
        public OptionalInt brokers = OptionalInt.empty();
        /** Properties of the lab brokers. */
        public Map<String, String> brokerConfig = Map.of();
        /** Security of the lab brokers; empty for none. */
        public Optional<LabSecurity> security = Optional.empty();

        public long seed = 1;
        /** Topics of earlier runs to delete after all cluster guards have accepted the run; empty for none. */
        public Optional<OldTopics> oldTopics = Optional.empty();
        /** Whether to keep the groups that the run creates; set if the user named them. */
        public boolean keepGroups;
        /** Whether faults may run commands. */
        public boolean allowExec;
        /** Whether to refuse unknown Kafka properties. */
        public boolean strict;

        /** Time limit for each process to warm up its own code before the first trial; zero to disable the warm-up. */
        public Duration selfWarmup = Duration.ZERO;

        /** The data that lab brokers record about themselves. */
        public ObserveLevel observe = ObserveLevel.FULL;
        /** Sources of broker metrics in addition to the sources of a lab; the run closes them. */
        public List<BrokerSource> sources = List.of();

        /** Limits of the load on a cluster that is not a lab. */
        public LoadLimits limits = LoadLimits.DEFAULT;
        /** The processes that generate the load. */
        public Workers workers = Workers.LOCAL;

        private Draft() {}

        private Draft copy() {
            try {
                return (Draft) clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public Optional<ClusterConnection> cluster() {
        return chosen.cluster;
    }

    public long seed() {
        return chosen.seed;
    }

    /** Limits of the load on a cluster that is not a lab, and the request for consent beyond them. */
    public LoadLimits limits() {
        return chosen.limits;
    }

    public List<BrokerSource> sources() {
        return chosen.sources;
    }

    public Workers workers() {
        return chosen.workers;
    }

    /** Number of lab brokers that the topics of a plan need, within the limit of a lab. */
    public static int leastBrokers(Plan plan) {
        int replicas = plan.trials().stream()
                .flatMap(t -> t.scenario().topics().stream())
                .mapToInt(t -> Math.max(t.replication(), t.brokers()))
                .max()
                .orElse(1);
        return Math.max(1, Math.min(LabOptions.MAX_BROKERS, replicas));
    }

    /** @throws io.plimsoll.PlimsollException if such a lab is impossible */
    LabOptions labOptions(LabSpec spec) {
        int asked = spec.get(LabSpec.BROKERS);
        int wanted = chosen.brokers.orElse(asked > 0 ? asked : leastBrokers(plan));
        LabOptions options = LabOptions.ephemeral(wanted).withBrokerConfig(chosen.brokerConfig);
        options = chosen.security.map(options::withSecurity).orElse(options).with(spec);
        options = chosen.observe == ObserveLevel.LIGHT ? options : options.withFlight();
        options = chosen.observe == ObserveLevel.REQUESTS ? options.withRequestLog() : options;
        if (plan.trials().stream().flatMap(t -> t.scenario().topics().stream()).anyMatch(t -> "true"
                .equals(t.config().get(TopicConfig.REMOTE_LOG_STORAGE_ENABLE_CONFIG)))) {
            options = options.withTieredStorage();
        }
        for (FaultSpec fault : faults(spec).toList()) {
            options = Fault.of(fault).prepared(options, fault);
        }
        return options;
    }

    List<LabSpec> labs() {
        return plan.trials().stream().map(t -> t.scenario().lab()).distinct().toList();
    }

    List<String> labVersions() {
        return labs().stream().map(LabOptions::version).distinct().toList();
    }

    /** Kafka releases of the labs and of the faults that change them, in the notation of {@link LabSpec#release}. */
    List<String> releases() {
        return labs().stream()
                .flatMap(lab -> Stream.concat(
                        Stream.of(lab.get(LabSpec.KAFKA_VERSION)), faults(lab).map(f -> f.get(OperatorFaults.TO))))
                .distinct()
                .toList();
    }

    private Stream<FaultSpec> faults(LabSpec spec) {
        return plan.trials().stream()
                .filter(t -> t.scenario().lab().equals(spec))
                .flatMap(t -> t.scenario().faults().stream());
    }
}
