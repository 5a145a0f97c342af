package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.ConfigProviders;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.LabSecurity;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.LabKeys;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.RecordSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;

/**
 * What a run is asked to do: a plan, and what is not said otherwise by {@link #with}. Immutable.
 *
 * @param out directory that holds the run directories
 * @param command as typed, secrets redacted
 * @param chosen what was said otherwise, a copy
 */
public record RunRequest(Plan plan, Path out, List<String> command, RunResult.Tool tool, Draft chosen) {
    /**
     * A run on a lab of its own, with load from this process, that leaves nothing behind and may not run commands of the
     * scenario.
     */
    public static RunRequest of(Plan plan, Path out, List<String> command, RunResult.Tool tool) {
        return new RunRequest(plan, out, command, tool, new Draft());
    }

    @Override
    public Draft chosen() {
        return chosen.copy();
    }

    /** The same run but for what is changed in a draft of it. */
    public RunRequest with(Consumer<Draft> change) {
        Draft changed = chosen();
        change.accept(changed);
        return new RunRequest(plan, out, command, tool, changed);
    }

    /** The same run with the values that its clients get, which providers have looked up: guards and clients use these. */
    RunRequest lookedUp() {
        UnaryOperator<Map<String, String>> lookUp = cluster()
                .<UnaryOperator<Map<String, String>>>map(connection -> connection::lookUp)
                .orElse(config -> ConfigProviders.lookUp(Map.of(), config));
        return new RunRequest(plan.withClientProperties(lookUp), out, command, tool, chosen);
    }

    /**
     * Its plan for estimates: values of files and templates have the sizes that these give them.
     *
     * @throws PlimsollException {@link Exit#USAGE} if one cannot be read
     */
    Plan sized() {
        Map<RecordSpec, RecordSpec> known = new HashMap<>();
        return plan.withRecords(record -> known.computeIfAbsent(record, PayloadSource::sized));
    }

    /**
     * What is to be deleted of earlier runs: all topics of the cluster, which must all have this prefix.
     *
     * @param asked where that was asked for, for messages
     */
    public record OldTopics(String prefix, String asked) {}

    /** What of a run may be changed. */
    public static final class Draft implements Cloneable {
        /** Empty: a lab is started for the run and removed afterwards. */
        public Optional<ClusterConnection> cluster = Optional.empty();
        /** The number of the lab's brokers; empty: as many as the topics ask for. */
        public OptionalInt brokers = OptionalInt.empty();
        /** Properties of the lab's brokers. */
        public Map<String, String> brokerConfig = Map.of();
        /** What the lab's brokers ask of their clients; empty: nothing. */
        public Optional<LabSecurity> security = Optional.empty();

        public long seed = 1;
        /**
         * Topics of earlier runs, which are deleted once all that guards the cluster has agreed to the run; empty: none.
         */
        public Optional<OldTopics> oldTopics = Optional.empty();
        /** Groups that the run makes stay on the cluster, since the user named them to use them again. */
        public boolean keepGroups;
        /** Faults may run commands. */
        public boolean allowExec;

        /** The longest that each process lets its own code run before the first trial; zero: not at all. */
        public Duration selfWarmup = Duration.ZERO;

        /** Of brokers' figures, beside what a lab always has; closed by the run. */
        public List<BrokerSource> sources = List.of();

        /** How far the load may go on a cluster that is not a lab. */
        public LoadLimits limits = LoadLimits.DEFAULT;
        /** Where the load comes from. */
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

    boolean keepGroups() {
        return chosen.keepGroups;
    }

    boolean allowExec() {
        return chosen.allowExec;
    }

    Duration selfWarmup() {
        return chosen.selfWarmup;
    }

    /** How far the load may go on a cluster that is not a lab, and how consent to more is asked for. */
    public LoadLimits limits() {
        return chosen.limits;
    }

    public List<BrokerSource> sources() {
        return chosen.sources;
    }

    public Workers workers() {
        return chosen.workers;
    }

    /**
     * The lab that trials need which describe it so, if no cluster is given.
     *
     * @throws io.plimsoll.PlimsollException if there can be no such lab
     */
    LabOptions labOptions(LabSpec spec) {
        int replication = plan.trials().stream()
                .flatMap(t -> t.scenario().topics().stream())
                .mapToInt(t -> Math.max(t.replication(), t.brokers()))
                .max()
                .orElse(1);
        int asked = spec.get(LabKeys.BROKERS);
        int wanted =
                chosen.brokers.orElse(asked > 0 ? asked : Math.max(1, Math.min(LabOptions.MAX_BROKERS, replication)));
        LabOptions options = LabOptions.ephemeral(wanted).withBrokerConfig(chosen.brokerConfig);
        options = chosen.security.map(options::withSecurity).orElse(options).with(spec);
        if (plan.trials().stream().flatMap(t -> t.scenario().topics().stream()).anyMatch(t -> "true"
                .equals(t.config().get(TopicConfig.REMOTE_LOG_STORAGE_ENABLE_CONFIG)))) {
            options = options.withTieredStorage();
        }
        for (FaultSpec fault : faults(spec).toList()) {
            options = Fault.of(fault).prepared(options, fault);
        }
        return options;
    }

    /** The labs that trials describe, each once, in the order of the trials. */
    List<LabSpec> labs() {
        return plan.trials().stream().map(t -> t.scenario().lab()).distinct().toList();
    }

    List<String> labVersions() {
        return labs().stream().map(LabOptions::version).distinct().toList();
    }

    private Stream<FaultSpec> faults(LabSpec spec) {
        return plan.trials().stream()
                .filter(t -> t.scenario().lab().equals(spec))
                .flatMap(t -> t.scenario().faults().stream());
    }
}
