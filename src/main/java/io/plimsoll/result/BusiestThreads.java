package io.plimsoll.result;

import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Snapshot;
import java.util.Map;
import java.util.TreeMap;

/** Which thread of the load generator was busiest, second by second. Not thread-safe. */
final class BusiestThreads {
    private final Map<String, Long> nanosByName = new TreeMap<>();
    private long nanos;
    private double busyNanos;

    void add(Snapshot s) {
        Busiest busiest = s.busiest();
        if (!busiest.thread().isEmpty()) {
            long elapsed = s.whole().get(GeneratorUse.ELAPSED_NANOS);
            nanosByName.merge(busiest.thread(), elapsed, Long::sum);
            nanos += elapsed;
            busyNanos += busiest.share() * elapsed;
        }
    }

    /** The thread that was busiest for most of the time, with the mean share of whichever was busiest. */
    Busiest mostOfTheTime() {
        return nanosByName.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(most -> new Busiest(most.getKey(), busyNanos / Math.max(1, nanos)))
                .orElse(Busiest.NONE);
    }
}
