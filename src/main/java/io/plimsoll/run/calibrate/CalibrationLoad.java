package io.plimsoll.run.calibrate;

import io.plimsoll.result.Calibration;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import java.util.List;

/**
 * One thing to calibrate: one client at full speed.
 *
 * @param side {@link Calibration#PRODUCE} or {@link Calibration#CONSUME}
 * @param recordBytes of a value
 * @param batchBytes {@code batch.size}; also of the batches that are read
 */
record CalibrationLoad(String engine, String side, int recordBytes, int batchBytes) {
    static final String TOPIC = "calibration";
    static final int PARTITIONS = 6;
    /** Bytes of a batch's header, and at most so many of a record that are not its value. */
    private static final int BATCH_HEADER_BYTES = 61;

    private static final int RECORD_OVERHEAD_BYTES = 9;
    private static final int MOST_RECORDS_OF_A_BATCH = 100_000;

    boolean produces() {
        return side.equals(Calibration.PRODUCE);
    }

    /** The records in a batch of the log that is read. */
    int recordsPerBatch() {
        int fitting = (batchBytes - BATCH_HEADER_BYTES) / (recordBytes + RECORD_OVERHEAD_BYTES);
        return Math.max(1, Math.min(MOST_RECORDS_OF_A_BATCH, fitting));
    }

    /** A scenario like any other, so that what is measured is what a run does. */
    Scenario scenario(int warmupSeconds, int seconds) {
        String load = produces()
                ? "producers: [{topic: %s, engine: %s, rate: unlimited, record: {size: %d}, config: {batch.size: %d, max.request.size: %d}}]"
                        .formatted(TOPIC, engine, recordBytes, batchBytes, Math.max(1 << 20, 2 * batchBytes))
                : "consumers: [{topic: %s, engine: %s, start: earliest, commit: none}]".formatted(TOPIC, engine);
        String yaml = """
            name: calibration
            topics: [{name: %s, existing: true}]
            %s
            warmup: %ds
            duration: %ds
            audit: false
            """.formatted(TOPIC, load, warmupSeconds, seconds);
        return ScenarioReader.read(yaml, TOPIC, List.of(), 1).trials().get(0).scenario();
    }
}
