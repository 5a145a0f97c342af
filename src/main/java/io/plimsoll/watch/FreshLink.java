package io.plimsoll.watch;

/** A connection that is opened anew whenever it is due, and stands until then. Owned by one thread. */
final class FreshLink extends WatchedLink {
    /** Whether the next attempt is one that was due; the network tries others by itself after each that has failed. */
    private boolean due;

    FreshLink(Ledger ledger, int broker, long limitNanos) {
        super(ledger, Signal.CONNECT, broker, limitNanos);
        due = takesTurn();
    }

    /** Whether it is to be opened anew now. */
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

    /** If the broker ends it later, that shows in the connection that is asked. */
    @Override
    void ready() {
        over(true);
    }
}
