package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.GroupPace.Look;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tracks the lag of this load's groups to judge whether they kept up. Used by one thread. */
final class PaceFold {
    /** Of long trials every second look is left out, and every second of these, and so on. */
    private static final int MOST_LOOKS = 3_600;
    /** Maximum delay of the snapshot at the end of the load. */
    private static final double LATE_SECONDS = 0.2;

    private final Map<String, List<Look>> looks = new HashMap<>();
    private final Map<String, Long> received = new HashMap<>();
    private final Map<String, Long> lag = new HashMap<>();
    private final Map<String, Long> least = new HashMap<>();
    private Snapshot open;
    private long toNanos;
    private long number;
    private long stride = 1;

    /** Takes a snapshot of one worker; all workers use the same sequence number for a second. */
    void accept(Snapshot s) {
        if (open != null && open.sequence() != s.sequence()) {
            close();
        }
        if (s.phase() == Phase.DRAIN) {
            return;
        }
        open = open == null ? s : open;
        toNanos = Math.max(toNanos, s.toNanos());
        add(s.warmup());
        add(s.measured());
        lag.putAll(s.whole().get(Consumed.LAG));
        least.putAll(s.whole().get(Consumed.LEAST_LAG));
    }

    private void add(Counts counts) {
        counts.get(Consumed.GROUP_RECORDS).forEach((id, n) -> received.merge(id, n, Long::sum));
    }

    private void close() {
        boolean brief = toNanos - open.fromNanos() < SnapshotSum.SHORTEST_NANOS;
        if (!brief && number++ % stride == 0) {
            boolean measured = open.phase() == Phase.MEASURE;
            double at = toNanos / 1e9;
            lag.forEach((id, left) -> looks.computeIfAbsent(id, g -> new ArrayList<>())
                    .add(new Look(
                            at, measured, left, least.getOrDefault(id, left), received.getOrDefault(id, 0L) + left)));
            thin();
        }
        lag.clear();
        least.clear();
        open = null;
    }

    private void thin() {
        if (looks.values().stream().anyMatch(l -> l.size() > MOST_LOOKS)) {
            stride *= 2;
            looks.replaceAll((id, all) -> {
                List<Look> half = new ArrayList<>();
                for (int i = 0; i < all.size(); i += 2) {
                    half.add(all.get(i));
                }
                return half;
            });
        }
    }

    /**
     * Whether a group kept up so far.
     *
     * @param toSeconds of the trial, when the load ended: later looks, within the last second, do not count
     * @param throttled a quota held consumers back
     */
    GroupPace pace(String group, double toSeconds, boolean throttled) {
        if (open != null) {
            close();
        }
        List<Look> ofLoad = looks.getOrDefault(group, List.of()).stream()
                .filter(look -> look.at() < toSeconds + LATE_SECONDS)
                .toList();
        return GroupPace.of(ofLoad, GroupPace.Source.RECEIVED, throttled);
    }
}
