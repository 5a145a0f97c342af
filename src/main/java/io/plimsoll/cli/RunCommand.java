package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.scenario.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "run")
class RunCommand extends PlimsollCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "NAME|FILE.yaml",
            defaultValue = "quick",
            descriptionKey = "argument.run.scenario")
    String scenario;

    @Mixin
    ClusterOptions cluster;

    @Option(names = "--set", paramLabel = "PATH=VALUE")
    List<String> overrides = new ArrayList<>();

    @Option(names = "--scale", paramLabel = "F", defaultValue = "1")
    double scale;

    @Mixin
    RunOptions.OwnLab lab = new RunOptions.OwnLab();

    @Option(names = "--allow-exec")
    boolean allowExec;

    @Option(names = "--max-rate", paramLabel = "RATE")
    String maxRate;

    @Mixin
    RunOptions.Guards guards = new RunOptions.Guards();

    @Mixin
    ObserveOptions observe = new ObserveOptions();

    @Mixin
    FleetOptions.Counted fleet = new FleetOptions.Counted();

    @Option(names = "--trial", paramLabel = "NAME")
    List<String> only = new ArrayList<>();

    @Option(names = "--abort-on-fail")
    boolean abortOnFail;

    @Mixin
    PairOptions turns = new PairOptions();

    @Mixin
    RunOptions.SelfWarmup selfWarmup = new RunOptions.SelfWarmup();

    @Option(names = "--dry-run")
    boolean dryRun;

    @Mixin
    RunOptions.Results results;

    @Mixin
    UiOptions ui;

    @Mixin
    HelpText.All help = new HelpText.All();

    @Override
    Exit perform() {
        Exit.USAGE.when(ceiling().isPresent() && (turns.asked() || abortOnFail), "cli.notForSearch");
        if (turns.repeatsRuns()) {
            return turns.repeat(this, plan(null));
        }
        Plan plan = turns.plan(this::plan);
        Optional<ClusterConnection> connection = cluster.connectionIfNamed();
        Exit.USAGE.when(connection.isPresent() && lab.asked(), "cli.labOrCluster");
        RunRequest request = RunRequest.of(plan, results.out, Arguments.typed(spec), ToolInfo.ofRun())
                .with(draft -> {
                    draft.cluster = connection;
                    lab.addTo(draft);
                    draft.seed = results.seed;
                    draft.allowExec = allowExec;
                    selfWarmup.addTo(draft, this);
                    draft.limits = guards.limits(this, maxRate);
                    draft.sources = observe.observed();
                });
        if (dryRun) {
            return new DryRun(this, fleet).show(request, ceiling());
        }
        return fleet.run(request, this, this::execute);
    }

    private Exit execute(RunRequest request) {
        Optional<CeilingRequest> search = prepared(ceiling(), request);
        Run.Finished finished = new ShownRun(this, results, this::show, reported())
                .execute(request, search, ui.open(this), ui.openMetrics(this));
        return turns.exitCode(Exit.of(finished.result().head().exitCode()));
    }

    void show(Run.Finished end) {
        turns.show(end, this, !results.json);
    }

    boolean reported() {
        return true;
    }

    /** @param more an additional override; null for none */
    private Plan plan(String more) {
        List<String> all = new ArrayList<>(overrides);
        if (more != null) {
            all.add(more);
        }
        if (abortOnFail) {
            all.add("abortOnFail=true");
        }
        Plan plan = source(all);
        return only.isEmpty() ? plan : plan.only(only);
    }

    Plan source(List<String> changes) {
        return ScenarioSource.plan(scenario, changes, scale);
    }

    /** Prepares a search. @return the search with its remaining time */
    Optional<CeilingRequest> prepared(Optional<CeilingRequest> search, RunRequest request) {
        return search;
    }

    Optional<CeilingRequest> ceiling() {
        return Optional.empty();
    }
}
