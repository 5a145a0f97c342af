package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TrialResult.PartitionResult;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Folds counts of each partition and the time span of its records. Used by one thread. */
final class PartitionFold {
    private static final Flow NOTHING = new Flow(0, Long.MAX_VALUE, 0);

    private final Map<String, Flow> produced = new TreeMap<>();
    private final Map<String, Flow> consumed = new TreeMap<>();

    /** Counts in one direction, and the stretch of time within which something moved, in nanoseconds of the trial. */
    private record Flow(long records, long fromNanos, long toNanos) {
        Flow plus(Flow more) {
            return new Flow(
                    records + more.records, Math.min(fromNanos, more.fromNanos), Math.max(toNanos, more.toNanos));
        }

        Double perSecond() {
            return records == 0 || toNanos <= fromNanos
                    ? null
                    : Double.valueOf(records / ((toNanos - fromNanos) / 1e9));
        }
    }

    void accept(Snapshot s) {
        add(produced, s, Produced.BY_PARTITION);
        add(consumed, s, Consumed.BY_PARTITION);
    }

    private static void add(Map<String, Flow> flows, Snapshot s, Metric<Map<String, Long>> metric) {
        s.whole()
                .get(metric)
                .forEach((name, n) ->
                        flows.merge(name, n > 0 ? new Flow(n, s.fromNanos(), s.toNanos()) : NOTHING, Flow::plus));
    }

    /** @param ended partition data from the end of the trial, with leaders; null before it */
    List<PartitionResult> results(List<PartitionResult> ended) {
        if (ended != null) {
            return ended.stream().map(this::withRates).toList();
        }
        TreeSet<String> names = new TreeSet<>(produced.keySet());
        names.addAll(consumed.keySet());
        return names.stream()
                .map(this::counted)
                .sorted(Comparator.comparing(PartitionResult::topic).thenComparing(PartitionResult::partition))
                .toList();
    }

    private PartitionResult counted(String name) {
        int dash = name.lastIndexOf('-');
        long in = produced.getOrDefault(name, NOTHING).records;
        long out = consumed.getOrDefault(name, NOTHING).records;
        int number = Integer.parseInt(name.substring(dash + 1));
        return withRates(new PartitionResult(name.substring(0, dash), number, null, in, out, null, null));
    }

    private PartitionResult withRates(PartitionResult p) {
        String name = p.topic() + "-" + p.partition();
        return new PartitionResult(
                p.topic(),
                p.partition(),
                p.leader(),
                p.produced(),
                p.consumed(),
                produced.getOrDefault(name, NOTHING).perSecond(),
                consumed.getOrDefault(name, NOTHING).perSecond());
    }
}
