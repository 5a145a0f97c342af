package io.plimsoll.measure;

import io.plimsoll.stats.Movement;
import io.plimsoll.stats.Spread;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Decides whether a warm-up has reached a steady state. It examines the last {@value #LEAST_SECONDS} seconds or, with a
 * schedule, the second half of the warm-up if that is longer. The first second, with the connection setup, is ignored.
 * Throughput, and with a schedule p50 and p99 of service time, must show neither a trend nor a level shift. {@link
 * Movement} tests at only 80 % confidence, so that a load that still changes is rarely accepted as steady. No backlog
 * may be draining. Without a schedule, the best of the last {@value #LEAST_SECONDS} seconds must also not exceed all
 * earlier ones by more than 10 %: JIT compilation speeds brokers up in steps, and noise between two steps hides a
 * trend.
 */
public final class SteadyLoad {
    /** Minimum number of seconds, excluding the first second. */
    public static final int LEAST_SECONDS = 8;

    private static final int LEAST_LATENCIES = 6;
    /**
     * Maximum coefficient of variation for steady throughput, in a measured window or in a warm-up without a schedule.
     */
    public static final double THROUGHPUT_SPREAD = 0.20;

    private static final double THROUGHPUT_CHANGE = 0.10;
    private static final double SERVICE_CHANGE = 0.15;
    /** Accuracy of thread wake-ups in microseconds; smaller changes are ignored. */
    private static final double SERVICE_CHANGE_MICROS = 200;

    private static final double WORKED_OFF = 1.02;

    /** A figure that can be unsteady. */
    public enum Figure {
        THROUGHPUT("throughput"),
        SERVICE_P50("service.p50"),
        SERVICE_P99("service.p99");

        private final String word;

        Figure(String word) {
            this.word = word;
        }

        /** The name in results. */
        public String word() {
            return word;
        }
    }

    /**
     * One second of the warm-up.
     *
     * @param due records due by the schedule; negative in a closed loop
     * @param done records acknowledged, or received if the load has no producers
     * @param p50 service time in microseconds; NaN without acknowledgments
     * @param p99 service time in microseconds; NaN without acknowledgments
     */
    public record Second(double due, double done, double p50, double p99) {
        /** @param openLoop whether a schedule determines due records */
        public static Second of(Snapshot s, boolean produces, boolean openLoop) {
            double seconds = Math.max(1, s.toNanos() - s.fromNanos()) / 1e9;
            Counts c = s.warmup();
            Latencies service = c.get(Produced.SERVICE_TIME);
            return new Second(
                    produces && openLoop ? c.get(Produced.DUE) / seconds : -1,
                    c.get(produces ? Produced.ACKNOWLEDGED : Consumed.RECORDS) / seconds,
                    service.isEmpty() ? Double.NaN : service.percentileMicros(50),
                    service.isEmpty() ? Double.NaN : service.percentileMicros(99));
        }
    }

    /** Whether enough seconds have passed for a decision. */
    public static boolean canTell(List<Second> seconds) {
        return seconds.size() > LEAST_SECONDS;
    }

    /** The unsteady figures; empty for a steady load. Pass all seconds of the warm-up; {@link #canTell} must hold. */
    public static Set<Figure> moving(List<Second> seconds) {
        int length = openLoop(seconds) ? Math.max(LEAST_SECONDS, (seconds.size() - 1) / 2) : LEAST_SECONDS;
        List<Second> last = seconds.subList(seconds.size() - length, seconds.size());
        double[] done = values(last, Second::done);
        double perSecond = Spread.median(done);
        // Low record rates vary naturally (Poisson noise).
        double natural = 1 / Math.sqrt(Math.max(1, perSecond));
        EnumSet<Figure> moving = EnumSet.noneOf(Figure.class);
        if (moves(done, THROUGHPUT_CHANGE + natural, 0)
                || worksOff(last)
                || scatters(last, done, natural)
                || rises(seconds, natural)) {
            moving.add(Figure.THROUGHPUT);
        }
        // Without a schedule, service times mirror throughput.
        if (openLoop(seconds) && moves(values(last, Second::p50), SERVICE_CHANGE, SERVICE_CHANGE_MICROS)) {
            moving.add(Figure.SERVICE_P50);
        }
        if (openLoop(seconds) && moves(values(last, Second::p99), SERVICE_CHANGE, SERVICE_CHANGE_MICROS)) {
            moving.add(Figure.SERVICE_P99);
        }
        return moving;
    }

    private static boolean openLoop(List<Second> seconds) {
        return seconds.get(0).due() >= 0;
    }

    private static boolean moves(double[] values, double ofMedian, double atLeast) {
        Movement test = new Movement(ofMedian, atLeast, Movement.Confidence.P80);
        return values.length >= LEAST_LATENCIES && (test.drifts(values) || test.shifts(values));
    }

    /**
     * Whether noise hides a trend: without a schedule, noise that makes the window unsteady also hides a trend over few
     * seconds.
     */
    private static boolean scatters(List<Second> last, double[] done, double natural) {
        return !openLoop(last) && Spread.robustVariation(done) > THROUGHPUT_SPREAD + natural;
    }

    /** Without a schedule: whether a recent second clearly exceeds all earlier ones, excluding the first second. */
    private static boolean rises(List<Second> all, double natural) {
        int latest = all.size() - LEAST_SECONDS;
        double before = best(all.subList(1, latest));
        return !openLoop(all)
                && before > 0
                && best(all.subList(latest, all.size())) > (1 + THROUGHPUT_CHANGE + natural) * before;
    }

    private static double best(List<Second> seconds) {
        return seconds.stream().mapToDouble(Second::done).max().orElse(0);
    }

    /** Whether a backlog drains (more records done than due), or no records are done. */
    private static boolean worksOff(List<Second> last) {
        double due = last.stream().mapToDouble(Second::due).sum();
        double done = last.stream().mapToDouble(Second::done).sum();
        return due > 0 && (done == 0 || done > WORKED_OFF * due + 2 * Math.sqrt(due));
    }

    private static double[] values(List<Second> seconds, ToDoubleFunction<Second> value) {
        return seconds.stream().mapToDouble(value).filter(v -> !Double.isNaN(v)).toArray();
    }
}
