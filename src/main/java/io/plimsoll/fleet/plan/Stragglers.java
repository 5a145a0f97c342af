package io.plimsoll.fleet.plan;

import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds a straggler: a worker with late wake-ups or late sends while all other workers are on time.
 *
 * @param name of that worker
 * @param sentence about it
 */
public record Stragglers(String name, Sentence sentence) {
    /** The limits by which the result judges a generator that is alone. */
    private static final double LATE = 0.05;

    private static final long DELAYED_MICROS = 10_000;
    private static final int TIMES = 3;

    /**
     * Finds the straggler.
     *
     * @param workers by name
     * @return empty if none stands out, or for a single worker
     */
    public static Optional<Stragglers> among(Map<String, WorkerSums> workers) {
        if (workers.size() < 2) {
            return Optional.empty();
        }
        Comparator<WorkerSums> order =
                Comparator.comparingDouble(WorkerSums::lateShare).thenComparingLong(WorkerSums::delayMicros);
        String slowest = Collections.max(workers.entrySet(), Map.Entry.comparingByValue(order))
                .getKey();
        Map<String, WorkerSums> rest = new HashMap<>(workers);
        WorkerSums last = rest.remove(slowest);
        Collection<WorkerSums> others = rest.values();
        double share = last.lateShare();
        long delay = last.delayMicros();
        double otherShare =
                others.stream().mapToDouble(WorkerSums::lateShare).max().orElse(0);
        long otherDelay =
                others.stream().mapToLong(WorkerSums::delayMicros).max().orElse(0);
        boolean late = share > LATE && share > TIMES * otherShare;
        boolean delayed = delay > DELAYED_MICROS && delay > TIMES * otherDelay;
        Sentence sentence = Sentence.of(
                "fleet.straggler",
                slowest,
                Units.decimals(100 * share, 1),
                Units.decimals(delay / 1e3, 1),
                Units.decimals(100 * otherShare, 1),
                Units.decimals(otherDelay / 1e3, 1));
        return late || delayed ? Optional.of(new Stragglers(slowest, sentence)) : Optional.empty();
    }
}
