package io.plimsoll.api;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Runs a scenario in this process, as {@code plimsoll run} does: on a temporary lab (a local Kafka cluster) or on a
 * given cluster. Immutable: each method returns a copy. Thread-safe, but concurrent runs disturb each other's
 * measurements.
 *
 * <pre>{@code
 * RunResult result = Plimsoll.scenario(Path.of("orders.yaml")).on("kafka1:9092").run();
 * assertThat(result.verdict().passed()).isTrue();
 * }</pre>
 */
public final class Plimsoll {
    private final Function<List<String>, Plan> source;
    private final List<String> changes;
    private final Optional<ClusterConnection> cluster;
    private final OptionalInt brokers;
    private final boolean consent;
    private final boolean exec;
    private final Path out;

    private Plimsoll(
            Function<List<String>, Plan> source,
            List<String> changes,
            Optional<ClusterConnection> cluster,
            OptionalInt brokers,
            boolean consent,
            boolean exec,
            Path out) {
        this.source = source;
        this.changes = List.copyOf(changes);
        this.cluster = cluster;
        this.brokers = brokers;
        this.consent = consent;
        this.exec = exec;
        this.out = out;
    }

    private static Plimsoll of(Function<List<String>, Plan> source) {
        return new Plimsoll(source, List.of(), Optional.empty(), OptionalInt.empty(), false, false, Path.of("runs"));
    }

    /** Selects a scenario file, or a built-in scenario by name, such as {@code Path.of("quick")}. {@link #run()} reads it. */
    public static Plimsoll scenario(Path file) {
        return of(changes -> ScenarioSource.plan(file.toString(), changes, 1));
    }

    /**
     * Uses a scenario given as YAML text. {@link #run()} parses it.
     *
     * @param name source name in error messages
     */
    public static Plimsoll yaml(String name, String yaml) {
        return of(changes -> ScenarioReader.read(yaml, name, changes, 1));
    }

    /** Runs a scenario file on a temporary lab; see {@link #run()}. */
    public static RunResult run(Path file) {
        return scenario(file).run();
    }

    /** Uses this cluster instead of a lab. */
    public Plimsoll on(String bootstrapServers) {
        return on(bootstrapServers, Map.of());
    }

    /**
     * Uses this cluster instead of a lab.
     *
     * @param properties of all clients, such as {@code security.protocol}
     * @throws PlimsollException ({@link Exit#USAGE}) if an address is invalid
     */
    public Plimsoll on(String bootstrapServers, Map<String, String> properties) {
        ClusterConnection connection = new ClusterConnection(bootstrapServers, properties);
        return new Plimsoll(source, changes, Optional.of(connection), brokers, consent, exec, out);
    }

    /** Number of lab brokers, 1 to 9. Default: as many as the scenario needs. */
    public Plimsoll onLab(int count) {
        return new Plimsoll(source, changes, Optional.empty(), OptionalInt.of(count), consent, exec, out);
    }

    /**
     * Overrides a key of the scenario, as {@code --set} does, such as {@code producers[0].rate} with {@code 5000/s}.
     */
    public Plimsoll set(String path, String value) {
        List<String> more = new ArrayList<>(changes);
        more.add(path + "=" + value);
        return new Plimsoll(source, more, cluster, brokers, consent, exec, out);
    }

    /**
     * Consents to exceeding the default limits, such as a rate of 50 MB/s, on a cluster that is not a lab. Without
     * consent such a run is refused.
     */
    public Plimsoll withConsent() {
        return new Plimsoll(source, changes, cluster, brokers, true, exec, out);
    }

    /**
     * Allows the scenario to run its own code: fault commands, a Kafka release from a directory, JVM flags of the lab.
     * Otherwise such a run is refused.
     */
    public Plimsoll allowExec() {
        return new Plimsoll(source, changes, cluster, brokers, consent, true, out);
    }

    /** Parent of the run directories. Default: {@code runs}. */
    public Plimsoll out(Path directory) {
        return new Plimsoll(source, changes, cluster, brokers, consent, exec, directory);
    }

    /**
     * Runs the scenario to its end. Failed checks are part of the verdict and do not throw.
     *
     * @throws PlimsollException if the scenario is invalid, the cluster is unreachable or rejects the run, or the run
     *     ended early; the message is one sentence that includes the remedy
     */
    public RunResult run() {
        Plan plan = source.apply(changes);
        RunRequest request = RunRequest.of(plan, out, List.of("plimsoll", "run", plan.name()), ToolInfo.ofRun())
                .with(draft -> {
                    draft.cluster = cluster;
                    draft.brokers = brokers;
                    draft.allowExec = exec;
                    draft.limits = consent ? LoadLimits.DEFAULT.with(Consent.GIVEN) : LoadLimits.DEFAULT;
                });
        Run.Finished finished = new Run(request, Progress.NONE).execute();
        if (finished.failure() != null) {
            throw finished.failure();
        }
        return finished.result();
    }
}
