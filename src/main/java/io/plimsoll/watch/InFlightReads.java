package io.plimsoll.watch;

import io.plimsoll.watch.Attempts.Attempt;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records of one partition waiting to be read, by sequence, with their end-to-end attempts. Any thread. */
final class InFlightReads {
    /** Unacknowledged records fail earlier; acknowledged ones that stay unread for this time count as failed. */
    static final Duration LONGEST = WatchedLog.DELIVERY_LIMIT.plusSeconds(15);

    private final Ledger ledger;
    private final Map<Long, Sent> records = new ConcurrentHashMap<>();
    /** Broker of the newest record. */
    private volatile int newestBroker;

    /** @param nanos send time, including records outside the statistics */
    private record Sent(Attempt attempt, int broker, long nanos) {}

    InFlightReads(Ledger ledger) {
        this.ledger = ledger;
    }

    /** @param counted whether the record belongs to the statistics */
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

    /** Removes an unacknowledged record, which has no read time. */
    void fail(long sequence) {
        Sent sent = records.remove(sequence);
        if (sent != null) {
            ledger.fail(Signal.END_TO_END, sent.broker, sent.attempt);
        }
    }

    /** Counts records that are in flight for too long as failed, even if they are read later. */
    void expire() {
        long oldest = ledger.runningNanos() - LONGEST.toNanos();
        records.forEach((sequence, sent) -> {
            if (sent.nanos < oldest && records.remove(sequence, sent)) {
                ledger.end(Signal.END_TO_END, sent.broker, sent.attempt, false);
            }
        });
    }

    /** Records a read error. */
    void tell(String error) {
        if (!isEmpty()) {
            ledger.tell(Signal.END_TO_END, newestBroker, error);
        }
    }

    boolean isEmpty() {
        return records.isEmpty();
    }
}
