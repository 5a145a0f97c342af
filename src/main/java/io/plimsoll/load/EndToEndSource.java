package io.plimsoll.load;

/** The start time of end-to-end latency. */
public enum EndToEndSource {
    /** The intended time stored in the record's value. */
    STAMP("intended time"),
    /** The record's timestamp: the intended time in whole milliseconds. */
    CREATE_TIME("CreateTime"),
    /**
     * The record's timestamp in batches of the raw engine without stamps: the intended time of the first record of the
     * batch.
     */
    BATCH_TIME("batch CreateTime"),
    /** The record's timestamp, set by the broker on append, in whole milliseconds. */
    LOG_APPEND_TIME("LogAppendTime"),
    /** The records are not from this trial, so their start times are unknown. */
    NONE("none");

    private final String label;

    EndToEndSource(String label) {
        this.label = label;
    }

    /** Its name in output and in {@code timestampType} of the result. */
    public String label() {
        return label;
    }
}
