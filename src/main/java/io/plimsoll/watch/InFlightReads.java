package io.plimsoll.watch;

import io.plimsoll.watch.Attempts.Attempt;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records of one partition that are to be read, by their sequence, with their attempts at the end-to-end signal. Any thread. */
final class InFlightReads {
    /** Whatever is not acknowledged fails before; what is, and cannot be read for so long, is not good. */
    static final Duration LONGEST = WatchedLog.DELIVERY_LIMIT.plusSeconds(15);

    private final Ledger ledger;
    private final Map<Long, Sent> records = new ConcurrentHashMap<>();
    /** That the newest was sent to. */
    private volatile int newestBroker;

    /** @param nanos when it was sent, also of those of which no account is kept */
    private record Sent(Attempt attempt, int broker, long nanos) {}

    InFlightReads(Ledger ledger) {
        this.ledger = ledger;
    }

    /** @param counted whether an account is kept of it */
    void begin(long sequence, int broker, boolean counted) {
        newestBroker = broker;
        Attempt attempt = counted ? ledger.begin(Signal.END_TO_END, broker) : Attempt.NONE;
        records.put(sequence, new Sent(attempt, broker, ledger.runningNanos()));
    }

    void read(long sequence) {
        Sent sent = records.remove(sequence);
        if (sent != null) {
            ledger.end(Signal.END_TO_END, sent.broker, sent.attempt, true);
        }
    }

    /** It was not acknowledged: there is nothing to be read in time. */
    void fail(long sequence) {
        Sent sent = records.remove(sequence);
        if (sent != null) {
            ledger.fail(Signal.END_TO_END, sent.broker, sent.attempt);
        }
    }

    /** Counts what is under way for too long as not good, whether it is read later or not. */
    void expire() {
        long oldest = ledger.runningNanos() - LONGEST.toNanos();
        records.forEach((sequence, sent) -> {
            if (sent.nanos < oldest && records.remove(sequence, sent)) {
                ledger.end(Signal.END_TO_END, sent.broker, sent.attempt, false);
            }
        });
    }

    /** Reading them has failed. */
    void tell(String error) {
        if (!isEmpty()) {
            ledger.tell(Signal.END_TO_END, newestBroker, error);
        }
    }

    boolean isEmpty() {
        return records.isEmpty();
    }
}
