package io.plimsoll.watch;

import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.wire.LinkWatch;

/**
 * Tells the ledger what becomes of one connection to a broker, in running time. What is tried is not ended by the network alone:
 * until requests can be sent it sets no limit. Owned by one thread.
 */
abstract class WatchedLink implements LinkWatch {
    private static final String TIMEOUT = "timeout";

    final Ledger ledger;
    final Signal signal;
    final int broker;
    private final long limitNanos;
    /** Without an answer so far; null for none. */
    Attempt attempt;

    /** What becomes of the connection. */
    enum LinkState {
        /** Nothing is known of it, or it was asked to be opened anew. */
        UNKNOWN,
        OPENING,
        /** Requests can be sent. */
        READY,
        /** It has ended, and none is tried. */
        LOST
    }

    LinkState state = LinkState.UNKNOWN;

    private long openingNanos;
    /** When an attempt of the signal is due. */
    private long nextNanos;

    /** @param limitNanos what opening may take */
    WatchedLink(Ledger ledger, Signal signal, int broker, long limitNanos) {
        this.ledger = ledger;
        this.signal = signal;
        this.broker = broker;
        this.limitNanos = limitNanos;
        nextNanos = ledger.runningNanos();
    }

    /** Whether an attempt is due and none goes on; it is due only once. */
    final boolean takesTurn() {
        long now = ledger.runningNanos();
        if (attempt != null || now < nextNanos) {
            return false;
        }
        nextNanos += signal.everyNanos;
        if (nextNanos <= now) {
            // Those that were due meanwhile were counted with what went on.
            nextNanos = now + signal.everyNanos;
        }
        return true;
    }

    /** Whether opening has just failed because it took too long; whoever asks opens the connection anew. */
    final boolean gaveUp() {
        if (state != LinkState.OPENING || ledger.runningNanos() - openingNanos < limitNanos) {
            return false;
        }
        ended(TIMEOUT);
        return true;
    }

    @Override
    public void begun() {
        state = LinkState.OPENING;
        openingNanos = ledger.runningNanos();
    }

    @Override
    public void reached(Stage stage) {
        if (stage == Stage.READY) {
            state = LinkState.READY;
            ready();
        }
    }

    /** Requests can be sent. */
    abstract void ready();

    @Override
    public void ended(String error) {
        state = LinkState.LOST;
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
