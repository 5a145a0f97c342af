package io.plimsoll.audit;

/**
 * A producer of the run: its id (from 0, without gaps), its entry, such as {@code producers[0]}, and Kafka's guarantees
 * for it. Idempotent: no duplicates. Ordered (idempotent, or at most one request in flight): order within a partition.
 * Transactional: only committed records count. Acknowledges: brokers confirm writes; false with acks=0.
 */
public record ProducerProfile(
        int id, String entry, boolean idempotent, boolean ordered, boolean transactional, boolean acknowledges) {
    public ProducerProfile withId(int other) {
        return new ProducerProfile(other, entry, idempotent, ordered, transactional, acknowledges);
    }
}
