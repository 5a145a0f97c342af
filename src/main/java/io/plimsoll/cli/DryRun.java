package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.fleet.Fleet;
import io.plimsoll.observe.broker.BrokerObserver;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.report.PlanText;
import io.plimsoll.report.SourceTable;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.RunPreview;
import io.plimsoll.run.RunRequest;
import io.plimsoll.scenario.Plan;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Says what a run would do, and on which agents of a fleet; it does nothing of it. */
record DryRun(PlimsollCommand command, FleetOptions fleet) {
    private static final Duration CONNECTING = Duration.ofSeconds(5);

    Exit show(RunRequest request, Optional<CeilingRequest> ceiling) {
        RunPreview preview = RunPreview.of(request, ceiling);
        Plan plan = preview.plan();
        command.out().print(PlanText.of(plan, preview.brokers(), preview.labs(), preview.present(), command.look()));
        guards("cli.wouldBeWarned", preview.warnings());
        guards("cli.wouldBeRefused", preview.findings().refusals());
        guards("cli.wouldBeAsked", preview.findings().beyond());
        observed(request.sources());
        if (fleet.named()) {
            placement(plan);
        }
        return Exit.PASSED;
    }

    private void guards(String heading, List<Sentence> findings) {
        if (!findings.isEmpty()) {
            command.out().println();
            command.print(heading);
            findings.forEach(this::item);
        }
    }

    /** Reads each source once. */
    private void observed(List<BrokerSource> sources) {
        if (sources.isEmpty()) {
            return;
        }
        try (BrokerObserver observer = new BrokerObserver(sources, problem -> {})) {
            observer.connect(CONNECTING);
            command.out().println();
            command.print("cli.wouldBeObserved");
            sources.forEach(source -> item(source.described()
                    .map(SourceTable::line)
                    .orElseGet(() -> Sentence.of("cli.cannotBeReadNow", source.broker()))));
        }
    }

    private void placement(Plan plan) {
        try (Fleet found = fleet.find(plan.name())) {
            for (Plan.Trial trial : plan.trials()) {
                List<Sentence> lines = found.placement(trial.scenario());
                command.out().println();
                command.print("cli.trialOnFleet", trial.name());
                lines.forEach(this::item);
            }
        }
    }

    private void item(Sentence text) {
        command.out().println("  " + text.in(command.language()));
    }
}
