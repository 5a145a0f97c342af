package io.plimsoll.wire;

/** Receives the state of one connection, on the thread of its network. */
public interface LinkWatch {
    /** Stages of a connection attempt, in order; stages that the listener does not require are skipped. */
    enum Stage {
        TCP,
        TLS,
        /** Logged in by SASL. */
        LOGIN,
        /** API versions are known: requests can be sent. */
        READY
    }

    /** An attempt begins. */
    void begun();

    void reached(Stage stage);

    /**
     * The attempt has come to nothing, or the connection has ended, unasked; another attempt follows by itself.
     *
     * @param error reason
     */
    void ended(String error);
}
