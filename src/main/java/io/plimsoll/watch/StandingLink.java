package io.plimsoll.watch;

import io.plimsoll.wire.ClusterView;
import java.util.function.Consumer;

/** An open connection with one metadata request at a time. Owned by one thread. */
final class StandingLink extends WatchedLink {
    private final Consumer<Consumer<ClusterView>> question;
    private final Consumer<ClusterView> seen;
    private long lostNanos;

    /**
     * @param question sends a request while the link is ready; its result is null without a response
     * @param seen receives each response
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

    /** Sends a due request and returns whether to reopen the connection now. */
    boolean turns() {
        boolean gaveUp = gaveUp();
        if (takesTurn()) {
            attempt = ledger.begin(signal, broker);
            if (state == LinkState.READY) {
                question.accept(this::answered);
            }
        }
        // The network layer waits up to a second, too long to date the end of an outage.
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
            // A request waited for the connection.
            question.accept(this::answered);
        }
    }

    @Override
    public void ended(String error) {
        lostNanos = ledger.runningNanos();
        super.ended(error);
    }
}
