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
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.CeilingRequest.Extras;
import io.plimsoll.run.CeilingRequest.Lengths;
import io.plimsoll.run.CeilingRequest.Without;
import io.plimsoll.run.ForeignGroups;
import io.plimsoll.run.NewScenario;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunPreview;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.calibrate.Calibrator;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "ceiling")
class CeilingCommand extends RunCommand {
    /** Searches shorter than this skip the calibration, which would take a large part of their time. */
    private static final Duration WORTH_CALIBRATING = Duration.ofMinutes(1);

    private static final String GROUP_TRIAL = "30s";

    @Option(names = "--slo", paramLabel = "CHECK", split = ",")
    List<String> slo = new ArrayList<>();

    @Option(names = "--by", paramLabel = "WHAT", defaultValue = "records")
    String by;

    @Option(names = "--min-rate", paramLabel = "RATE")
    String minRate;

    @Option(names = "--max-duration", paramLabel = "TIME")
    String maxDuration;

    @Option(names = "--width", paramLabel = "SHARE", defaultValue = "5%")
    String width;

    @Option(names = "--trial-length", paramLabel = "TIME", defaultValue = "10s")
    String trial;

    @Option(names = "--confirm", paramLabel = "TIME", defaultValue = "20s")
    String confirm;

    @Option(names = "--curve", paramLabel = "N", defaultValue = "3")
    int curve;

    @Option(names = "--prove", negatable = true, defaultValue = "true", fallbackValue = "true")
    boolean prove;

    @Option(names = "--calibrate", negatable = true, defaultValue = "true", fallbackValue = "true")
    boolean calibrate;

    @Option(names = "--matrix", paramLabel = "PATH=[V1,V2]")
    Map<String, String> matrix = new LinkedHashMap<>();

    @Option(names = "--group", paramLabel = "GROUP")
    List<String> groups = new ArrayList<>();

    @Option(names = "--scale-with", paramLabel = "COMMAND")
    String scaleWith;

    @Option(names = "--replicas", paramLabel = "N", split = ",")
    List<Integer> replicas = new ArrayList<>();

    @Option(names = "--without-broker", paramLabel = "ID|any")
    String withoutBroker;

    @Option(names = "--without-zone", paramLabel = "NAME|any")
    String withoutZone;

    @Option(names = "--without-disk", paramLabel = "ID|any")
    String withoutDisk;

    @Option(names = "--exec", paramLabel = "COMMAND")
    String exec;

    @Option(names = "--undo", paramLabel = "COMMAND")
    String undo;

    @Override
    Exit perform() {
        observeGroups();
        matrix.forEach((path, values) -> overrides.add("matrix." + path + "=" + values));
        return super.perform();
    }

    /**
     * Adds the observed groups. Trials are then longer by default, because only commits show the progress of a group.
     */
    private void observeGroups() {
        require((scaleWith == null) == replicas.isEmpty(), "cli.together", "--scale-with", "--replicas");
        require(scaleWith == null || !groups.isEmpty(), "cli.needs", "--scale-with", "--group");
        if (groups.isEmpty()) {
            return;
        }
        overrides.add("observe.groups=[" + String.join(", ", quoted(groups)) + "]");
        if (scaleWith != null) {
            overrides.add("observe.scaleWith=" + quoted(List.of(scaleWith)).get(0));
            matrix.put("observe.replicas", replicas.toString());
        }
        if (!isTyped("--trial-length")) {
            trial = GROUP_TRIAL;
        }
    }

    private static List<String> quoted(List<String> texts) {
        return texts.stream().map(t -> "'" + t.replace("'", "''") + "'").toList();
    }

    /** Without a scenario, the load is sent to the topics of the observed groups. */
    @Override
    Plan source(List<String> changes) {
        if (groups.isEmpty() || spec.commandLine().getParseResult().hasMatchedPositional(0)) {
            return super.source(changes);
        }
        Set<String> topics = new TreeSet<>();
        try (ForeignGroups found = new ForeignGroups(cluster.checkedConnection())) {
            groups.forEach(group -> topics.addAll(found.topics(group)));
        }
        return ScenarioReader.read(NewScenario.ofGroups(topics), "--group", changes, scale);
    }

    @Override
    Optional<CeilingRequest> prepared(Optional<CeilingRequest> search, RunRequest request) {
        boolean hurried = search.flatMap(CeilingRequest::maxDuration)
                .filter(d -> d.compareTo(WORTH_CALIBRATING) < 0)
                .isPresent();
        if (!calibrate || hurried || !request.workers().local()) {
            return search;
        }
        // Refuse or ask for consent before the calibration.
        RunPreview.of(request, search).findings().enforce(request.limits().consent());
        long began = System.nanoTime();
        Consumer<Sentence> says = results.silent() ? unheard -> {} : this::tell;
        Calibrator.calibrate(
                request,
                what -> says.accept(Sentence.of("cli.calibrating", what)),
                note -> says.accept(Sentence.of("cli.ofTool", note)));
        return search.map(s -> s.after(Duration.ofNanos(System.nanoTime() - began)));
    }

    @Override
    Optional<CeilingRequest> ceiling() {
        List<String> units = List.of("records", "bytes");
        require(units.contains(by), "cli.expected", "--by", Sentence.or(units), by);
        boolean inBytes = !isTyped("--by") && (isInBytes("--min-rate", minRate) || isInBytes("--max-rate", maxRate));
        Rate.Unit unit = inBytes || by.equals("bytes") ? Rate.Unit.PAYLOAD_BYTES : Rate.Unit.RECORDS;
        expect(curve >= 0 && curve <= 20, "--curve", curve, "cli.a.number", 0, 20);
        Duration full = read("--trial-length", trial, Quantities::duration);
        Duration asked = read("--confirm", confirm, Quantities::durationOrZero);
        // The default must not limit the length of trials.
        Duration confirmation = !isTyped("--confirm") && asked.compareTo(full) < 0 ? full : asked;
        expect(full.compareTo(Duration.ofSeconds(2)) >= 0, "--trial-length", trial, "cli.a.orMore", "2s");
        boolean confirms = confirmation.isZero() || confirmation.compareTo(full) >= 0;
        expect(confirms, "--confirm", confirm, "cli.a.noneOrAtLeast", "--trial-length");
        double share = read("--width", width, Quantities::ratio);
        expect(share >= 0.005 && share <= 0.4, "--width", width, "cli.a.range", "0.5%", "40%");
        double least = minRate == null
                ? (unit == Rate.Unit.RECORDS ? 1 : 1000)
                : read("--min-rate", minRate, text -> rate(text, unit));
        OptionalDouble most = maxRate == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(read("--max-rate", maxRate, text -> rate(text, unit)));
        expect(most.orElse(least) >= least, "--max-rate", maxRate, "cli.a.atLeast", "--min-rate");
        List<Check> checks = slo.stream()
                .map(text -> read("--slo", text, CeilingCommand::check))
                .toList();
        return Optional.of(new CeilingRequest(
                Optional.of(checks).filter(all -> !all.isEmpty()),
                unit,
                least,
                most,
                share,
                Optional.ofNullable(maxDuration).map(d -> read("--max-duration", d, Quantities::duration)),
                new Lengths(full, confirmation, curve),
                new Extras(prove, without(), costs())));
    }

    private boolean isInBytes(String option, @Nullable String rate) {
        return rate != null && read(option, rate, Quantities::rate).unit() == Rate.Unit.PAYLOAD_BYTES;
    }

    boolean costs() {
        return false;
    }

    private Optional<Without> without() {
        Map<Without.Kind, String> asked = new EnumMap<>(Without.Kind.class);
        asked.put(Without.Kind.BROKER, withoutBroker);
        asked.put(Without.Kind.ZONE, withoutZone);
        asked.put(Without.Kind.DISK, withoutDisk);
        asked.values().removeIf(Objects::isNull);
        List<String> options =
                asked.keySet().stream().map(CeilingCommand::option).toList();
        require(options.size() < 2, "cli.either", options.stream().limit(2).toArray());
        require(exec == null || !options.isEmpty(), "cli.needs", "--exec", option(Without.Kind.BROKER));
        require(exec == null || withoutDisk == null, "cli.either", "--exec", option(Without.Kind.DISK));
        require(undo == null || exec != null, "cli.needs", "--undo", "--exec");
        require(exec == null || allowExec, "cli.needs", "--exec", "--allow-exec");
        asked.forEach((kind, which) -> expect(
                kind == Without.Kind.ZONE || which.matches("any|\\d{1,9}"), option(kind), which, "cli.a.brokerOrAny"));
        return asked.entrySet().stream()
                .map(each -> new Without(
                        each.getKey(), each.getValue(), Optional.ofNullable(exec), Optional.ofNullable(undo)))
                .findFirst();
    }

    private static String option(Without.Kind kind) {
        return "--without-" + kind.name().toLowerCase(Locale.ROOT);
    }

    private static double rate(String text, Rate.Unit unit) {
        Rate.Quantity rate = Quantities.rate(text);
        if (rate.unit() != unit) {
            String example = unit == Rate.Unit.RECORDS ? "cli.a.recordRate" : "cli.a.byteRate";
            throw InvalidValueException.expected(Sentence.of(example), text);
        }
        return rate.value();
    }

    /**
     * Parses a criterion: {@code p99} is a response time, {@code endToEnd.p99} a consumer latency, {@code lag} a lag of
     * observed groups.
     */
    private static Check check(String text) {
        String bare = text.strip();
        String figure = bare.split("[\\s<>=!]", 2)[0];
        if (figure.equals("lag") || figure.equals("lagRecords")) {
            return CheckParser.parse("group." + bare);
        }
        if (figure.startsWith("endToEnd.") || figure.startsWith("e2e.")) {
            return CheckParser.parse("consume." + bare);
        }
        return CheckParser.parse(figure.matches("p[\\d.]+|min|mean|max") ? "produce.response." + bare : bare);
    }

    /** {@code plimsoll capacity}: estimates the number of brokers that a load needs. */
    @Command(name = "capacity")
    static final class CapacityCommand extends CeilingCommand {
        private static final int FEWEST_BROKERS = 3;
        private static final int MOST_AWAY = 100;
        private static final int MOST_GROWTH = 10;

        private static final List<String> FORMATS = List.of("text", "json", "strimzi", "cruise-control");
        /** Outcomes of a search that also apply to a plan made from its results later. */
        private static final Set<Exit> WRONG = Set.of(Exit.AUDIT_FAILED, Exit.INVALID_MEASUREMENT);

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

        private Target wanted() {
            return read("--target", target, Target::parse);
        }

        private BrokerLimits has() {
            return limits == null ? BrokerLimits.UNKNOWN : read("--limits", limits, BrokerLimits::parse);
        }

        private Margin margin() {
            double perYear = read("--growth", growth, text -> Quantities.number(text.replaceFirst("/year$", "")));
            expect(perYear >= 0 && perYear <= MOST_GROWTH, "--growth", growth, "cli.a.range", "0%", "1000%");
            double free = read("--headroom", headroom, Quantities::ratio);
            expect(free <= 0.9, "--headroom", headroom, "cli.a.range", "0%", "90%");
            expect(years >= 0 && years <= 20, "--years", years, "cli.a.number", 0, 20);
            boolean few = survive >= 0 && survive <= MOST_AWAY;
            expect(few, "--survive", survive, "cli.a.number", 0, MOST_AWAY);
            return new Margin(perYear, years, free, survive);
        }

        @Override
        Exit perform() {
            // Validate all options before any request to the cluster.
            Target wanted = wanted();
            BrokerLimits has = has();
            margin();
            require(FORMATS.contains(format), "cli.expected", "--format", Sentence.or(FORMATS), format);
            boolean stored = !format.equals("cruise-control") || has.all().containsKey("storage");
            require(stored, "cli.needs", "--format cruise-control", "--limits 'storage ...'");
            if (of != null) {
                RunResult measured = ComparedRun.read(of).result();
                CapacityPlanner.requireAlike(measured, wanted);
                // Also given as the result.json in it.
                show(measured, Files.isRegularFile(of) ? of.toAbsolutePath().resolveSibling("") : of);
                Exit search = measured.head().exit();
                return WRONG.contains(search) ? search : Exit.PASSED;
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

        @Override
        Plan source(List<String> changes) {
            Plan plan = similar(changes);
            Plan chosen = only.isEmpty() ? plan : plan.only(only);
            boolean sized = lab.brokers != null
                    || chosen.trials().stream().anyMatch(t -> t.scenario().lab().get(LabSpec.BROKERS) > 0);
            if (!sized && cluster.connectionIfNamed().isEmpty()) {
                lab.brokers = Math.max(FEWEST_BROKERS, RunRequest.leastBrokers(chosen));
            }
            return plan;
        }

        /** Without a scenario, the load is derived from the target, because measured costs apply only to a similar load. */
        private Plan similar(List<String> changes) {
            Target wanted = wanted();
            int copies = Objects.requireNonNullElse(wanted.replication(), 1);
            int readers = Objects.requireNonNullElse(wanted.groups(), 0);
            if (!spec.commandLine().getParseResult().hasMatchedPositional(0) && groups.isEmpty()) {
                return ScenarioReader.read(NewScenario.ofTarget(copies, readers), "--target", changes, scale);
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
            if (end.failure() == null && !end.result().ceilings().isEmpty()) {
                show(end.result(), end.directory());
                return;
            }
            switch (chosen()) {
                case "json" -> out().print(Json.pretty(end.result()));
                case "text" -> out().println(RunReport.terminal(end.result(), look()));
                // The output is meant for another program, which expects a plan or nothing.
                default -> err().println(RunReport.terminal(end.result(), look()));
            }
        }

        private String chosen() {
            return results.json ? "json" : format;
        }

        private void show(RunResult result, Path run) {
            CapacityPlan plan = CapacityPlanner.plan(result, wanted(), margin(), has());
            Path page;
            try (RunDirectory directory = RunDirectory.open(run)) {
                directory.write(CapacityPlan.FILE, Json.pretty(plan));
                directory.write("capacity.md", CapacityText.markdown(plan, language()));
                page = directory.write("capacity.html", HtmlReport.render(plan, language()));
            }
            switch (chosen()) {
                case "json" -> out().print(Json.pretty(plan));
                case "strimzi" -> out().print(new CapacityExport(plan).strimzi());
                case "cruise-control" -> out().print(new CapacityExport(plan).cruiseControl(has()));
                default -> {
                    out().println(CapacityText.render(plan, look()));
                    out().println(page);
                }
            }
        }
    }
}
