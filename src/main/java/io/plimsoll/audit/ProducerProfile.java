package io.plimsoll.audit;

/**
 * A producer that numbers its records, and what Kafka promises it.
 *
 * @param id the producer of its records' identities; ids count from 0 without gaps
 * @param entry of the scenario, such as {@code producers[0]}
 * @param idempotent no record is written twice
 * @param ordered the records of a partition stay in order: idempotent, or one request at a time
 * @param transactional records count once their transaction is committed
 * @param acknowledges false with {@code acks=0}: nobody says that a record was written
 */
public record ProducerProfile(
        int id, String entry, boolean idempotent, boolean ordered, boolean transactional, boolean acknowledges) {
    /** Another producer with the same promises. */
    public ProducerProfile withId(int other) {
        return new ProducerProfile(other, entry, idempotent, ordered, transactional, acknowledges);
    }
}
