package io.plimsoll.capacity;

import io.plimsoll.capacity.CapacityPlan.Requests;
import io.plimsoll.stats.LeastSquares;
import io.plimsoll.stats.Spread;
import io.plimsoll.stats.StudentT;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a load for one resource: an idle part, a part per request and a part per byte, none negative. The number
 * of requests grows more slowly than the number of bytes, because requests are larger under load. Intervals are 95 %
 * jackknife intervals (Efron and Tibshirani, <i>An Introduction to the Bootstrap</i>, chapter 11). They are at least as
 * wide as the interval of a straight line through the same trials, because a part that is zero in every fit would
 * falsely seem certain.
 * @param jackknifed fits that each leave out one trial
 */
record LoadCost(List<Point> points, Curve whole, List<Curve> jackknifed) {
    private static final int LEAST_POINTS = 3;
    /** Minimum number of trials for a separate cost of requests. */
    private static final int LEAST_WITH_REQUESTS = 6;

    private static final double CONFIDENCE = 0.975;
    private static final double MOST_MEGABYTES = 1e9;

    /**
     * A trial.
     *
     * @param megabytes written by producers, per second
     * @param requests of any kind, per second
     * @param used usage of the resource
     * @param own false for trials with larger batches than the load's own
     */
    record Point(double megabytes, @Nullable Double requests, double used, boolean own) {}

    /** @param requests null if the cost depends only on bytes */
    record Curve(CapacityPlan.Parts parts, @Nullable Requests requests) {
        static Curve of(List<Point> points) {
            List<Point> own = points.stream().filter(Point::own).toList();
            boolean complete = points.stream().allMatch(p -> p.requests() != null && p.requests() > 0);
            Requests law = complete && points.size() >= LEAST_WITH_REQUESTS ? law(own) : null;
            // Without request counts, the lower cost of fuller batches cannot be explained.
            List<Point> by = law == null && own.size() >= LEAST_POINTS ? own : points;
            double[][] columns = {
                column(by, p -> 1), column(by, p -> law == null ? 0 : p.requests()), column(by, Point::megabytes)
            };
            double[] costs = LeastSquares.nonNegative(columns, column(by, Point::used));
            return new Curve(
                    new CapacityPlan.Parts(costs[0], law == null ? null : Double.valueOf(costs[1]), costs[2]), law);
        }

        /** Fits bytes per request; null if not identifiable. */
        private static @Nullable Requests law(List<Point> own) {
            double[] each = column(own, p -> p.megabytes() / Objects.requireNonNull(p.requests()) * Costs.MEGA);
            double[] line = LeastSquares.fit(new double[][] {column(own, p -> 1), column(own, Point::megabytes)}, each);
            double lowest = own.stream().mapToDouble(Point::megabytes).min().orElse(0);
            boolean fills = line[1] > 0 && line[0] + line[1] * lowest > 0;
            return own.size() < LEAST_POINTS
                    ? null
                    : new Requests(fills ? line[0] : Spread.mean(each), fills ? line[1] : 0, lowest * Costs.MEGA);
        }

        double at(double megabytes) {
            return used(megabytes, requests == null ? null : Double.valueOf(requests.perSecond(megabytes)));
        }

        double used(double megabytes, @Nullable Double perSecond) {
            double alone =
                    Objects.requireNonNull(parts.idle()) + Objects.requireNonNull(parts.ofMegabyte()) * megabytes;
            return requests == null
                    ? alone
                    : alone + Objects.requireNonNull(parts.perRequest()) * Objects.requireNonNull(perSecond);
        }

        double slope(double megabytes) {
            double step = 1e-4 * megabytes;
            return (at(megabytes + step) - at(megabytes)) / step;
        }
    }

    /** @return empty with fewer than three trials, or if all have the same load */
    static Optional<LoadCost> of(List<Point> points) {
        if (points.size() < LEAST_POINTS || Spread.squares(column(points, Point::megabytes)) == 0) {
            return Optional.empty();
        }
        List<Curve> jackknifed = IntStream.range(0, points.size())
                .mapToObj(left -> Curve.of(Stream.concat(
                                points.subList(0, left).stream(), points.subList(left + 1, points.size()).stream())
                        .toList()))
                .toList();
        return Optional.of(new LoadCost(points, Curve.of(points), jackknifed));
    }

    private static double[] column(List<Point> points, ToDoubleFunction<Point> of) {
        return points.stream().mapToDouble(of).toArray();
    }

    double at(double megabytes) {
        return whole.at(megabytes);
    }

    /** The highest load of the trials, in MB/s. */
    double top() {
        return points.stream().mapToDouble(Point::megabytes).max().orElseThrow();
    }

    /** The cost of an additional MB/s at the highest load of the trials. */
    double slope() {
        return whole.slope(top());
    }

    double slopeHalf() {
        return half(c -> c.slope(top()), 0, 1);
    }

    double atHalf(double megabytes) {
        return half(c -> c.at(megabytes), 1, megabytes - Spread.mean(column(points, Point::megabytes)));
    }

    /** @param level weight of the noise common to all trials; {@code tilt} is the weight of the noise per megabyte */
    private double half(ToDoubleFunction<Curve> figure, double level, double tilt) {
        int n = points.size();
        double jackknife =
                Spread.squares(jackknifed.stream().mapToDouble(figure).toArray()) * (n - 1) / n;
        double noise = points.stream()
                        .mapToDouble(p -> Math.pow(p.used() - whole.used(p.megabytes(), p.requests()), 2))
                        .sum()
                / (n - 2);
        double line = noise * (level / n + tilt * tilt / Spread.squares(column(points, Point::megabytes)));
        return Math.sqrt(Math.max(jackknife, line)) * StudentT.quantile(CONFIDENCE, n - 2.0);
    }

    /**
     * The load in MB/s at which the cost reaches a value: 0 if the idle cost exceeds the value, infinite if no load
     * reaches it.
     * @param side 0 for the estimate, 1 for the lower end of its interval, −1 for the upper end
     */
    double reaches(double value, int side) {
        double low = 0;
        double high = top();
        while (at(high) < value && high < MOST_MEGABYTES * top()) {
            low = high;
            high *= 2;
        }
        if (at(high) < value || (side < 0 && slope() <= slopeHalf())) {
            return Double.POSITIVE_INFINITY;
        }
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            low = at(middle) < value ? middle : low;
            high = at(middle) < value ? high : middle;
        }
        double reached = at(0) >= value ? 0 : high;
        double off = side == 0 ? 0 : atHalf(reached) / whole.slope(Math.max(reached, 1e-9));
        return Math.max(0, reached - side * off);
    }
}
