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
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Whether each signal of each broker, and of all together, was good: counts by time, latencies, outages. Whoever tries something
 * tells it here. Any thread.
 */
final class Ledger {
    private static final int OUTAGES_KEPT = 200;
    /** Of signals of which many attempts may be open, those that take too long are looked for so often. */
    private static final long OVERDUE_EVERY_NANOS = 1_000_000_000L;

    private final WatchClock clock;
    private final Duration slow;
    private final Duration outage;
    private final Consumer<WatchStatus.Outage> told;
    private final Map<Signal, Map<Integer, Account>> accounts = new EnumMap<>(Signal.class);
    private final Deque<WatchStatus.Outage> outages = new ArrayDeque<>();
    /** Of an earlier process, which they outlived; whether they are over shows when they are seen again, or something succeeds. */
    private final Set<Key> outlived = ConcurrentHashMap.newKeySet();
    /** Seen, and not told yet. */
    private final Queue<WatchStatus.Outage> news = new ConcurrentLinkedQueue<>();

    private long overdueNanos;

    private record Key(Signal signal, int broker) {}

    /** Of one signal and one broker. */
    static final class Account {
        final Attempts attempts;
        final RollingLatencies latencies = new RollingLatencies();
        Availability availability = new Availability();

        Account(Attempts attempts) {
            this.attempts = attempts;
        }
    }

    /** @param told is given each outage as {@link Attempts} says, by the thread that calls {@link #look} */
    Ledger(WatchClock clock, Duration slow, Duration outage, Consumer<WatchStatus.Outage> told) {
        this.clock = clock;
        this.slow = slow;
        this.outage = outage;
        this.told = told;
        for (Signal signal : Signal.values()) {
            accounts.put(signal, new TreeMap<>());
        }
    }

    private synchronized Account account(Signal signal, int broker) {
        return accounts.get(signal)
                .computeIfAbsent(
                        broker,
                        id -> new Account(
                                new Attempts(outage.toNanos() * signal.patience, o -> seen(signal, broker, o))));
    }

    private void seen(Signal signal, int broker, Attempts.Outage o) {
        outlived.remove(new Key(signal, broker));
        news.add(outage(signal, broker, o));
    }

    /** Where an earlier process has seen an outage begin, and this one has not seen it, it has ended by now. */
    private void back(Signal signal, int broker) {
        if (outlived.remove(new Key(signal, broker))) {
            Instant now = clock.instant(clock.runningNanos());
            news.add(new WatchStatus.Outage(signal, broker, now, now, null));
        }
    }

    private WatchStatus.Outage outage(Signal signal, int broker, Attempts.Outage o) {
        Instant end = o.goesOn() ? null : clock.instant(o.endNanos());
        return new WatchStatus.Outage(signal, broker, clock.instant(o.beginNanos()), end, o.error());
    }

    Attempt begin(Signal signal, int broker) {
        return account(signal, broker).attempts.begin(clock.runningNanos());
    }

    /** Begins one that follows at once on another that has failed: that one was counted for both. */
    Attempt again(Signal signal, int broker) {
        return account(signal, broker).attempts.again(clock.runningNanos());
    }

    /** Ends an attempt that took as long as it did; where it is not good, those that were due meanwhile are not either. */
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
        // A group that gets its answer while its broker is silent has gone to another one.
        boolean moved = (signal == Signal.COMMIT || signal == Signal.JOIN) && isSilent(broker);
        boolean good = succeeded && took <= slowNanos(signal) && !moved;
        int due = attempts.due(attempt, good ? 0 : took, signal.everyNanos);
        count(signal, broker, good, due, succeeded ? took : -1);
    }

    /** What takes longer is not good. */
    private long slowNanos(Signal signal) {
        return slow.toNanos() * signal.patience;
    }

    /** Who tries it is told this, and nothing has succeeded yet since. */
    void tell(Signal signal, int broker, String error) {
        account(signal, broker).attempts.tell(error);
    }

    /** Whether a broker answers nobody, so that what others do in its place is not its doing. */
    private boolean isSilent(int broker) {
        return account(Signal.METADATA, broker).attempts.isOut() || outlived.contains(new Key(Signal.METADATA, broker));
    }

    /**
     * An attempt is due that cannot be made at this broker, since another one has taken over what it is for. It is good if the broker
     * answers and fails if it does not: an outage costs each signal the same share of time. Nothing where the signal was never tried.
     */
    void unmade(Signal signal, int broker) {
        boolean silent = isSilent(broker);
        synchronized (this) {
            Account known = accounts.get(signal).get(broker);
            if (known != null && known.availability.all().good() > 0) {
                known.availability.add(!silent, 1, clock.epochMinute());
            }
        }
    }

    /** For how long this process has run, from some origin. */
    long runningNanos() {
        return clock.runningNanos();
    }

    /** It could not be found out whether it was good. */
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

    /** An attempt was due and could not be made, since what it needs has failed: it is not good, and tells of no outage. */
    void fail(Signal signal, int broker, Attempt attempt) {
        if (attempt != Attempt.NONE) {
            Attempts attempts = account(signal, broker).attempts;
            attempts.drop(attempt);
            count(signal, broker, false, attempts.due(attempt, 0, 0), -1);
        }
    }

    /** Nobody asks this broker for this any more. */
    void forget(Signal signal, int broker) {
        int open = account(signal, broker).attempts.forget(clock.runningNanos());
        if (isSilent(broker)) {
            count(signal, broker, false, open, -1);
        }
        back(signal, broker);
    }

    /** Of what an earlier process has left, nobody asks other brokers than these any more. */
    void onlyOf(Set<Integer> brokers) {
        for (Key key : outlived) {
            if (!brokers.contains(key.broker)) {
                back(key.signal, key.broker);
            }
        }
    }

    /** Nobody asks this broker for anything any more. */
    void forget(int broker) {
        for (Signal signal : Signal.values()) {
            forget(signal, broker);
        }
    }

    /**
     * Looks for outages that have begun, and tells of those and of what has ended; counts what hangs. Called by one thread.
     */
    void look() {
        long now = clock.runningNanos();
        synchronized (this) {
            accounts.forEach((signal, brokers) -> {
                brokers.values().forEach(account -> account.attempts.look(now));
                if (signal.everyNanos > 0 || now - overdueNanos >= OVERDUE_EVERY_NANOS) {
                    // Counting may add the account of all together.
                    List.copyOf(brokers.entrySet()).forEach(e -> countOverdue(signal, e.getKey(), e.getValue(), now));
                }
            });
            if (now - overdueNanos >= OVERDUE_EVERY_NANOS) {
                overdueNanos = now;
            }
        }
        for (WatchStatus.Outage seen = news.poll(); seen != null; seen = news.poll()) {
            told.accept(note(seen));
        }
    }

    private void countOverdue(Signal signal, int broker, Account account, long nowNanos) {
        int overdue = account.attempts.overdue(nowNanos, slowNanos(signal), signal.everyNanos);
        if (overdue > 0) {
            count(signal, broker, false, overdue, -1);
        }
    }

    /** @return what is kept: an outage began when it was said to first, also where the clock was set meanwhile, and is told why once */
    private synchronized WatchStatus.Outage note(WatchStatus.Outage seen) {
        WatchStatus.Outage kept = seen;
        for (WatchStatus.Outage open : List.copyOf(outages)) {
            if (open.goesOn() && open.signal() == seen.signal() && open.broker() == seen.broker()) {
                String error = seen.error() == null ? open.error() : seen.error();
                kept = new WatchStatus.Outage(seen.signal(), seen.broker(), open.from(), seen.to(), error);
                outages.remove(open);
            }
        }
        outages.add(kept);
        while (outages.size() > OUTAGES_KEPT) {
            outages.poll();
        }
        return kept;
    }

    /** The last ones, the oldest first. */
    synchronized List<WatchStatus.Outage> outages() {
        return List.copyOf(outages);
    }

    /** What one of its readers makes of an account. */
    interface Reader {
        void account(Signal signal, int broker, Availability availability, Histogram recent, Histogram day);
    }

    synchronized void read(Reader reader) {
        long minute = clock.epochMinute();
        accounts.forEach((signal, brokers) -> brokers.forEach((broker, a) ->
                reader.account(signal, broker, a.availability, a.latencies.recent(minute), a.latencies.day(minute))));
    }

    /** To go on with later. */
    synchronized List<WatchFiles.Counted> counted() {
        List<WatchFiles.Counted> all = new ArrayList<>();
        accounts.forEach((signal, brokers) ->
                brokers.forEach((broker, a) -> all.add(new WatchFiles.Counted(signal, broker, a.availability.copy()))));
        return all;
    }

    /** Of the last two minutes. */
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

    /** To go on with later. */
    synchronized List<WatchFiles.Timed> timed() {
        long minute = clock.epochMinute();
        List<WatchFiles.Timed> all = new ArrayList<>();
        accounts.forEach((signal, brokers) -> brokers.forEach(
                (broker, a) -> all.add(new WatchFiles.Timed(signal, broker, a.latencies.hours(minute)))));
        return all;
    }

    /** Goes on with what an earlier process has measured. */
    synchronized void restore(List<WatchFiles.Timed> timed) {
        timed.forEach(t -> account(t.signal(), t.broker()).latencies.restore(t.hours()));
    }

    /** Goes on with what an earlier process has counted. */
    synchronized void restore(WatchFiles.Accounts earlier, List<WatchFiles.Minute> minutes) {
        earlier.counted().forEach(c -> account(c.signal(), c.broker()).availability = c.availability());
        minutes.forEach(m -> account(m.signal(), m.broker())
                .availability
                .restore(m.minute(), new Availability.Counts(m.good(), m.bad())));
        outages.addAll(earlier.outages());
        earlier.outages().stream()
                .filter(WatchStatus.Outage::goesOn)
                .forEach(o -> outlived.add(new Key(o.signal(), o.broker())));
    }
}
