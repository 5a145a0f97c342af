package io.plimsoll.report.compare;

import io.plimsoll.Exit;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.ABVariants;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The sides of a comparison: runs of their own, or the arms of one run that took turns. */
final class ComparedSides {
    private ComparedSides() {}

    /**
     * One trial of a side, once for each run or pair that has it.
     *
     * @param parameters without those that say which arm and which pair it is
     */
    record Group(String name, Map<String, String> parameters, List<ComparedTrial> trials) {
        /** The parameters, which identify the same trial on other sides. */
        String key() {
            return parameters.isEmpty() ? name : parameters.toString();
        }

        /** Without those that say nothing of the cluster; of such alone, all of them. */
        Group measured() {
            List<ComparedTrial> measured =
                    trials.stream().filter(ComparedTrial::measured).toList();
            return measured.isEmpty() ? this : new Group(name, parameters, measured);
        }
    }

    /** @param pair name of its pair in alternating runs; null otherwise */
    record ComparedTrial(TrialResult trial, TrialEstimates estimates, String pair) {
        /** Whether the trial is valid and complete. */
        boolean measured() {
            return trial.course().complete() && Invalidity.of(trial).isEmpty();
        }
    }

    /**
     * @param what its distinguishing setting, for display
     * @param pairs whether its trials alternated with the trials of the other sides
     */
    record Side(String label, String what, List<ComparedRun> runs, List<Group> groups, boolean pairs) {
        ComparedRun first() {
            return runs.get(0);
        }

        Stream<TrialResult> trials() {
            return groups.stream().flatMap(g -> g.trials().stream()).map(ComparedTrial::trial);
        }
    }

    static List<Side> of(List<List<ComparedRun>> given) {
        if (given.size() == 1) {
            return arms(given.get(0));
        }
        return of(
                given,
                given.stream().map(runs -> runs.get(0).result().head().name()).toList(),
                false);
    }

    /**
     * Sides of several runs each.
     *
     * @param what the distinguishing setting of each, for display
     * @param pairs whether the first runs of all sides form a pair, then the second runs, and so on
     */
    static List<Side> of(List<List<ComparedRun>> given, List<String> what, boolean pairs) {
        List<Side> sides = new ArrayList<>();
        for (List<ComparedRun> runs : given) {
            Map<String, Group> groups = new LinkedHashMap<>();
            for (int i = 0; i < runs.size(); i++) {
                ComparedRun run = runs.get(i);
                String pair = pairs ? String.valueOf(i) : null;
                run.result()
                        .trials()
                        .forEach(t -> add(groups, t.name(), t.detail().parameters(), measured(t, run, pair)));
            }
            sides.add(new Side(label(sides.size()), what.get(sides.size()), runs, List.copyOf(groups.values()), pairs));
        }
        return sides;
    }

    private static ComparedTrial measured(TrialResult trial, ComparedRun run, String pair) {
        return new ComparedTrial(trial, run.estimates().get(trial.name()), pair);
    }

    private static List<Side> arms(List<ComparedRun> runs) {
        ComparedRun run = runs.get(0);
        Map<String, Map<String, Group>> arms = new LinkedHashMap<>();
        for (TrialResult trial : run.result().trials()) {
            String arm = trial.detail().parameters().get(ABVariants.ARM);
            Exit.USAGE.when(runs.size() > 1 || arm == null, "report.nothingToCompareWith", run.path());
            if (ABVariants.COLD.equals(trial.detail().parameters().get(ABVariants.PAIR))) {
                continue;
            }
            Map<String, String> parameters = new LinkedHashMap<>(trial.detail().parameters());
            parameters.keySet().removeAll(List.of(ABVariants.ARM, ABVariants.PAIR));
            String name =
                    ABVariants.cell(trial.name()).orElse(run.result().head().name());
            String pair = trial.detail().parameters().get(ABVariants.PAIR);
            add(arms.computeIfAbsent(arm, a -> new LinkedHashMap<>()), name, parameters, measured(trial, run, pair));
        }
        List<Side> sides = new ArrayList<>();
        arms.forEach((arm, groups) -> sides.add(new Side(
                label(sides.size()), ABVariants.setting(arm), List.of(run), List.copyOf(groups.values()), true)));
        Exit.USAGE.when(sides.size() < 2, "report.endedBeforeBoth", run.path());
        return sides;
    }

    private static void add(
            Map<String, Group> groups, String name, Map<String, String> parameters, ComparedTrial trial) {
        Group group = groups.computeIfAbsent(
                parameters.isEmpty() ? name : parameters.toString(),
                key -> new Group(name, parameters, new ArrayList<>()));
        group.trials().add(trial);
    }

    private static String label(int index) {
        return index < 26 ? String.valueOf((char) ('A' + index)) : "#" + (index + 1);
    }
}
