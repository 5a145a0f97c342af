package io.plimsoll.watch;

import io.plimsoll.measure.Latencies;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Latencies in microseconds, with two significant digits, of the last five to ten minutes and of the last 24 to 25 hours, in a
 * bounded memory: a watch has six signals of each broker, and a day of each. Not thread-safe.
 */
final class RollingLatencies {
    private static final int SHORT_MINUTES = 5;
    private static final int LONG_MINUTES = 60;
    private static final int HOURS = 25;
    private static final int DIGITS = 2;

    private final Ring recent = new Ring(SHORT_MINUTES, 2);
    private final Ring day = new Ring(LONG_MINUTES, HOURS);
    /** Hours that are over as they are written, so that each is put together once. */
    private final Map<Long, String> over = new TreeMap<>();

    /** Histograms of some minutes each, the oldest of which makes room for the newest. */
    private static final class Ring {
        private final int minutes;
        private final Histogram[] parts;
        private long last = Long.MIN_VALUE;

        Ring(int minutes, int count) {
            this.minutes = minutes;
            this.parts = new Histogram[count];
        }

        /** That of a minute; of one before the newest, the newest, since a clock that is set back undoes nothing. */
        Histogram at(long epochMinute) {
            long part = epochMinute / minutes;
            for (long p = Math.max(last + 1, part - parts.length + 1); p <= part; p++) {
                parts[slot(p)] = null;
            }
            last = Math.max(last, part);
            int slot = slot(last);
            if (parts[slot] == null) {
                parts[slot] = empty();
            }
            return parts[slot];
        }

        private int slot(long part) {
            return (int) Math.floorMod(part, (long) parts.length);
        }

        Histogram sum(long epochMinute) {
            at(epochMinute);
            Histogram sum = empty();
            for (Histogram part : parts) {
                if (part != null) {
                    sum.add(part);
                }
            }
            return sum;
        }

        private static Histogram empty() {
            Histogram histogram = new Histogram(DIGITS);
            histogram.setAutoResize(true);
            return histogram;
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

    /** Those of a day, by hour since 1970, to go on with later; as {@link Latencies#encode} writes them. */
    Map<Long, String> hours(long epochMinute) {
        day.at(epochMinute);
        over.keySet().removeIf(hour -> hour <= day.last - HOURS);
        Map<Long, String> all = new TreeMap<>(over);
        for (long hour = day.last - HOURS + 1; hour <= day.last; hour++) {
            Histogram part = day.parts[day.slot(hour)];
            if (part != null && part.getTotalCount() > 0 && !all.containsKey(hour)) {
                all.put(hour, Latencies.encode(part));
                if (hour < day.last) {
                    over.put(hour, all.get(hour));
                }
            }
        }
        return all;
    }

    /** Goes on with what an earlier process has measured, before anything else. */
    void restore(Map<Long, String> hours) {
        new TreeMap<>(hours).forEach((hour, encoded) -> day.at(hour * LONG_MINUTES)
                .add(Latencies.decode(encoded).toHistogram()));
    }
}
