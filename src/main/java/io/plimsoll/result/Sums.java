package io.plimsoll.result;

import io.plimsoll.measure.ConsumeCounts;
import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.NamedCounts;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.Window;
import io.plimsoll.measure.WireCounts;
import java.util.Map;

/**
 * What was counted in a stretch of time, of which figures are made: a second, or the measured window of a trial.
 *
 * @param seconds its length, above 0; of a trial that of the stretches that lie wholly in its measured window
 * @param windowSeconds the length of what clients counted in, above 0: of a trial that of its measured window, which may begin and end
 *     within a stretch
 * @param readSeconds likewise of the window of what consumers counted, which may be their own
 * @param window what clients counted in it
 * @param wire of the clients in this stretch, whichever record they belong to
 * @param lag records that consumers had not read at its end; null if unknown
 * @param clockErrorMicros how far the clocks of workers may have been apart; null if there is one clock
 */
public record Sums(
        double seconds,
        double windowSeconds,
        double readSeconds,
        Window window,
        WireCounts wire,
        GeneratorSample generator,
        Long lag,
        Double clockErrorMicros) {

    /** Of a stretch whose counts are all of it. */
    Sums(double seconds, Window window, WireCounts wire, GeneratorSample generator, Long lag, Double clockErrorMicros) {
        this(seconds, seconds, seconds, window, wire, generator, lag, clockErrorMicros);
    }

    public ProduceCounts produce() {
        return window.produce();
    }

    public ConsumeCounts consume() {
        return window.consume();
    }

    /** Null of a load without connections of its own. */
    public NamedCounts connect() {
        return window.connect();
    }

    /** Null where nobody waits for the answers of an application. */
    NamedCounts reply() {
        return window.reply();
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
    public static Double ratio(long above, long below) {
        return ratio(Double.valueOf(above), Double.valueOf(below));
    }

    /** One figure ÷ another; null if either is unknown, or there is nothing to divide by. */
    static Double ratio(Double above, Double below) {
        return above == null || below == null || below <= 0 ? null : Double.valueOf(above / below);
    }

    static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
