package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Snapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts of an interval from which figures are derived: a second, or the measured window of a trial.
 * @param seconds length, above 0; for a trial, total length of the intervals that are completely within its measured
 *     window
 * @param windowSeconds period of the client counts, above 0: for a trial its measured window, which can begin and end
 *     within an interval
 * @param readSeconds period of the consumer counts, which can differ from {@code windowSeconds}
 * @param counts client counts, and counts of this interval regardless of the record's window
 * @param busiestShare share of one core used by the busiest thread of the load generator, 0 to 1
 * @param clockErrorMicros maximum clock difference between workers; null with a single clock
 */
public record Sums(
        double seconds,
        double windowSeconds,
        double readSeconds,
        Counts counts,
        double busiestShare,
        @Nullable Double clockErrorMicros) {

    /** Counts of an interval, regardless of the window to which they belong. */
    public static Sums of(Snapshot s) {
        return of(s, s.all());
    }

    static Sums of(Snapshot s, Counts counts) {
        double seconds = Math.max(s.toNanos() - s.fromNanos(), 1) / 1e9;
        Long error = s.clockErrorNanos();
        Double micros = error == null ? null : Double.valueOf(error / 1e3);
        return new Sums(seconds, seconds, seconds, counts, s.busiest().share(), micros);
    }

    public <V> V get(Metric<V> metric) {
        return counts.get(metric);
    }

    /** Records that consumers had not read at the end of the interval; null if unknown. */
    public @Nullable Long lag() {
        Map<String, Long> byGroup = get(Consumed.LAG);
        return byGroup.isEmpty() ? null : Long.valueOf(Counts.total(byGroup));
    }

    /** Rate of a count over the interval. */
    public double perSecond(Metric<Long> count) {
        return perSecond(get(count));
    }

    /** Rate of a count of the wire, of the generator, or of the interval. */
    public double perSecond(double count) {
        return count / seconds;
    }

    /** Rate of a client count, for an interval or a trial. */
    public double ofWindow(double count) {
        return count / windowSeconds;
    }

    /** One count ÷ another; null if the divisor is 0. */
    public @Nullable Double ratio(Metric<Long> above, Metric<Long> below) {
        return ratio(get(above), get(below));
    }

    /** One count ÷ another; null if the divisor is 0. */
    public static @Nullable Double ratio(long above, long below) {
        return ratio(Double.valueOf(above), Double.valueOf(below));
    }

    /** The value; 0 if it is unknown. */
    public static double orZero(@Nullable Number value) {
        return value == null ? 0 : value.doubleValue();
    }

    /** One figure ÷ another; null if either is unknown, or the divisor is 0. */
    static @Nullable Double ratio(@Nullable Double above, @Nullable Double below) {
        return above == null || below == null || below <= 0 ? null : Double.valueOf(above / below);
    }
}
