package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Merges remarks of trials: a remark that several trials share, except for its figures, names these trials and gives
 * the range of the figures. Pure.
 */
public final class Remarks {
    private static final int MOST_EXCEPTIONS = 2;
    private static final int MOST_NAMED = 6;

    private Remarks() {}

    /**
     * The warnings of all trials.
     *
     * @param warnings the weightiest first ({@link Concern})
     * @param notes remarks that require no action
     */
    record RankedRemarks(List<Sentence> warnings, List<Sentence> notes) {}

    static RankedRemarks of(List<TrialResult> trials) {
        List<String> names = trials.stream().map(TrialResult::name).toList();
        boolean paced = trials.stream().anyMatch(t -> t.paced());
        Map<Concern, List<Remark>> warnings = new EnumMap<>(Concern.class);
        List<Remark> notes = new ArrayList<>();
        for (TrialResult trial : trials) {
            for (Sentence warning : trial.judgement().warnings()) {
                Remark remark = new Remark(trial.name(), warning);
                if (isNote(warning, paced)) {
                    notes.add(remark);
                } else {
                    warnings.computeIfAbsent(Concern.of(warning), c -> new ArrayList<>())
                            .add(remark);
                }
            }
        }
        List<Sentence> told = new ArrayList<>();
        warnings.forEach((concern, remarks) -> told.addAll(
                concern == Concern.UNEVEN && keys(remarks).size() > 1
                        ? List.of(uneven(names, remarks))
                        : told(names, remarks)));
        return new RankedRemarks(told, told(names, notes));
    }

    /** A queue hides latency in a closed loop, but not in a trial with a rate beside it; and a busy host may have changed nothing. */
    private static boolean isNote(Sentence warning, boolean paced) {
        return "result.busyHost".equals(warning.key())
                ? warning.arguments().contains(Sentence.of("result.busyNowhere"))
                : paced && "result.ownBuffer".equals(warning.key());
    }

    private static Set<String> keys(List<Remark> remarks) {
        return remarks.stream().map(r -> r.text().key()).collect(Collectors.toSet());
    }

    /** One sentence for all signs of uneven figures, with the advice for their cause. */
    private static Sentence uneven(List<String> trials, List<Remark> remarks) {
        Map<String, List<Sentence>> clauses = new LinkedHashMap<>();
        remarks.stream()
                .sorted(Comparator.comparing(
                        r -> !"result.busyHost".equals(r.text().key())))
                .forEach(r -> clauses.computeIfAbsent(r.trial(), t -> new ArrayList<>())
                        .add(Concern.clause(r.text())));
        List<Sentence> parts = trials.size() == 1
                ? clauses.values().iterator().next()
                : trials.stream()
                        .filter(clauses::containsKey)
                        .limit(MOST_NAMED)
                        .map(t -> Sentence.of("result.clausesOf", t, clauses.get(t)))
                        .collect(Collectors.toCollection(ArrayList::new));
        Sentence.addIf(
                trials.size() > 1 && clauses.size() > MOST_NAMED,
                parts,
                "result.clausesOfMore",
                clauses.size() - MOST_NAMED);
        Set<String> keys = keys(remarks);
        String advice = keys.contains("result.busyHost")
                ? "quietHost"
                : keys.contains("result.warmupNotSteady") ? "longerWarmup" : "lowerRate";
        return Sentence.of("result.uneven", parts, Sentence.of("result.uneven." + advice));
    }

    /** A remark on one trial. */
    public record Remark(String trial, Sentence text) {}

    /** Remarks with the same key and the same English words, except for figures, are merged. */
    private record Alike(String key, String constant) {}

    /**
     * @param trials names of all trials, including those without remarks
     * @param remarks in output order
     * @return sentences that begin with the trials they are about, unless there is but one
     */
    public static List<Sentence> told(List<String> trials, List<Remark> remarks) {
        if (trials.size() <= 1) {
            return remarks.stream().map(Remark::text).toList();
        }
        Map<Alike, List<Remark>> alike = new LinkedHashMap<>();
        remarks.stream().distinct().forEach(r -> alike.computeIfAbsent(
                        new Alike(
                                r.text().key(),
                                SentenceTemplate.of(r.text().english()).constant()),
                        s -> new ArrayList<>())
                .add(r));
        return alike.values().stream().flatMap(group -> together(trials, group)).toList();
    }

    private static Stream<Sentence> together(List<String> trials, List<Remark> group) {
        List<String> names = group.stream().map(Remark::trial).distinct().toList();
        if (names.size() == 1) {
            return group.stream().map(r -> Sentence.of("result.ofOne", r.trial(), r.text()));
        }
        return Stream.of(where(
                trials,
                names,
                SentenceTemplate.merged(group.stream().map(Remark::text).toList())));
    }

    private static Sentence where(List<String> trials, List<String> names, Sentence text) {
        if (names.size() == trials.size()) {
            return names.size() == 2
                    ? Sentence.of("result.inBoth", text)
                    : Sentence.of("result.inAll", names.size(), text);
        }
        List<String> others = trials.stream().filter(t -> !names.contains(t)).toList();
        boolean byExceptions = others.size() <= MOST_EXCEPTIONS && others.size() < names.size();
        return Sentence.of(
                byExceptions ? "result.inAllBut" : "result.inSome",
                names.size(),
                trials.size(),
                byExceptions ? Sentences.list(others) : Sentence.list(names, MOST_NAMED),
                text);
    }
}
