package io.plimsoll.run.guards;

import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.WireUse;
import io.plimsoll.text.Sentence;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Guards other clients against quota throttling: brokers report throttled requests while the run's own clients are not
 * throttled. Throttling in a load's first second predates it.
 */
public final class ThrottleGuard extends Guard {
    private static final int SECONDS = 5;
    /** Brokers round request times to milliseconds. */
    private static final double LEAST_MILLIS = 5;

    /** By broker: consecutive seconds of throttling other clients; negative if it predates the load. */
    private final Map<String, Integer> seconds = new HashMap<>();

    private boolean ours;

    public ThrottleGuard() {
        super("others.throttled", Sentence.of("guards.watches.throttles"));
    }

    @Override
    public synchronized void begin() {
        seconds.clear();
        ours = false;
    }

    @Override
    public synchronized void accept(Snapshot own) {
        ours |= own.whole().get(WireUse.THROTTLED_NANOS) > 0 || own.whole().get(WireUse.THROTTLES_UNTOLD) > 0;
    }

    @Override
    public synchronized void accept(Observation seen) {
        Map<String, Double> sums = seen.sums();
        if (!seen.what().startsWith("broker ") || !sums.containsKey("produce.throttleMs")) {
            return;
        }
        boolean holds = sums.get("produce.throttleMs") + sums.getOrDefault("fetch.throttleMs", 0.0) >= LEAST_MILLIS;
        Integer before = seconds.get(seen.what());
        if (before == null) {
            seconds.put(seen.what(), holds ? -1 : 0);
        } else if (before >= 0) {
            seconds.put(seen.what(), holds ? before + 1 : 0);
        }
    }

    @Override
    public synchronized Optional<Sentence> judge() {
        return ours
                ? Optional.empty()
                : seconds.entrySet().stream()
                        .filter(e -> e.getValue() >= SECONDS)
                        .map(e -> Sentence.of("guards.throttled", e.getKey(), SECONDS))
                        .findFirst();
    }
}
