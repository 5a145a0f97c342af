package io.plimsoll.capacity;

import io.plimsoll.stats.NonNegative;
import io.plimsoll.stats.Regression;
import io.plimsoll.stats.Spread;
import io.plimsoll.stats.StudentT;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a load costs of a resource: so much without any, so much a request and so much a byte, found by least squares in which none
 * is negative. Requests grow less than bytes, since a request holds more the more there is to send. Intervals cover the truth in
 * about 95 of 100 cases: they are made by leaving out each trial in turn (the jackknife; Efron and Tibshirani, <i>An Introduction to
 * the Bootstrap</i>, chapter 11), law of requests and all; as a cost that is none without a trial as with it would seem to be sure,
 * they are never less than a straight line through trials that lie as far off would have.
 *
 * @param whole by all trials
 * @param others without each of them
 */
record LoadCost(List<Point> points, Curve whole, List<Curve> others) {
    private static final int LEAST_POINTS = 3;
    /** From fewer no costs of their own are made for requests. */
    private static final int LEAST_WITH_REQUESTS = 6;

    private static final double CONFIDENCE = 0.975;
    private static final double MOST_MEGABYTES = 1e9;

    /**
     * A trial.
     *
     * @param megabytes per second that producers write
     * @param requests per second, of whatever kind; null if unknown
     * @param used of the resource
     * @param own false if its batches were made to hold more than the load's own
     */
    record Point(double megabytes, Double requests, double used, boolean own) {}

    /**
     * How much a request holds: what comes in the time between two, and something at least, so that it grows in a straight line with
     * the load. Below the lowest load that was measured it holds what it does there.
     *
     * @param fixed megabytes; may be negative
     * @param perMegabyte seconds from one request to the next, of all together; at least 0
     * @param lowest load in megabytes per second
     */
    record Fill(double fixed, double perMegabyte, double lowest) {
        /** @return empty if it cannot be told how many requests loads made */
        static Optional<Fill> of(List<Point> points) {
            List<Point> own = points.stream().filter(Point::own).toList();
            if (own.stream().anyMatch(p -> p.requests() == null || p.requests() <= 0)) {
                return Optional.empty();
            }
            double[] x = own.stream().mapToDouble(Point::megabytes).toArray();
            double[] each =
                    own.stream().mapToDouble(p -> p.megabytes() / p.requests()).toArray();
            double lowest = own.stream().mapToDouble(Point::megabytes).min().orElse(0);
            return Regression.of(x, each)
                    .map(line -> line.slope() > 0 && line.at(lowest) > 0
                            ? new Fill(line.at(0), line.slope(), lowest)
                            : new Fill(Spread.mean(each), 0, lowest));
        }

        double requests(double megabytes) {
            return megabytes / (fixed + perMegabyte * Math.max(megabytes, lowest));
        }
    }

    /** @param fill null if costs were made of bytes alone */
    record Curve(double fixed, double perRequest, double perMegabyte, Fill fill) {
        static Curve of(List<Point> points) {
            Fill fill = points.size() < LEAST_WITH_REQUESTS
                    ? null
                    : Fill.of(points)
                            .filter(f -> points.stream().allMatch(p -> p.requests() != null))
                            .orElse(null);
            double[] ones = points.stream().mapToDouble(p -> 1).toArray();
            double[] bytes = points.stream().mapToDouble(Point::megabytes).toArray();
            double[] none = new double[ones.length];
            double[] requests = fill == null
                    ? none
                    : points.stream().mapToDouble(Point::requests).toArray();
            double[] costs = NonNegative.fit(
                    new double[][] {ones, requests, bytes},
                    points.stream().mapToDouble(Point::used).toArray());
            return new Curve(costs[0], costs[1], costs[2], fill);
        }

        double at(double megabytes) {
            return used(megabytes, fill == null ? null : Double.valueOf(fill.requests(megabytes)));
        }

        double used(double megabytes, Double requests) {
            return fixed + perMegabyte * megabytes + (fill == null ? 0 : perRequest * requests);
        }
    }

    /** @return empty with fewer than three trials, or if all had the same load */
    static Optional<LoadCost> of(List<Point> points) {
        if (points.size() < LEAST_POINTS
                || points.stream().mapToDouble(Point::megabytes).distinct().count() < 2) {
            return Optional.empty();
        }
        List<Curve> others = IntStream.range(0, points.size())
                .mapToObj(left -> Stream.concat(
                                points.subList(0, left).stream(), points.subList(left + 1, points.size()).stream())
                        .toList())
                .map(Curve::of)
                .toList();
        return Optional.of(new LoadCost(points, Curve.of(points), others));
    }

    /** The highest load that it was made from, in megabytes per second. */
    double top() {
        return points.stream().mapToDouble(Point::megabytes).max().orElseThrow();
    }

    double at(double megabytes) {
        return whole.at(megabytes);
    }

    /** What another megabyte per second costs at the highest load that it was made from. */
    double slope() {
        return slope(whole, top());
    }

    private static double slope(Curve curve, double megabytes) {
        double step = 1e-4 * megabytes;
        return (curve.at(megabytes + step) - curve.at(megabytes)) / step;
    }

    /** Half the interval of {@link #slope}. */
    double slopeHalf() {
        return half(c -> slope(c, top()), 0, 1);
    }

    /** @param level with what weight noise of all trials together counts, and {@code tilt} that of a megabyte */
    private double half(ToDoubleFunction<Curve> figure, double level, double tilt) {
        int n = points.size();
        double jackknife = Spread.squares(others.stream().mapToDouble(figure).toArray()) * (n - 1) / n;
        double[] loads = points.stream().mapToDouble(Point::megabytes).toArray();
        double noise = points.stream()
                        .mapToDouble(p -> Math.pow(p.used() - whole.used(p.megabytes(), p.requests()), 2))
                        .sum()
                / (n - 2);
        double line = noise * (level / n + tilt * tilt / Spread.squares(loads));
        return Math.sqrt(Math.max(jackknife, line)) * StudentT.quantile(CONFIDENCE, n - 2.0);
    }

    /**
     * Where it reaches a value.
     *
     * @param side 0 for where it does, 1 for the lower end of its interval, −1 for the upper one: as far off as the cost there may
     *     be, by what another megabyte costs there
     * @return megabytes per second; 0 if it is above it already there; infinite if it never gets there
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
        double mean = points.stream().mapToDouble(Point::megabytes).average().orElse(0);
        double off = side == 0 ? 0 : half(c -> c.at(reached), 1, reached - mean) / slope(whole, reached);
        return Math.max(0, reached - side * off);
    }

    /** Of each request per second; null if costs were made of bytes alone. */
    Double perRequest() {
        return whole.fill() == null ? null : Double.valueOf(whole.perRequest());
    }

    Optional<Fill> fill() {
        return Optional.ofNullable(whole.fill());
    }
}
