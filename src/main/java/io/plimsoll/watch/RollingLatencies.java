package io.plimsoll.watch;

import io.plimsoll.measure.Latencies;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Latencies of the last five to ten minutes, and of the last 24 to 25 hours, in a bounded memory. Not thread-safe. */
final class RollingLatencies {
    private static final int SHORT_MINUTES = 5;
    private static final int LONG_MINUTES = 60;
    private static final int HOURS = 25;
    private static final int DIGITS = 2;

    private final Ring recent = new Ring(SHORT_MINUTES, 2);
    private final Ring day = new Ring(LONG_MINUTES, HOURS);
    /** Of an earlier process, by hour since 1970. */
    private final Map<Long, Latencies> earlier = new TreeMap<>();

    /** Histograms of some minutes each, the oldest of which makes room for the newest. */
    private static final class Ring {
        private final int minutes;
        private final Histogram[] parts;
        private long last = Long.MIN_VALUE;

        Ring(int minutes, int count) {
            this.minutes = minutes;
            this.parts = new Histogram[count];
        }

        Histogram at(long epochMinute) {
            long part = epochMinute / minutes;
            for (long p = Math.max(last + 1, part - parts.length + 1); p <= part; p++) {
                parts[slot(p)] = null;
            }
            last = Math.max(last, part);
            int slot = slot(last);
            if (parts[slot] == null) {
                parts[slot] = new Histogram(DIGITS);
                parts[slot].setAutoResize(true);
            }
            return parts[slot];
        }

        private int slot(long part) {
            return (int) Math.floorMod(part, (long) parts.length);
        }

        Latencies sum(long epochMinute) {
            at(epochMinute);
            Histogram sum = Latencies.newHistogram();
            for (Histogram part : parts) {
                if (part != null) {
                    sum.add(part);
                }
            }
            return Latencies.of(sum);
        }

        void addTo(Map<Long, Latencies> all) {
            for (long p = Math.max(0, last - parts.length + 1); p <= last; p++) {
                if (parts[slot(p)] != null && parts[slot(p)].getTotalCount() > 0) {
                    all.merge(p, Latencies.of(parts[slot(p)]), Latencies::plus);
                }
            }
        }
    }

    void add(long nanos, long epochMinute) {
        long micros = Math.max(1, Math.min(Latencies.HIGHEST_MICROS, nanos / 1000));
        recent.at(epochMinute).recordValue(micros);
        day.at(epochMinute).recordValue(micros);
    }

    Latencies recent(long epochMinute) {
        return recent.sum(epochMinute);
    }

    Latencies day(long epochMinute) {
        return hours(epochMinute).values().stream().reduce(Latencies.EMPTY, Latencies::plus);
    }

    /** Those of a day, by hour since 1970, to go on with later. */
    Map<Long, Latencies> hours(long epochMinute) {
        Map<Long, Latencies> all = new TreeMap<>(earlier);
        day.addTo(all);
        all.keySet().removeIf(hour -> hour <= epochMinute / LONG_MINUTES - HOURS);
        earlier.keySet().retainAll(all.keySet());
        return all;
    }

    /** Goes on with what an earlier process has measured. */
    void restore(Map<Long, Latencies> hours) {
        earlier.putAll(hours);
    }
}
