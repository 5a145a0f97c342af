package io.plimsoll.load;

import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Quiet.Span;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongBiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The producers of one {@link ProducerSpec} on one worker, whatever their kind: when they start, stop and are done, what
 * they measured, and who is charged for records that were due and never handed over. A kind adds what its senders hand
 * records to. The calls come from the worker's thread in the order {@link #prepare}, {@link #start}, any number of
 * {@link #read}, {@link #stop}, {@link #awaitSent}, {@link #drain}, {@link #close}.
 */
public abstract class Producers implements AutoCloseable {
    /** More clients than this are reported as one: nobody reads a thousand lines. */
    private static final int MOST_SHARES = 50;

    protected final LoadContext context;
    protected final ProducerSpec spec;
    /** Which of the entry's clients are here. */
    protected final Slice slice;
    /** Name of the entry in client ids and messages, such as {@code producers-0}. */
    protected final String part;

    protected final ProducerLoad load;
    protected final ProducerMeters meters;
    private final long[] dueBefore = new long[2];
    protected final Waiter waiter;
    /** Waits for the answers to the records; null if nobody does. */
    protected final Replies replies;
    /** The price of the first things that the clients do: each time is that of the slowest client. */
    private long metadataNanos;

    private long connectedNanos;
    private TrialClock clock;
    /** Random times once more, see {@link ProducerLoad#drawnAgain}, and how many of them were due: of the warm-up, measured. */
    private List<DueTimes> drawnAgain = List.of();

    private final long[] drawnDue = new long[2];
    private volatile long stoppedNanos = Long.MAX_VALUE;
    private boolean closed;

    protected Producers(ProducerKind.Entry entry, Waiter waiter) {
        this.context = entry.context();
        this.spec = entry.spec();
        this.slice = entry.slice();
        this.part = entry.part();
        this.load = new ProducerLoad(context, spec, slice, part, entry.warmup());
        this.meters = new ProducerMeters(load.closedLoop());
        this.waiter = waiter;
        this.replies = spec.reply().isPresent() && slice.count() > 0
                ? new Replies(context, spec, slice, part, this::note)
                : null;
        context.cores().claim(slice.count() * spec.threads());
    }

    /**
     * Creates the clients and makes them ready: metadata of every topic known, a connection open to the leader of every
     * partition. Writes nothing.
     *
     * @throws io.plimsoll.PlimsollException if that is not possible within the time
     */
    public abstract void prepare(Duration timeout);

    /**
     * Waits for the acknowledgements that are still missing; may be called again, to wait longer.
     *
     * @return true once there are none, so that {@link #close} has nothing to give up on
     */
    public abstract boolean drain(Duration timeout) throws InterruptedException;

    /** Gets ready to read the answers to its records, if somebody waits for any; as {@link #prepare}. */
    public final void prepareReplies(Duration timeout) {
        if (replies != null) {
            replies.prepare(timeout);
        }
    }

    /** Waits for answers that are still missing; true once none is, or nobody waits for them any longer. */
    public final boolean awaitReplies(Duration timeout) throws InterruptedException {
        return replies == null || waiter.await(replies::done, timeout);
    }

    /** All that were made so far. */
    protected abstract List<? extends Sender> senders();

    /** How many partitions each topic of the entry has; null before it is known. */
    protected abstract int[] partitions();

    /**
     * Gives up on records without an answer, charging them with the time they have waited, closes the clients and ends
     * the threads.
     */
    protected abstract void abandon();

    /** Adds what the clients put on the wire, and what they say of themselves, since the last call. */
    protected abstract void readClients(MeterReading into);

    private void figures(ClientFigures into) {
        into.set(part, "keyed", spec.record().key() instanceof KeySpec.None ? 0 : 1);
        set(into, "metadataMs", metadataNanos);
        set(into, "connectedMs", connectedNanos);
        long first =
                meters.acks.stream().mapToLong(AckMeter::firstRecordNanos).max().orElse(0);
        set(into, "firstRecordMs", first);
        into.set(part, "spinning", context.cores().free() ? 1 : 0);
    }

    private void set(ClientFigures into, String figure, long nanos) {
        if (nanos > 0) {
            into.set(part, figure, nanos / 1e6);
        }
    }

    /** A client knows the metadata of its topics, so long after its constructor was called. */
    protected final void knowsMetadata(long nanos) {
        metadataNanos = Math.max(metadataNanos, nanos);
    }

    /** A client has a connection to each leader, likewise. */
    protected final void connected(long nanos) {
        connectedNanos = Math.max(connectedNanos, nanos);
    }

    protected final void note(Sentence text) {
        context.notes().accept(Sentence.of("load.ofPart", part, text));
    }

    /** Starts the schedule; the first record is due at the clock's start. */
    public final void start(TrialClock trialClock) {
        clock = load.clock(trialClock);
        meters.start(clock);
        if (replies != null) {
            replies.start(clock);
        }
        drawnAgain = load.drawnAgain();
        drawnAgain.forEach(times -> times.start(clock));
        senders().forEach(sender -> sender.start(clock));
    }

    /** True once every thread has handed over its last record. */
    public final boolean sent() {
        return senders().stream().allMatch(Sender::sent);
    }

    /** Ends sending as soon as possible; what is due and not sent is charged with the time it waited. */
    public final void stop() {
        if (stoppedNanos == Long.MAX_VALUE) {
            stoppedNanos = waiter.nanoTime();
            endWindow();
        }
        senders().forEach(Sender::stop);
    }

    /** The window of a trial that is stopped ends then: what is acknowledged later is none of its throughput. */
    private void endWindow() {
        if (clock != null && clock.warmup().known() && stoppedNanos < clock.measureEndNanos()) {
            TrialClock ended = clock.withWindow(Math.max(0, stoppedNanos - clock.measureStartNanos()));
            meters.acks.forEach(acks -> acks.start(ended));
        }
    }

    /** Waits until {@link #sent()}. */
    public final boolean awaitSent(Duration timeout) throws InterruptedException {
        return waiter.await(this::sent, timeout);
    }

    /** Gives up on records without an answer, charging them with the time they have waited, and closes the clients. */
    @Override
    public final void close() {
        if (closed) {
            return;
        }
        closed = true;
        stop();
        abandon();
        // All up to the same time, whenever each of them ended, so that the sum is what the schedule asked for by then.
        // A sender may have taken another record before it saw that it was stopped: that time is by then, too.
        stoppedNanos = senders().stream()
                .map(Sender::times)
                .filter(times -> times.takenNanos() >= stoppedNanos)
                .mapToLong(times -> times.takenNanos() + 1)
                .max()
                .orElse(stoppedNanos);
        if (replies == null) {
            senders().forEach(sender -> sender.times().charge(stoppedNanos, sender.acks()::unsent));
            return;
        }
        replies.close();
        senders().forEach(sender -> sender.times().charge(stoppedNanos, (due, now) -> {
            sender.acks().unsent(due, now);
            replies.unsent(due, now);
        }));
    }

    /** Reads all meters; each reading holds what happened since the one before. */
    public void read(MeterReading into) {
        long now = waiter.nanoTime();
        context.cores().look(now);
        List<Counts.Sum> windows = List.of(Counts.Sum.overTime(), Counts.Sum.overTime());
        meters.acks.forEach(meter -> meter.drainInto(windows.get(0), windows.get(1)));
        meters.sends.forEach(meter -> meter.drainInto(windows.get(0), windows.get(1)));
        LongUnaryOperator due = due(Math.min(now, stoppedNanos));
        for (int w = 0; w < 2; w++) {
            Counts.Sum window = windows.get(w);
            long asked = due.applyAsLong(w);
            window.add(
                    Produced.DUE,
                    asked < 0 ? window.get(Produced.SENT) + window.get(Produced.UNSENT) : asked - dueBefore[w]);
            dueBefore[w] = Math.max(0, asked);
            if (replies != null) {
                replies.read(w == 1, window);
            }
            into.window(w == 1).add(window.take());
        }
        into.whole().add(GeneratorUse.SPUN_NANOS, context.cores().takeSpunNanos());
        meters.sends.forEach(meter -> meter.drainInto(into.whole(), now));
        meters.acks.forEach(meter -> into.appendError(meter.takeAppendErrorNanos()));
        readClients(into);
        figures(into.clients());
    }

    private LongUnaryOperator due(long nowNanos) {
        drawnAgain.forEach(times -> times.charge(nowNanos, (due, until) -> drawnDue[clock.measured(due) ? 1 : 0]++));
        return drawnAgain.isEmpty() ? load.due(clock, nowNanos) : window -> drawnDue[(int) window];
    }

    /** Acknowledged records per {@code topic-partition} since the start; exact after {@link #close}. */
    public Map<String, Long> acknowledgedByPartition() {
        return byPartition((topic, partition) -> meters.sum(m -> m.acknowledgedOf(topic, partition)));
    }

    /** Counts per {@code topic-partition}, those included that were added since; none before the partitions are known. */
    protected final Map<String, Long> byPartition(ToLongBiFunction<Integer, Integer> count) {
        return byPartition(count::applyAsLong, Long::sum);
    }

    private <T> Map<String, T> byPartition(BiFunction<Integer, Integer, T> value, BinaryOperator<T> both) {
        Map<String, T> values = new TreeMap<>();
        for (int t = 0; partitions() != null && t < partitions().length; t++) {
            int topic = t;
            int known = meters.acks.stream()
                    .mapToInt(m -> m.partitionsOf(topic))
                    .max()
                    .orElse(0);
            for (int p = 0; p < Math.max(known, partitions()[t]); p++) {
                values.merge(spec.topics().get(t) + "-" + p, value.apply(t, p), both);
            }
        }
        return values;
    }

    /** Key + value bytes acknowledged since the start, warm-up included. */
    public final long acknowledgedBytes() {
        return meters.sum(AckMeter::acknowledgedBytes);
    }

    /** Acknowledged records since the start, quickly. */
    public final long acknowledgedTotal() {
        return meters.sum(AckMeter::acknowledgedTotal);
    }

    /** Says what each client contributed to the measured window; exact after {@link #close}. */
    public final List<ClientShare> shares() {
        if (clock == null || slice.count() == 0) {
            return List.of();
        }
        List<AckMeter> all = meters.acks;
        long now = waiter.nanoTime();
        if (all.size() != slice.count() || all.size() > MOST_SHARES) {
            return List.of(share(part, slice.count(), all, now));
        }
        return IntStream.range(0, all.size())
                .mapToObj(i -> share(part + " client " + (slice.from() + i), 1, all.subList(i, i + 1), now))
                .toList();
    }

    private ClientShare share(String name, int clients, List<AckMeter> of, long nowNanos) {
        Counts sum = of.stream().map(AckMeter::measuredVolume).reduce(Counts.NONE, Counts::plus);
        long lastAck = of.stream().mapToLong(AckMeter::lastAckNanos).max().orElse(0);
        long end = Math.min(clock.endsWithLastRecord() ? lastAck : nowNanos, stoppedNanos);
        double seconds = clock.measuredBefore(end) / 1e9;
        return new ClientShare(
                name,
                clients,
                sum.get(Produced.ACKNOWLEDGED),
                sum.get(Produced.ACKNOWLEDGED_BYTES),
                sum.get(Produced.ARRIVED),
                sum.get(Produced.ARRIVED_BYTES),
                seconds);
    }

    /** Transaction markers written per {@code topic-partition} since the start; exact after {@link #close}. */
    public Map<String, Long> markersByPartition() {
        return Map.of();
    }

    /** When the last acknowledgement came, in nanoTime; 0 if none did. */
    public final long lastAckNanos() {
        return meters.acks.stream().mapToLong(AckMeter::lastAckNanos).max().orElse(0);
    }

    /** When the last acknowledgement of each {@code topic-partition} came, in nanoTime; 0 if none did. Any thread. */
    public final Map<String, Long> lastAckByPartition() {
        return byPartition((topic, partition) -> meters.acks.stream()
                .mapToLong(m -> m.lastAckOf(topic, partition))
                .max()
                .orElse(0));
    }

    /** As {@link AckMeter#takeAppended} says, of each {@code topic-partition} of which there is something to say. */
    public final Map<String, List<Span>> takeAppended() {
        Map<String, List<Span>> taken = byPartition(
                (topic, partition) -> meters.acks.stream()
                        .flatMap(m -> m.takeAppended(topic, partition).stream())
                        .toList(),
                (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
        taken.values().removeIf(List::isEmpty);
        return taken;
    }

    /**
     * One client's part of the measured window; of an entry with so many clients that they share meters, all of them.
     *
     * @param name such as {@code producers-0 client 1}
     * @param clients how many clients these are
     * @param arrived acknowledgements that came within the window
     * @param seconds from the start of the window to its end, or to the last acknowledgement
     */
    public record ClientShare(
            String name, int clients, long records, long bytes, long arrived, long arrivedBytes, double seconds) {}

    /**
     * A thread that hands over the records of a schedule. {@link Producers} starts it, stops it and charges what it
     * left, whatever it hands them to.
     */
    public interface Sender {

        /** Begins with the first record that is due. Any thread. */
        void start(TrialClock clock);

        /** Ends sending as soon as possible, also in the middle of a blocking send. Any thread. */
        void stop();

        /** True once it has handed over its last record, was stopped, or has died. Any thread. */
        boolean sent();

        /** The times of its records, of which those that it never took are charged in the end. */
        DueTimes times();

        /** Takes the outcomes of its records. */
        AckMeter acks();
    }
}
