package io.plimsoll.stats;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Movement of a long, equally spaced series: a steady drift or a single step, preferably the one with the smaller
 * residual. It is reported only if E-divisive finds a change, and if the movement is significant after a correction for
 * the autocorrelation of the residuals. With lag-1 autocorrelation {@code r}, the effective number of values shrinks by
 * a factor of {@code (1 − r) ÷ (1 + r)}.
 *
 * @param at position of the step in the series, 0 to 1; 0 for a steady drift
 */
public record Drift(double at, double before, double after) {
    /** Minimum number of values. */
    public static final int LEAST = ChangePoints.SHORTEST;

    private static final int BLOCKS = 48;
    private static final double CERTAIN_TREND = 4.5;
    private static final double CERTAIN_STEP = 6.5;
    private static final double MOST_ALIKE = 0.9;
    private static final long SEED = 21;

    /** @param enough minimum relevant change */
    public static Optional<Drift> of(double[] values, Movement enough) {
        if (values.length < LEAST) {
            return Optional.empty();
        }
        double[] blocks = blocks(values);
        int n = blocks.length;
        double slope = Trend.theilSenSlope(blocks);
        double level = Spread.median(blocks) - slope * (n - 1) / 2;
        double[] line =
                IntStream.range(0, n).mapToDouble(i -> level + slope * i).toArray();
        double[] step = step(blocks);
        boolean steadily = unexplained(blocks, line) <= unexplained(blocks, step);
        return Stream.of(steadily, !steadily)
                .map(s -> s ? of(blocks, line, enough, true) : of(blocks, step, enough, false))
                .flatMap(Optional::stream)
                .findFirst()
                .filter(d -> !ChangePoints.of(blocks, SEED).isEmpty());
    }

    private static Optional<Drift> of(double[] blocks, double[] model, Movement enough, boolean steadily) {
        int n = blocks.length;
        double change = model[n - 1] - model[0];
        if (!enough.matters(change, blocks)) {
            return Optional.empty();
        }
        double[] rest =
                IntStream.range(0, n).mapToDouble(i -> blocks[i] - model[i]).toArray();
        double alike = alike(rest);
        int at = (int) Arrays.stream(model).takeWhile(v -> v == model[0]).count();
        double certain = steadily
                ? Math.abs(Trend.mannKendallZ(blocks)) / CERTAIN_TREND
                : Math.abs(change) / (deviation(rest) * Math.sqrt(1.0 / at + 1.0 / (n - at))) / CERTAIN_STEP;
        return certain * Math.sqrt((1 - alike) / (1 + alike)) > 1
                ? Optional.of(new Drift(steadily ? 0 : (double) at / n, model[0], model[n - 1]))
                : Optional.empty();
    }

    /** Medians of blocks of adjacent values, so that an isolated stall has no effect. */
    private static double[] blocks(double[] values) {
        int each = (values.length + BLOCKS - 1) / BLOCKS;
        return IntStream.range(0, values.length / each)
                .mapToDouble(i -> Spread.median(Arrays.copyOfRange(values, i * each, (i + 1) * each)))
                .toArray();
    }

    /** The step with the smallest residual, as the level at each position. */
    private static double[] step(double[] values) {
        double[] best = null;
        for (int at = ChangePoints.LEAST; at <= values.length - ChangePoints.LEAST; at++) {
            double[] step = new double[values.length];
            Arrays.fill(step, 0, at, Spread.median(Arrays.copyOfRange(values, 0, at)));
            Arrays.fill(step, at, values.length, Spread.median(Arrays.copyOfRange(values, at, values.length)));
            best = best == null || unexplained(values, step) < unexplained(values, best) ? step : best;
        }
        return Objects.requireNonNull(best, "too few values for two levels");
    }

    private static double unexplained(double[] values, double[] model) {
        return IntStream.range(0, values.length)
                .mapToDouble(i -> Math.abs(values[i] - model[i]))
                .sum();
    }

    /** Lag-1 autocorrelation, limited to the range from 0 to {@link #MOST_ALIKE}. */
    private static double alike(double[] rest) {
        return Math.max(0, Math.min(MOST_ALIKE, Spread.autocorrelation(rest)));
    }

    /** Robust standard deviation. */
    private static double deviation(double[] rest) {
        return 1.4826 * Spread.median(Arrays.stream(rest).map(Math::abs).toArray());
    }
}
