package io.plimsoll.watch;

/** A connection that is reopened for every attempt and otherwise stays open. Owned by one thread. */
final class FreshLink extends WatchedLink {
    /** Whether the next attempt is a due one; after a failure, the network layer also retries by itself. */
    private boolean due;

    FreshLink(Ledger ledger, int broker, long limitNanos) {
        super(ledger, Signal.CONNECT, broker, limitNanos);
        due = takesTurn();
    }

    /** Whether to reopen the connection now. */
    boolean turns() {
        boolean now = gaveUp();
        if (takesTurn()) {
            due = true;
            now = true;
        }
        return now;
    }

    @Override
    public void begun() {
        super.begun();
        if (attempt == null) {
            attempt = due ? ledger.begin(signal, broker) : ledger.again(signal, broker);
            due = false;
        }
    }

    /** A later disconnect shows in the metadata connection. */
    @Override
    void ready() {
        over(true);
    }
}
