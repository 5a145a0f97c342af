package io.plimsoll.measure;

import io.plimsoll.measure.Quiet.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bounds the error of times measured from a broker's append time. A broker appends a record between its send and its
 * acknowledgement and returns the time in milliseconds of its own clock. Each acknowledgement therefore bounds the
 * clock offset of the broker. The bounds widen by {@link #MOST_DRIFT} over time, so the fastest round trips decide.
 * Each partition has its own bounds, because one broker leads it at a time. The class also keeps the intervals in which
 * each partition was appended to. Thread-safe: each partition's state is its own lock, so a client thread waits only
 * for a reader of the same partition.
 */
final class AppendClock {
    /** Quartz clocks are off by up to 100 ppm each. */
    private static final double MOST_DRIFT = 200e-6;

    private static final long MILLI = 1_000_000;
    /** Appends at most this far apart belong to one interval. */
    private static final long APART_MILLIS = 100;
    /** Limit of unread intervals per partition; a minute has at most 600. */
    private static final int MOST_STRETCHES = 1_000;
    /** Number of first acknowledgements to ignore: cold clients and leaders give wide bounds. */
    private static final int LEAST_ANSWERS = 8;

    /** Offset bounds of the clock that stamps one partition. */
    private static final class Bounds {
        /** Bounds of the broker's clock offset at the last acknowledgement. */
        private long low;

        private long high;
        private long atNanos;
        private int answers;
        private boolean fresh;

        /** Finished intervals and the open one, by the broker's clock, ms since 1970. */
        private final List<Span> stretches = new ArrayList<>();

        private long fromMillis;
        private long toMillis;
        private boolean grown;

        void stretch(long millis) {
            boolean begins = millis < fromMillis - APART_MILLIS || millis > toMillis + APART_MILLIS;
            if (begins) {
                keepStretch();
            }
            fromMillis = begins ? millis : Math.min(fromMillis, millis);
            toMillis = begins ? millis : Math.max(toMillis, millis);
            grown = true;
        }

        private void keepStretch() {
            if (grown) {
                if (stretches.size() == MOST_STRETCHES) {
                    stretches.remove(0);
                }
                stretches.add(new Span(fromMillis * MILLI, toMillis * MILLI));
            }
            grown = false;
        }

        /** The open interval continues without a gap in the next call. */
        List<Span> takeStretches() {
            keepStretch();
            fromMillis = toMillis;
            List<Span> taken = List.copyOf(stretches);
            stretches.clear();
            return taken;
        }

        void add(long least, long most, long nowNanos) {
            long drift = Math.round(Math.abs(nowNanos - atNanos) * MOST_DRIFT);
            boolean known = atNanos != 0 && low - drift <= most && high + drift >= least;
            // Disjoint bounds mean a different clock: the leader moved, or a clock was set.
            low = known ? Math.max(least, low - drift) : least;
            high = known ? Math.min(most, high + drift) : most;
            answers = known ? answers + (nowNanos == atNanos ? 0 : 1) : 1;
            atNanos = nowNanos;
            fresh = answers >= LEAST_ANSWERS;
        }

        /**
         * Times since append are too short by at most {@code high}, or too long by the truncation beyond {@code −low}.
         */
        long error() {
            return Math.max(Math.abs(high), Math.abs(MILLI - low));
        }
    }

    /** By topic and partition; replaced by a larger copy on growth. */
    private volatile Bounds[][] partitions = {};

    /** @param sentNanos by the local clock, ns since 1970, as is {@code acknowledgedNanos} */
    void appended(int topic, int partition, long sentNanos, long acknowledgedNanos, long appendMillis) {
        if (partition < 0) {
            return;
        }
        long least = appendMillis * MILLI - acknowledgedNanos;
        long most = (appendMillis + 1) * MILLI - sentNanos;
        Bounds known = known(topic, partition);
        Bounds bounds = known == null ? added(topic, partition) : known;
        synchronized (bounds) {
            bounds.add(least, most, acknowledgedNanos);
            bounds.stretch(appendMillis);
        }
    }

    private Bounds known(int topic, int partition) {
        Bounds[][] all = partitions;
        return topic < all.length && partition < all[topic].length ? all[topic][partition] : null;
    }

    private synchronized Bounds added(int topic, int partition) {
        Bounds known = known(topic, partition);
        if (known != null) {
            return known;
        }
        Bounds[][] all = Arrays.copyOf(partitions, Math.max(partitions.length, topic + 1));
        for (int t = partitions.length; t < all.length; t++) {
            all[t] = new Bounds[0];
        }
        all[topic] = Arrays.copyOf(all[topic], Math.max(all[topic].length, partition + 1));
        Bounds added = new Bounds();
        all[topic][partition] = added;
        partitions = all;
        return added;
    }

    /** Append intervals since the last call, ns since 1970. */
    List<Span> takeStretches(int topic, int partition) {
        Bounds bounds = known(topic, partition);
        if (bounds == null) {
            return List.of();
        }
        synchronized (bounds) {
            return bounds.takeStretches();
        }
    }

    /** Largest error of all partitions written since the last call, in nanoseconds; null if none. */
    Long takeError() {
        Long most = null;
        for (Bounds[] ofTopic : partitions) {
            for (Bounds bounds : ofTopic) {
                if (bounds != null) {
                    synchronized (bounds) {
                        if (bounds.fresh) {
                            bounds.fresh = false;
                            most = Math.max(most == null ? 0 : most, bounds.error());
                        }
                    }
                }
            }
        }
        return most;
    }
}
