package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.Units;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.CeilingRequest.Extras;
import io.plimsoll.run.CeilingRequest.Lengths;
import io.plimsoll.run.CeilingRequest.Without;
import io.plimsoll.run.ForeignGroups;
import io.plimsoll.run.HostLimits;
import io.plimsoll.run.RunPreview;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.calibrate.Calibrator;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "ceiling")
class CeilingCommand extends RunCommand {
    private static final int CALIBRATION_SECONDS = 3;
    /** Shorter searches skip the calibration, which would take a large part of their time. */
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

    /** Trials with an application's group are longer, because only its commits show its progress. */
    private void observeGroups() {
        require((scaleWith == null) == replicas.isEmpty(), "cli.together", "--scale-with", "--replicas");
        require(scaleWith == null || !groups.isEmpty(), "cli.together", "--scale-with", "--group");
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
            confirm = isTyped("--confirm") ? confirm : GROUP_TRIAL;
        }
    }

    private static List<String> quoted(List<String> texts) {
        return texts.stream().map(t -> "'" + t.replace("'", "''") + "'").toList();
    }

    /** Without a scenario, the load goes to the topics of the groups. */
    @Override
    Plan source(List<String> changes) {
        if (groups.isEmpty() || spec.commandLine().getParseResult().hasMatchedPositional(0)) {
            return super.source(changes);
        }
        Set<String> topics = new TreeSet<>();
        try (ForeignGroups found = new ForeignGroups(cluster.checkedConnection())) {
            groups.forEach(group -> topics.addAll(found.topics(group)));
        }
        StringBuilder yaml = new StringBuilder("name: group\ntopics:\n");
        topics.forEach(topic -> yaml.append("  - {name: ").append(topic).append(", existing: true}\n"));
        yaml.append("producers:\n  - {topic: [")
                .append(String.join(", ", topics))
                .append("], rate: 100/s}\n");
        return ScenarioReader.read(yaml.toString(), "--group", changes, scale);
    }

    @Override
    Optional<CeilingRequest> prepared(Optional<CeilingRequest> search, RunRequest request) {
        boolean hurried = search.flatMap(CeilingRequest::maxDuration)
                .filter(d -> d.compareTo(WORTH_CALIBRATING) < 0)
                .isPresent();
        if (!calibrate || hurried || !request.workers().local()) {
            return search;
        }
        // Refusals and questions come before the calibration.
        RunPreview.of(request, search).findings().enforce(request.limits().consent());
        long began = System.nanoTime();
        calibrate(request);
        return search.map(s -> s.after(Duration.ofNanos(System.nanoTime() - began)));
    }

    private void calibrate(RunRequest request) {
        CalibrationCache cache = HostLimits.cache(HostInventory.read(Path.of(".")), ToolInfo.version());
        Calibrations known = cache.read(note -> {});
        List<HostLimits.Uncalibrated> wanted = HostLimits.uncalibrated(known, request);
        while (!wanted.isEmpty()) {
            Calibrator.Calibrated measured = Calibrator.run(
                            one(wanted.get(0)), what -> progress(Sentence.of("cli.calibrating", what)))
                    .get(0);
            if (measured.disturbed()) {
                // An unknown limit is better than a wrong one that blames the generator.
                progress(Sentence.of(
                        "cli.ofTool", Sentence.of("cli.disturbedLimit", Units.percent(measured.othersShare()))));
                return;
            }
            cache.add(List.of(measured.calibration()), note -> progress(Sentence.of("cli.ofTool", note)));
            known = known.with(List.of(measured.calibration()));
            // Sizes between two calibrated ones are interpolated.
            wanted = HostLimits.uncalibrated(known, request);
        }
    }

    private static Calibrator.Request one(HostLimits.Uncalibrated wanted) {
        return new Calibrator.Request(
                List.of(wanted.engine()),
                List.of(Calibration.PRODUCE),
                List.of(wanted.recordBytes()),
                wanted.batchBytes(),
                CALIBRATION_SECONDS);
    }

    private void progress(Sentence sentence) {
        if (!results.silent()) {
            tell(sentence.in(language()));
        }
    }

    @Override
    Optional<CeilingRequest> ceiling() {
        List<String> units = List.of("records", "bytes");
        require(units.contains(by), "cli.expected", "--by", Sentence.or(units), by);
        Rate.Unit unit = by.equals("bytes") ? Rate.Unit.PAYLOAD_BYTES : Rate.Unit.RECORDS;
        expect(curve >= 0 && curve <= 20, "--curve", curve, "cli.a.number", 0, 20);
        Duration full = read("--trial-length", trial, Quantities::duration);
        Duration confirmation = read("--confirm", confirm, Quantities::durationOrZero);
        expect(full.compareTo(Duration.ofSeconds(2)) >= 0, "--trial-length", trial, "cli.a.orMore", "2s");
        expect(
                confirmation.isZero() || confirmation.compareTo(full) >= 0,
                "--confirm",
                confirm,
                "cli.a.noneOrAtLeast",
                "--trial-length");
        double share = read("--width", width, Quantities::ratio);
        expect(share >= 0.005 && share <= 0.4, "--width", width, "cli.a.range", "0.5%", "40%");
        double least = minRate == null
                ? (unit == Rate.Unit.RECORDS ? 1 : 1000)
                : read("--min-rate", minRate, text -> rate(text, unit));
        OptionalDouble most = maxRate == null
                ? OptionalDouble.empty()
                : OptionalDouble.of(read("--max-rate", maxRate, text -> rate(text, unit)));
        expect(most.orElse(least) >= least, "--max-rate", maxRate, "cli.a.atLeast", "--min-rate");
        return Optional.of(new CeilingRequest(
                slo.isEmpty()
                        ? Optional.empty()
                        : Optional.of(read("--slo", slo, all -> all.stream()
                                .map(CeilingCommand::check)
                                .toList())),
                unit,
                least,
                most,
                share,
                Optional.ofNullable(maxDuration).map(d -> read("--max-duration", d, Quantities::duration)),
                new Lengths(full, confirmation, curve),
                new Extras(prove, without(), costs())));
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
        require(options.size() < 2, "cli.either", options.toArray());
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

    /** {@code p99} is of the response time, {@code endToEnd.p99} of consumers, {@code lag} of observed groups. */
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
}
