package io.plimsoll.report.compare;

import io.plimsoll.Exit;
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
        /** The parameters, however they were set: what trials of other sides are found by. */
        String key() {
            return parameters.isEmpty() ? name : parameters.toString();
        }
    }

    record ComparedTrial(TrialResult trial, TrialEstimates estimates) {}

    /**
     * @param what what distinguishes it, for people
     * @param pairs its trials were made in turns with those of the other sides
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
        List<Side> sides = new ArrayList<>();
        for (List<ComparedRun> runs : given) {
            Map<String, Group> groups = new LinkedHashMap<>();
            runs.forEach(run -> run.result()
                    .trials()
                    .forEach(t -> add(groups, t.name(), t.detail().parameters(), t, run.estimates())));
            String label = label(sides.size());
            String what = runs.get(0).result().head().name();
            sides.add(new Side(label, what, runs, List.copyOf(groups.values()), false));
        }
        return sides;
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
            add(arms.computeIfAbsent(arm, a -> new LinkedHashMap<>()), name, parameters, trial, run.estimates());
        }
        List<Side> sides = new ArrayList<>();
        arms.forEach((arm, groups) -> sides.add(new Side(
                label(sides.size()), ABVariants.setting(arm), List.of(run), List.copyOf(groups.values()), true)));
        Exit.USAGE.when(sides.size() < 2, "report.endedBeforeBoth", run.path());
        return sides;
    }

    private static void add(
            Map<String, Group> groups,
            String name,
            Map<String, String> parameters,
            TrialResult trial,
            Map<String, TrialEstimates> estimates) {
        Group group = groups.computeIfAbsent(
                parameters.isEmpty() ? name : parameters.toString(),
                key -> new Group(name, parameters, new ArrayList<>()));
        group.trials().add(new ComparedTrial(trial, estimates.get(trial.name())));
    }

    private static String label(int index) {
        return index < 26 ? String.valueOf((char) ('A' + index)) : "#" + (index + 1);
    }
}
