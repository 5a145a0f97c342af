package io.plimsoll.measure;

import io.plimsoll.measure.Quiet.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bounds by how much times from a broker's append on may be wrong. A broker appends a record between its sending and its
 * acknowledgement, and says when, in whole milliseconds of its own clock: so each acknowledgement bounds how far that clock is ahead of
 * ours. As clocks drift apart by no more than {@link #MOST_DRIFT}, bounds hold a little wider later on, and those of records with a
 * short way decide. Partitions are kept apart, since each is led by one broker at a time. Keeps also from when to when each
 * partition was appended to. Thread-safe: what is known of a partition is guarded by itself, so that a client's thread waits for a
 * reading one at most while that reads the same partition.
 */
final class AppendClock {
    /** Crystals are off by up to 100 parts in a million, each. */
    private static final double MOST_DRIFT = 200e-6;

    private static final long MILLI = 1_000_000;
    /** What is appended so soon after another record belongs to one stretch of time with it. */
    private static final long APART_MILLIS = 100;
    /** Where nobody takes the stretches of a partition, only the latest are kept: a minute has 600 at most. */
    private static final int MOST_STRETCHES = 1_000;
    /** The first acknowledgements of a cold client or leader bound little: they are waited out. */
    private static final int LEAST_ANSWERS = 8;

    /** What is known of the clock by which the records of a partition get their times. */
    private static final class Bounds {
        /** How far it is ahead of ours, at least and at most, as of the last acknowledgement. */
        private long low;

        private long high;
        private long atNanos;
        private int answers;
        private boolean fresh;

        /** Stretches that have ended, and the one that goes on: by the broker's clock, in milliseconds since 1970. */
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

        /** What goes on has no gap to what is taken next. */
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
            // Bounds that exclude each other are of two clocks: another broker leads, or one was set.
            low = known ? Math.max(least, low - drift) : least;
            high = known ? Math.min(most, high + drift) : most;
            answers = known ? answers + (nowNanos == atNanos ? 0 : 1) : 1;
            atNanos = nowNanos;
            fresh = answers >= LEAST_ANSWERS;
        }

        /** A time from append on is too short by {@code high} at most, and too long by what was cut off beyond {@code −low}. */
        long error() {
            return Math.max(Math.abs(high), Math.abs(MILLI - low));
        }
    }

    /** By topic and partition; replaced by a larger copy when one is new. */
    private volatile Bounds[][] partitions = {};

    /** @param sentNanos nanoseconds since 1970 by our clock, as the next */
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

    /** From when to when a partition was appended to, as far as was told since the last call; nanoseconds since 1970. */
    List<Span> takeStretches(int topic, int partition) {
        Bounds bounds = known(topic, partition);
        if (bounds == null) {
            return List.of();
        }
        synchronized (bounds) {
            return bounds.takeStretches();
        }
    }

    /** The most of all partitions that were written since the last call, in nanoseconds; null if none was. */
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
