package io.plimsoll.result;

import io.plimsoll.result.Ceiling.Bound;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What searches for ceilings have found, said as a person would. Pure. */
final class CeilingSentences {
    private CeilingSentences() {}

    static String of(List<Ceiling> ceilings) {
        if (ceilings.size() == 1) {
            return of(ceilings.get(0));
        }
        List<Ceiling> known = ceilings.stream()
                .filter(c -> c.decisive().lowerRecordsPerSecond() != null)
                .sorted(Comparator.comparing(c -> c.decisive().lowerRecordsPerSecond()))
                .toList();
        if (known.isEmpty()) {
            return "None of " + ceilings.size() + " settings carried any load that was tried.";
        }
        Ceiling least = known.get(0);
        Ceiling most = known.get(known.size() - 1);
        return "Of " + ceilings.size() + " settings " + name(most.parameters()) + " carries most, "
                + least(most) + range(most.decisive()) + ", and " + name(least.parameters()) + " least, "
                + least(least) + range(least.decisive()) + ".";
    }

    /** A lower bound alone, where what failed first was not the cluster. */
    private static String least(Ceiling c) {
        return c.generatorLimited() ? "at least " : "";
    }

    /** Such as {@code acks=1 partitions=3}. */
    static String name(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(e -> e.getKey().substring(e.getKey().lastIndexOf('.') + 1) + "=" + e.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String of(Ceiling c) {
        String sustained = sustained(c);
        if (c.withinSlo() == null) {
            return sustained;
        }
        Bound slo = c.withinSlo();
        String within = slo.lowerRecordsPerSecond() == null
                ? (slo.upperRecordsPerSecond() == null
                        ? "Whether " + c.slo() + " can hold is not known."
                        : "Not even " + load(slo.upperRecordsPerSecond(), slo.upperBytesPerSecond()) + " meets "
                                + c.slo() + ".")
                : c.slo() + " holds up to " + load(slo.lowerRecordsPerSecond(), slo.lowerBytesPerSecond())
                        + (slo.upperRecordsPerSecond() == null
                                ? ", the most that was tried."
                                : " and no longer at " + load(slo.upperRecordsPerSecond(), slo.upperBytesPerSecond())
                                        + ".");
        return within + " " + sustained;
    }

    private static String sustained(Ceiling c) {
        Bound b = c.sustained();
        String lower =
                b.lowerRecordsPerSecond() == null ? "" : load(b.lowerRecordsPerSecond(), b.lowerBytesPerSecond());
        return switch (c.end()) {
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
