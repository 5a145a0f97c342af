package io.plimsoll.report;

import io.plimsoll.Typed;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.diagnose.Diagnosis.Advice;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Probe;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The advice after a run: one command for each change to try. The text states that a change helps only if a trial
 * proved it.
 */
public final class AdviceText {
    private static final int MOST = 3;
    private static final double WORTH_TRYING = 0.15;
    private static final Set<String> REPLACED = Set.of("--ab", "--trial");

    /** A suspected cause, the name of its trial or matrix cell, and the probes of the search in that cell. */
    private record Cause(
            Sentence limit, @Nullable Sentence place, Sentence says, double score, String where, List<Probe> probes) {
        boolean ofGroup() {
            return place != null && place.key() != null && place.key().startsWith("result.group");
        }
    }

    /**
     * @param trial empty if the run has only one trial
     * @param probe the probe of a search that tried the change; null if none did
     */
    private record Step(
            Advice advice, String trial, @Nullable Probe probe) {
        boolean moved() {
            return probe != null && probe.moved();
        }

        Sentence proof() {
            return probe != null && probe.moved() ? probe.sentence() : Sentence.NONE;
        }
    }

    /** @param run directory of the run, used in commands if the original command cannot be repeated */
    public static String render(RunResult result, String run, Look look) {
        return TerminalText.of(document(result, run), look);
    }

    private static Document document(RunResult result, String run) {
        Document document = new Document();
        List<Cause> causes = causes(result);
        if (causes.isEmpty()) {
            return document.add(Block.verdict(Mark.GOOD, Sentence.of("report.advise.nothingHeld")));
        }
        List<Step> all = steps(causes, ScenarioReader.stored(RunReport.scenario(result), run));
        List<Step> worth = all.stream()
                .filter(s -> s.probe() == null || s.moved())
                .sorted(Comparator.comparing(Step::moved).reversed())
                .limit(MOST)
                .toList();
        document.add(Block.verdict(Mark.POINT, causes.get(0).says()));
        Sentence count =
                worth.isEmpty() ? Sentence.of("report.advise.none") : Sentence.of("report.advise.try", worth.size());
        document.add(Block.text(count));
        for (Step step : worth) {
            Advice advice = step.advice();
            String change =
                    worth.indexOf(step) + 1 + ". " + advice.path() + "  " + advice.before() + " → " + advice.after();
            document.add(
                    Sentence.verbatim(change),
                    Block.text(advice.effect()),
                    Block.text(step.proof()),
                    Block.code("", command(result, run, step)));
        }
        List<String> vain = all.stream()
                .filter(s -> !worth.contains(s) && s.probe() != null)
                .map(s -> s.advice().name())
                .toList();
        List<Sentence> remarks = new ArrayList<>();
        Sentence.addIf(!vain.isEmpty(), remarks, "report.advise.inVain", vain);
        remarks.add(Sentence.of("report.advise.notTried"));
        return document.add(Block.remarks(Mark.POINT, remarks));
    }

    private static List<Cause> causes(RunResult result) {
        Stream<Cause> ofTrials = result.trials().stream()
                .filter(t -> t.judgement().limits() != null)
                .flatMap(t -> t.judgement().limits().causes().stream()
                        .map(s -> new Cause(s.limit(), s.where(), s.sentence(), s.score(), t.name(), List.of())));
        Stream<Cause> found = result.ceilings().isEmpty()
                ? ofTrials
                : result.ceilings().stream().flatMap(AdviceText::ofCeiling);
        return found.filter(c -> c.score() >= WORTH_TRYING)
                .sorted(Comparator.comparingDouble(Cause::score).reversed())
                .toList();
    }

    private static Stream<Cause> ofCeiling(Ceiling c) {
        Ceiling.Cause cause = c.cause();
        Sentence limit = cause == null ? null : cause.named().limit();
        if (cause == null || limit == null) {
            return Stream.of();
        }
        String cell = c.parameters().toString();
        Sentence says = Objects.requireNonNullElse(cause.sentence(), limit);
        return Stream.concat(
                Stream.of(new Cause(limit, cause.named().where(), says, 1, cell, cause.probes())),
                cause.others().stream()
                        .map(o -> new Cause(named(o.limit()), null, o.evidence(), 0.5, cell, cause.probes())));
    }

    /** The name of a less likely cause, without the place that a search stores with it. */
    private static Sentence named(Sentence limit) {
        return "diagnose.causeAt".equals(limit.key()) && limit.arguments().get(0) instanceof Sentence cause
                ? cause
                : limit;
    }

    private static List<Step> steps(List<Cause> causes, Plan plan) {
        Set<String> paths = new TreeSet<>();
        List<Step> steps = new ArrayList<>();
        for (Cause cause : causes) {
            Plan.Trial trial = plan.trials().stream()
                    .filter(t -> List.of(t.name(), t.parameters().toString()).contains(cause.where()))
                    .findFirst()
                    .orElse(plan.trials().get(0));
            Diagnosis.advice(trial.scenario(), cause.limit())
                    // No producer setting helps if the limit is within a consumer group.
                    .filter(a -> !causes.get(0).ofGroup() || !a.path().startsWith("producers."))
                    .filter(a -> paths.add(a.path()))
                    .map(a -> new Step(a, plan.trials().size() > 1 ? trial.name() : "", probe(cause, a)))
                    .forEach(steps::add);
        }
        return steps;
    }

    private static @Nullable Probe probe(Cause cause, Advice advice) {
        return cause.probes().stream()
                .filter(p -> p.factor().english().equals(advice.name()))
                .findFirst()
                .orElse(null);
    }

    private static String command(RunResult result, String run, Step step) {
        List<String> typed = result.head().command();
        boolean again = typed.size() > 1 && List.of("run", "ceiling").contains(typed.get(1));
        List<String> words = new ArrayList<>(List.of(Typed.program(), again ? typed.get(1) : "run"));
        List<String> rest = again ? typed.subList(2, typed.size()) : List.of(run + "/scenario.yaml");
        for (int i = 0; i < rest.size(); i++) {
            boolean value = i > 0 && REPLACED.contains(rest.get(i - 1));
            if (!value && !REPLACED.contains(rest.get(i).replaceFirst("=.*", ""))) {
                words.add(rest.get(i));
            }
        }
        Advice a = step.advice();
        if (!result.ceilings().isEmpty()) {
            words.addAll(List.of("--matrix", a.path() + "=[" + a.before() + "," + a.after() + "]"));
        } else {
            words.addAll(step.trial().isEmpty() ? List.of() : List.of("--trial", step.trial()));
            words.addAll(List.of("--ab", a.path() + "=" + a.before() + "|" + a.after()));
        }
        return Text.quote(words);
    }
}
