package io.plimsoll.load;

/** The time that end-to-end latency is measured from. */
public enum EndToEndSource {
    /** The intended time stamped into the record's value. */
    STAMP("intended time"),
    /** The record's timestamp, which the producer set to the intended time (whole milliseconds). */
    CREATE_TIME("CreateTime"),
    /**
     * The record's timestamp, which is the intended time of the first record of its batch: of the raw engine's batches
     * in which records carry no stamp of their own, compressed ones for example.
     */
    BATCH_TIME("batch CreateTime"),
    /** The record's timestamp, set by the broker when it appended the record (whole milliseconds). */
    LOG_APPEND_TIME("LogAppendTime"),
    /** Nothing: the records are not from this trial. */
    NONE("none");

    private final String label;

    EndToEndSource(String label) {
        this.label = label;
    }

    /** As printed and as in {@code timestampType} of the result. */
    public String label() {
        return label;
    }
}
