package io.plimsoll.audit;

/**
 * A producer that numbers its records, and the guarantees Kafka gives it.
 *
 * @param id producer id in the records' identities; ids count from 0 without gaps
 * @param entry of the scenario, such as {@code producers[0]}
 * @param idempotent records are never duplicated
 * @param ordered records of a partition keep their order: idempotent, or at most one request in flight
 * @param transactional records count only after their transaction is committed
 * @param acknowledges false with {@code acks=0}: writes are not confirmed
 */
public record ProducerProfile(
        int id, String entry, boolean idempotent, boolean ordered, boolean transactional, boolean acknowledges) {
    /** A copy with another id. */
    public ProducerProfile withId(int other) {
        return new ProducerProfile(other, entry, idempotent, ordered, transactional, acknowledges);
    }
}
