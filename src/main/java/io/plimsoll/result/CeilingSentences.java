package io.plimsoll.result;

import io.plimsoll.result.Ceiling.Bound;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What searches for ceilings have found, said as a person would. Pure. */
final class CeilingSentences {
    private CeilingSentences() {}

    static String of(List<Ceiling> ceilings) {
        if (ceilings.size() == 1) {
            return of(ceilings.get(0));
        }
        List<Ceiling> answered = ceilings.stream()
                .filter(CeilingSentences::isAnswered)
                .sorted(Comparator.comparing(c -> c.found().decisive().lowerRecordsPerSecond()))
                .toList();
        List<String> unsure = ceilings.stream()
                .filter(c -> !answered.contains(c))
                .map(c -> name(c.parameters()))
                .toList();
        return switch (answered.size()) {
            case 0 ->
                ceilings.stream().allMatch(c -> c.found().decisive().lowerRecordsPerSecond() == null)
                        ? "None of " + ceilings.size() + " settings carried any load that was tried."
                        : "None of " + ceilings.size() + " searches came to its end; the bounds are what they had until"
                                + " then.";
            case 1 ->
                "Of " + ceilings.size() + " settings only "
                        + name(answered.get(0).parameters()) + " has a sure answer, " + least(answered.get(0))
                        + range(answered.get(0).found().decisive()) + ".";
            default -> compared(ceilings.size(), answered) + (unsure.isEmpty() ? "" : noAnswer(unsure));
        };
    }

    /** Whether a search came to an end that says something of the cluster. */
    private static boolean isAnswered(Ceiling c) {
        return c.found().decisive().lowerRecordsPerSecond() != null
                && Set.of(Ceiling.FOUND, Ceiling.MOST_REACHED, Ceiling.GENERATOR_LIMITED)
                        .contains(c.course().end());
    }

    /** @param answered from the least on, two at least */
    private static String compared(int all, List<Ceiling> answered) {
        Ceiling least = answered.get(0);
        Ceiling most = answered.get(answered.size() - 1);
        long open = answered.stream().filter(c -> !isClosed(c)).count();
        if (open > 1 || (open == 1 && isClosed(most))) {
            return open + " of " + all + " settings carry more than could be tried; the highest load that passed was "
                    + Units.about(most.found().decisive().lowerRecordsPerSecond()) + " records/s, with "
                    + name(most.parameters()) + ".";
        }
        if (least.found().decisive().upperRecordsPerSecond()
                        >= most.found().decisive().lowerRecordsPerSecond()
                && open == 0) {
            return "Of " + all + " settings all that were answered carry about the same, "
                    + Units.about(least.found().decisive().lowerRecordsPerSecond()) + " to "
                    + Units.about(most.found().decisive().upperRecordsPerSecond()) + " records/s.";
        }
        return "Of " + all + " settings " + name(most.parameters()) + " carries most, "
                + least(most) + range(most.found().decisive()) + ", and " + name(least.parameters()) + " least, "
                + least(least) + range(least.found().decisive()) + ".";
    }

    private static boolean isClosed(Ceiling c) {
        return c.course().end().equals(Ceiling.FOUND) && c.found().decisive().upperRecordsPerSecond() != null;
    }

    private static String noAnswer(List<String> names) {
        return " No sure answer for " + String.join(", ", names) + ".";
    }

    /** A lower bound alone, where nothing failed or what failed first was not the cluster. */
    private static String least(Ceiling c) {
        return isClosed(c) ? "" : "at least ";
    }

    /** Such as {@code acks=1 partitions=3}. */
    static String name(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(e -> e.getKey().substring(e.getKey().lastIndexOf('.') + 1) + "=" + e.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String of(Ceiling c) {
        String sustained = sustained(c);
        if (c.found().withinSlo() == null) {
            return sustained;
        }
        Bound slo = c.found().withinSlo();
        String within = slo.lowerRecordsPerSecond() == null
                ? (slo.upperRecordsPerSecond() == null
                        ? "Whether " + c.found().slo() + " can hold is not known."
                        : "Not even " + load(slo.upperRecordsPerSecond(), slo.upperBytesPerSecond()) + " meets "
                                + c.found().slo() + ".")
                : c.found().slo() + " holds up to " + load(slo.lowerRecordsPerSecond(), slo.lowerBytesPerSecond())
                        + (slo.upperRecordsPerSecond() == null
                                ? ", the most that was tried."
                                : " and no longer at " + load(slo.upperRecordsPerSecond(), slo.upperBytesPerSecond())
                                        + ".");
        return within + " " + sustained;
    }

    private static String sustained(Ceiling c) {
        Bound b = c.found().sustained();
        String lower =
                b.lowerRecordsPerSecond() == null ? "" : load(b.lowerRecordsPerSecond(), b.lowerBytesPerSecond());
        return switch (c.course().end()) {
            case Ceiling.MOST_REACHED ->
                "Your Kafka carries all that was asked for, " + lower + "; its ceiling is not below that.";
            case Ceiling.GENERATOR_LIMITED ->
                lower.isEmpty()
                        ? "Not a measure of the cluster: the load generator was the limit at every load."
                        : "Your Kafka carries at least " + lower
                                + ": beyond that the load generator was the limit, not the cluster.";
            case Ceiling.NOTHING_PASSES ->
                "Your Kafka does not carry even " + load(b.upperRecordsPerSecond(), b.upperBytesPerSecond()) + ".";
            case Ceiling.FOUND ->
                "Your Kafka carries " + lower + " and no longer "
                        + load(b.upperRecordsPerSecond(), b.upperBytesPerSecond()) + ": its ceiling lies in between.";
            default -> unfinished(b, lower);
        };
    }

    private static String unfinished(Bound b, String lower) {
        if (lower.isEmpty()) {
            return "The search ended before any load had passed.";
        }
        return "The search ended before its answer was sure: your Kafka seems to carry " + lower
                + (b.upperRecordsPerSecond() == null
                        ? ", and nothing higher was tried."
                        : " and no longer " + load(b.upperRecordsPerSecond(), b.upperBytesPerSecond()) + ".");
    }

    private static String range(Bound b) {
        String lower = Units.about(b.lowerRecordsPerSecond());
        return b.upperRecordsPerSecond() == null
                ? lower + " records/s"
                : lower + " to " + Units.about(b.upperRecordsPerSecond()) + " records/s";
    }

    /** Such as {@code 91,200 records/s (91.2 MB/s)}. */
    private static String load(double records, Double bytes) {
        return Units.about(records) + " records/s" + (bytes == null ? "" : " (" + Units.byteRate(bytes) + ")");
    }
}
