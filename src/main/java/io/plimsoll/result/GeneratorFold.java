package io.plimsoll.result;

import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.result.Generator.BusiestThread;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the load generator used after the warm-up, and whether it was the limit. It was if
 *
 * <ul>
 *   <li>a schedule exists and more than 5 % of the ticks of its sending threads came late although the client did not
 *       hold them up (there was not enough CPU for them), or
 *   <li>its busiest thread used at least 95 % of a core on average, and nothing shows that less was needed: there is no
 *       schedule, or the schedule was missed by more than 1 %, or
 *   <li>it did more than 70 % of what it does on this host at most, by its calibration.
 * </ul>
 */
final class GeneratorFold {
    static final double LATE_TICKS = 0.05;
    static final double BUSY_THREAD = 0.95;
    static final double ACHIEVED = 0.99;
    /** Records that may be on their way when the window ends; at low rates they are more than 1 % of all. */
    static final long ON_THE_WAY = 5;

    static final double CALIBRATED = 0.7;

    private GeneratorSample sum = GeneratorSample.ZERO;
    private final Map<String, Long> busiestNanos = new TreeMap<>();
    private double busyNanos;

    void accept(GeneratorSample sample) {
        sum = sum.plus(sample);
        if (!sample.busiestThread().isEmpty()) {
            busiestNanos.merge(sample.busiestThread(), sample.elapsedNanos(), Long::sum);
            busyNanos += sample.busiestThreadShare() * sample.elapsedNanos();
        }
    }

    /** Everything after the warm-up. */
    GeneratorSample sum() {
        return sum;
    }

    /**
     * @param records produced plus consumed
     * @param achieved arrived ÷ due records; null without a schedule
     * @param calibratedShare done ÷ what can be done on this host; null if it was not calibrated for that
     */
    Generator figures(long records, Double achieved, Double calibratedShare) {
        double cpuSeconds = sum.cpuNanos() / 1e9;
        BusiestThread busiest = busiest();
        return new Generator(
                new Generator.Cpu(
                        cpuSeconds,
                        sum.elapsedNanos() == 0 ? 0 : cpuSeconds / (sum.elapsedNanos() / 1e9),
                        records == 0 ? null : sum.cpuNanos() / 1e3 / records,
                        busiest),
                new Generator.Ticks(sum.ticks(), sum.lateTicks()),
                sum.gcNanos() / 1e9,
                sum.heapUsedBytes(),
                limited(busiest, achieved) || (calibratedShare != null && calibratedShare > CALIBRATED),
                calibratedShare);
    }

    private boolean limited(BusiestThread busiest, Double achieved) {
        boolean late = achieved != null && sum.lateTicks() > LATE_TICKS * sum.ticks();
        boolean busy = busiest != null && busiest.share() >= BUSY_THREAD;
        return late || (busy && (achieved == null || achieved < ACHIEVED));
    }

    /** The thread that was busiest for most of the time, with the mean share of whichever was busiest. */
    private BusiestThread busiest() {
        long nanos = busiestNanos.values().stream().mapToLong(Long::longValue).sum();
        if (nanos == 0) {
            return null;
        }
        String name = busiestNanos.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .orElseThrow()
                .getKey();
        return new BusiestThread(name, busyNanos / nanos);
    }
}
