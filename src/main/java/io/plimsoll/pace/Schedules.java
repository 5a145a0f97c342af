package io.plimsoll.pace;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Rate;
import java.util.function.ToDoubleFunction;

/** Creates schedules for the rates of a scenario. */
public final class Schedules {
    /** A closed loop has no schedule: each record is due as soon as the previous record was handed over. */
    public static boolean isClosedLoop(Rate rate) {
        return rate instanceof Rate.Unlimited;
    }

    /**
     * The schedule in records.
     * @param payloadBytesPerRecord mean key and value bytes, for rates in payload bytes
     * @param wireBytesPerRecord mean bytes in a batch, for rates in wire bytes
     * @throws IllegalArgumentException for a closed loop
     * @throws PlimsollException (usage) for a rate in bytes of empty records
     */
    public static Schedule of(Rate rate, double payloadBytesPerRecord, double wireBytesPerRecord) {
        ToDoubleFunction<Rate.Quantity> records = q -> perSecond(q, payloadBytesPerRecord, wireBytesPerRecord);
        if (rate instanceof Rate.Constant constant) {
            return new ConstantSchedule(records.applyAsDouble(constant.rate()));
        } else if (rate instanceof Rate.Ramp ramp) {
            return new RampSchedule(
                    records.applyAsDouble(ramp.from()),
                    records.applyAsDouble(ramp.to()),
                    ramp.over().toNanos());
        } else if (rate instanceof Rate.Steps steps) {
            double[] levels = steps.levels().stream().mapToDouble(records).toArray();
            return new StepSchedule(levels, steps.each().toNanos());
        } else if (rate instanceof Rate.Daily daily) {
            return new DailySchedule(
                    records.applyAsDouble(daily.mean()),
                    daily.amplitude(),
                    daily.period().toNanos());
        }
        throw new IllegalArgumentException("a closed loop has no schedule");
    }

    private static double perSecond(Rate.Quantity quantity, double payloadBytes, double wireBytes) {
        return switch (quantity.unit()) {
            case RECORDS -> quantity.value();
            case PAYLOAD_BYTES -> divided(quantity.value(), payloadBytes);
            case WIRE_BYTES -> divided(quantity.value(), wireBytes);
        };
    }

    private static double divided(double bytesPerSecond, double bytesPerRecord) {
        Exit.USAGE.when(!(bytesPerRecord > 0), "pace.bytesOfNothing");
        return bytesPerSecond / bytesPerRecord;
    }
}
