package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is said of trials, each thing once: a remark that several trials have in common, but for its figures, becomes one
 * that names them and gives the figures' range. Pure.
 */
public final class Remarks {
    private static final int MOST_EXCEPTIONS = 2;
    private static final int MOST_NAMED = 6;

    private Remarks() {}

    /** What is said of one trial. */
    public record Remark(String trial, Sentence text) {}

    /** What remarks have in common that become one: the key, and the English words but for the figures in them. */
    private record Alike(String key, String constant) {}

    /**
     * @param trials the names of all, also of those of which nothing is said
     * @param remarks in the order in which they are to be told
     * @return sentences that begin with the trials they are about, unless there is but one
     */
    public static List<Sentence> told(List<String> trials, List<Remark> remarks) {
        if (trials.size() <= 1) {
            return remarks.stream().map(Remark::text).toList();
        }
        Map<Alike, List<Remark>> alike = new LinkedHashMap<>();
        remarks.stream().distinct().forEach(r -> alike.computeIfAbsent(
                        new Alike(r.text().key(), Shape.of(r.text().english()).constant()), s -> new ArrayList<>())
                .add(r));
        return alike.values().stream().flatMap(group -> together(trials, group)).toList();
    }

    private static Stream<Sentence> together(List<String> trials, List<Remark> group) {
        List<String> names = group.stream().map(Remark::trial).distinct().toList();
        if (names.size() == 1) {
            return group.stream().map(r -> Sentence.of("result.ofOne", r.trial(), r.text()));
        }
        return Stream.of(where(
                trials, names, Shape.merged(group.stream().map(Remark::text).toList())));
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
