package io.plimsoll.watch;

import io.plimsoll.watch.Attempts.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of every signal, per broker and in total: counts over time, latencies, outages. All probes report to this
 * object. Thread-safe.
 */
final class Ledger {
    /** Number of outages that are kept after their end. */
    private static final int OUTAGES_KEPT = 200;
    /** Interval in ns between searches for overdue attempts at signals with many open attempts. */
    private static final long OVERDUE_EVERY_NANOS = 1_000_000_000L;

    private final WatchClock clock;
    private final Duration slow;
    private final Duration outage;
    private final Consumer<WatchStatus.Outage> listener;
    private final Map<Signal, Map<Integer, Account>> accounts = new EnumMap<>(Signal.class);
    private final Deque<WatchStatus.Outage> outages = new ArrayDeque<>();
    /** Open outages of an earlier process. They end at the next success, or continue if this process also detects them. */
    private final Set<Key> outlived = ConcurrentHashMap.newKeySet();
    /** Detected outages that are not reported yet. */
    private final Queue<WatchStatus.Outage> news = new ConcurrentLinkedQueue<>();

    private long overdueNanos;

    private record Key(Signal signal, int broker) {}

    static final class Account {
        final Attempts attempts;
        final RollingLatencies latencies = new RollingLatencies();
        Availability availability = new Availability();

        Account(Attempts attempts) {
            this.attempts = attempts;
        }
    }

    /** @param listener receives outages as in {@link Attempts}, on the thread that calls {@link #look} */
    Ledger(WatchClock clock, Duration slow, Duration outage, Consumer<WatchStatus.Outage> listener) {
        this.clock = clock;
        this.slow = slow;
        this.outage = outage;
        this.listener = listener;
        for (Signal signal : Signal.values()) {
            accounts.put(signal, new TreeMap<>());
        }
    }

    private synchronized Account account(Signal signal, int broker) {
        return Objects.requireNonNull(accounts.get(signal))
                .computeIfAbsent(
                        broker,
                        id -> new Account(
                                new Attempts(outage.toNanos() * signal.patience, o -> seen(signal, broker, o))));
    }

    private void seen(Signal signal, int broker, Attempts.Outage o) {
        outlived.remove(new Key(signal, broker));
        news.add(outage(signal, broker, o));
    }

    /** Ends an outage of an earlier process that this process has not detected. */
    private void back(Signal signal, int broker) {
        if (outlived.remove(new Key(signal, broker))) {
            Instant now = clock.instant(clock.runningNanos());
            news.add(new WatchStatus.Outage(signal, broker, now, now, null));
        }
    }

    private WatchStatus.Outage outage(Signal signal, int broker, Attempts.Outage o) {
        Instant end = o.ongoing() ? null : clock.instant(o.endNanos());
        return new WatchStatus.Outage(signal, broker, clock.instant(o.beginNanos()), end, o.error());
    }

    Attempt begin(Signal signal, int broker) {
        return account(signal, broker).attempts.begin(clock.runningNanos());
    }

    /** Starts a retry directly after a failed attempt; both together count as one due attempt. */
    Attempt again(Signal signal, int broker) {
        return account(signal, broker).attempts.again(clock.runningNanos());
    }

    /** Ends an attempt; if it failed, the attempts that became due while it lasted count as failed, too. */
    void end(Signal signal, int broker, Attempt attempt, boolean succeeded) {
        if (attempt == Attempt.NONE) {
            return;
        }
        long now = clock.runningNanos();
        long took = now - attempt.beginNanos;
        Attempts attempts = account(signal, broker).attempts;
        attempts.end(attempt, succeeded, now);
        if (succeeded) {
            back(signal, broker);
        }
        // The group moved to another coordinator, so it gets responses although its former broker is silent.
        boolean moved = (signal == Signal.COMMIT || signal == Signal.JOIN) && isSilent(broker);
        boolean good = succeeded && took <= slowNanos(signal) && !moved;
        int due = attempts.due(attempt, good ? 0 : took, signal.everyNanos);
        count(signal, broker, good, due, succeeded ? took : -1);
    }

    private long slowNanos(Signal signal) {
        return slow.toNanos() * signal.patience;
    }

    /** Records an error if it is the first since the last success. */
    void tell(Signal signal, int broker, @Nullable String error) {
        account(signal, broker).attempts.tell(error);
    }

    /** Whether a broker is silent; a success at brokers that take over its work then does not count for this broker. */
    private boolean isSilent(int broker) {
        return account(Signal.METADATA, broker).attempts.isOut() || outlived.contains(new Key(Signal.METADATA, broker));
    }

    /**
     * Counts an attempt that cannot be made because another broker took over. It counts as successful if the broker
     * responds, so that an outage affects every signal for the same share of time. Ignored for signals without earlier
     * attempts.
     */
    void unmade(Signal signal, int broker) {
        boolean silent = isSilent(broker);
        synchronized (this) {
            Account known = Objects.requireNonNull(accounts.get(signal)).get(broker);
            if (known != null && known.availability.all().good() > 0) {
                known.availability.add(!silent, 1, clock.epochMinute());
            }
        }
    }

    /** Running time of this process, from an arbitrary origin. */
    long runningNanos() {
        return clock.runningNanos();
    }

    void drop(Signal signal, int broker, Attempt attempt) {
        account(signal, broker).attempts.drop(attempt);
    }

    private synchronized void count(Signal signal, int broker, boolean good, int due, long tookNanos) {
        long minute = clock.epochMinute();
        for (int id : List.of(broker, WatchStatus.ALL)) {
            Account account = account(signal, id);
            account.availability.add(good, due, minute);
            if (tookNanos >= 0) {
                account.latencies.add(tookNanos, minute);
            }
        }
    }

    /** Counts a due attempt as failed because a prerequisite failed; this does not indicate an outage. */
    void fail(Signal signal, int broker, Attempt attempt) {
        if (attempt != Attempt.NONE) {
            Attempts attempts = account(signal, broker).attempts;
            attempts.drop(attempt);
            count(signal, broker, false, attempts.due(attempt, 0, 0), -1);
        }
    }

    void forget(Signal signal, int broker) {
        int open = account(signal, broker).attempts.forget(clock.runningNanos());
        if (isSilent(broker)) {
            count(signal, broker, false, open, -1);
        }
        back(signal, broker);
    }

    /** Drops outages of an earlier process at brokers that are not in this set and are therefore not probed. */
    void onlyOf(Set<Integer> brokers) {
        for (Key key : outlived) {
            if (!brokers.contains(key.broker)) {
                back(key.signal, key.broker);
            }
        }
    }

    void forget(int broker) {
        for (Signal signal : Signal.values()) {
            forget(signal, broker);
        }
    }

    /** Detects outages, reports their start and end, and counts overdue attempts. Called by one thread. */
    void look() {
        long now = clock.runningNanos();
        synchronized (this) {
            accounts.forEach((signal, brokers) -> {
                brokers.values().forEach(account -> account.attempts.look(now));
                if (signal.everyNanos > 0 || now - overdueNanos >= OVERDUE_EVERY_NANOS) {
                    // Iterate over a copy, because counting can add the entry for the total.
                    List.copyOf(brokers.entrySet()).forEach(e -> countOverdue(signal, e.getKey(), e.getValue(), now));
                }
            });
            if (now - overdueNanos >= OVERDUE_EVERY_NANOS) {
                overdueNanos = now;
            }
        }
        for (WatchStatus.Outage seen = news.poll(); seen != null; seen = news.poll()) {
            listener.accept(note(seen));
        }
    }

    private void countOverdue(Signal signal, int broker, Account account, long nowNanos) {
        int overdue = account.attempts.overdue(nowNanos, slowNanos(signal), signal.everyNanos);
        if (overdue > 0) {
            count(signal, broker, false, overdue, -1);
        }
    }

    /** @return the stored outage, with the start that was first reported (even after a clock change) and the first error */
    private synchronized WatchStatus.Outage note(WatchStatus.Outage seen) {
        WatchStatus.Outage kept = seen;
        for (WatchStatus.Outage open : List.copyOf(outages)) {
            if (open.ongoing() && open.signal() == seen.signal() && open.broker() == seen.broker()) {
                String error = seen.error() == null ? open.error() : seen.error();
                kept = new WatchStatus.Outage(seen.signal(), seen.broker(), open.from(), seen.to(), error);
                outages.remove(open);
            }
        }
        outages.add(kept);
        List<WatchStatus.Outage> over =
                outages.stream().filter(o -> !o.ongoing()).toList();
        if (over.size() > OUTAGES_KEPT) {
            outages.remove(over.get(0));
        }
        return kept;
    }

    /** The outages, oldest first. */
    synchronized List<WatchStatus.Outage> outages() {
        return List.copyOf(outages);
    }

    interface Reader {
        void account(Signal signal, int broker, Availability availability, Histogram recent, Histogram day);
    }

    synchronized void read(Reader reader) {
        long minute = clock.epochMinute();
        accounts.forEach((signal, brokers) -> brokers.forEach((broker, a) ->
                reader.account(signal, broker, a.availability, a.latencies.recent(minute), a.latencies.day(minute))));
    }

    synchronized List<WatchFiles.Counted> counted() {
        List<WatchFiles.Counted> all = new ArrayList<>();
        accounts.forEach((signal, brokers) ->
                brokers.forEach((broker, a) -> all.add(new WatchFiles.Counted(signal, broker, a.availability.copy()))));
        return all;
    }

    synchronized List<WatchFiles.Minute> minutes() {
        long now = clock.epochMinute();
        List<WatchFiles.Minute> all = new ArrayList<>();
        accounts.forEach((signal, brokers) -> brokers.forEach((broker, a) -> {
            for (long minute : new long[] {now - 1, now}) {
                Availability.Counts counts = a.availability.minute(minute);
                all.add(new WatchFiles.Minute(signal, broker, minute, counts.good(), counts.bad()));
            }
        }));
        return all;
    }

    synchronized List<WatchFiles.Timed> timed() {
        long minute = clock.epochMinute();
        List<WatchFiles.Timed> all = new ArrayList<>();
        accounts.forEach((signal, brokers) -> brokers.forEach(
                (broker, a) -> all.add(new WatchFiles.Timed(signal, broker, a.latencies.hours(minute)))));
        return all;
    }

    synchronized void restore(List<WatchFiles.Timed> timed) {
        timed.forEach(t -> account(t.signal(), t.broker()).latencies.restore(t.hours()));
    }

    synchronized void restore(WatchFiles.Accounts earlier, List<WatchFiles.Minute> minutes) {
        earlier.counted().forEach(c -> account(c.signal(), c.broker()).availability = c.availability());
        minutes.forEach(m -> account(m.signal(), m.broker())
                .availability
                .restore(m.minute(), new Availability.Counts(m.good(), m.bad())));
        outages.addAll(earlier.outages());
        earlier.outages().stream()
                .filter(WatchStatus.Outage::ongoing)
                .forEach(o -> outlived.add(new Key(o.signal(), o.broker())));
    }
}
