package io.plimsoll.fleet.plan;

import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Snapshot;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which worker holds the others back: the one whose threads wake up late, or whose records are sent late, while the
 * others are in time. Not thread-safe.
 */
public final class Stragglers {
    /** As the result judges a generator that is alone. */
    private static final double LATE = 0.05;

    private static final long DELAYED_MICROS = 10_000;
    private static final int TIMES = 3;

    private final Map<String, Seen> workers = new TreeMap<>();

    private static final class Seen {
        private long ticks;
        private long late;
        private Latencies delay = Latencies.EMPTY;

        double lateShare() {
            return ticks == 0 ? 0 : (double) late / ticks;
        }

        long delayMicros() {
            return delay.percentileMicros(99);
        }
    }

    public void add(Snapshot snapshot) {
        GeneratorSample g = snapshot.generator();
        Seen seen = workers.computeIfAbsent(snapshot.worker(), w -> new Seen());
        seen.ticks += g.ticks();
        seen.late += g.lateTicks();
        seen.delay = seen.delay.plus(snapshot.measured().produce().sendDelay());
    }

    /** A sentence on the worst; empty if nobody is far worse than the others, or there are no others. */
    public Optional<String> sentence() {
        if (workers.size() < 2) {
            return Optional.empty();
        }
        String worst = null;
        for (Map.Entry<String, Seen> w : workers.entrySet()) {
            if (worst == null || worse(w.getValue(), workers.get(worst))) {
                worst = w.getKey();
            }
        }
        String slowest = worst;
        Seen last = workers.get(slowest);
        double otherShare = others(slowest).mapToDouble(Seen::lateShare).max().orElse(0);
        long otherDelay = others(slowest).mapToLong(Seen::delayMicros).max().orElse(0);
        boolean late = last.lateShare() > LATE && last.lateShare() > TIMES * otherShare;
        boolean delayed = last.delayMicros() > DELAYED_MICROS && last.delayMicros() > TIMES * otherDelay;
        return late || delayed
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "agent %s is the straggler: %.1f %% of its wake-ups were late and its send delay is %.1f ms at"
                                + " p99; elsewhere at most %.1f %% and %.1f ms",
                        slowest,
                        100 * last.lateShare(),
                        last.delayMicros() / 1e3,
                        100 * otherShare,
                        otherDelay / 1e3))
                : Optional.empty();
    }

    private java.util.stream.Stream<Seen> others(String than) {
        return workers.entrySet().stream().filter(w -> !w.getKey().equals(than)).map(Map.Entry::getValue);
    }

    private static boolean worse(Seen a, Seen b) {
        int byShare = Double.compare(a.lateShare(), b.lateShare());
        return byShare != 0 ? byShare > 0 : a.delayMicros() > b.delayMicros();
    }
}
