package io.plimsoll.audit;

/**
 * The outcomes of records, entry by entry: written down while a run goes on, read again to audit it. Entries of one
 * producer come in the order in which they became known. Who reads it need not care for each kind of them.
 */
public interface Journal {
    /** The ends of records beside being acknowledged. */
    enum Ending {
        /** They were certainly not written. */
        FAILED,
        COMMITTED,
        ABORTED
    }

    /** Acknowledged records with sequences and offsets in a row; the first offset is −1 if the broker did not tell. */
    void acknowledged(int producer, long firstSequence, long count, LogPartition partition, long firstOffset);

    /** These records ended so. */
    default void ended(Ending ending, int producer, long firstSequence, long count) {}

    /** All sequences below it were given out when this was written. */
    default void sent(int producer, long sequences) {}

    /**
     * Batches of this idempotent producer of Kafka's carry records of one of ours.
     *
     * @param sequence which our numbering gives to its sequence 0
     */
    default void batches(int producer, long kafkaProducerId, short epoch, LogPartition partition, long sequence) {}

    default void ended() {}

    /** What follows was written then. */
    default void at(long epochMillis) {}
}
