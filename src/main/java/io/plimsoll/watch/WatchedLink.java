package io.plimsoll.watch;

import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.wire.LinkWatch;

/** Tells the ledger what becomes of one connection to a broker, in running time. Owned by one thread. */
abstract class WatchedLink implements LinkWatch {
    final Ledger ledger;
    final Signal signal;
    final int broker;
    /** Without an answer so far; null for none. */
    Attempt attempt;

    /** When an attempt of the signal is due. */
    private long nextNanos;

    WatchedLink(Ledger ledger, Signal signal, int broker) {
        this.ledger = ledger;
        this.signal = signal;
        this.broker = broker;
        nextNanos = ledger.runningNanos();
    }

    /** Whether an attempt is due and none goes on; it is due only once. */
    final boolean takesTurn() {
        long now = ledger.runningNanos();
        if (attempt != null || now < nextNanos) {
            return false;
        }
        nextNanos += signal.everyNanos();
        if (nextNanos <= now) {
            // Those that were due meanwhile were counted with what went on.
            nextNanos = now + signal.everyNanos();
        }
        return true;
    }

    @Override
    public void reached(Stage stage) {
        if (stage == Stage.READY) {
            ready();
        }
    }

    /** Requests can be sent. */
    abstract void ready();

    @Override
    public void ended(String error) {
        ledger.tell(signal, broker, error);
        over(false);
    }

    /** Ends what goes on, if anything does. */
    final void over(boolean succeeded) {
        if (attempt != null) {
            ledger.end(signal, broker, attempt, succeeded);
            attempt = null;
        }
    }

    /** The connection is not used any more: what goes on says nothing about the broker. */
    final void drop() {
        if (attempt != null) {
            ledger.drop(signal, broker, attempt);
            attempt = null;
        }
    }
}
