package io.plimsoll.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The attempts at one signal of one broker in the order in which they began, and the outages that they show: times in which
 * something was tried and nothing succeeded. The time is an argument: nanoseconds that never go back and stand still while this
 * process does, so that its own stops are nobody's outage. Any thread.
 */
final class Attempts {
    private final long outageNanos;
    private final Deque<Attempt> open = new ArrayDeque<>();
    private long lastSuccessNanos = Long.MIN_VALUE;
    /** Begin of the first attempt that failed since the last success; {@link Long#MAX_VALUE} for none. */
    private long failingFromNanos = Long.MAX_VALUE;

    private Outage outage;

    /** One of them. */
    static final class Attempt {
        private final long beginNanos;
        private boolean ended;

        private Attempt(long beginNanos) {
            this.beginNanos = beginNanos;
        }

        long beginNanos() {
            return beginNanos;
        }
    }

    /** @param endNanos {@link Long#MAX_VALUE} while it goes on */
    record Outage(long beginNanos, long endNanos) {
        boolean goesOn() {
            return endNanos == Long.MAX_VALUE;
        }
    }

    /** @param outageNanos the shortest time without a success that is an outage */
    Attempts(long outageNanos) {
        this.outageNanos = outageNanos;
    }

    synchronized Attempt begin(long nowNanos) {
        Attempt attempt = new Attempt(nowNanos);
        open.add(attempt);
        return attempt;
    }

    /**
     * An attempt has ended.
     *
     * @return the outage that ends with it
     */
    synchronized Optional<Outage> end(Attempt attempt, boolean succeeded, long nowNanos) {
        drop(attempt);
        if (!succeeded) {
            failingFromNanos = Math.min(failingFromNanos, Math.max(attempt.beginNanos, lastSuccessNanos));
            return Optional.empty();
        }
        lastSuccessNanos = nowNanos;
        failingFromNanos = Long.MAX_VALUE;
        return close(nowNanos);
    }

    /** It says nothing about this signal. */
    synchronized void drop(Attempt attempt) {
        attempt.ended = true;
        while (!open.isEmpty() && open.peek().ended) {
            open.poll();
        }
    }

    /** @return the outage that is seen for the first time: nothing has succeeded for too long since something was tried */
    synchronized Optional<Outage> look(long nowNanos) {
        long triedFrom = open.isEmpty() ? Long.MAX_VALUE : Math.max(open.peek().beginNanos, lastSuccessNanos);
        long from = Math.min(failingFromNanos, triedFrom);
        if (outage != null || from == Long.MAX_VALUE || nowNanos - from < outageNanos) {
            return Optional.empty();
        }
        outage = new Outage(from, Long.MAX_VALUE);
        return Optional.of(outage);
    }

    /** Forgets what is under way: the broker is not asked this any more, or by somebody else. */
    synchronized Optional<Outage> forget(long nowNanos) {
        open.clear();
        failingFromNanos = Long.MAX_VALUE;
        return close(nowNanos);
    }

    private Optional<Outage> close(long nowNanos) {
        Optional<Outage> ended = Optional.ofNullable(outage).map(o -> new Outage(o.beginNanos, nowNanos));
        outage = null;
        return ended;
    }
}
