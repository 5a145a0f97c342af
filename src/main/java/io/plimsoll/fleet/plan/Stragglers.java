package io.plimsoll.fleet.plan;

import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the worker that holds the others back: the one whose threads wake up late, or whose records are sent late, while the
 * others are in time.
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
     * Looks for it.
     *
     * @param workers by name
     * @return empty if nobody is far worse than the others, or there are no others
     */
    public static Optional<Stragglers> among(Map<String, WorkerSums> workers) {
        if (workers.size() < 2) {
            return Optional.empty();
        }
        String worst = null;
        for (Map.Entry<String, WorkerSums> w : workers.entrySet()) {
            if (worst == null || worse(w.getValue(), workers.get(worst))) {
                worst = w.getKey();
            }
        }
        String slowest = worst;
        WorkerSums last = workers.get(slowest);
        double share = last.lateShare();
        double otherShare = others(workers, slowest)
                .mapToDouble(WorkerSums::lateShare)
                .max()
                .orElse(0);
        long otherDelay = others(workers, slowest)
                .mapToLong(WorkerSums::delayMicros)
                .max()
                .orElse(0);
        boolean late = share > LATE && share > TIMES * otherShare;
        boolean delayed = last.delayMicros() > DELAYED_MICROS && last.delayMicros() > TIMES * otherDelay;
        return late || delayed
                ? Optional.of(new Stragglers(
                        slowest,
                        Sentence.of(
                                "fleet.straggler",
                                slowest,
                                Units.decimals(100 * share, 1),
                                Units.decimals(last.delayMicros() / 1e3, 1),
                                Units.decimals(100 * otherShare, 1),
                                Units.decimals(otherDelay / 1e3, 1))))
                : Optional.empty();
    }

    private static Stream<WorkerSums> others(Map<String, WorkerSums> workers, String than) {
        return workers.entrySet().stream().filter(w -> !w.getKey().equals(than)).map(Map.Entry::getValue);
    }

    private static boolean worse(WorkerSums a, WorkerSums b) {
        int byShare = Double.compare(a.lateShare(), b.lateShare());
        return byShare != 0 ? byShare > 0 : a.delayMicros() > b.delayMicros();
    }
}
