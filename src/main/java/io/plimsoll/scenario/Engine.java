package io.plimsoll.scenario;

/** How records are produced and fetched. */
public enum Engine {
    /** The official Apache Kafka client. */
    CLIENT,
    /** Pre-encoded record batches over the client's network layer. */
    RAW
}
