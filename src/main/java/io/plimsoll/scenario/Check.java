package io.plimsoll.scenario;

import org.jspecify.annotations.Nullable;

/**
 * A criterion on one figure of a trial, such as {@code produce.response.p99 < 50ms}.
 *
 * @param text as written
 * @param figure the figure's name, one of {@link Figures}
 * @param limit in the unit of {@code dimension}
 * @param dimension of the limit as written; throughputs accept records/s and bytes/s
 * @param label label of the clients that the check concerns, {@code name=value}; null for all clients
 * @param ofSeconds minimum share of measured seconds that meet the limit, above 0 up to 1; null for the whole trial
 */
public record Check(
        String text,
        String figure,
        Operator op,
        double limit,
        Dimension dimension,
        @Nullable String label,
        @Nullable Double ofSeconds) {

    public Check(String text, String figure, Operator op, double limit, Dimension dimension) {
        this(text, figure, op, limit, dimension, null, null);
    }

    /** The same check on another figure. */
    public Check of(String other) {
        return new Check(text, other, op, limit, dimension, label, ofSeconds);
    }

    /** The unit of a figure or limit. */
    public enum Dimension {
        MICROSECONDS,
        BYTES_PER_SECOND,
        RECORDS_PER_SECOND,
        COUNT,
        BYTES,
        /** A ratio from 0 to 1. */
        RATIO
    }

    public enum Operator {
        LESS("<"),
        LESS_OR_EQUAL("<="),
        GREATER(">"),
        GREATER_OR_EQUAL(">="),
        EQUAL("=="),
        NOT_EQUAL("!=");

        private final String symbol;

        Operator(String symbol) {
            this.symbol = symbol;
        }

        /** Whether the check limits the figure from above. */
        public boolean limitsAbove() {
            return this == LESS || this == LESS_OR_EQUAL || this == EQUAL;
        }

        public String symbol() {
            return symbol;
        }

        public boolean holds(double measured, double limit) {
            return switch (this) {
                case LESS -> measured < limit;
                case LESS_OR_EQUAL -> measured <= limit;
                case GREATER -> measured > limit;
                case GREATER_OR_EQUAL -> measured >= limit;
                case EQUAL -> measured == limit;
                case NOT_EQUAL -> measured != limit;
            };
        }
    }
}
