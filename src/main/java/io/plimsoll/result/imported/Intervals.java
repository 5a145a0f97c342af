package io.plimsoll.result.imported;

import io.plimsoll.result.TrialResult.Rates;
import io.plimsoll.result.TrialResult.Response;
import io.plimsoll.result.TrialResult.Second;
import java.util.ArrayList;
import java.util.List;

/** Interval lines, as a trial has seconds: with the end of each interval. Not thread-safe. */
final class Intervals {
    private static final double MOST_SECONDS = 86_400;

    private final List<Second> seconds = new ArrayList<>();
    private double at;
    /** Lines before those that were left out; negative if none were. */
    private int beforeGap = -1;

    boolean isEmpty() {
        return seconds.isEmpty();
    }

    int count() {
        return seconds.size();
    }

    /** @param length in seconds; ignored if it cannot be one */
    void add(double length, Rates rates, Response response) {
        if (length > 0 && length < MOST_SECONDS) {
            at += length;
            seconds.add(new Second(Math.round(at * 1000) / 1e3, "measure", rates, response, null, null, null, null));
        }
    }

    /** Lines are missing from the copy here. */
    void gap() {
        if (!seconds.isEmpty()) {
            beforeGap = seconds.size();
        }
    }

    boolean hasGap() {
        return beforeGap >= 0;
    }

    /** Total duration of the existing lines. */
    double length() {
        return at;
    }

    /** @param end of the trial: lines after a gap belong to its end */
    List<Second> until(double end) {
        double shift = hasGap() ? Math.max(0, end - at) : 0;
        List<Second> shifted = new ArrayList<>();
        for (Second second : seconds) {
            double moved = shifted.size() < beforeGap ? 0 : shift;
            shifted.add(new Second(
                    second.at() + moved, second.phase(), second.rates(), second.response(), null, null, null, null));
        }
        return shifted;
    }
}
