package io.plimsoll.wire;

/** Observes the connection attempts of one link, on its network thread. */
public interface LinkWatch {
    /** Stages of a connection attempt in order; listeners can skip stages. */
    enum Stage {
        TCP,
        TLS,
        /** SASL authentication is complete. */
        LOGIN,
        /** API versions are known, so requests can be sent. */
        READY
    }

    void begun();

    void reached(Stage stage);

    /** The attempt or the connection failed for this reason; the link retries on its own. */
    void ended(String error);
}
