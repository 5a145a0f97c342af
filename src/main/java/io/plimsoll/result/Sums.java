package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Snapshot;
import java.util.Map;

/**
 * What was counted in a stretch of time, of which figures are made: a second, or the measured window of a trial.
 *
 * @param seconds its length, above 0; of a trial that of the stretches that lie wholly in its measured window
 * @param windowSeconds the length of what clients counted in, above 0: of a trial that of its measured window, which may begin and end
 *     within a stretch
 * @param readSeconds likewise of the window of what consumers counted, which may be their own
 * @param counts what clients counted in it, and what was counted of this stretch, whichever record it belongs to
 * @param busiestShare of one core, what the busiest thread of the load generator used, 0 to 1
 * @param clockErrorMicros how far the clocks of workers may have been apart; null if there is one clock
 */
public record Sums(
        double seconds,
        double windowSeconds,
        double readSeconds,
        Counts counts,
        double busiestShare,
        Double clockErrorMicros) {

    /** What was counted in a stretch, whichever window it belongs to. */
    public static Sums of(Snapshot s) {
        return of(s, s.all());
    }

    /** The same of some of what was counted in it. */
    static Sums of(Snapshot s, Counts counts) {
        double seconds = Math.max(s.toNanos() - s.fromNanos(), 1) / 1e9;
        Long error = s.stretch().clockErrorNanos();
        Double micros = error == null ? null : Double.valueOf(error / 1e3);
        return new Sums(seconds, seconds, seconds, counts, s.busiest().share(), micros);
    }

    /** The value of a metric. */
    public <V> V get(Metric<V> metric) {
        return counts.get(metric);
    }

    /** Records that consumers had not read at its end; null if unknown. */
    public Long lag() {
        Map<String, Long> byGroup = get(Consumed.LAG);
        return byGroup.isEmpty() ? null : Long.valueOf(Counts.total(byGroup));
    }

    /** A count of a stretch as a rate. */
    public double perSecond(Metric<Long> count) {
        return perSecond(get(count));
    }

    /** A count of the wire, of the generator, or of a stretch as a rate. */
    public double perSecond(double count) {
        return count / seconds;
    }

    /** What clients counted as a rate, of a stretch or of a trial. */
    public double ofWindow(double count) {
        return count / windowSeconds;
    }

    /** What consumers counted as a rate, of a stretch or of a trial. */
    double ofReading(double count) {
        return count / readSeconds;
    }

    /** One count ÷ another; null if there is nothing to divide by. */
    public Double ratio(Metric<Long> above, Metric<Long> below) {
        return ratio(get(above), get(below));
    }

    /** One count ÷ another; null if there is nothing to divide by. */
    public static Double ratio(long above, long below) {
        return ratio(Double.valueOf(above), Double.valueOf(below));
    }

    /** One figure ÷ another; null if either is unknown, or there is nothing to divide by. */
    static Double ratio(Double above, Double below) {
        return above == null || below == null || below <= 0 ? null : Double.valueOf(above / below);
    }
}
