package io.plimsoll.cli;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.cli.PlimsollCommand.Asking;
import io.plimsoll.cli.PlimsollCommand.Tolerance;
import io.plimsoll.cli.RunsInTurns.TurnSide;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.LabSecurity;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.observe.broker.BrokerObserver;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.observe.broker.BrokerSource.JmxLogin;
import io.plimsoll.report.ComparisonText;
import io.plimsoll.report.Live;
import io.plimsoll.report.PlanText;
import io.plimsoll.report.RunReport;
import io.plimsoll.report.RunTables;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.report.html.RunSeries;
import io.plimsoll.report.picture.Pictures;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Units;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunPreview;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.fleet.FleetSupport.Agents;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.ABVariants;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.web.LivePage;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.MalformedURLException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "run")
public class RunCommand extends PlimsollCommand {
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
    OwnLab lab = new OwnLab();

    @Option(names = "--allow-exec")
    boolean allowExec;

    @Option(names = "--strict")
    boolean strict;

    @Option(names = "--max-rate", paramLabel = "RATE")
    String maxRate;

    @Mixin
    Guards guards = new Guards();

    @Mixin
    ObserveOptions observe = new ObserveOptions();

    @Option(names = "--observe", paramLabel = "LEVEL", defaultValue = "full")
    RunRequest.ObserveLevel observeLevel;

    @Mixin
    FleetOptions.Counted fleet = new FleetOptions.Counted();

    @Option(names = "--trial", paramLabel = "NAME")
    List<String> only = new ArrayList<>();

    @Option(names = "--abort-on-fail")
    boolean abortOnFail;

    @Mixin
    PairOptions turns = new PairOptions();

    @Mixin
    SelfWarmup selfWarmup = new SelfWarmup();

    @Option(names = "--dry-run")
    boolean dryRun;

    @Mixin
    Results results;

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
                    draft.strict = strict;
                    selfWarmup.addTo(draft, this);
                    draft.limits = guards.limits(this, maxRate);
                    draft.sources = observe.observed();
                    draft.observe = observeLevel;
                });
        if (dryRun) {
            return new ShownRun.DryRun(this, fleet).show(request, ceiling());
        }
        return fleet.run(request, this, this::execute);
    }

    private Exit execute(RunRequest request) {
        Optional<CeilingRequest> search = prepared(ceiling(), request);
        Run.Finished finished = new ShownRun(this, results, this::show, reported())
                .execute(request, search, ui.open(this), ui.openMetrics(this));
        return turns.exitCode(finished.result().head().exit());
    }

    void show(Run.Finished end) {
        turns.show(end, this, !results.json);
    }

    boolean reported() {
        return true;
    }

    /** @param more an additional override */
    private Plan plan(@Nullable String more) {
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

    /** Prepares a search, for example by a calibration. Returns the search, with the remaining time as its limit. */
    Optional<CeilingRequest> prepared(Optional<CeilingRequest> search, RunRequest request) {
        return search;
    }

    Optional<CeilingRequest> ceiling() {
        return Optional.empty();
    }

    /** Options for the destination and display of results. */
    public static final class Results {
        @Option(names = "--out", paramLabel = "DIR", defaultValue = "runs")
        public Path out;

        @Option(names = "--seed", paramLabel = "N", defaultValue = "1")
        public long seed;

        @Option(names = "--quiet")
        boolean quiet;

        @Option(names = "--json")
        public boolean json;

        boolean silent() {
            return quiet || json;
        }
    }

    /** Options for the lab of a run without a named cluster. */
    public static final class OwnLab {
        @Option(names = "--brokers", paramLabel = "N")
        Integer brokers;

        @Option(names = "--broker-config", paramLabel = "NAME=VALUE")
        Map<String, String> brokerConfig = new LinkedHashMap<>();

        @Option(names = "--security", paramLabel = "PROTOCOL[,...]")
        String security;

        public boolean asked() {
            return brokers != null || !brokerConfig.isEmpty() || security != null;
        }

        public void addTo(RunRequest.Draft draft) {
            draft.brokers = brokers == null ? OptionalInt.empty() : OptionalInt.of(brokers);
            draft.brokerConfig = brokerConfig;
            draft.security = Optional.ofNullable(security).map(LabSecurity::parse);
        }
    }

    /**
     * Warm-up of the load generator's own code before the first trial. The launcher script sets the default by a system
     * property; processes without the script, such as tests, skip the warm-up by default.
     */
    public static final class SelfWarmup {
        static final String NAME = "--self-warmup";

        @Option(names = NAME, paramLabel = "TIME", defaultValue = "${sys:plimsoll.selfWarmup:-0s}")
        String longest;

        public void addTo(RunRequest.Draft draft, PlimsollCommand command) {
            draft.selfWarmup = limit(command);
        }

        public Duration limit(PlimsollCommand command) {
            return command.read(NAME, longest, Quantities::durationOrZero);
        }
    }

    /** Limits of the load on a shared cluster. */
    public static final class Guards {
        @Option(names = "--max-bytes", paramLabel = "SIZE")
        String maxBytes;

        @Option(names = "--disk-reserve", paramLabel = "SHARE")
        String diskReserve;

        @Option(names = "--guard", paramLabel = "CHECK")
        List<String> guards = new ArrayList<>();

        @Option(names = "--ramp-up", paramLabel = "TIME")
        String rampUp;

        @Option(names = "--yes")
        boolean yes;

        /** @param maxRate value of {@code --max-rate} */
        public LoadLimits limits(PlimsollCommand command, @Nullable String maxRate) {
            LoadLimits usual = LoadLimits.DEFAULT;
            double reserve = diskReserve == null
                    ? usual.diskReserve()
                    : command.read("--disk-reserve", diskReserve, Quantities::ratio);
            command.expect(reserve < 1, "--disk-reserve", diskReserve, "cli.a.range", "0%", "99%");
            return new LoadLimits(
                    reserve,
                    maxRate == null ? usual.maxRate() : command.read("--max-rate", maxRate, Quantities::rate),
                    maxBytes == null ? usual.maxBytes() : command.read("--max-bytes", maxBytes, Quantities::bytes),
                    Asking.consent(command, yes),
                    usual.lookEvery(),
                    Optional.ofNullable(rampUp)
                            .map(text -> command.read("--ramp-up", text, Quantities::durationOrZero)),
                    guards.stream()
                            .map(text -> command.read("--guard", text, CheckParser::guard))
                            .toList());
        }
    }

    /** Options that compare two settings. */
    static final class PairOptions {
        private static final int PAIRS = 5;

        @Option(names = "--ab", paramLabel = "PATH=V1|V2")
        String ab;

        @Option(names = "--pairs", paramLabel = "N")
        Integer pairs;

        @Mixin
        Tolerance tolerance = new Tolerance();

        private Exit found = Exit.PASSED;

        /** Whether the user gave any option of this class. */
        boolean asked() {
            return ab != null || tolerance.asked();
        }

        /** Whether {@code --ab} compares clusters or clients, so that it repeats whole runs instead of trials. */
        boolean repeatsRuns() {
            return ab != null && TurnSide.isOne(ab);
        }

        Exit repeat(RunCommand command, Plan plan) {
            tolerance.share();
            // Each run reads the same argument file and would start the comparison again.
            boolean typed = Arguments.given(command.spec).stream().anyMatch(word -> word.matches("(?s)--ab(=.*)?"));
            Exit.USAGE.when(!typed, "cli.abInFile");
            List<TurnSide> sides = TurnSide.of(ABVariants.overrides(ab));
            Exit.USAGE.when(sides.size() > 2, "cli.twoSides", sides.size());
            int times = pairs == null ? PAIRS : pairs;
            Exit.USAGE.when(times < 1 || times > ABVariants.MOST_PAIRS, "scenario.pairs", ABVariants.MOST_PAIRS, times);
            sides.get(0).checkOptions(command, plan);
            TurnSide.check(sides, command);
            return new RunsInTurns(command, sides, times).perform(plan.name());
        }

        /** @param with creates the plan with one more override; null for none */
        Plan plan(Function<@Nullable String, Plan> with) {
            if (ab == null) {
                Exit.USAGE.when(pairs != null, "cli.pairsWithoutAb");
                Exit.USAGE.when(tolerance.asked(), "cli.regressionWithoutAb");
                return with.apply(null);
            }
            tolerance.share();
            List<String> overrides = ABVariants.overrides(ab);
            return ABVariants.inTurns(overrides.stream().map(with).toList(), overrides, pairs == null ? PAIRS : pairs);
        }

        /** Writes the comparison to the run directory and prints it on request. */
        void show(Run.Finished finished, PlimsollCommand command, boolean print) {
            if (ab == null) {
                return;
            }
            try (RunDirectory directory = RunDirectory.open(finished.directory())) {
                Comparison comparison = Comparer.compare(
                        List.of(List.of(ComparedRun.read(finished.directory()))), List.of(), tolerance.share());
                found = Tolerance.exit(comparison);
                directory.write("comparison.md", ComparisonText.markdown(comparison, command.language()));
                directory.write("comparison.html", HtmlReport.render(comparison, command.language()));
                if (print) {
                    command.out().println(ComparisonText.terminal(comparison, command.look()));
                }
            } catch (PlimsollException e) {
                // One side can be missing if the run was interrupted; the report of the run is still shown.
                found = tolerance.asked() ? e.exit() : found;
                if (print) {
                    command.print(e.sentence());
                }
            }
        }

        /** A failed run keeps its own exit code. */
        Exit exitCode(Exit ofRun) {
            return ofRun == Exit.PASSED ? found : ofRun;
        }
    }

    /** Options for sources of broker figures outside a lab. */
    public static final class ObserveOptions {
        private static final Pattern OF_BROKER = Pattern.compile("(\\d{1,9})=(.+)");
        private static final Pattern HOST_AND_PORT = Pattern.compile("[^\\s:/]+:\\d{1,5}|\\[[0-9a-fA-F:.]+]:\\d{1,5}");

        @Option(names = "--jmx", paramLabel = "BROKER=HOST:PORT")
        List<String> jmx = new ArrayList<>();

        @Option(names = "--jmx-user", paramLabel = "NAME")
        String jmxUser;

        @Option(names = "--jmx-password-file", paramLabel = "FILE")
        Path jmxPasswordFile;

        @Option(names = "--jmx-password-in-clear")
        boolean jmxPasswordInClear;

        @Option(names = "--metrics-endpoint", paramLabel = "BROKER=URL")
        List<String> endpoints = new ArrayList<>();

        @Option(names = "--observer", paramLabel = "BROKER=URL")
        List<String> observers = new ArrayList<>();

        /** Whether any option names a source. */
        boolean asked() {
            return !(jmx.isEmpty() && endpoints.isEmpty() && observers.isEmpty());
        }

        public List<BrokerSource> observed() {
            Exit.USAGE.when((jmxUser == null) != (jmxPasswordFile == null), "cli.jmxUserAndPassword");
            List<BrokerSource> sources = new ArrayList<>();
            JmxLogin login = jmxUser == null ? null : new JmxLogin(jmxUser, password(), jmxPasswordInClear);
            for (String typed : jmx) {
                Matcher pair = OF_BROKER.matcher(typed);
                Exit.USAGE.when(!pair.matches(), "cli.notAJmxAddress", typed);
                String url = url(pair.group(2));
                sources.add(BrokerSource.jmx(Integer.parseInt(pair.group(1)), () -> url, login));
            }
            endpoints.forEach(typed -> sources.add(served("--metrics-endpoint", typed, BrokerSource::prometheus)));
            observers.forEach(typed -> sources.add(served("--observer", typed, BrokerSource::agent)));
            return sources;
        }

        private static BrokerSource served(
                String option, String typed, BiFunction<Integer, String, BrokerSource> source) {
            Matcher pair = OF_BROKER.matcher(typed);
            Exit.USAGE.when(!pair.matches(), "cli.notAMetricsEndpoint", typed.replaceFirst("[?#].*", ""), option);
            return source.apply(Integer.valueOf(pair.group(1)), checked(option, pair.group(2)));
        }

        private static String url(String address) {
            boolean whole = address.startsWith("service:jmx:");
            String url = whole ? address : "service:jmx:rmi:///jndi/rmi://" + address + "/jmxrmi";
            try {
                new JMXServiceURL(url);
            } catch (MalformedURLException e) {
                throw Exit.USAGE.because("cli.notAJmxAddress", address);
            }
            Exit.USAGE.when(!whole && !HOST_AND_PORT.matcher(address).matches(), "cli.notAJmxAddress", address);
            return url;
        }

        private static String checked(String option, String url) {
            String shown = url.replaceFirst("[?#].*", "");
            boolean http = url.startsWith("http://") || url.startsWith("https://");
            Exit.USAGE.when(!http, "cli.notAMetricsEndpoint", shown, option);
            try {
                URI uri = URI.create(url);
                if (uri.getRawQuery() != null && uri.getRawQuery().startsWith("token=")) {
                    Secrets.learn(uri.getRawQuery().substring("token=".length()));
                }
                return uri.toString();
            } catch (IllegalArgumentException e) {
                throw Exit.USAGE.because("cli.notAMetricsEndpoint", shown, option);
            }
        }

        private String password() {
            try {
                String text = InputFile.text(jmxPasswordFile, InputFile.LINES);
                String password = text.lines().findFirst().orElse("");
                Secrets.learn(password);
                return password;
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "cli.cannotReadJmxPassword", jmxPasswordFile, e);
            }
        }
    }

    /**
     * Executes a run and shows its progress and report on the terminal, even after an interrupt.
     *
     * @param command provides the output
     * @param options amount of output
     * @param more called before the path of the report is printed
     * @param reported whether to print the result; if false, {@code more} prints it
     */
    public record ShownRun(PlimsollCommand command, Results options, Consumer<Run.Finished> more, boolean reported) {
        /** Time for a run to end cleanly before its partial result is shown. */
        private static final Duration PATIENCE = Duration.ofSeconds(4);

        /** @param page closed at the end, together with the metrics */
        public Run.Finished execute(
                RunRequest request, Optional<CeilingRequest> ceiling, Optional<LivePage> page, List<Progress> metrics) {
            try (Progress terminal = Live.progress(options.silent(), command.environment(), command.language())) {
                List<Progress> all = new ArrayList<>(List.of(terminal));
                page.ifPresent(all::add);
                all.addAll(metrics);
                return execute(new Run(request, new ProgressGroup(all), ceiling), finished -> {
                    terminal.close();
                    show(finished, page);
                });
            } finally {
                page.ifPresent(LivePage::close);
                metrics.forEach(Progress::close);
            }
        }

        /**
         * Executes a run, and shows its result once: when the run ends or, if it hangs after a signal, from the
         * shutdown hook.
         */
        public static Run.Finished execute(Run run, Consumer<Run.Finished> show) {
            Consumer<Run.Finished> once = new Consumer<>() {
                private boolean shown;

                @Override
                public synchronized void accept(Run.Finished finished) {
                    if (!shown) {
                        shown = true;
                        show.accept(finished);
                    }
                }
            };
            Runnable late = () -> run.giveUp().ifPresent(once);
            return Daemon.untilSignal(run::interrupt, PATIENCE, late, () -> {
                Run.Finished finished = run.execute();
                once.accept(finished);
                return finished;
            });
        }

        /** Shows the result even if the reports cannot be written. */
        void show(Run.Finished finished, Optional<LivePage> page) {
            RunResult result = finished.result();
            String report = "";
            PlimsollException unwritten = null;
            try (RunDirectory directory = RunDirectory.open(finished.directory())) {
                report = writeReports(directory, result, command.language()).toString();
            } catch (PlimsollException e) {
                unwritten = finished.failure() == null ? e : null;
            }
            if (finished.failure() != null) {
                command.say(finished.failure().sentence());
            }
            PrintWriter out = command.out();
            if (reported && options.json) {
                out.print(Json.pretty(result));
            } else if (reported) {
                out.println(RunReport.terminal(result, command.look()));
            }
            more.accept(finished);
            if (reported && !options.json && !report.isEmpty()) {
                out.println(report);
            }
            out.flush();
            if (page.isPresent()) {
                page.get().end(result, report);
            }
            if (unwritten != null) {
                throw unwritten;
            }
        }

        /** @return {@code report.html} */
        public static Path writeReports(RunDirectory directory, RunResult result, Language language) {
            RunSeries series = RunSeries.of(directory);
            Path markdown = directory.path().resolve(RunDirectory.REPORT_MARKDOWN);
            try {
                var pictures = Pictures.beside(markdown, result, series, language);
                directory.write(RunDirectory.REPORT_MARKDOWN, RunReport.markdown(result, pictures, language));
            } catch (IOException e) {
                throw directory.cannotWrite(RunDirectory.REPORT_MARKDOWN, e);
            }
            return directory.write(RunDirectory.REPORT_HTML, HtmlReport.render(result, series, language));
        }

        /** Combines observers of a run. The creator of each observer closes it, since some observers show the end of the run. */
        record ProgressGroup(List<Progress> all) implements Progress {
            @Override
            public void phase(@Nullable String trial, String phase, double fraction, double etaSeconds) {
                all.forEach(each -> each.phase(trial, phase, fraction, etaSeconds));
            }

            @Override
            public void snapshot(Snapshot snapshot) {
                all.forEach(each -> each.snapshot(snapshot));
            }

            @Override
            public void search(SearchView view) {
                all.forEach(each -> each.search(view));
            }

            @Override
            public void fault(@Nullable Sentence what) {
                all.forEach(each -> each.fault(what));
            }

            @Override
            public void checks(List<String> held, List<String> missed) {
                all.forEach(each -> each.checks(held, missed));
            }

            @Override
            public void event(TimelineEvent event) {
                all.forEach(each -> each.event(event));
            }

            @Override
            public void note(Sentence text) {
                all.forEach(each -> each.note(text));
            }

            @Override
            public void close() {}
        }

        /** Prints the plan of a run, and the agents of a fleet, without running it. */
        public record DryRun(PlimsollCommand command, FleetOptions fleet) {
            private static final Duration CONNECTING = Duration.ofSeconds(5);

            public Exit show(RunRequest request, Optional<CeilingRequest> ceiling) {
                RunPreview preview = RunPreview.of(request, ceiling);
                Plan plan = preview.plan();
                String text = ceiling.map(c -> PlanText.ofSearch(
                                plan, preview.asked(), search(plan, c), preview.labs(), command.look()))
                        .orElseGet(() -> PlanText.of(
                                plan,
                                preview.asked(),
                                preview.brokers(),
                                preview.labs(),
                                preview.present(),
                                preview.copies(),
                                command.look()));
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
                List<Check> checks = search.slo()
                        .orElseGet(() -> plan.trials().get(0).scenario().checks());
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
                                        checks.stream().map(Check::text).toList())));
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
                try (Agents found = fleet.find(plan.name())) {
                    for (Plan.Trial trial : plan.trials()) {
                        List<Sentence> lines = found.placement(trial.scenario());
                        command.out().println();
                        command.print("cli.trialOnFleet", trial.name());
                        lines.forEach(this::item);
                    }
                }
            }

            private void item(Sentence text) {
                command.printLine("  " + text.in(command.language()));
            }
        }
    }
}
