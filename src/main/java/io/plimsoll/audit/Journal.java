package io.plimsoll.audit;

/** Receives the outcomes of records in the order in which each producer learned them, during a run or a replay. */
public interface Journal {
    /** Outcomes other than an acknowledgment. */
    enum Ending {
        /** The records were definitely not written to the log. */
        FAILED,
        COMMITTED,
        ABORTED
    }

    /** Acknowledged records with consecutive sequences and offsets; offset −1 if the broker returned none. */
    void acknowledged(int producer, long firstSequence, long count, LogPartition partition, long firstOffset);

    /** Consecutive records with this outcome. */
    default void ended(Ending ending, int producer, long firstSequence, long count) {}

    /** All sequences below {@code sequences} had been assigned when this entry was written. */
    default void sent(int producer, long sequences) {}

    /**
     * Maps the batches of a Kafka producer id and epoch to a producer of the run; Kafka's sequence 0 corresponds to
     * {@code sequence}.
     */
    default void batches(int producer, long kafkaProducerId, short epoch, LogPartition partition, long sequence) {}

    default void ended() {}

    /** Time at which the following entries were written. */
    default void at(long epochMillis) {}
}
