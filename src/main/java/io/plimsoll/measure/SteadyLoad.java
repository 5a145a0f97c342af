package io.plimsoll.measure;

import io.plimsoll.stats.Movement;
import io.plimsoll.stats.Spread;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Whether a load that warms up has become steady, from its seconds so far. It looks at the last {@value #LEAST_SECONDS}
 * seconds, or with a schedule at the latest half where that is more, and never at the first one, in which connections are
 * made. Throughput, and with a schedule p50 and p99 of service time, must show neither a trend nor a shift of their level ({@link Movement}, at 80 %: what
 * is wanted is that steady loads are recognised, and not proof that others are none), and no backlog is worked off.
 * Without a schedule, the best of the last {@value #LEAST_SECONDS} seconds must not exceed all earlier ones by more than
 * a tenth: brokers that compile their code become faster in steps, and the noise between two steps hides a trend.
 */
public final class SteadyLoad {
    /** Fewer seconds than this say nothing; the first one of the warm-up is not among them. */
    public static final int LEAST_SECONDS = 8;

    private static final int LEAST_LATENCIES = 6;
    /** Coefficient of variation above which the throughput of a measured window, or of a warm-up without a schedule, is not steady. */
    public static final double THROUGHPUT_SPREAD = 0.20;

    private static final double THROUGHPUT_CHANGE = 0.10;
    private static final double SERVICE_CHANGE = 0.15;
    /** Micros: less than this is how exactly a thread is woken. */
    private static final double SERVICE_CHANGE_MICROS = 200;

    private static final double WORKED_OFF = 1.02;

    private SteadyLoad() {}

    /** What may move. */
    public enum Figure {
        THROUGHPUT("throughput"),
        SERVICE_P50("service.p50"),
        SERVICE_P99("service.p99");

        private final String word;

        Figure(String word) {
            this.word = word;
        }

        /** As in results. */
        public String word() {
            return word;
        }
    }

    /**
     * A second of the warm-up.
     *
     * @param due records that the schedule asked for; negative in a closed loop
     * @param done records acknowledged, or received where nothing is produced
     * @param p50 of service time, in microseconds; NaN if nothing was acknowledged
     * @param p99 likewise
     */
    public record Second(double due, double done, double p50, double p99) {
        /** @param openLoop whether a schedule says what is due */
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

    /** Whether there are enough seconds to tell. */
    public static boolean canTell(List<Second> seconds) {
        return seconds.size() > LEAST_SECONDS;
    }

    /** Names what still moves; nothing if the load is steady. All of a warm-up's seconds are given, of which it {@link #canTell}. */
    public static Set<Figure> moving(List<Second> seconds) {
        int length = openLoop(seconds) ? Math.max(LEAST_SECONDS, (seconds.size() - 1) / 2) : LEAST_SECONDS;
        List<Second> last = seconds.subList(seconds.size() - length, seconds.size());
        double[] done = values(last, Second::done);
        double perSecond = Spread.median(done);
        // Few records a second are uneven by nature.
        double natural = 1 / Math.sqrt(Math.max(1, perSecond));
        EnumSet<Figure> moving = EnumSet.noneOf(Figure.class);
        if (moves(done, THROUGHPUT_CHANGE + natural, 0)
                || worksOff(last)
                || scatters(last, done, natural)
                || rises(seconds, natural)) {
            moving.add(Figure.THROUGHPUT);
        }
        // Without a schedule, they mirror throughput.
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

    /** Without a schedule, noise that would make the measured window unsteady also hides a trend of so few seconds. */
    private static boolean scatters(List<Second> last, double[] done, double natural) {
        return !openLoop(last) && Spread.robustVariation(done) > THROUGHPUT_SPREAD + natural;
    }

    /** Without a schedule: whether one of the latest seconds is better than all before them, but for the first. */
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

    /** More comes than is due, because of what was left undone before; or nothing comes of what is due. */
    private static boolean worksOff(List<Second> last) {
        double due = last.stream().mapToDouble(Second::due).sum();
        double done = last.stream().mapToDouble(Second::done).sum();
        return due > 0 && (done == 0 || done > WORKED_OFF * due + 2 * Math.sqrt(due));
    }

    private static double[] values(List<Second> seconds, ToDoubleFunction<Second> value) {
        return seconds.stream().mapToDouble(value).filter(v -> !Double.isNaN(v)).toArray();
    }
}
