package io.plimsoll.report.html;

import io.plimsoll.measure.Latencies;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** All percentiles of what was measured, from the smallest to the last that has enough samples. Not thread-safe. */
final class Spectrum {
    private static final int STEPS_PER_DECADE = 10;
    private static final int DECADES = 5;
    private static final int LEAST_SAMPLES_BEYOND = 10;

    private final Histogram all = new Histogram(1, Latencies.HIGHEST_MICROS, Latencies.DIGITS);

    Spectrum() {
        all.setAutoResize(true);
    }

    void add(Latencies latencies) {
        if (!latencies.isEmpty()) {
            all.add(latencies.toHistogram());
        }
    }

    /** Of each point 1 ÷ (1 − quantile), and the microseconds: 1 stands for the minimum, 100,000 for 99.999 %. */
    List<List<Number>> points() {
        List<List<Number>> points = new ArrayList<>();
        long count = all.getTotalCount();
        for (int i = 0; i <= STEPS_PER_DECADE * DECADES; i++) {
            double beyond = Math.pow(10, (double) -i / STEPS_PER_DECADE);
            // A hair of tolerance: exactly ten samples are enough.
            if (count * beyond < LEAST_SAMPLES_BEYOND - 1e-6) {
                break;
            }
            long micros = i == 0 ? all.getMinValue() : all.getValueAtPercentile(100 * (1 - beyond));
            points.add(List.of(Compact.of(1 / beyond), Compact.of(micros)));
        }
        return points;
    }
}
