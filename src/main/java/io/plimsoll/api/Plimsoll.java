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
 * Runs a scenario in this process, as {@code plimsoll run} does: on a lab of its own that is gone afterwards, or on a cluster.
 * Immutable: each method returns another one. Usable by any thread; one run at a time gives figures that hold.
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

    /** A scenario of a file, or a built-in one by its name, such as {@code Path.of("quick")}. Read by {@link #run()}. */
    public static Plimsoll scenario(Path file) {
        return of(changes -> ScenarioSource.plan(file.toString(), changes, 1));
    }

    /**
     * A scenario as YAML. Read by {@link #run()}.
     *
     * @param name that mistakes in it are said to be in
     */
    public static Plimsoll yaml(String name, String yaml) {
        return of(changes -> ScenarioReader.read(yaml, name, changes, 1));
    }

    /** The result of a scenario of a file, on a lab of its own. As {@link #run()}. */
    public static RunResult run(Path file) {
        return scenario(file).run();
    }

    /** On this cluster instead of a lab. */
    public Plimsoll on(String bootstrapServers) {
        return on(bootstrapServers, Map.of());
    }

    /**
     * On this cluster instead of a lab.
     *
     * @param properties of all clients, such as {@code security.protocol}
     * @throws PlimsollException ({@link Exit#USAGE}) where an address is none
     */
    public Plimsoll on(String bootstrapServers, Map<String, String> properties) {
        ClusterConnection connection = new ClusterConnection(bootstrapServers, properties);
        return new Plimsoll(source, changes, Optional.of(connection), brokers, consent, exec, out);
    }

    /** On a lab of so many brokers, 1 to 9. Default: as many as the scenario asks for. */
    public Plimsoll onLab(int count) {
        return new Plimsoll(source, changes, Optional.empty(), OptionalInt.of(count), consent, exec, out);
    }

    /** Changes a key of the scenario, as {@code --set} does, such as {@code producers[0].rate} to {@code 5000/s}. */
    public Plimsoll set(String path, String value) {
        List<String> more = new ArrayList<>(changes);
        more.add(path + "=" + value);
        return new Plimsoll(source, more, cluster, brokers, consent, exec, out);
    }

    /**
     * Consents to what a run on a cluster that is no lab asks for, such as a rate above 50 MB/s. Without it such a run is
     * refused.
     */
    public Plimsoll withConsent() {
        return new Plimsoll(source, changes, cluster, brokers, true, exec, out);
    }

    /**
     * Lets the scenario run code of its own choice: commands of faults, a Kafka release in a directory, flags of the lab's JVMs.
     * Without it such a run is refused.
     */
    public Plimsoll allowExec() {
        return new Plimsoll(source, changes, cluster, brokers, consent, true, out);
    }

    /** The directory that run directories are made in. Default: {@code runs}. */
    public Plimsoll out(Path directory) {
        return new Plimsoll(source, changes, cluster, brokers, consent, exec, directory);
    }

    /**
     * Runs it to its end. Checks that fail are in the verdict, and no exception.
     *
     * @throws PlimsollException where the scenario has a mistake, the cluster cannot be reached or refuses, or the run ended early;
     *     its message is one sentence that says what to do
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
