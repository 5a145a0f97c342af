package io.plimsoll.watch;

import io.plimsoll.wire.ClusterView;
import java.util.function.Consumer;

/** A connection that stands and is asked for metadata, one question after the other. Owned by one thread. */
final class StandingLink extends WatchedLink {
    private final Consumer<Consumer<ClusterView>> question;
    private final Consumer<ClusterView> seen;
    private long lostNanos;

    /**
     * @param question is asked while requests can be sent, and gives the answer, or null if there was none
     * @param seen is given each answer
     */
    StandingLink(
            Ledger ledger,
            int broker,
            long limitNanos,
            Consumer<Consumer<ClusterView>> question,
            Consumer<ClusterView> seen) {
        super(ledger, Signal.METADATA, broker, limitNanos);
        this.question = question;
        this.seen = seen;
    }

    /** Asks if it is due, and says whether the connection is to be opened anew now. */
    boolean turns() {
        boolean gaveUp = gaveUp();
        if (takesTurn()) {
            attempt = ledger.begin(signal, broker);
            if (state == LinkState.READY) {
                question.accept(this::answered);
            }
        }
        // The network itself waits for up to a second; an outage's end has to be known sooner.
        boolean late = state == LinkState.LOST && ledger.runningNanos() - lostNanos >= signal.everyNanos;
        if (late) {
            state = LinkState.UNKNOWN;
        }
        return gaveUp || late;
    }

    private void answered(ClusterView view) {
        over(view != null);
        if (view != null) {
            seen.accept(view);
        }
    }

    @Override
    void ready() {
        if (attempt != null) {
            // It has waited for the connection.
            question.accept(this::answered);
        }
    }

    @Override
    public void ended(String error) {
        lostNanos = ledger.runningNanos();
        super.ended(error);
    }
}
