package io.plimsoll.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The attempts at one signal of one broker in the order in which they began, and the outages that they show: times in which
 * something was tried and nothing succeeded. The time is an argument: nanoseconds that never go back and stand still while this
 * process does, so that its own stops are nobody's outage. Any thread.
 */
final class Attempts {
    /** A first success takes as many times as long: there are connections to be made. */
    private static final int FIRST = 10;

    private final long outageNanos;
    private final Consumer<Outage> told;
    private final Deque<Attempt> open = new ArrayDeque<>();
    private long lastSuccessNanos = Long.MIN_VALUE;
    /** Begin of the first attempt that failed since the last success; {@link Long#MAX_VALUE} for none. */
    private long failingFromNanos = Long.MAX_VALUE;

    /** What was told first since the last success; null for nothing. */
    private String error;

    private Outage outage;

    /** One of them. */
    static final class Attempt {
        /** Of nobody's account. */
        static final Attempt NONE = new Attempt(0);

        final long beginNanos;
        private boolean ended;
        /** How many of those that are due were counted with it. */
        private int counted;

        private Attempt(long beginNanos) {
            this.beginNanos = beginNanos;
        }
    }

    /**
     * @param endNanos {@link Long#MAX_VALUE} while it goes on
     * @param error what was told first; null as long as nothing was
     */
    record Outage(long beginNanos, long endNanos, String error) {
        boolean goesOn() {
            return endNanos == Long.MAX_VALUE;
        }
    }

    /**
     * @param outageNanos the shortest time without a success that is an outage
     * @param told is given each outage when it is seen first, when it is told first why, and when it has ended; under a lock
     */
    Attempts(long outageNanos, Consumer<Outage> told) {
        this.outageNanos = outageNanos;
        this.told = told;
    }

    synchronized Attempt begin(long nowNanos) {
        Attempt attempt = new Attempt(nowNanos);
        open.add(attempt);
        return attempt;
    }

    /** One that follows at once on another that has failed, and stands for what is due meanwhile. */
    synchronized Attempt again(long nowNanos) {
        Attempt attempt = begin(nowNanos);
        attempt.counted = 1;
        return attempt;
    }

    /**
     * How many attempts, itself among them, are due while one of them lasts; those that were told before are left out.
     *
     * @param everyNanos from one that is due to the next; 0 where none waits for another
     */
    synchronized int due(Attempt attempt, long lastedNanos, long everyNanos) {
        int due = everyNanos == 0 ? 1 : (int) Math.max(1, lastedNanos / everyNanos);
        int more = Math.max(0, due - attempt.counted);
        attempt.counted += more;
        return more;
    }

    /** The same of all that have no answer yet after their patience: that they are not good is known before they end. */
    synchronized int overdue(long nowNanos, long patienceNanos, long everyNanos) {
        int sum = 0;
        for (Attempt attempt : open) {
            long lastedNanos = nowNanos - attempt.beginNanos;
            sum += !attempt.ended && lastedNanos > patienceNanos ? due(attempt, lastedNanos, everyNanos) : 0;
        }
        return sum;
    }

    /** An attempt has ended; of one that was forgotten meanwhile nothing is known any more. */
    synchronized void end(Attempt attempt, boolean succeeded, long nowNanos) {
        if (attempt.ended) {
            return;
        }
        if (succeeded) {
            // A silence that is over before anybody looks again has been one all the same.
            look(nowNanos);
        }
        drop(attempt);
        if (succeeded) {
            lastSuccessNanos = nowNanos;
            close(nowNanos);
        } else {
            failingFromNanos = Math.min(failingFromNanos, Math.max(attempt.beginNanos, lastSuccessNanos));
        }
    }

    /** Whether an outage goes on, as far as was looked. */
    synchronized boolean isOut() {
        return outage != null;
    }

    /** Whoever tries is told this instead of a success. */
    synchronized void tell(String why) {
        if (error != null) {
            return;
        }
        error = why;
        if (outage != null && why != null) {
            outage = new Outage(outage.beginNanos, Long.MAX_VALUE, why);
            told.accept(outage);
        }
    }

    /** It says nothing about this signal. */
    synchronized void drop(Attempt attempt) {
        attempt.ended = true;
        while (!open.isEmpty() && open.peek().ended) {
            open.poll();
        }
    }

    /** Looks whether an outage has begun: nothing has succeeded for too long since something was tried. */
    synchronized void look(long nowNanos) {
        long triedFrom = open.isEmpty() ? Long.MAX_VALUE : Math.max(open.peek().beginNanos, lastSuccessNanos);
        long from = Math.min(failingFromNanos, triedFrom);
        long limitNanos = lastSuccessNanos == Long.MIN_VALUE ? FIRST * outageNanos : outageNanos;
        if (outage == null && from != Long.MAX_VALUE && nowNanos - from >= limitNanos) {
            outage = new Outage(from, Long.MAX_VALUE, error);
            told.accept(outage);
        }
    }

    /**
     * Forgets what is under way: the broker is not asked this any more.
     *
     * @return of how many it was not told yet that they are not good
     */
    synchronized int forget(long nowNanos) {
        int left = (int) open.stream().filter(a -> !a.ended && a.counted == 0).count();
        // What fails later would begin an outage that nothing could end.
        open.forEach(attempt -> attempt.ended = true);
        open.clear();
        close(nowNanos);
        return left;
    }

    private void close(long nowNanos) {
        failingFromNanos = Long.MAX_VALUE;
        error = null;
        if (outage != null) {
            told.accept(new Outage(outage.beginNanos, nowNanos, outage.error));
            outage = null;
        }
    }
}
