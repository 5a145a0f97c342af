package io.plimsoll.watch;

import io.plimsoll.measure.Latencies;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Latencies in microseconds, with two significant digits, of the last 5 to 10 minutes and the last 24 to 25 hours, in
 * bounded memory. Not thread-safe.
 */
final class RollingLatencies {
    private static final int SHORT_MINUTES = 5;
    private static final int LONG_MINUTES = 60;
    private static final int HOURS = 25;
    private static final int DIGITS = 2;

    private final Ring recent = new Ring(SHORT_MINUTES, 2);
    private final Ring day = new Ring(LONG_MINUTES, HOURS);
    /** Complete hours in encoded form, so that each hour is encoded only once. */
    private final Map<Long, String> over = new TreeMap<>();

    /** A ring of histograms; the newest replaces the oldest. */
    private static final class Ring {
        private final int minutes;
        private final Histogram[] parts;
        private long last = Long.MIN_VALUE;

        Ring(int minutes, int count) {
            this.minutes = minutes;
            this.parts = new Histogram[count];
        }

        /** The histogram of a minute; the newest histogram if the clock was set back. */
        Histogram at(long epochMinute) {
            long part = epochMinute / minutes;
            for (long p = Math.max(last + 1, part - parts.length + 1); p <= part; p++) {
                parts[slot(p)] = null;
            }
            last = Math.max(last, part);
            int slot = slot(last);
            if (parts[slot] == null) {
                parts[slot] = new Histogram(DIGITS);
            }
            return parts[slot];
        }

        private int slot(long part) {
            return (int) Math.floorMod(part, (long) parts.length);
        }

        Histogram sum(long epochMinute) {
            at(epochMinute);
            Histogram sum = new Histogram(DIGITS);
            for (Histogram part : parts) {
                if (part != null) {
                    sum.add(part);
                }
            }
            return sum;
        }
    }

    void add(long nanos, long epochMinute) {
        long micros = Math.max(1, Math.min(Latencies.HIGHEST_MICROS, nanos / 1000));
        recent.at(epochMinute).recordValue(micros);
        day.at(epochMinute).recordValue(micros);
    }

    Histogram recent(long epochMinute) {
        return recent.sum(epochMinute);
    }

    Histogram day(long epochMinute) {
        return day.sum(epochMinute);
    }

    /** The histograms of a day by hour since 1970, encoded as {@link Latencies}. */
    Map<Long, String> hours(long epochMinute) {
        day.at(epochMinute);
        over.keySet().removeIf(hour -> hour <= day.last - HOURS);
        Map<Long, String> all = new TreeMap<>(over);
        for (long hour = day.last - HOURS + 1; hour <= day.last; hour++) {
            Histogram part = day.parts[day.slot(hour)];
            if (part != null && part.getTotalCount() > 0 && !all.containsKey(hour)) {
                all.put(hour, Latencies.of(part).encode());
                if (hour < day.last) {
                    over.put(hour, all.get(hour));
                }
            }
        }
        return all;
    }

    /** Restores the latencies of an earlier process. Call before new latencies are added. */
    void restore(Map<Long, String> hours) {
        new TreeMap<>(hours).forEach((hour, encoded) -> Latencies.decode(encoded)
                .forEach(day.at(hour * LONG_MINUTES)::recordValueWithCount));
    }
}
