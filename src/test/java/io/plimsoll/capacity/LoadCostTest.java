package io.plimsoll.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.capacity.LoadCost.Point;
import io.plimsoll.stats.LeastSquares;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/**
 * Planted costs per request and per byte, with batches that grow with the load: the cost of a higher load is predicted
 * correctly.
 */
class LoadCostTest {
    private static final double CEILING = 90;
    private static final double CHECK = 0.85 * CEILING;
    private static final double[] LOADS = {0.6, 0.5, 0.6, 0.4, 0.2};
    private static final double[] FULLER = {0.4, 0.2, 0.6};
    private static final int SERIES = 50;

    /** Megabytes per request, and its growth per MB/s; cores without load, per request, and per megabyte. */
    private record Truth(double megabytes, double fills, double idle, double request, double megabyte) {
        double requests(double load, double fuller) {
            return load / (megabytes + fills * fuller * load);
        }

        double used(double load, double requests) {
            return idle + request * requests + megabyte * load;
        }

        double at(double load) {
            return used(load, requests(load, 1));
        }

        List<Point> series(double noise, long seed) {
            Random random = new Random(seed);
            List<Point> points = new ArrayList<>();
            for (double share : LOADS) {
                points.add(point(share * CEILING, 1, noise, random));
            }
            for (double share : FULLER) {
                points.add(point(share * CEILING, 3, noise, random));
            }
            return points;
        }

        private Point point(double load, double fuller, double noise, Random random) {
            double requests = requests(load, fuller);
            return new Point(
                    load,
                    requests * (1 + noise * random.nextGaussian()),
                    used(load, requests) * (1 + noise * random.nextGaussian()),
                    fuller == 1);
        }
    }

    private static final List<Truth> TRUTHS = List.of(
            new Truth(0.004, 0.0005, 0.02, 3e-4, 0.003),
            new Truth(0.004, 0.0005, 0.02, 5e-4, 0.0005),
            new Truth(0.010, 0.0004, 0.05, 8e-4, 0.002));

    private static LoadCost fit(List<Point> points) {
        return LoadCost.of(points).orElseThrow();
    }

    private static double lineAt(List<Point> points, double load) {
        List<Point> own = points.stream().filter(Point::own).toList();
        double[][] columns = {
            own.stream().mapToDouble(p -> 1).toArray(),
            own.stream().mapToDouble(Point::megabytes).toArray()
        };
        double[] line =
                LeastSquares.fit(columns, own.stream().mapToDouble(Point::used).toArray());
        return line[0] + line[1] * load;
    }

    @Test
    void recoversPlantedCostsWhereALineFails() {
        for (Truth truth : TRUTHS) {
            List<Point> points = truth.series(0, 1);
            LoadCost cost = fit(points);
            assertThat(lineAt(points, CHECK) / truth.at(CHECK)).isGreaterThan(1.05);
            assertThat(cost.at(CHECK) / truth.at(CHECK)).isCloseTo(1, within(1e-6));
            assertThat(cost.whole().parts().perRequest()).isCloseTo(truth.request(), within(1e-9));
            assertThat(cost.whole().parts().ofMegabyte()).isCloseTo(truth.megabyte(), within(1e-9));
            assertThat(cost.reaches(truth.at(CEILING), 0)).isCloseTo(CEILING, within(1e-3));
            assertThat(cost.whole().requests().perSecond(CHECK)).isCloseTo(truth.requests(CHECK, 1), within(1e-3));
        }
    }

    /** Each measured figure is off by 2 %, including requests. */
    @Test
    void noisyFitsStayWithinFivePercentAndIntervalsCoverTruth() {
        for (Truth truth : TRUTHS) {
            int near = 0;
            int lineNear = 0;
            int held = 0;
            double full = truth.at(CEILING);
            for (int seed = 0; seed < SERIES; seed++) {
                List<Point> points = truth.series(0.02, seed);
                LoadCost cost = fit(points);
                near += Math.abs(cost.at(CHECK) / truth.at(CHECK) - 1) < 0.05 ? 1 : 0;
                lineNear += Math.abs(lineAt(points, CHECK) / truth.at(CHECK) - 1) < 0.05 ? 1 : 0;
                held += cost.reaches(full, 1) <= CEILING && cost.reaches(full, -1) >= CEILING ? 1 : 0;
            }
            assertThat(near).isGreaterThanOrEqualTo(47);
            assertThat(lineNear).isLessThan(SERIES / 2);
            assertThat(held).isGreaterThanOrEqualTo(44);
        }
    }

    /** Without request figures, the fit is a straight line and reports no cost per request. */
    @Property(tries = 50)
    void fitsALineWithoutRequestFigures(
            @ForAll @DoubleRange(max = 1) double idle, @ForAll @DoubleRange(min = 0.01, max = 1) double megabyte) {
        List<Point> points = new Truth(0.01, 0, idle, 0, megabyte)
                .series(0, 1).stream()
                        .map(p -> new Point(p.megabytes(), null, p.used(), p.own()))
                        .toList();
        LoadCost cost = fit(points);
        assertThat(cost.at(CHECK)).isCloseTo(idle + megabyte * CHECK, within(1e-6));
        assertThat(cost.slope()).isCloseTo(megabyte, within(1e-6));
        assertThat(cost.slopeHalf()).isCloseTo(0, within(1e-6));
        assertThat(cost.whole().parts().perRequest()).isNull();
        assertThat(cost.whole().requests()).isNull();
    }

    @Test
    void givesNoCostForTooFewTrialsOrASingleLoad() {
        List<Point> two = new Truth(0.01, 0, 1, 0, 1).series(0, 1).subList(0, 2);
        assertThat(LoadCost.of(two)).isEmpty();
        assertThat(LoadCost.of(List.of(two.get(0), two.get(0), two.get(0)))).isEmpty();
    }

    @Test
    void flatCostNeverReachesAHigherLimit() {
        List<Point> flat = new Truth(0.01, 0, 1, 0, 0).series(0, 1);
        assertThat(fit(flat).reaches(2, 0)).isInfinite();
        assertThat(fit(flat).reaches(0.5, 0)).isZero();
    }
}
