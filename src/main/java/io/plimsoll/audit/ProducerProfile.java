package io.plimsoll.audit;

/**
 * A producer with its id (from 0, without gaps), its entry, such as {@code producers[0]}, and the guarantees that Kafka
 * gives it: no duplicates if idempotent; order within a partition if ordered (idempotent, or at most one request in
 * flight); records count only after the commit of their transaction; writes are confirmed unless acks=0.
 */
public record ProducerProfile(
        int id, String entry, boolean idempotent, boolean ordered, boolean transactional, boolean acknowledges) {
    public ProducerProfile withId(int other) {
        return new ProducerProfile(other, entry, idempotent, ordered, transactional, acknowledges);
    }
}
