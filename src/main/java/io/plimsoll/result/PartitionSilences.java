package io.plimsoll.result;

import io.plimsoll.measure.AckPulse.Silence;
import io.plimsoll.result.FaultResult.Silenced;
import io.plimsoll.stats.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the periods in which partitions had no acknowledgments. A partition with few records is silent between any two
 * of them, so a fault silenced it only if its silence is much longer than before.
 */
final class PartitionSilences {
    private static final long LEAST_NANOS = 500_000_000L;
    private static final double LONGER = 2;
    /** Length of the baseline before the first fault, in ns. */
    private static final long BEFORE_NANOS = 10_000_000_000L;
    /** Share of silence in the baseline at or above which a partition counts as one with few records. */
    private static final double SPARSE = 0.5;
    /**
     * A silence also belongs to a fault that was requested at most this time after the last acknowledgment before the
     * silence.
     */
    private static final long MOMENT_NANOS = 200_000_000L;
    /**
     * Number of silences per partition at which old ones are dropped: a partition with few records has several each
     * second.
     */
    private static final int MOST = 256;
    /** Maximum delay of reports about silences and faults, in ns. */
    private static final long LATE_NANOS = 60_000_000_000L;

    private final Set<String> partitions = new HashSet<>();
    /** Start of the last reported bucket; a silence that reaches it has not ended. */
    private long openFromNanos;

    /** By partition and start of a silence: the end, or the time up to which the silence was reported so far. */
    private final Map<String, TreeMap<Long, Long>> silences = new HashMap<>();
    /** Request times of faults, in ascending order. */
    private final List<Long> asked = new ArrayList<>();

    /**
     * Sets the time up to which silences are known. At the end of the load, a partition is silent from its last
     * acknowledgment until the other partitions finish, which is not an effect of a fault.
     */
    void until(long pulseEndNanos, long bucketNanos) {
        openFromNanos = Math.max(openFromNanos, pulseEndNanos - bucketNanos);
    }

    void known(String partition) {
        partitions.add(partition);
    }

    void asked(long nanos) {
        asked.add(nanos);
    }

    void accept(Silence silence) {
        partitions.add(silence.partition());
        TreeMap<Long, Long> known = silences.computeIfAbsent(silence.partition(), p -> new TreeMap<>());
        int before = known.size();
        known.merge(silence.fromNanos(), silence.toNanos(), Math::max);
        if (known.size() > before && known.size() % MOST == 0) {
            forget(known, silence.toNanos() - LATE_NANOS);
        }
    }

    /** Drops old silences, except for those that {@link #between} needs: the longest of each fault, and the baseline. */
    private void forget(Map<Long, Long> known, long longAgoNanos) {
        Map<Integer, Map.Entry<Long, Long>> longest = new HashMap<>();
        known.forEach((from, to) -> {
            if (to < longAgoNanos) {
                Map.Entry<Long, Long> each = Map.entry(from, to);
                longest.merge(fault(each), each, (a, b) -> length(b) > length(a) ? b : a);
            }
        });
        long first = asked.isEmpty() ? longAgoNanos : asked.get(0);
        known.entrySet()
                .removeIf(each -> each.getValue() < longAgoNanos
                        && (fault(each) == 0 ? each.getValue() <= first - BEFORE_NANOS : !longest.containsValue(each)));
    }

    private int fault(Map.Entry<Long, Long> silence) {
        int at = Collections.binarySearch(asked, silence.getKey() + MOMENT_NANOS);
        return at < 0 ? -at - 1 : at + 1;
    }

    private static long length(Map.Entry<Long, Long> silence) {
        return silence.getValue() - silence.getKey();
    }

    int size() {
        return silences.values().stream().mapToInt(Map::size).sum();
    }

    /** The partitions that a fault silenced; the baseline is the time before the first fault. */
    Silenced between(long firstNanos, long fromNanos, long endNanos) {
        List<Longest> silenced = silences.values().stream()
                .map(each -> longest(each, firstNanos, fromNanos, endNanos))
                .flatMap(Optional::stream)
                .toList();
        double[] seconds =
                silenced.stream().mapToDouble(s -> s.nanos() / 1e9).sorted().toArray();
        long overNanos = silenced.stream().mapToLong(Longest::toNanos).max().orElse(fromNanos);
        boolean open = silenced.stream().anyMatch(Longest::open);
        return seconds.length == 0
                ? new Silenced(0, partitions.size(), null, null, null, null)
                : new Silenced(
                        seconds.length,
                        partitions.size(),
                        FaultsFold.rounded(seconds[seconds.length - 1]),
                        FaultsFold.rounded(Spread.median(seconds)),
                        open ? null : FaultsFold.seconds(overNanos - fromNanos),
                        null);
    }

    /** @param open whether the silence had not ended at the last report */
    private record Longest(long fromNanos, long toNanos, boolean open) {
        long nanos() {
            return toNanos - fromNanos;
        }
    }

    /** The longest silence of a partition caused by a fault. */
    private Optional<Longest> longest(Map<Long, Long> silences, long firstNanos, long fromNanos, long endNanos) {
        long usual = 0;
        long sum = 0;
        Longest longest = new Longest(0, 0, false);
        for (Map.Entry<Long, Long> silence : silences.entrySet()) {
            long began = silence.getKey() + MOMENT_NANOS;
            boolean open = silence.getValue() >= openFromNanos;
            long to = open ? Math.min(silence.getValue(), endNanos) : silence.getValue();
            long length = to - silence.getKey();
            if (began >= fromNanos && began < endNanos && length > longest.nanos()) {
                longest = new Longest(silence.getKey(), to, open && openFromNanos > 0);
            } else if (silence.getValue() <= firstNanos && silence.getValue() > firstNanos - BEFORE_NANOS) {
                usual = Math.max(usual, length);
                sum += length;
            }
        }
        // A partition with a single earlier silence is not one with few records.
        boolean sparse = sum >= SPARSE * Math.min(firstNanos, BEFORE_NANOS);
        return longest.nanos() >= Math.max(LEAST_NANOS, sparse ? LONGER * usual : 0)
                ? Optional.of(longest)
                : Optional.empty();
    }
}
