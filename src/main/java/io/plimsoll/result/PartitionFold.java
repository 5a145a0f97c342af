package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TrialResult.PartitionResult;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Folds what the snapshots say of each partition: counts, and the time within which they came. Used by one thread.
 */
final class PartitionFold {
    private final Map<String, Sums> partitions = new TreeMap<>();

    /** Counts in one direction, and the stretch of time within which something moved, in nanoseconds of the trial. */
    private static final class Flow {
        long records;
        long fromNanos = Long.MAX_VALUE;
        long toNanos;

        void add(long more, Snapshot s) {
            if (more > 0) {
                records += more;
                fromNanos = Math.min(fromNanos, s.fromNanos());
                toNanos = Math.max(toNanos, s.toNanos());
            }
        }

        Double perSecond() {
            return records == 0 || toNanos <= fromNanos
                    ? null
                    : Double.valueOf(records / ((toNanos - fromNanos) / 1e9));
        }
    }

    private static final class Sums {
        final Flow produced = new Flow();
        final Flow consumed = new Flow();
    }

    void accept(Snapshot s) {
        s.whole().get(Produced.BY_PARTITION).forEach((name, n) -> of(name).produced
                .add(n, s));
        s.whole().get(Consumed.BY_PARTITION).forEach((name, n) -> of(name).consumed
                .add(n, s));
    }

    private Sums of(String partition) {
        return partitions.computeIfAbsent(partition, n -> new Sums());
    }

    /** @param ended what is known of them at the end of the trial, leaders included; null if it has not ended */
    List<PartitionResult> results(List<PartitionResult> ended) {
        if (ended != null) {
            return ended.stream().map(this::withRates).toList();
        }
        return partitions.entrySet().stream()
                .map(e -> withRates(counted(e.getKey(), e.getValue())))
                .sorted(Comparator.comparing(PartitionResult::topic).thenComparing(PartitionResult::partition))
                .toList();
    }

    private static PartitionResult counted(String name, Sums sums) {
        int dash = name.lastIndexOf('-');
        int number = Integer.parseInt(name.substring(dash + 1));
        return new PartitionResult(
                name.substring(0, dash), number, null, sums.produced.records, sums.consumed.records, null, null);
    }

    private PartitionResult withRates(PartitionResult p) {
        Sums sums = partitions.get(p.topic() + "-" + p.partition());
        return new PartitionResult(
                p.topic(),
                p.partition(),
                p.leader(),
                p.produced(),
                p.consumed(),
                sums == null ? null : sums.produced.perSecond(),
                sums == null ? null : sums.consumed.perSecond());
    }
}
