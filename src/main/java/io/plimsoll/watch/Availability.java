package io.plimsoll.watch;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.Arrays;

/**
 * Counts of successful and failed attempts, per minute for a day and per hour for 32 days, in constant memory. Minutes and
 * hours count from 1970. Not thread-safe.
 */
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class Availability {
    static final int MINUTES = 24 * 60;
    static final int HOURS = 32 * 24;

    /** Two numbers per minute or hour: successes and failures. */
    private final int[] minutes = new int[2 * MINUTES];

    private final int[] hours = new int[2 * HOURS];
    private long minute;
    private long good;
    private long bad;

    record Counts(long good, long bad) {
        /** Share of successes; NaN without attempts. */
        double share() {
            return good + bad == 0 ? Double.NaN : (double) good / (good + bad);
        }
    }

    void add(boolean succeeded, int count, long epochMinute) {
        reach(epochMinute);
        add(minute, succeeded ? count : 0, succeeded ? 0 : count);
    }

    private void add(long at, int more, int moreBad) {
        minutes[slot(at, MINUTES)] += more;
        minutes[slot(at, MINUTES) + 1] += moreBad;
        hours[slot(at / 60, HOURS)] += more;
        hours[slot(at / 60, HOURS) + 1] += moreBad;
        good += more;
        bad += moreBad;
    }

    Counts minute(long epochMinute) {
        return epochMinute > minute ? new Counts(0, 0) : sum(minutes, MINUTES, epochMinute, epochMinute);
    }

    /** Restores the counts of a minute if they exceed the current ones. */
    void restore(long epochMinute, Counts counts) {
        reach(epochMinute);
        Counts known = minute(epochMinute);
        add(epochMinute, (int) Math.max(0, counts.good - known.good), (int) Math.max(0, counts.bad - known.bad));
    }

    /** Clears the minutes since the last count. If the clock is set back, counts are added to the last minute. */
    private void reach(long epochMinute) {
        for (long m = Math.max(minute + 1, epochMinute - MINUTES); m <= epochMinute; m++) {
            clear(minutes, slot(m, MINUTES));
        }
        long lastHour = epochMinute / 60;
        for (long h = Math.max(minute / 60 + 1, lastHour - HOURS); h <= lastHour; h++) {
            clear(hours, slot(h, HOURS));
        }
        minute = Math.max(minute, epochMinute);
    }

    private static void clear(int[] ring, int slot) {
        Arrays.fill(ring, slot, slot + 2, 0);
    }

    private static int slot(long time, int length) {
        return 2 * (int) Math.floorMod(time, (long) length);
    }

    Availability copy() {
        Availability copy = new Availability();
        System.arraycopy(minutes, 0, copy.minutes, 0, minutes.length);
        System.arraycopy(hours, 0, copy.hours, 0, hours.length);
        copy.minute = minute;
        copy.good = good;
        copy.bad = bad;
        return copy;
    }

    /** Counts since the start of the statistics. */
    Counts all() {
        return new Counts(good, bad);
    }

    /** Counts of the last minutes up to this one; beyond a day, in complete hours. */
    Counts last(long epochMinute, long count) {
        reach(epochMinute);
        return count <= MINUTES
                ? sum(minutes, MINUTES, minute - count + 1, minute)
                : sum(hours, HOURS, minute / 60 - Math.min(HOURS, count / 60) + 1, minute / 60);
    }

    /** Counts of an hour since 1970; empty if it is too old. */
    Counts hour(long epochHour) {
        long now = minute / 60;
        return epochHour > now || epochHour <= now - HOURS ? new Counts(0, 0) : sum(hours, HOURS, epochHour, epochHour);
    }

    private static Counts sum(int[] ring, int length, long first, long last) {
        long good = 0;
        long bad = 0;
        for (long t = Math.max(0, first); t <= last; t++) {
            good += ring[slot(t, length)];
            bad += ring[slot(t, length) + 1];
        }
        return new Counts(good, bad);
    }
}
