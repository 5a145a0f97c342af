package io.plimsoll.run;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Plan;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What a run is asked to do.
 *
 * @param cluster empty: a lab is started for the run and removed afterwards
 * @param brokers of the lab; empty: as many as the topics ask for
 * @param brokerConfig of the lab
 * @param out directory that holds the run directories
 * @param command as typed, secrets redacted
 * @param keepGroups leave consumer groups that the run makes on the cluster, since the user named them to use them again
 * @param allowExec whether faults may run commands
 * @param workers where the load comes from
 */
public record RunRequest(
        Plan plan,
        Optional<ClusterConnection> cluster,
        OptionalInt brokers,
        Map<String, String> brokerConfig,
        Path out,
        long seed,
        List<String> command,
        RunResult.Tool tool,
        boolean keepGroups,
        boolean allowExec,
        Observed observed,
        Workers workers) {

    /**
     * A run on a lab of its own, with load from this process, that leaves nothing behind and may not run commands of the
     * scenario.
     */
    public static RunRequest of(Plan plan, Path out, List<String> command, RunResult.Tool tool) {
        return new RunRequest(
                plan,
                Optional.empty(),
                OptionalInt.empty(),
                Map.of(),
                out,
                1,
                command,
                tool,
                false,
                false,
                Observed.NOTHING,
                Workers.LOCAL);
    }

    /** The same run but for what is changed in a draft of it. */
    public RunRequest with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new RunRequest(
                plan,
                draft.cluster,
                draft.brokers,
                draft.brokerConfig,
                out,
                draft.seed,
                command,
                tool,
                draft.keepGroups,
                draft.allowExec,
                draft.observed,
                draft.workers);
    }

    /** The same run with load from elsewhere. */
    public RunRequest with(Workers others) {
        return with(draft -> draft.workers = others);
    }

    /** What of a run may be changed. */
    public static final class Draft {
        public Optional<ClusterConnection> cluster;
        public OptionalInt brokers;
        public Map<String, String> brokerConfig;
        public long seed;
        public boolean keepGroups;
        public boolean allowExec;
        public Observed observed;
        public Workers workers;

        private Draft(RunRequest of) {
            cluster = of.cluster;
            brokers = of.brokers;
            brokerConfig = of.brokerConfig;
            seed = of.seed;
            keepGroups = of.keepGroups;
            allowExec = of.allowExec;
            observed = of.observed;
            workers = of.workers;
        }
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
     * The lab that the run needs if no cluster is given.
     *
     * @throws io.plimsoll.PlimsollException if there can be no such lab
     */
    LabOptions labOptions() {
        int replication = plan.trials().stream()
                .flatMap(t -> t.scenario().topics().stream())
                .mapToInt(t -> Math.max(t.replication(), t.brokers()))
                .max()
                .orElse(1);
        int wanted = brokers.orElse(Math.max(1, Math.min(LabOptions.MAX_BROKERS, replication)));
        LabOptions options = LabOptions.ephemeral(wanted).withBrokerConfig(brokerConfig);
        for (FaultSpec fault : faults().toList()) {
            options = Fault.of(fault).prepared(options, fault);
        }
        return options;
    }

    /** Of all trials. */
    private Stream<FaultSpec> faults() {
        return plan.trials().stream().flatMap(t -> t.scenario().faults().stream());
    }
}
