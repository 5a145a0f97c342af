package io.plimsoll.result;

import io.plimsoll.measure.Incident;
import java.util.ArrayList;
import java.util.List;

/** Collects the events that can explain the slow records of a trial. Not thread-safe. */
final class SlowFold {
    /** Bounds memory in trials of days: later incidents of a trial are dropped. */
    private static final int MOST_INCIDENTS = 20_000;

    private final List<Incident> incidents = new ArrayList<>();

    void happened(List<Incident> more) {
        more.stream().limit(MOST_INCIDENTS - incidents.size()).forEach(incidents::add);
    }

    List<Incident> incidents() {
        return List.copyOf(incidents);
    }
}
