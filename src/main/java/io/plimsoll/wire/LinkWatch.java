package io.plimsoll.wire;

/** Told how one connection comes about and ends, on the thread of its network. */
public interface LinkWatch {
    /** How far an attempt to connect has come, in this order; what the listener does not ask for is left out. */
    enum Stage {
        TCP,
        TLS,
        /** Logged in by SASL. */
        LOGIN,
        /** What the broker speaks is known: requests can be sent. */
        READY
    }

    /** An attempt begins. */
    void begun();

    void reached(Stage stage);

    /**
     * The attempt has come to nothing, or the connection has ended, unasked; another attempt follows by itself.
     *
     * @param error what was said of it
     */
    void ended(String error);
}
