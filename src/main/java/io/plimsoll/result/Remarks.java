package io.plimsoll.result;

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
    public record Remark(String trial, String text) {}

    /**
     * @param trials the names of all, also of those of which nothing is said
     * @param remarks in the order in which they are to be told
     * @return sentences that begin with the trials they are about, unless there is but one
     */
    public static List<String> told(List<String> trials, List<Remark> remarks) {
        if (trials.size() <= 1) {
            return remarks.stream().map(Remark::text).toList();
        }
        Map<String, List<Remark>> alike = new LinkedHashMap<>();
        remarks.stream().distinct().forEach(r -> alike.computeIfAbsent(
                        Shape.of(r.text()).constant(), s -> new ArrayList<>())
                .add(r));
        return alike.values().stream().flatMap(group -> together(trials, group)).toList();
    }

    private static Stream<String> together(List<String> trials, List<Remark> group) {
        List<String> names = group.stream().map(Remark::trial).distinct().toList();
        if (names.size() == 1) {
            return group.stream().map(r -> r.trial() + ": " + r.text());
        }
        return Stream.of(where(trials, names) + ": "
                + Shape.merged(group.stream().map(Remark::text).toList()));
    }

    private static String where(List<String> trials, List<String> names) {
        if (names.size() == trials.size()) {
            return names.size() == 2 ? "In both trials" : "In all " + names.size() + " trials";
        }
        List<String> others = trials.stream().filter(t -> !names.contains(t)).toList();
        boolean byExceptions = others.size() <= MOST_EXCEPTIONS && others.size() < names.size();
        return "In " + names.size() + " of " + trials.size() + " trials ("
                + (byExceptions ? "all but " + Sentences.list(others) : Sentences.list(names, MOST_NAMED)) + ")";
    }
}
