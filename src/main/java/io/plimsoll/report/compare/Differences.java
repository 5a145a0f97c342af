package io.plimsoll.report.compare;

import io.plimsoll.Secrets;
import io.plimsoll.report.compare.Comparer.Side;
import io.plimsoll.report.compare.Comparison.Difference;
import io.plimsoll.result.GroupPace;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.RunFacts;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the differences between sides: settings first, because they are the usual purpose of a comparison. */
final class Differences {
    static final String SCENARIO = "scenario";
    static final String CLIENTS = "client settings";
    static final String TOOL = "tool";
    static final String CLUSTER = "cluster";
    static final String HOST = "host";

    /** Groups of trials that differ on purpose, by the setting in which alternating sides differ. */
    private static final Map<String, String> MEANT = Map.of("cluster", CLUSTER, "client", TOOL);

    private final List<Side> sides;
    private final List<Difference> found = new ArrayList<>();
    private final @Nullable String meant;

    private Differences(List<Side> sides) {
        this.sides = sides;
        String what = sides.get(0).what();
        boolean pairs = sides.get(0).pairs();
        this.meant = pairs ? MEANT.getOrDefault(what.substring(0, what.indexOf('=')), SCENARIO) : null;
    }

    static List<Difference> of(List<Side> sides) {
        Differences differences = new Differences(sides);
        differences.scenario();
        differences.clients();
        differences.ofRuns(TOOL, RunFacts::tool);
        differences.ofRuns(CLUSTER, RunFacts::cluster);
        differences.ofRuns(HOST, RunFacts::host);
        return List.copyOf(differences.found);
    }

    private void scenario() {
        if (meant != null) {
            all(meant, sides.stream().map(s -> arm(s.what())).toList());
            return;
        }
        ofRuns(SCENARIO, result -> {
            Map<String, String> flat = RunFacts.scenario(result);
            flat.put("scale", String.valueOf(result.head().scale()));
            flat.put("seed", String.valueOf(result.head().seed()));
            return flat;
        });
    }

    private void ofRuns(String group, Function<RunResult, Map<String, String>> facts) {
        all(group, sides.stream().map(s -> facts.apply(s.first().result())).toList());
    }

    private static Map<String, String> arm(String setting) {
        int at = setting.indexOf('=');
        return Map.of(setting.substring(0, at), setting.substring(at + 1));
    }

    /**
     * Adds the client settings of all trials, except for settings that are already reported as differences of the
     * scenario.
     */
    private void clients() {
        List<Map<String, String>> settings = new ArrayList<>();
        for (Side side : sides) {
            Map<String, Set<String>> values = new LinkedHashMap<>();
            side.trials()
                    .map(t -> t.detail().setup())
                    .forEach(setup -> setup.forEach((part, config) -> config.forEach(
                            (key, value) -> values.computeIfAbsent(part + "." + key, k -> new TreeSet<>())
                                    .add(value))));
            // The settings of the producers contain acks, too.
            values.remove(TrialResult.DURABILITY + ".acks");
            Map<String, String> joined = new LinkedHashMap<>();
            values.forEach((key, all) -> joined.put(key, String.join(", ", all)));
            settings.add(joined);
        }
        Set<String> said = new TreeSet<>();
        found.forEach(d -> said.add(d.what().replace(".config.", ".")));
        settings.forEach(s -> s.keySet().removeIf(key -> said.stream().anyMatch(key::endsWith)));
        all(CLIENTS, settings);
    }

    private void all(String group, List<Map<String, String>> facts) {
        Set<String> names = new java.util.LinkedHashSet<>();
        facts.forEach(f -> names.addAll(f.keySet()));
        for (String name : names) {
            List<@Nullable String> values = new ArrayList<>();
            facts.forEach(f -> values.add(f.get(name)));
            boolean same = values.stream().allMatch(v -> Objects.equals(v, values.get(0)));
            // A stored run does not contain the template, so any two templates can differ.
            boolean unknown = name.endsWith(".template") && Secrets.HIDDEN.equals(values.get(0));
            if ((!same || unknown) && !RunFacts.CHANCE.contains(name)) {
                found.add(new Difference(group, name, values, !group.equals(meant) && unfair(group, name)));
            }
        }
    }

    private static boolean unfair(String group, String name) {
        return switch (group) {
            case TOOL, CLUSTER -> true;
            case HOST ->
                name.equals("name")
                        || name.startsWith("cpu.")
                        || name.startsWith("memory.")
                        || name.startsWith("limits.")
                        || name.startsWith("disks");
            case SCENARIO -> name.equals("scale");
            default -> false;
        };
    }

    static List<Sentence> warnings(List<Side> sides, List<Difference> differences) {
        List<Sentence> warnings = new ArrayList<>();
        Map<String, List<Sentence>> unfair = new LinkedHashMap<>();
        differences.stream().filter(Difference::unfair).forEach(d -> unfair.computeIfAbsent(
                        d.group(), g -> new ArrayList<>())
                .add(Sentence.term("report.fact.", d.what())));
        unfair.forEach((group, names) -> warnings.add(Sentence.of("report.compare.unfair", words(group), names)));
        for (Side side : sides) {
            for (ComparedRun run : side.runs()) {
                of(run, side).forEach(w -> warnings.add(Sentence.of("report.compare.ofSide", side.label(), w)));
            }
        }
        sides.forEach(side -> side.groups().forEach(group -> leftOut(side, group, warnings)));
        ofTrials(sides, warnings);
        return warnings;
    }

    private static void leftOut(Side side, Comparer.Group group, List<Sentence> warnings) {
        int all = group.trials().size();
        int left = all - group.measured().trials().size();
        if (left > 0) {
            warnings.add(Sentence.of(
                    "report.compare.ofSide",
                    side.label(),
                    Sentence.of("report.compare.leftOut", left, all, group.name())));
        }
    }

    private static void ofTrials(List<Side> sides, List<Sentence> warnings) {
        boolean closedLoop = sides.stream()
                .flatMap(Side::trials)
                .map(TrialResult::produce)
                .anyMatch(p -> p != null
                        && Boolean.TRUE.equals(p.schedule().closedLoop())
                        && p.times().responseTime() != null);
        Sentence.addIf(closedLoop, warnings, "report.compare.closedLoop");
        errors(sides, warnings);
    }

    private static void errors(List<Side> sides, List<Sentence> warnings) {
        List<String> counts = sides.stream()
                .map(s -> Units.count(s.trials().mapToLong(Differences::errors).sum()))
                .toList();
        if (counts.stream().distinct().count() > 1) {
            List<Sentence> parts = new ArrayList<>();
            for (int i = 0; i < sides.size(); i++) {
                parts.add(Sentence.of(
                        "report.compare.failedIn", counts.get(i), sides.get(i).label()));
            }
            warnings.add(Sentence.of("report.compare.failedRecords", parts));
        }
    }

    private static long errors(TrialResult t) {
        return t.errors().mapToLong(TrialResult.Errors::total).sum();
    }

    private static Sentence words(String group) {
        return switch (group) {
            case SCENARIO -> Sentence.of("report.compare.scale");
            case TOOL -> Sentence.of("report.compare.versions");
            default -> Sentence.term("report.group.", group);
        };
    }

    private static List<Sentence> of(ComparedRun run, Side side) {
        List<Sentence> warnings = new ArrayList<>();
        RunResult result = run.result();
        Sentence.addIf(result.head().exitCode() == null, warnings, "report.compare.killed");
        List<TrialResult> trials =
                side.trials().filter(result.trials()::contains).toList();
        name(trials, "incomplete", t -> !t.course().complete(), warnings);
        name(trials, "invalid", Invalidity::byGenerator, warnings);
        name(trials, "empty", t -> Invalidity.of(t).isPresent() && !Invalidity.byGenerator(t), warnings);
        name(trials, "unsteady", t -> Boolean.FALSE.equals(t.course().steady()), warnings);
        name(trials, "behind", GroupPace::anyBehind, warnings);
        name(trials, "damaged", t -> t.audit() != null && t.audit().violated(), warnings);
        Sentence.addIf(!run.timeline() && !side.pairs(), warnings, "report.compare.noTimeline", run.path());
        return warnings;
    }

    private static void name(List<TrialResult> all, String what, Predicate<TrialResult> is, List<Sentence> warnings) {
        List<TrialResult> trials = all.stream().filter(is).toList();
        if (trials.size() == 1) {
            warnings.add(Sentence.of("report.compare.one." + what, trials.get(0).name()));
        } else if (!trials.isEmpty()) {
            warnings.add(Sentence.of(
                    "report.compare.many." + what, trials.size(), trials.get(0).name()));
        }
    }
}
