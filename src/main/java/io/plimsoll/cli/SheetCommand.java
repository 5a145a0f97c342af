package io.plimsoll.cli;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cli.RunCommand.Results;
import io.plimsoll.cli.RunsInTurns.Alternation;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.report.Live;
import io.plimsoll.report.SheetText;
import io.plimsoll.report.compare.Sheet;
import io.plimsoll.report.compare.Sheet.Done;
import io.plimsoll.report.compare.Sheet.Side;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.Units;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.LoadEstimate;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Suggestions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code plimsoll sheet}: compares Kafka releases or clusters in rounds. A round runs each scenario on all sides before
 * the next scenario; the order of the sides alternates between rounds. Used by the main thread and by the shutdown
 * hook.
 */
@Command(name = "sheet")
final class SheetCommand extends PlimsollCommand {
    private static final List<String> SCENARIOS =
            List.of("sheet-write", "sheet-latency", "sheet-read", "sheet-groups", "sheet-replicated", "sheet-upgrade");
    private static final String UPGRADE = "upgrade";

    /** Time after a signal: 4 s for the run to end cleanly, the remainder to write the sheet. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    /** First Kafka releases in which the consumer group protocol of KIP-848 and share groups are on by default. */
    private static final String CONSUMER_PROTOCOL_SINCE = "4.0.0";

    private static final String SHARE_GROUPS_SINCE = "4.2.0";

    @Parameters(arity = "0..*", paramLabel = "SCENARIO", descriptionKey = "argument.sheet.scenarios")
    private List<String> scenarios = new ArrayList<>();

    @Option(names = "--kafka", paramLabel = "RELEASE", split = ",")
    private List<String> releases = new ArrayList<>();

    @Option(names = "--only", paramLabel = "TRIAL", split = ",")
    private List<String> only = new ArrayList<>();

    @Option(names = "--cluster", paramLabel = "NAME=HOST:PORT|FILE")
    private Map<String, String> clusters = new LinkedHashMap<>();

    @Option(names = "--budget", paramLabel = "TIME", defaultValue = "2h")
    private String budget;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "10")
    private int most;

    @Option(names = "--scale", paramLabel = "FACTOR", defaultValue = "1")
    private double scale;

    @Option(names = "--resume", paramLabel = "DIR")
    private Path resumed;

    @Option(names = "--yes")
    private boolean yes;

    @Mixin
    private Results results = new Results();

    @SuppressWarnings("NullAway.Init") // Set by perform(), after picocli has set the options.
    private Sheet sheet;

    @SuppressWarnings("NullAway.Init") // Set by perform(), before the first run.
    private Path place;

    private final Alternation<Run> turns = new Alternation<>(Run::interrupt);

    @Override
    Exit perform() {
        Duration time = read("--budget", budget, Quantities::duration);
        expect(most >= 0 && most <= 100, "--rounds", most, "cli.a.number", 0, 100);
        if (resumed == null) {
            sheet = new Sheet(
                    sides(), scenarios.isEmpty() ? SCENARIOS : List.copyOf(scenarios), List.copyOf(only), scale);
        } else {
            boolean defined = !releases.isEmpty()
                    || !clusters.isEmpty()
                    || !scenarios.isEmpty()
                    || !only.isEmpty()
                    || isTyped("--scale");
            require(!defined, "cli.sheet.resumes", "--resume");
            sheet = Sheet.read(resumed);
        }
        checkTrials();
        place = resumed != null
                ? resumed
                : RunDirectory.place(results.out, "sheet", Instant.now()).path();
        return Daemon.untilSignal(turns::stop, PATIENCE, () -> {}, () -> {
            write(Sheet.NAME, Json.pretty(sheet));
            Exit exit = runAll(Instant.now(), time);
            if (turns.stopping()) {
                say("cli.sheet.interrupted", place);
            }
            boolean none = sheet.runs().isEmpty();
            return none ? (turns.stopping() ? exit : Exit.INVALID_MEASUREMENT) : show(exit);
        });
    }

    private List<Side> sides() {
        List<Side> sides = new ArrayList<>();
        releases.forEach(release -> sides.add(new Side(LabOptions.version(spec(release)), release, null)));
        clusters.forEach((name, address) -> sides.add(new Side(name, null, address)));
        require(sides.size() >= 2, "cli.sheet.twoSides");
        require(sides.stream().map(Side::name).distinct().count() == sides.size(), "cli.sheet.distinct");
        sides.forEach(side -> connection(side).ifPresent(ClusterConnection::check));
        return sides;
    }

    /**
     * Reads all scenarios for all sides, so that an unsuitable one is refused before anything is written. An unknown
     * trial is an error, because the sheet would look complete without it.
     */
    private void checkTrials() {
        List<String> trials = sheet.scenarios().stream()
                .flatMap(scenario -> ScenarioSource.plan(scenario, List.of(), sheet.scale()).trials().stream())
                .map(Plan.Trial::name)
                .distinct()
                .toList();
        for (String trial : sheet.only()) {
            require(trials.contains(trial), "cli.sheet.noTrial", trial, Suggestions.hint(trial, trials));
        }
        sheet.scenarios()
                .forEach(scenario -> IntStream.range(0, sheet.sides().size()).forEach(side -> plan(scenario, side)));
    }

    /** Duration of one round in seconds, if the scenarios state it. */
    private double seconds() {
        return sheet.scenarios().stream()
                .flatMap(scenario -> IntStream.range(0, sheet.sides().size()).mapToObj(side -> plan(scenario, side)))
                .flatMap(Optional::stream)
                .mapToDouble(plan -> LoadEstimate.of(plan).seconds())
                .sum();
    }

    private static LabSpec spec(String release) {
        return LabSpec.of(List.of("kafkaVersion=" + release));
    }

    private Exit runAll(Instant began, Duration time) {
        Instant deadline = began.plus(time);
        int begun = sheet.rounds();
        int first = Math.max(0, begun - 1);
        double round = seconds();
        Duration longest = Duration.ofSeconds((long) round);
        if (!results.silent() && first < most) {
            say(
                    "cli.sheet.estimate",
                    Units.duration(round),
                    Math.min(most - first, (int) (time.toSeconds() / round)),
                    Units.duration(time.toSeconds()));
        }
        for (int number = first; number < most && !turns.stopping(); number++) {
            Instant start = Instant.now();
            // The first round always starts, and an interrupted one continues.
            if (number > 0 && number >= begun && start.plus(longest).isAfter(deadline)) {
                return Exit.PASSED;
            }
            for (String scenario : sheet.scenarios()) {
                for (int turn = 0; turn < sheet.sides().size(); turn++) {
                    int side = Alternation.side(number, turn, sheet.sides().size());
                    if (!turns.stopping() && Instant.now().isBefore(deadline)) {
                        run(number, scenario, side);
                    }
                }
            }
            if (number >= begun) {
                Duration took = Duration.between(start, Instant.now());
                longest = number == begun || took.compareTo(longest) > 0 ? took : longest;
            }
        }
        return turns.stopping() ? Exit.INTERRUPTED : Exit.PASSED;
    }

    /**
     * Executes a run unless it is already complete or the scenario does not apply to the side. If the run fails, the
     * failure is reported and the sheet continues.
     */
    private void run(int round, String scenario, int position) {
        Side side = sheet.sides().get(position);
        Optional<Plan> plan = sheet.has(round, scenario, side) ? Optional.empty() : plan(scenario, position);
        if (plan.isEmpty()) {
            return;
        }
        if (!results.silent()) {
            say("cli.sheet.turn", round + 1, plan.get().name(), side.name());
        }
        Path out = place.resolve("runs");
        RunRequest request = RunRequest.of(plan.get(), out, Arguments.typed(spec), ToolInfo.ofRun())
                .with(draft -> {
                    draft.cluster = connection(side);
                    draft.seed = results.seed;
                    // Flight recordings extend each trial and use the brokers' CPU.
                    draft.observe = RunRequest.ObserveLevel.LIGHT;
                    draft.limits = LoadLimits.DEFAULT.with(Asking.consent(this, yes));
                });
        try (Progress terminal = Live.progress(results.silent(), environment(), language())) {
            Run.Finished finished = turns.begin(new Run(request, terminal)).execute();
            terminal.close();
            if (turns.stopping() || finished.failure() != null) {
                Stream.ofNullable(finished.failure()).forEach(e -> say(e.sentence()));
                return;
            }
            sheet = sheet.with(new Done(
                    round,
                    scenario,
                    side.name(),
                    place.relativize(finished.directory()).toString()));
            write(Sheet.NAME, Json.pretty(sheet));
        } catch (PlimsollException e) {
            say("cli.sheet.failed", plan.get().name(), side.name(), e.sentence());
        }
    }

    /** The scenario for a side, without the trials that do not apply to it; empty if none applies. */
    private Optional<Plan> plan(String scenario, int position) {
        Plan usual = ScenarioSource.plan(scenario, List.of(), sheet.scale());
        Side side = sheet.sides().get(position);
        boolean upgrades = usual.trials().stream()
                .flatMap(t -> t.scenario().faults().stream())
                .anyMatch(f -> f.kind().name().equals(UPGRADE));
        List<String> overrides = new ArrayList<>();
        if (side.release() != null && upgrades) {
            String before =
                    position == 0 ? null : sheet.sides().get(position - 1).release();
            if (before == null) {
                return Optional.empty();
            }
            overrides.add("lab.kafkaVersion=" + before);
            overrides.add("faults.to=" + side.release());
        } else if (side.release() != null) {
            overrides.add("lab.kafkaVersion=" + side.release());
        }
        Plan plan;
        try {
            plan = ScenarioSource.plan(scenario, overrides, sheet.scale());
        } catch (PlimsollException e) {
            throw upgrades ? Exit.USAGE.because(e, "cli.sheet.upgrades", scenario, e.sentence()) : e;
        }
        List<Plan.Trial> kept = plan.trials().stream()
                .filter(t -> sheet.only().isEmpty() || sheet.only().contains(t.name()))
                .filter(t -> applies(t.scenario(), side))
                .toList();
        return kept.isEmpty() ? Optional.empty() : Optional.of(plan.with(kept));
    }

    private static boolean applies(Scenario scenario, Side side) {
        if (side.release() == null) {
            return scenario.faults().isEmpty()
                    && scenario.lab().get(LabSpec.SECURITY).isEmpty();
        }
        return scenario.consumers().stream()
                .allMatch(c -> (!"consumer".equals(c.config().get("group.protocol"))
                                || LabOptions.isSince(side.name(), CONSUMER_PROTOCOL_SINCE))
                        && (!c.engine().equals("share") || LabOptions.isSince(side.name(), SHARE_GROUPS_SINCE)));
    }

    private static Optional<ClusterConnection> connection(Side side) {
        if (side.cluster() == null) {
            return Optional.empty();
        }
        return Optional.of(ClusterConnection.named(side.cluster(), null, List.of()));
    }

    private Exit show(Exit ofRuns) {
        sheet = sheet.judged(place);
        write(Sheet.NAME, Json.pretty(sheet));
        write("sheet.md", SheetText.markdown(sheet, language()));
        Path page = write("sheet.html", HtmlReport.render(sheet, language()));
        if (results.json) {
            out().print(Json.pretty(sheet));
        } else {
            out().println(SheetText.terminal(sheet, look()));
            out().println(page);
        }
        out().flush();
        return ofRuns;
    }

    private Path write(String name, String text) {
        try (RunDirectory directory = RunDirectory.again(place)) {
            return directory.write(name, text);
        }
    }
}
