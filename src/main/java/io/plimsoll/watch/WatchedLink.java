package io.plimsoll.watch;

import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.wire.LinkWatch;

/**
 * Reports the state of one connection to the ledger, in running time. The network layer alone does not end an attempt: it
 * has no time limit until requests can be sent. Owned by one thread.
 */
abstract class WatchedLink implements LinkWatch {
    private static final String TIMEOUT = "timeout";

    final Ledger ledger;
    final Signal signal;
    final int broker;
    private final long limitNanos;
    /** The open attempt; null for none. */
    Attempt attempt;

    /** State of the connection. */
    enum LinkState {
        /** Unknown, or about to be reopened. */
        UNKNOWN,
        OPENING,
        /** Requests can be sent. */
        READY,
        /** Disconnected, without a reconnect in progress. */
        LOST
    }

    LinkState state = LinkState.UNKNOWN;

    private long openingNanos;
    /** Time of the next due attempt. */
    private long nextNanos;

    /** @param limitNanos time limit for opening */
    WatchedLink(Ledger ledger, Signal signal, int broker, long limitNanos) {
        this.ledger = ledger;
        this.signal = signal;
        this.broker = broker;
        this.limitNanos = limitNanos;
        nextNanos = ledger.runningNanos();
    }

    /** Whether to start a due attempt now; each is due only once. */
    final boolean takesTurn() {
        long now = ledger.runningNanos();
        if (attempt != null || now < nextNanos) {
            return false;
        }
        nextNanos += signal.everyNanos;
        if (nextNanos <= now) {
            // Attempts due during the open one were counted with it.
            nextNanos = now + signal.everyNanos;
        }
        return true;
    }

    /** Whether opening has just exceeded its time limit; the caller reopens the connection. */
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

    /** Ends the open attempt, if any. */
    final void over(boolean succeeded) {
        if (attempt != null) {
            ledger.end(signal, broker, attempt, succeeded);
            attempt = null;
        }
    }

    /** Discards the open attempt, because the connection is no longer used. */
    final void drop() {
        if (attempt != null) {
            ledger.drop(signal, broker, attempt);
            attempt = null;
        }
    }
}
