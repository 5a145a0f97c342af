package io.plimsoll.load;

import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Quiet.Span;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.Labels;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The producers of one {@link ProducerSpec} on one worker: lifecycle, measurements, and the accounting of unsent
 * records. Subclasses add the clients. The worker's thread calls {@link #prepare}, {@link #start}, any number of
 * {@link #read}, {@link #stop}, {@link #awaitSent}, {@link #drain}, {@link #close}, in this order.
 */
public abstract class Producers implements AutoCloseable {
    /**
     * Maximum number of meters; more clients or threads share meters, because a meter in use needs about a megabyte.
     */
    private static final int MOST_METERS = 16;
    /** Maximum number of clients that are reported separately; with more, all clients are reported as one. */
    private static final int MOST_SHARES = 50;

    protected final LoadContext context;
    protected final ProducerSpec spec;
    protected final Slice slice;
    protected final String part;
    protected final ProducerLoad load;
    private final List<AckMeter> ackMeters = new ArrayList<>();
    private final List<SendMeter> sendMeters = new ArrayList<>();
    private final long[] dueBefore = new long[2];
    protected final Waiter waiter;
    /** Reads the application's replies to the records; null without {@code reply}. */
    protected final @Nullable Replies replies;
    /** Cold-start times of the slowest client. */
    private long metadataNanos;

    private long connectedNanos;
    private @Nullable TrialClock clock;
    /** See {@link ProducerLoad#drawnAgain}. */
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
        this.waiter = waiter;
        this.replies = spec.get(ProducerSpec.REPLY).isPresent() && slice.count() > 0
                ? new Replies(context, spec, slice, part, this::note)
                : null;
        context.cores().claim(slice.count() * spec.threads());
    }

    /**
     * Creates the clients and waits for the metadata of every topic and a connection to every leader. Writes nothing.
     * @throws io.plimsoll.PlimsollException on timeout
     */
    public abstract void prepare(Duration timeout);

    /**
     * Waits for missing acknowledgments; can be called again.
     * @return whether no acknowledgment is missing
     */
    public abstract boolean drain(Duration timeout) throws InterruptedException;

    /** Prepares the reader of replies with the guarantees of {@link #prepare}; without {@code reply}, does nothing. */
    public final void prepareReplies(Duration timeout) {
        if (replies != null) {
            replies.prepare(timeout);
        }
    }

    /** Waits for missing replies; true when no reply is missing or the time limit for replies has passed. */
    public final boolean awaitReplies(Duration timeout) throws InterruptedException {
        return replies == null || waiter.await(replies::done, timeout);
    }

    /**
     * @param index of the client among the local clients
     * @param partitions number of partitions of each topic of the entry
     */
    protected final AckMeter acks(int index, int[] partitions) {
        if (ackMeters.size() <= index % MOST_METERS) {
            ackMeters.add(AckMeter.of(partitions, load.closedLoop(), slice.count() > MOST_METERS));
        }
        return ackMeters.get(index % MOST_METERS);
    }

    /** The meter of one of {@code threads} local sending threads. */
    protected final SendMeter sends(int index, int threads) {
        if (sendMeters.size() <= index % MOST_METERS) {
            sendMeters.add(SendMeter.of(load.closedLoop(), threads > MOST_METERS));
        }
        return sendMeters.get(index % MOST_METERS);
    }

    private long sum(ToLongFunction<AckMeter> count) {
        return ackMeters.stream().mapToLong(count).sum();
    }

    /** The senders so far. */
    protected abstract List<? extends Sender> senders();

    /** Number of partitions per topic; empty until known. */
    protected abstract int[] partitions();

    /** Closes the clients and ends the threads; charges unanswered records with their waiting time. */
    protected abstract void abandon();

    /** Adds the wire bytes and client metrics since the last call. */
    protected abstract void readClients(MeterReading into);

    private void figures(ClientFigures into) {
        into.set(part, "keyed", spec.record().key() instanceof KeySpec.None ? 0 : 1);
        set(into, "metadataMs", metadataNanos);
        set(into, "connectedMs", connectedNanos);
        long first =
                ackMeters.stream().mapToLong(AckMeter::firstRecordNanos).max().orElse(0);
        set(into, "firstRecordMs", first);
        into.set(part, "spinning", context.cores().free() ? 1 : 0);
    }

    private void set(ClientFigures into, String figure, long nanos) {
        if (nanos > 0) {
            into.set(part, figure, nanos / 1e6);
        }
    }

    /** Records the time from the creation of a client until its metadata is complete. */
    protected final void knowsMetadata(long nanos) {
        metadataNanos = Math.max(metadataNanos, nanos);
    }

    /** Records the time until a client was connected to every leader. */
    protected final void connected(long nanos) {
        connectedNanos = Math.max(connectedNanos, nanos);
    }

    protected final void note(Sentence text) {
        context.notes().accept(Sentence.of("load.ofPart", part, text));
    }

    /** Starts the schedule; the first record is due at the clock's start. */
    public final void start(TrialClock trialClock) {
        TrialClock own = load.clock(trialClock);
        clock = own;
        ackMeters.forEach(meter -> meter.start(own));
        sendMeters.forEach(meter -> meter.start(own));
        if (replies != null) {
            replies.start(own);
        }
        drawnAgain = load.drawnAgain();
        drawnAgain.forEach(times -> times.start(own));
        senders().forEach(sender -> sender.start(own));
    }

    /** True once every thread has passed its last record to the client. */
    public final boolean sent() {
        return senders().stream().allMatch(Sender::sent);
    }

    /** Ends sending as soon as possible; charges records that are due but unsent with their waiting time. */
    public final void stop() {
        if (stoppedNanos == Long.MAX_VALUE) {
            stoppedNanos = waiter.nanoTime();
            endWindow();
        }
        senders().forEach(Sender::stop);
    }

    /** Ends the window of a stopped trial; later acknowledgments do not count as throughput. */
    private void endWindow() {
        if (clock != null && clock.warmup().known() && stoppedNanos < clock.measureEndNanos()) {
            TrialClock ended = clock.withWindow(Math.max(0, stoppedNanos - clock.measureStartNanos()));
            ackMeters.forEach(acks -> acks.start(ended));
        }
    }

    public final boolean awaitSent(Duration timeout) throws InterruptedException {
        return waiter.await(this::sent, timeout);
    }

    /** Closes the clients; charges unanswered and unsent records with their waiting time. */
    @Override
    public final void close() {
        if (closed) {
            return;
        }
        closed = true;
        stop();
        abandon();
        // All senders share one end time, so that the sum of their due records is the offered load up to that time. A
        // sender can take another record before it notices the stop.
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

    /** The labels of this entry's figures. */
    public final Set<String> labels() {
        return Labels.of(spec.labels());
    }

    /** Adds the counts since the last call. */
    public void read(MeterReading into) {
        long now = waiter.nanoTime();
        context.cores().look(now);
        List<Counts.Sum> windows = List.of(Counts.Sum.overTime(), Counts.Sum.overTime());
        ackMeters.forEach(meter -> meter.drainInto(windows.get(0), windows.get(1)));
        sendMeters.forEach(meter -> meter.drainInto(windows.get(0), windows.get(1)));
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
            into.window(w == 1).add(window.total());
        }
        into.whole().add(GeneratorUse.SPUN_NANOS, context.cores().takeSpunNanos());
        sendMeters.forEach(meter -> meter.drainInto(into.whole(), now));
        ackMeters.forEach(meter -> into.appendError(meter.takeAppendErrorNanos()));
        ackMeters.forEach(meter -> into.slow(Produced.RESPONSE_TIME, meter.takeSlow(part, spec.topics()::get)));
        readClients(into);
        figures(into.clients());
    }

    private LongUnaryOperator due(long nowNanos) {
        TrialClock own = clock;
        if (own == null || drawnAgain.isEmpty()) {
            return load.due(own, nowNanos);
        }
        drawnAgain.forEach(times -> times.charge(nowNanos, (due, until) -> drawnDue[own.measured(due) ? 1 : 0]++));
        return window -> drawnDue[(int) window];
    }

    /** Acknowledged records per {@code topic-partition} since the start; exact after {@link #close}. */
    public Map<String, Long> acknowledgedByPartition() {
        return byPartition((topic, partition) -> sum(m -> m.acknowledgedOf(topic, partition)));
    }

    /** Counts per {@code topic-partition}, including partitions added later; empty until the partitions are known. */
    protected final Map<String, Long> byPartition(ToLongBiFunction<Integer, Integer> count) {
        return byPartition(count::applyAsLong, Long::sum);
    }

    private <T> Map<String, T> byPartition(BiFunction<Integer, Integer, T> value, BinaryOperator<T> both) {
        Map<String, T> values = new TreeMap<>();
        for (int t = 0; t < partitions().length; t++) {
            int topic = t;
            int known = ackMeters.stream()
                    .mapToInt(m -> m.partitionsOf(topic))
                    .max()
                    .orElse(0);
            for (int p = 0; p < Math.max(known, partitions()[t]); p++) {
                values.merge(spec.topics().get(t) + "-" + p, value.apply(t, p), both);
            }
        }
        return values;
    }

    /** Key and value bytes since the start, warm-up included. */
    public final long acknowledgedBytes() {
        return sum(AckMeter::acknowledgedBytes);
    }

    /** Number of records acknowledged since the start; a cheap call. */
    public final long acknowledgedTotal() {
        return sum(AckMeter::acknowledgedTotal);
    }

    /** The contribution of each client to the measured window; exact after {@link #close}. */
    public final List<ClientShare> shares() {
        TrialClock own = clock;
        if (own == null || slice.count() == 0) {
            return List.of();
        }
        List<AckMeter> all = ackMeters;
        long now = waiter.nanoTime();
        if (all.size() != slice.count() || all.size() > MOST_SHARES) {
            return List.of(share(own, part, slice.count(), all, now));
        }
        return IntStream.range(0, all.size())
                .mapToObj(i -> share(own, part + " client " + (slice.from() + i), 1, all.subList(i, i + 1), now))
                .toList();
    }

    private ClientShare share(TrialClock own, String name, int clients, List<AckMeter> of, long nowNanos) {
        Counts sum = of.stream().map(AckMeter::measuredVolume).reduce(Counts.NONE, Counts::plus);
        long lastAck = of.stream().mapToLong(AckMeter::lastAckNanos).max().orElse(0);
        long end = Math.min(own.endsWithLastRecord() ? lastAck : nowNanos, stoppedNanos);
        double seconds = own.measuredBefore(end) / 1e9;
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

    /** Time of the last acknowledgment, in nanoTime; 0 if none. */
    public final long lastAckNanos() {
        return ackMeters.stream().mapToLong(AckMeter::lastAckNanos).max().orElse(0);
    }

    /** Time of the last acknowledgment of each partition, in nanoTime; 0 if none. Usable by any thread. */
    public final Map<String, Long> lastAckByPartition() {
        return byPartition((topic, partition) -> ackMeters.stream()
                .mapToLong(m -> m.lastAckOf(topic, partition))
                .max()
                .orElse(0));
    }

    /** {@link AckMeter#takeAppended} per {@code topic-partition}, without empty lists. */
    public final Map<String, List<Span>> takeAppended() {
        Map<String, List<Span>> taken = byPartition(
                (topic, partition) -> ackMeters.stream()
                        .flatMap(m -> m.takeAppended(topic, partition).stream())
                        .toList(),
                (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
        taken.values().removeIf(List::isEmpty);
        return taken;
    }

    /**
     * One client's part of the measured window, or the part of all clients if they share meters.
     * @param name such as {@code producers-0 client 1}
     * @param clients number of clients in this part
     * @param arrived number of acknowledgments within the window
     * @param seconds from the start of the window to its end or the last acknowledgment
     */
    public record ClientShare(
            String name, int clients, long records, long bytes, long arrived, long arrivedBytes, double seconds) {}

    /** A thread that sends the records of a schedule. */
    public interface Sender {

        /** Starts sending with the first due record. Usable by any thread. */
        void start(TrialClock clock);

        /** Ends as soon as possible, even during a blocking send. Usable by any thread. */
        void stop();

        /** True after the last record, a stop, or a failure. Usable by any thread. */
        boolean sent();

        DueTimes times();

        AckMeter acks();
    }
}
