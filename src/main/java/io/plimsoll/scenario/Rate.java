package io.plimsoll.scenario;

import java.time.Duration;
import java.util.List;

/** The offered load: records (or bytes) that are due per second, as a function of time. */
public sealed interface Rate {
    Rate UNLIMITED = new Unlimited();

    /** The levels by which the rate is defined, including the highest level; empty if unlimited. */
    List<Quantity> levels();

    /** A closed loop: the next record is due when the previous one has been handed over to the client. */
    record Unlimited() implements Rate {
        @Override
        public List<Quantity> levels() {
            return List.of();
        }
    }

    record Constant(Quantity rate) implements Rate {
        @Override
        public List<Quantity> levels() {
            return List.of(rate);
        }
    }

    /** Linear from {@code from}, which can be 0, to {@code to} within {@code over}, then constant at {@code to}. */
    record Ramp(Quantity from, Quantity to, Duration over) implements Rate {
        @Override
        public List<Quantity> levels() {
            return List.of(from, to);
        }
    }

    /** Each level for {@code each}, then constant at the last level. */
    record Steps(List<Quantity> levels, Duration each) implements Rate {}

    /** A daily curve, {@code mean × (1 + amplitude × sin(2π t / period))}, with an amplitude of 0 to 1. */
    record Daily(Quantity mean, double amplitude, Duration period) implements Rate {
        @Override
        public List<Quantity> levels() {
            return List.of(new Quantity(mean.value() * (1 + amplitude), mean.unit()));
        }
    }

    /** A value per second, above 0 (0 is allowed at the start of a ramp). */
    record Quantity(double value, Unit unit) {}

    enum Unit {
        RECORDS,
        /** Bytes of keys and values. */
        PAYLOAD_BYTES,
        /** Bytes of record batches as sent over the network, after compression. */
        WIRE_BYTES
    }

    /** Whether any level of the rate is in wire bytes. */
    static boolean inWireBytes(Rate rate) {
        return rate.levels().stream().anyMatch(q -> q.unit() == Unit.WIRE_BYTES);
    }
}
