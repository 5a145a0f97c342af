package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.capacity.BrokerLimits;
import io.plimsoll.capacity.CapacityExport;
import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.capacity.CapacityPlanner;
import io.plimsoll.capacity.Target;
import io.plimsoll.capacity.Target.Margin;
import io.plimsoll.report.CapacityText;
import io.plimsoll.report.RunReport;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.Run;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plimsoll capacity}: the number of brokers that a load needs. */
@Command(name = "capacity")
final class CapacityCommand extends CeilingCommand {
    private static final int FEWEST_BROKERS = 3;
    private static final int MOST_AWAY = 100;
    private static final int PARTITIONS = 12;

    private static final List<String> FORMATS = List.of("text", "json", "strimzi", "cruise-control");

    @Option(names = "--target", paramLabel = "LOAD", required = true)
    String target;

    @Option(names = "--growth", paramLabel = "SHARE/year", defaultValue = "0%")
    String growth;

    @Option(names = "--years", paramLabel = "N", defaultValue = "1")
    double years;

    @Option(names = "--headroom", paramLabel = "SHARE", defaultValue = "0%")
    String headroom;

    @Option(names = "--survive", paramLabel = "N", defaultValue = "0")
    int survive;

    @Option(names = "--limits", paramLabel = "LIMITS")
    String limits;

    @Option(names = "--of", paramLabel = "RUN")
    Path of;

    @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "text")
    String format;

    private Target wanted;
    private Margin margin;
    private BrokerLimits has;

    @Override
    Exit perform() {
        wanted = read("--target", target, Target::parse);
        has = limits == null ? BrokerLimits.UNKNOWN : read("--limits", limits, BrokerLimits::parse);
        double perYear = read("--growth", growth, text -> Quantities.ratio(text.replaceFirst("/year$", "")));
        double free = read("--headroom", headroom, Quantities::ratio);
        expect(free <= 0.9, "--headroom", headroom, "cli.a.range", "0%", "90%");
        expect(years >= 0 && years <= 20, "--years", years, "cli.a.number", 0, 20);
        boolean few = survive >= 0 && survive <= MOST_AWAY;
        expect(few, "--survive", survive, "cli.a.number", 0, MOST_AWAY);
        require(FORMATS.contains(format), "cli.expected", "--format", Sentence.or(FORMATS), format);
        boolean stored = !format.equals("cruise-control") || has.all().containsKey("storage");
        require(stored, "cli.needs", "--format cruise-control", "--limits 'storage ...'");
        margin = new Margin(perYear, years, free, survive);
        if (of != null) {
            show(ComparedRun.read(of).result(), of);
            return Exit.PASSED;
        }
        if (cluster.connectionIfNamed().isEmpty() && lab.brokers == null) {
            lab.brokers = Math.max(FEWEST_BROKERS, Objects.requireNonNullElse(wanted.replication(), 1));
        }
        curve = isTyped("--curve") ? curve : 0;
        return super.perform();
    }

    @Override
    boolean costs() {
        return true;
    }

    @Override
    boolean reported() {
        return false;
    }

    /** Without a scenario, the load follows the target; measured costs apply to that load only. */
    @Override
    Plan source(List<String> changes) {
        int copies = Objects.requireNonNullElse(wanted.replication(), 1);
        int readers = Objects.requireNonNullElse(wanted.groups(), 0);
        if (!spec.commandLine().getParseResult().hasMatchedPositional(0) && groups.isEmpty()) {
            String consumers = readers == 0 ? "" : "consumers: [{topic: capacity, groups: " + readers + "}]\n";
            String yaml =
                    "name: capacity\ntopics: [{name: capacity, partitions: " + PARTITIONS + ", replication: " + copies
                            + "}]\nproducers: [{topic: capacity, record: {size: 1KB}}]\n" + consumers + "audit: true\n";
            return ScenarioReader.read(yaml, "--target", changes, scale);
        }
        Plan plan = super.source(changes);
        for (Plan.Trial trial : plan.trials()) {
            Scenario s = trial.scenario();
            boolean copied = s.topics().stream().allMatch(t -> t.existing() || t.replication() == copies);
            boolean read = s.consumers().stream().mapToInt(c -> c.groups()).sum() == readers;
            Exit.USAGE.when(
                    (wanted.replication() != null && !copied) || (wanted.groups() != null && !read),
                    "cli.otherTarget",
                    target);
        }
        return plan;
    }

    @Override
    void show(Run.Finished end) {
        if (end.failure() != null || end.result().ceilings().isEmpty()) {
            out().println(RunReport.terminal(end.result(), look()));
        } else {
            show(end.result(), end.directory());
        }
    }

    private void show(RunResult result, Path run) {
        CapacityPlan plan = CapacityPlanner.plan(result, wanted, margin, has);
        Path page;
        try (RunDirectory directory = RunDirectory.open(run)) {
            directory.write(CapacityPlan.FILE, Json.pretty(plan));
            directory.write("capacity.md", CapacityText.markdown(plan, language()));
            page = directory.write("capacity.html", HtmlReport.render(plan, language()));
        }
        switch (results.json ? "json" : format) {
            case "json" -> out().print(Json.pretty(plan));
            case "strimzi" -> out().print(new CapacityExport(plan).strimzi());
            case "cruise-control" -> out().print(new CapacityExport(plan).cruiseControl(has));
            default -> {
                out().println(CapacityText.render(plan, look()));
                out().println(page);
            }
        }
    }
}
