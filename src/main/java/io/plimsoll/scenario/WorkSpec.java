package io.plimsoll.scenario;

import java.time.Duration;

/**
 * The work of a consumer's member on the records that it was given.
 *
 * @param shape what takes the time
 * @param time how long it takes, on average
 * @param threads that do it side by side, 1 or more
 * @param blocking whether the member waits for it before it polls again; otherwise it goes on polling with its partitions
 *     paused
 * @param cpu whether it takes processor time, and not only time
 * @param failures share of records at which it fails, 0 to 1
 */
public record WorkSpec(Shape shape, Duration time, int threads, boolean blocking, boolean cpu, double failures) {
    /** What takes the time. */
    public enum Shape {
        EACH("each"),
        /** Each record, a time that is exponentially distributed. */
        EXPONENTIAL("exponential"),
        /** What a poll returned, as a whole. */
        PER_BATCH("perBatch");

        private final String word;

        Shape(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    /** As it is written, in short. */
    public String text() {
        return shape.word() + " " + Quantities.text(time) + (threads > 1 ? " × " + threads : "");
    }
}
