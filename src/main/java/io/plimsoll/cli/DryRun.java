package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.fleet.Fleet;
import io.plimsoll.observe.broker.BrokerObserver;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.report.PlanText;
import io.plimsoll.report.RunTables;
import io.plimsoll.result.Units;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.RunPreview;
import io.plimsoll.run.RunRequest;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** Prints the plan of a run, and its agents in a fleet, without running it. */
record DryRun(PlimsollCommand command, FleetOptions fleet) {
    private static final Duration CONNECTING = Duration.ofSeconds(5);

    Exit show(RunRequest request, Optional<CeilingRequest> ceiling) {
        RunPreview preview = RunPreview.of(request, ceiling);
        Plan plan = preview.plan();
        String text = ceiling.map(c -> PlanText.ofSearch(plan, search(plan, c), preview.labs(), command.look()))
                .orElseGet(
                        () -> PlanText.of(plan, preview.brokers(), preview.labs(), preview.present(), command.look()));
        command.out().print(text);
        guards("cli.wouldBeWarned", preview.warnings());
        guards("cli.wouldBeRefused", preview.findings().refusals());
        guards("cli.wouldBeAsked", preview.findings().beyond());
        observed(request.sources());
        if (fleet.named()) {
            placement(plan);
        }
        return Exit.PASSED;
    }

    private static List<Sentence> search(Plan plan, CeilingRequest search) {
        boolean records = search.unit() == Rate.Unit.RECORDS;
        DoubleFunction<Object> rate =
                value -> records ? Sentence.of("guards.recordRate", Units.rate(value)) : Units.byteRate(value);
        List<Check> checks =
                search.slo().orElseGet(() -> plan.trials().get(0).scenario().checks());
        List<Sentence> lines = new ArrayList<>();
        lines.add(Sentence.of(
                "cli.wouldSearch",
                plan.name(),
                plan.trials().size(),
                rate.apply(search.leastRate()),
                search.mostRate().isPresent()
                        ? rate.apply(search.mostRate().getAsDouble())
                        : Sentence.of("cli.anyRate"),
                checks.isEmpty()
                        ? Sentence.NONE
                        : Sentence.of(
                                "cli.thatMeets",
                                checks.stream().map(Check::text).collect(Collectors.joining(", ")))));
        lines.add(Sentence.of(
                "cli.wouldTry",
                Quantities.text(search.lengths().full()),
                Units.percent(search.width()),
                search.maxDuration().isPresent()
                        ? Sentence.of(
                                "cli.atMostFor",
                                Quantities.text(search.maxDuration().get()))
                        : Sentence.of("cli.untilFound")));
        return lines;
    }

    private void guards(String heading, List<Sentence> findings) {
        if (!findings.isEmpty()) {
            command.out().println();
            command.print(heading);
            findings.forEach(this::item);
        }
    }

    private void observed(List<BrokerSource> sources) {
        if (sources.isEmpty()) {
            return;
        }
        try (BrokerObserver observer = new BrokerObserver(sources, problem -> {})) {
            observer.connect(CONNECTING);
            command.out().println();
            command.print("cli.wouldBeObserved");
            sources.forEach(source -> item(source.described()
                    .map(RunTables::line)
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
