package io.plimsoll.report;

import io.plimsoll.diagnose.Advice;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Probe;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What to try next after a run: a command each, with what it would change. Only what was tried is said to help. */
public final class AdviceText extends TerminalText {
    private static final int MOST = 3;
    private static final double WORTH_TRYING = 0.15;
    /** Options with a value that would be in the way of the change. */
    private static final Set<String> REPLACED = Set.of("--ab", "--trial");

    private final RunResult result;
    private final String run;
    private final boolean search;

    private AdviceText(RunResult result, String run, int width, boolean color, Language language) {
        super(width, color, language);
        this.result = result;
        this.run = run;
        this.search = !result.ceilings().isEmpty();
    }

    /** A suspected cause, and the setting in which it was met. */
    private record Cause(Sentence limit, Sentence says, double score, String trial, List<Probe> probes) {}

    /** A change with the trial of a search that made it; null if none did. */
    private record Step(Cause cause, Advice advice, Probe probe) {
        boolean moved() {
            return probe != null && probe.moved();
        }
    }

    /** @param run the directory of the run, to be named where the command that was typed cannot be repeated with a change */
    public static String render(RunResult result, String run, int width, boolean color, Language language) {
        AdviceText text = new AdviceText(result, run, width, color, language);
        List<Cause> causes = text.causes();
        if (causes.isEmpty()) {
            text.headline(text.mark(true), text.said(Sentence.of("report.advise.nothingHeld")));
            return text.text();
        }
        text.headline("·", text.said(causes.get(0).says()));
        List<Step> all = text.steps(causes);
        List<Step> left = all.stream()
                .filter(s -> s.probe() == null || s.moved())
                .sorted(Comparator.comparing(Step::moved).reversed())
                .limit(MOST)
                .toList();
        text.line("");
        text.indented(text.said(
                left.isEmpty() ? Sentence.of("report.advise.none") : Sentence.of("report.advise.try", left.size())));
        for (int i = 0; i < left.size(); i++) {
            text.step(i + 1, left.get(i));
        }
        List<String> vain = all.stream()
                .filter(s -> s.probe() != null && !s.moved())
                .map(s -> s.advice().name())
                .toList();
        text.line("");
        if (!vain.isEmpty()) {
            text.paragraph("·", Sentence.of("report.advise.inVain", vain));
        }
        text.paragraph("·", Sentence.of("report.advise.notTried"));
        return text.text();
    }

    private void step(int number, Step step) {
        Advice advice = step.advice();
        line("");
        indented(ansi.bold(number + ". " + advice.path() + "  " + advice.before() + " → " + advice.after()));
        wrapped(said(advice.what()), 3).forEach(l -> indented(INDENT + l));
        if (step.moved()) {
            wrapped(said(step.probe().sentence()), 3).forEach(l -> indented(INDENT + l));
        }
        Shell.folded(Shell.quote(command(step)), width - 2 * INDENT.length()).forEach(l -> indented(INDENT + l));
    }

    private List<Cause> causes() {
        Stream<Cause> found = search
                ? result.ceilings().stream()
                        .filter(c -> c.cause() != null && c.cause().named().limit() != null)
                        .flatMap(AdviceText::ofCeiling)
                : result.trials().stream()
                        .filter(t -> t.judgement().limits() != null)
                        .flatMap(t -> t.judgement().limits().causes().stream()
                                .map(s -> new Cause(s.limit(), s.sentence(), s.score(), t.name(), List.of())));
        return found.filter(c -> c.score() >= WORTH_TRYING)
                .sorted(Comparator.comparingDouble(Cause::score).reversed())
                .toList();
    }

    private static Stream<Cause> ofCeiling(Ceiling c) {
        Ceiling.Cause cause = c.cause();
        String cell = String.valueOf(c.parameters());
        return Stream.concat(
                Stream.of(new Cause(cause.named().limit(), cause.sentence(), 1, cell, cause.probes())),
                cause.others().stream().map(o -> new Cause(o.limit(), o.evidence(), 0.5, cell, cause.probes())));
    }

    private List<Step> steps(List<Cause> causes) {
        Plan plan = ScenarioReader.stored(ScenarioText.block(result.scenario()), run);
        Set<String> paths = new TreeSet<>();
        List<Step> steps = new ArrayList<>();
        for (Cause cause : causes) {
            Plan.Trial trial = plan.trials().stream()
                    .filter(t -> t.name().equals(cause.trial())
                            || String.valueOf(t.parameters()).equals(cause.trial()))
                    .findFirst()
                    .orElse(plan.trials().get(0));
            Diagnosis.advice(trial.scenario(), cause.limit())
                    .filter(a -> paths.add(a.path()))
                    .forEach(a -> steps.add(new Step(
                            cause,
                            a,
                            cause.probes().stream()
                                    .filter(p -> p.factor().english().equals(a.name()))
                                    .findFirst()
                                    .orElse(null))));
        }
        return steps;
    }

    /** The command that was typed, with the change. */
    private List<String> command(Step step) {
        List<String> typed = result.head().command();
        boolean again = typed.size() > 1 && List.of("run", "ceiling").contains(typed.get(1));
        List<String> words = new ArrayList<>(List.of("./plimsoll", again ? typed.get(1) : "run"));
        List<String> rest = again ? typed.subList(2, typed.size()) : List.of(run + "/scenario.yaml");
        for (int i = 0; i < rest.size(); i++) {
            String word = rest.get(i);
            boolean value = i > 0 && REPLACED.contains(rest.get(i - 1));
            if (!value && !REPLACED.contains(word.replaceFirst("=.*", ""))) {
                words.add(word);
            }
        }
        Advice advice = step.advice();
        if (search) {
            words.addAll(List.of("--matrix", advice.path() + "=[" + advice.before() + "," + advice.after() + "]"));
        } else {
            Map<String, String> parameters = trialOf(step).detail().parameters();
            if (result.trials().size() > 1 && !parameters.containsKey("arm")) {
                words.addAll(List.of("--trial", step.cause().trial()));
            }
            words.addAll(List.of("--ab", advice.path() + "=" + advice.before() + "|" + advice.after()));
        }
        return words;
    }

    private TrialResult trialOf(Step step) {
        return result.trials().stream()
                .filter(t -> t.name().equals(step.cause().trial()))
                .findFirst()
                .orElseThrow();
    }
}
