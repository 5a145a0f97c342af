package io.plimsoll.result;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.SteadyLoad;
import io.plimsoll.stats.Movement;
import io.plimsoll.stats.Spread;
import io.plimsoll.stats.Trend;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the measured window is steady, from its one-second buckets. Two series are examined:
 *
 * <ul>
 * <li>throughput: acknowledged ÷ due records of each second with a schedule (so that a ramp is not a trend), otherwise
 * records per second. It drifts if its trend is significant (Mann–Kendall, 95 %) and the Theil–Sen slope exceeds 10 %
 * of the median over the window; it is spread if the coefficient of variation is above 20 % (more with few records per
 * second).
 * <li>the median response time of each second, only with a schedule (in a closed loop it mirrors throughput). It drifts
 * if its trend is significant and amounts to more than half of the median, and more than 1 ms, over the window, as with
 * a growing backlog.
 * </ul>
 */
final class Steadiness {
    static final int LEAST_SECONDS = 8;

    private static final int MOST_BUCKETS = 300;
    private static final Movement THROUGHPUT = new Movement(0.10, 0, Movement.Confidence.P95);
    /** Thresholds for response times, in microseconds. */
    private static final Movement RESPONSE = new Movement(0.5, 1000, Movement.Confidence.P95);

    private static final double SHORTEST_SECONDS = 0.5;

    private final boolean openLoop;
    private final List<Double> throughput = new ArrayList<>();
    private final List<Double> responseMicros = new ArrayList<>();
    private long records;

    Steadiness(boolean openLoop) {
        this.openLoop = openLoop;
    }

    /** Adds one second of the measured window; in long trials, all intervals are minutes. */
    void add(double seconds, long due, long arrived, Latencies response) {
        if (seconds < SHORTEST_SECONDS || (openLoop && due == 0)) {
            return;
        }
        records += arrived;
        throughput.add(openLoop ? (double) arrived / due : arrived / seconds);
        if (openLoop && !response.isEmpty()) {
            responseMicros.add((double) response.percentileMicros(50));
        }
    }

    /** @return null with too few seconds to decide */
    @Nullable
    Boolean steady() {
        if (throughput.size() < LEAST_SECONDS) {
            return null;
        }
        double[] rates = toArray(throughput);
        double natural = 1 / Math.sqrt(Math.max(1.0, (double) records / rates.length));
        boolean spread = Spread.coefficientOfVariation(rates) > SteadyLoad.THROUGHPUT_SPREAD + natural;
        return !spread && !THROUGHPUT.drifts(Trend.coarsen(rates, MOST_BUCKETS)) && !responseDrifts();
    }

    private boolean responseDrifts() {
        return responseMicros.size() >= LEAST_SECONDS
                && RESPONSE.drifts(Trend.coarsen(toArray(responseMicros), MOST_BUCKETS));
    }

    private static double[] toArray(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
