package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A consumer group of others that was watched beside the load, by its commits and its coordinator alone.
 *
 * @param figures as {@code groups} of a trial has them
 */
record ObservedGroup(Map<String, Object> figures) {
    /** Share of what is written to it that a group may be short of by the moments of its commits alone. */
    private static final double CHANCE = 0.01;

    private static final double BEHIND = 0.05;
    /** Records a second that come into a partition from which on one that is not read at all shows. */
    private static final double LEAST_COMING = 0.5;

    /** One of its partitions. */
    private record Part(double consumed, double lag, Integer member) {
        /** It has records to read, and is not read. */
        boolean still(double seconds) {
            return consumed <= 0 && lag > LEAST_COMING * seconds;
        }
    }

    Object id() {
        return figures.get("id");
    }

    Sentence name() {
        return Sentence.of("result.group", id());
    }

    double get(String figure) {
        return figures.get(figure) instanceof Number n ? n.doubleValue() : 0;
    }

    /** The degree to which it does not keep up with what is written to its partitions, 0 to 1. */
    double late() {
        double produced = get("produced");
        return produced <= 0 ? 0 : ramp(get("growth") / produced, CHANCE, BEHIND);
    }

    int members() {
        return (int) get("members");
    }

    int partitions() {
        return parts().size();
    }

    /** Members that have a partition; as many as there are where that is not known. */
    int assigned() {
        Map<Integer, Boolean> members = stillByMember(0);
        return members.isEmpty() ? Math.min(members(), partitions()) : members.size();
    }

    /** Partitions with records that were not read at all within so many seconds. */
    int still(double seconds) {
        return (int) parts().stream().filter(p -> p.still(seconds)).count();
    }

    /** Members that have read none of their partitions, each of which had records; 0 if that is not known. */
    int stopped(double seconds) {
        return (int)
                stillByMember(seconds).values().stream().filter(still -> still).count();
    }

    /** The part of its partitions that are not read, while others are, 0 to 1. */
    double stillShare(double seconds) {
        int still = still(seconds);
        return still == partitions() ? 0 : (double) still / partitions();
    }

    private Map<Integer, Boolean> stillByMember(double seconds) {
        Map<Integer, Boolean> members = new TreeMap<>();
        parts().stream()
                .filter(p -> p.member != null)
                .forEach(p -> members.merge(p.member, p.still(seconds), Boolean::logicalAnd));
        return members;
    }

    private List<Part> parts() {
        return figures.get("partitions") instanceof List<?> list
                ? list.stream()
                        .filter(Map.class::isInstance)
                        .map(p -> (Map<?, ?>) p)
                        .map(p -> new Part(
                                number(p.get("consumed")),
                                number(p.get(p.get("lagAtEnd") == null ? "unknownRecords" : "lagAtEnd")),
                                p.get("member") instanceof Number n ? Integer.valueOf(n.intValue()) : null))
                        .toList()
                : List.of();
    }

    private static double number(Object value) {
        return value instanceof Number n ? n.doubleValue() : 0;
    }
}
