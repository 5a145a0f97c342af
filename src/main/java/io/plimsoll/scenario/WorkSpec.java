package io.plimsoll.scenario;

import java.time.Duration;

/**
 * Simulated processing of records by each member of a group.
 * @param time mean processing time
 * @param threads parallel threads per member, 1 or more
 * @param blocking whether the member finishes the work before the next poll; otherwise it polls with its partitions
 *     paused
 * @param cpu whether the work uses CPU instead of waiting
 * @param failures share of records that fail, 0 to 1
 */
public record WorkSpec(Shape shape, Duration time, int threads, boolean blocking, boolean cpu, double failures) {
    /** The unit of work. */
    public enum Shape {
        EACH("each"),
        /** Each record, with exponentially distributed times. */
        EXPONENTIAL("exponential"),
        /** All records of a poll together. */
        PER_BATCH("perBatch");

        private final String word;

        Shape(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public String text() {
        return shape.word() + " " + Quantities.text(time) + (threads > 1 ? " × " + threads : "");
    }
}
