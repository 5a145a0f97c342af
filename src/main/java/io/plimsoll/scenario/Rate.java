package io.plimsoll.scenario;

import java.time.Duration;
import java.util.List;

/** The offered load: records (or bytes) that are due per second, as a function of time. */
public sealed interface Rate {
    Rate UNLIMITED = new Unlimited();

    /** A closed loop: the next record is due when the one before was handed over. */
    record Unlimited() implements Rate {}

    record Constant(Quantity rate) implements Rate {}

    /**
     * Linear from {@code from} to {@code to} over {@code over}, then constant at {@code to}.
     *
     * @param from may be 0
     */
    record Ramp(Quantity from, Quantity to, Duration over) implements Rate {}

    /** Each level for {@code each}, then constant at the last. */
    record Steps(List<Quantity> levels, Duration each) implements Rate {
        public Steps {
            levels = List.copyOf(levels);
        }
    }

    /**
     * A day's curve, {@code mean × (1 + amplitude × sin(2π t / period))}.
     *
     * @param amplitude 0 to 1
     */
    record Daily(Quantity mean, double amplitude, Duration period) implements Rate {}

    /**
     * A value per second.
     *
     * @param value more than 0 (a ramp may start at 0)
     */
    record Quantity(double value, Unit unit) {}

    /** The things that a {@link Quantity} counts. */
    enum Unit {
        RECORDS,
        /** Key + value bytes. */
        PAYLOAD_BYTES,
        /** Bytes of record batches as they cross the network, after compression. */
        WIRE_BYTES
    }

    /** True if any quantity of the rate is in wire bytes. */
    static boolean inWireBytes(Rate rate) {
        if (rate instanceof Constant c) {
            return c.rate().unit() == Unit.WIRE_BYTES;
        } else if (rate instanceof Ramp r) {
            return r.from().unit() == Unit.WIRE_BYTES || r.to().unit() == Unit.WIRE_BYTES;
        } else if (rate instanceof Steps s) {
            return s.levels().stream().anyMatch(q -> q.unit() == Unit.WIRE_BYTES);
        } else if (rate instanceof Daily d) {
            return d.mean().unit() == Unit.WIRE_BYTES;
        }
        return false;
    }
}
