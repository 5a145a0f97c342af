package io.plimsoll.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The attempts at one signal of one broker, in order of their start, and the outages that they reveal: times with
 * attempts but without success. Time is an argument in monotonic nanoseconds that pause while this process is
 * suspended, so that a suspension never counts as an outage. Thread-safe.
 */
final class Attempts {
    /** Factor by which the first success may take longer, because it includes connecting. */
    private static final int FIRST = 10;

    private final long outageNanos;
    private final Consumer<Outage> listener;
    private final Deque<Attempt> open = new ArrayDeque<>();
    private long lastSuccessNanos = Long.MIN_VALUE;
    /** Start of the first failed attempt since the last success; {@link Long#MAX_VALUE} if none. */
    private long failingFromNanos = Long.MAX_VALUE;

    /** First error since the last success. */
    private @Nullable String error;

    private @Nullable Outage outage;

    static final class Attempt {
        /** An attempt that is not part of the statistics. */
        static final Attempt NONE = new Attempt(0);

        final long beginNanos;
        private boolean ended;
        /** Number of due attempts that were already counted together with this one. */
        private int counted;

        private Attempt(long beginNanos) {
            this.beginNanos = beginNanos;
        }
    }

    /**
     * @param endNanos {@link Long#MAX_VALUE} while the outage continues
     * @param error first error; null until one is known
     */
    record Outage(long beginNanos, long endNanos, @Nullable String error) {
        boolean ongoing() {
            return endNanos == Long.MAX_VALUE;
        }
    }

    /**
     * @param listener receives each outage when it is detected, when its error becomes known, and when it ends; called
     *     while this object is locked
     */
    Attempts(long outageNanos, Consumer<Outage> listener) {
        this.outageNanos = outageNanos;
        this.listener = listener;
    }

    synchronized Attempt begin(long nowNanos) {
        Attempt attempt = new Attempt(nowNanos);
        open.add(attempt);
        return attempt;
    }

    /** Starts a retry directly after a failed attempt; the retry represents the attempts that become due while it lasts. */
    synchronized Attempt again(long nowNanos) {
        Attempt attempt = begin(nowNanos);
        attempt.counted = 1;
        return attempt;
    }

    /**
     * Number of attempts that became due during this attempt, including itself. Excludes attempts that an earlier call
     * counted.
     * @param everyNanos interval between due attempts; 0 if attempts do not wait for each other
     */
    synchronized int due(Attempt attempt, long lastedNanos, long everyNanos) {
        int due = everyNanos == 0 ? 1 : (int) Math.max(1, lastedNanos / everyNanos);
        int more = Math.max(0, due - attempt.counted);
        attempt.counted += more;
        return more;
    }

    /** As {@link #due}, for all attempts that exceeded their time limit: they count as failed before they end. */
    synchronized int overdue(long nowNanos, long patienceNanos, long everyNanos) {
        int sum = 0;
        for (Attempt attempt : open) {
            long lastedNanos = nowNanos - attempt.beginNanos;
            sum += !attempt.ended && lastedNanos > patienceNanos ? due(attempt, lastedNanos, everyNanos) : 0;
        }
        return sum;
    }

    /** Ends an attempt; an attempt that was dropped is ignored. */
    synchronized void end(Attempt attempt, boolean succeeded, long nowNanos) {
        if (attempt.ended) {
            return;
        }
        if (succeeded) {
            // A time without success that ends between two checks is also an outage.
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

    /** Whether an outage was in progress at the last check. */
    synchronized boolean isOut() {
        return outage != null;
    }

    /** Records an error if it is the first since the last success. */
    synchronized void tell(@Nullable String why) {
        if (error != null) {
            return;
        }
        error = why;
        if (outage != null && why != null) {
            outage = new Outage(outage.beginNanos, Long.MAX_VALUE, why);
            listener.accept(outage);
        }
    }

    /** Discards an attempt that is not evidence about this signal. */
    synchronized void drop(Attempt attempt) {
        attempt.ended = true;
        while (!open.isEmpty() && open.peek().ended) {
            open.poll();
        }
    }

    /** Detects an outage: too much time without success since an attempt. */
    synchronized void look(long nowNanos) {
        long triedFrom = open.isEmpty() ? Long.MAX_VALUE : Math.max(open.peek().beginNanos, lastSuccessNanos);
        long from = Math.min(failingFromNanos, triedFrom);
        long limitNanos = lastSuccessNanos == Long.MIN_VALUE ? FIRST * outageNanos : outageNanos;
        if (outage == null && from != Long.MAX_VALUE && nowNanos - from >= limitNanos) {
            outage = new Outage(from, Long.MAX_VALUE, error);
            listener.accept(outage);
        }
    }

    /** Drops open attempts; returns how many due attempts were not yet reported as failed. */
    synchronized int forget(long nowNanos) {
        int left = (int) open.stream().filter(a -> !a.ended && a.counted == 0).count();
        // Otherwise a later failure would begin an outage without an end.
        open.forEach(attempt -> attempt.ended = true);
        open.clear();
        close(nowNanos);
        return left;
    }

    private void close(long nowNanos) {
        failingFromNanos = Long.MAX_VALUE;
        error = null;
        if (outage != null) {
            listener.accept(new Outage(outage.beginNanos, nowNanos, outage.error));
            outage = null;
        }
    }
}
