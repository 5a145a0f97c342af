package io.plimsoll.measure;

import java.util.function.Consumer;

/** Counts of meters since their last reading. */
public final class MeterCounts {
    private MeterCounts() {}

    public static Snapshot of(Consumer<MeterReading> meters) {
        MeterReading reading = new MeterReading();
        meters.accept(reading);
        return reading.toSnapshot("local", "trial", 0, Phase.MEASURE, 0, 1_000_000_000);
    }

    public static Snapshot of(AckMeter... meters) {
        return of(reading -> {
            for (AckMeter meter : meters) {
                meter.drainInto(reading.window(false), reading.window(true));
            }
        });
    }

    public static Snapshot of(ReceiveMeter... meters) {
        return of(reading -> {
            for (ReceiveMeter meter : meters) {
                meter.drainInto(reading.window(false), reading.window(true));
            }
        });
    }

    public static Snapshot of(long nowNanos, SendMeter meter) {
        return of(reading -> {
            meter.drainInto(reading.window(false), reading.window(true));
            meter.drainInto(reading.whole(), nowNanos);
        });
    }
}
