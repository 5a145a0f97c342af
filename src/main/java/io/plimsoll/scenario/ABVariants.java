package io.plimsoll.scenario;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A plan that measures the effect of one setting: its trials alternate between the values of the setting, which are
 * called arms. Every second round is reversed (A B, B A, A B, …), so that a steady drift affects both arms equally. An
 * additional first trial warms up client code and brokers. Trials have the parameters {@value #ARM} (such as {@code A:
 * acks=1}) and {@value #PAIR}.
 */
public final class ABVariants {
    public static final String ARM = "arm";
    public static final String PAIR = "pair";
    public static final int MOST_PAIRS = 1000;

    /** The pair of the warm-up trial, which is not compared. */
    public static final String COLD = "0";

    private static final String SEPARATOR = ": ";
    private static final String CELL = " · ";

    /**
     * The overrides of {@code PATH=VALUE|VALUE}, one per arm.
     *
     * @throws PlimsollException {@link Exit#USAGE} for any other form
     */
    public static List<String> overrides(String text) {
        int at = text.indexOf('=');
        List<String> values =
                at < 1 ? List.of() : List.of(text.substring(at + 1).split("\\|", -1));
        Exit.USAGE.when(
                values.size() < 2 || values.stream().anyMatch(String::isBlank),
                "scenario.notTwoValues",
                Texts.quoted(Overrides.shown(text)));
        Exit.USAGE.when(
                values.stream().distinct().count() < values.size(),
                "scenario.sameValue",
                Texts.quoted(Overrides.shown(text)));
        return values.stream().map(v -> text.substring(0, at) + "=" + v.strip()).toList();
    }

    /**
     * @param plans the same plan with each of the overrides, in the same order
     * @param pairs number of times that each trial of the plan runs per arm
     * @throws PlimsollException {@link Exit#USAGE} if the plans have different numbers of trials
     */
    public static Plan inTurns(List<Plan> plans, List<String> overrides, int pairs) {
        List<String> shown = new ArrayList<>();
        for (String override : overrides) {
            String text = Overrides.shown(override);
            // Secret values are all shown as the same text, so a number distinguishes them.
            shown.add(text.contains(Secrets.HIDDEN) ? text + "#" + (shown.size() + 1) : text);
        }
        Exit.USAGE.when(pairs < 1 || pairs > MOST_PAIRS, "scenario.pairs", MOST_PAIRS, pairs);
        Plan first = plans.get(0);
        List<Integer> trialsOf =
                plans.stream().map(plan -> plan.trials().size()).toList();
        Exit.USAGE.when(trialsOf.stream().distinct().count() > 1, "scenario.unlikeTrials", trialsOf);
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, plans.size()).boxed().toList());
        List<Plan.Trial> trials = new ArrayList<>();
        trials.add(trial(plans, shown.get(0), Integer.parseInt(COLD), 0, 0));
        for (int pair = 1; pair <= pairs; pair++) {
            for (int cell = 0; cell < first.trials().size(); cell++) {
                for (int arm : order) {
                    trials.add(trial(plans, shown.get(arm), pair, arm, cell));
                }
            }
            Collections.reverse(order);
        }
        return new Plan(
                first.name(), first.about(), trials, first.source(), first.scale(), Optional.empty(), List.of());
    }

    private static Plan.Trial trial(List<Plan> plans, String override, int pair, int arm, int cell) {
        Plan.Trial trial = plans.get(arm).trials().get(cell);
        String label = String.valueOf((char) ('A' + arm));
        String setting = shortened(override);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(ARM, label + SEPARATOR + override);
        parameters.put(PAIR, String.valueOf(pair));
        parameters.putAll(plans.get(0).trials().get(cell).parameters());
        boolean only = plans.get(arm).trials().size() == 1;
        String name = pair + label + " " + setting + (only ? "" : CELL + trial.name());
        return new Plan.Trial(name, parameters, trial.scenario());
    }

    /** The short form of an override: {@code acks=1} for {@code producers[0].config.acks=1}. */
    public static String shortened(String override) {
        int end = override.indexOf('=');
        return SettingNames.lastPart(override.substring(0, end)) + override.substring(end);
    }

    /** The setting of an arm, such as {@code producers[0].config.acks=1}. */
    public static String setting(String arm) {
        return arm.substring(arm.indexOf(SEPARATOR) + SEPARATOR.length());
    }

    /** The name of the repeated trial; empty if the plan has only one. */
    public static Optional<String> cell(String trial) {
        int at = trial.indexOf(CELL);
        return at < 0 ? Optional.empty() : Optional.of(trial.substring(at + CELL.length()));
    }
}
