package io.plimsoll.run;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.LabSecurity;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.LabKeys;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Plan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.config.TopicConfig;

/** What a run is asked to do: a plan, and what is not said otherwise by {@link #with}. Immutable. */
public final class RunRequest {
    private final Plan plan;
    private final Path out;
    private final List<String> command;
    private final RunResult.Tool tool;
    private final Draft chosen;

    private RunRequest(Plan plan, Path out, List<String> command, RunResult.Tool tool, Draft chosen) {
        this.plan = plan;
        this.out = out;
        this.command = command;
        this.tool = tool;
        this.chosen = chosen;
    }

    /**
     * A run on a lab of its own, with load from this process, that leaves nothing behind and may not run commands of the
     * scenario.
     *
     * @param out directory that holds the run directories
     * @param command as typed, secrets redacted
     */
    public static RunRequest of(Plan plan, Path out, List<String> command, RunResult.Tool tool) {
        return new RunRequest(plan, out, command, tool, new Draft());
    }

    /** The same run but for what is changed in a draft of it. */
    public RunRequest with(Consumer<Draft> change) {
        Draft changed = new Draft(chosen);
        change.accept(changed);
        return new RunRequest(plan, out, command, tool, changed);
    }

    /** The same run with load from elsewhere. */
    public RunRequest with(Workers others) {
        return with(draft -> draft.workers = others);
    }

    /** What of a run may be changed. */
    public static final class Draft {
        /** Empty: a lab is started for the run and removed afterwards. */
        public Optional<ClusterConnection> cluster = Optional.empty();
        /** The number of the lab's brokers; empty: as many as the topics ask for. */
        public OptionalInt brokers = OptionalInt.empty();
        /** Properties of the lab's brokers. */
        public Map<String, String> brokerConfig = Map.of();
        /** What the lab's brokers ask of their clients; empty: nothing. */
        public Optional<LabSecurity> security = Optional.empty();

        public long seed = 1;
        /** Groups that the run makes stay on the cluster, since the user named them to use them again. */
        public boolean keepGroups;
        /** Faults may run commands. */
        public boolean allowExec;

        /** The longest that each process lets its own code run before the first trial; zero: not at all. */
        public Duration selfWarmup = Duration.ZERO;

        public Observed observed = Observed.NOTHING;
        /** How far the load may go on a cluster that is not a lab. */
        public LoadLimits limits = LoadLimits.DEFAULT;
        /** Where the load comes from. */
        public Workers workers = Workers.LOCAL;

        private Draft() {}

        private Draft(Draft of) {
            cluster = of.cluster;
            brokers = of.brokers;
            brokerConfig = of.brokerConfig;
            security = of.security;
            seed = of.seed;
            keepGroups = of.keepGroups;
            allowExec = of.allowExec;
            selfWarmup = of.selfWarmup;
            observed = of.observed;
            limits = of.limits;
            workers = of.workers;
        }
    }

    public Plan plan() {
        return plan;
    }

    public Path out() {
        return out;
    }

    List<String> command() {
        return command;
    }

    RunResult.Tool tool() {
        return tool;
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

    LoadLimits limits() {
        return chosen.limits;
    }

    Observed observed() {
        return chosen.observed;
    }

    public Workers workers() {
        return chosen.workers;
    }

    /**
     * What of the brokers is observed beside what a lab always is.
     *
     * @param sources of brokers' figures, closed by the run
     */
    public record Observed(List<BrokerSource> sources) {
        public static final Observed NOTHING = new Observed(List.of());
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

    /** The Kafka releases of the labs. */
    List<String> labVersions() {
        return labs().stream().map(LabOptions::version).distinct().toList();
    }

    /** The faults of all trials with such a lab. */
    private Stream<FaultSpec> faults(LabSpec spec) {
        return plan.trials().stream()
                .filter(t -> t.scenario().lab().equals(spec))
                .flatMap(t -> t.scenario().faults().stream());
    }
}
