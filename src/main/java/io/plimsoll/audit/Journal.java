package io.plimsoll.audit;

/**
 * Receives the outcomes of records, in the order in which each producer learned them. A run writes them down; an audit
 * replays them. Implementations override only the entries they need.
 */
public interface Journal {
    /** Outcomes other than an acknowledgement. */
    enum Ending {
        /** The records were certainly not written. */
        FAILED,
        COMMITTED,
        ABORTED
    }

    /**
     * Acknowledged records with consecutive sequences and offsets. The first offset is −1 if the broker did not return
     * one.
     */
    void acknowledged(int producer, long firstSequence, long count, LogPartition partition, long firstOffset);

    /** Consecutive records with this outcome. */
    default void ended(Ending ending, int producer, long firstSequence, long count) {}

    /** All sequences below {@code sequences} had been assigned when this entry was written. */
    default void sent(int producer, long sequences) {}

    /**
     * Maps the batches of an idempotent Kafka producer to a producer of the run.
     *
     * @param sequence the run's sequence that corresponds to sequence 0 of the Kafka producer
     */
    default void batches(int producer, long kafkaProducerId, short epoch, LogPartition partition, long sequence) {}

    default void ended() {}

    /** Time at which the following entries were written. */
    default void at(long epochMillis) {}
}
