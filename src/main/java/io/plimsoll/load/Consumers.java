package io.plimsoll.load;

import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireUse;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.WorkSpec;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * The part that one worker has of the consumer groups of one {@link ConsumerSpec}, whatever their kind: when they may read,
 * how far they are, when they are done. A kind adds the members that read. The calls come from the worker's thread in the
 * order {@link #prepare}, {@link #start}, any number of {@link #read}, {@link #producersDone}, {@link #stop},
 * {@link #close}.
 */
public abstract class Consumers implements AutoCloseable {
    /** More members than this share meters: a meter takes about a megabyte. */
    private static final int MAX_METERS_PER_GROUP = 16;

    protected final LoadContext context;
    protected final ConsumerSpec spec;
    /** Name of the entry in client ids and messages, such as {@code consumers-0}. */
    protected final String part;

    protected final EndToEndSource source;
    /** Takes what the first group reads; null if an audit reads by itself, or there is none. */
    protected final AuditTrail feed;

    protected final List<GroupState> groups = new CopyOnWriteArrayList<>();
    protected final ReadWindow window;
    protected final Waiter waiter;
    private final ConsumerKind kind;
    private final Slice slice;
    private final List<ReceiveMeter> meters = new CopyOnWriteArrayList<>();
    /** Partitions of the topics that a group reads; 0 where nobody wants to know. */
    protected final int partitionCount;

    private boolean closed;

    protected Consumers(ConsumerKind.Entry entry, Waiter waiter) {
        this.context = entry.context();
        this.spec = entry.spec();
        this.slice = entry.slice();
        this.part = entry.part();
        this.source = entry.source();
        this.feed = entry.feed();
        this.kind = LoadKind.consumers(spec.engine());
        this.window = new ReadWindow(gate(spec), spec.records().isPresent());
        this.waiter = waiter;
        this.partitionCount = spec.work().isPresent() || !kind.ownsOffsets()
                ? IntStream.of(entry.partitions().apply(spec.topicsOf(0))).sum()
                : 0;
    }

    /** A cold start takes longer than the time that it is due at: whoever makes it cold opens the gate. */
    private static ConsumerSpec.Start gate(ConsumerSpec spec) {
        boolean opened = spec.startsCold() && spec.isBacklog();
        return opened ? new ConsumerSpec.Start.BacklogBytes(Long.MAX_VALUE) : spec.start();
    }

    /**
     * Creates the consumers and makes them ready: every partition assigned to a member and its position resolved.
     * Nothing is read yet.
     *
     * @throws io.plimsoll.PlimsollException if that is not possible within the time
     */
    public abstract void prepare(Duration timeout);

    /** True once every group has read what it was asked to, or has given up waiting. */
    public abstract boolean done();

    /** How long they need at most, once the producers are done, for what nobody can be given before; zero if that is nothing. */
    public Duration endLimit() {
        return Duration.ZERO;
    }

    /** Ends reading as soon as possible. */
    public abstract void stop();

    /** Adds what the clients have said of themselves up to the last {@link #read}, since the one before. */
    protected abstract void figures(ClientFigures figures);

    /** The members that were made so far; none where there are no groups on the cluster. */
    public List<GroupMember> members() {
        return List.of();
    }

    /** Says what became of each partition in the groups that are examined for it; exact after {@link #close}. */
    public List<GroupDelivery> deliveries() {
        return List.of();
    }

    /** Makes its threads look at once at what has changed, if they would not anyway. */
    protected abstract void wakeup();

    /** Ends its threads, and waits for them within a bound. */
    protected abstract void end();

    /** Whether all members of a group that are here have been told their partitions. */
    protected boolean joined(GroupState group) {
        return true;
    }

    /** Fetch requests since the last call. */
    protected abstract long fetches();

    /** Numbers of the groups of which members are here. */
    protected final IntStream groupsHere() {
        return slice.groups(spec.members());
    }

    /** The members of a group that are here, numbered from the group's first. */
    protected final Slice membersHere(int group) {
        return slice.within(group, spec.members());
    }

    /**
     * Adds one of the entry's groups.
     *
     * @param number of the group in the entry
     * @param here its members that are in this process
     */
    protected final GroupState addGroup(int number, Slice here) {
        String key = here.count() < spec.members() ? part + "-group-" + number : null;
        GroupState group = new GroupState(
                kind.groupId(context, spec, part, number),
                number,
                key,
                spec.records(),
                spec.idleTimeout(),
                kind.ownsOffsets());
        groups.add(group);
        return group;
    }

    /** The topics that a group reads. */
    protected final List<String> topicsOf(GroupState group) {
        return spec.topicsOf(group.number());
    }

    /** @return a meter for each member; with many of them, several have the same */
    protected final List<ReceiveMeter> addMeters(GroupState group, int members) {
        List<ReceiveMeter> own = new ArrayList<>();
        List<ReceiveMeter> each = new ArrayList<>();
        for (int m = 0; m < members; m++) {
            if (m < MAX_METERS_PER_GROUP) {
                own.add(ReceiveMeter.of(group.id(), members > MAX_METERS_PER_GROUP));
                own.get(m).windows(window.now(waiter));
            }
            each.add(own.get(m % MAX_METERS_PER_GROUP));
        }
        meters.addAll(own);
        return each;
    }

    /** What a member does with its records; null if nothing. */
    protected final Work work(int member, BooleanSupplier over) {
        return spec.work()
                .map(work -> new Work(work, context.seed() + member, waiter, over))
                .orElse(null);
    }

    /** Says how many records a second the work of all members lets through at most, or how long it takes for a poll. */
    protected final void workFigures(ClientFigures into) {
        spec.work().ifPresent(work -> {
            if (work.shape() == WorkSpec.Shape.PER_BATCH) {
                into.set(part, "workPerPollMs", work.time().toNanos() / 1e6);
            } else {
                into.set(part, "workBound", spec.mostPerSecond(partitionCount) * spec.groups());
            }
        });
    }

    protected final void note(Sentence text) {
        context.notes().accept(Sentence.of("load.ofPart", part, text));
    }

    /** Says what is known here of groups that have members in other processes too. Any thread. */
    public final List<GroupPart> parts() {
        return groups.stream()
                .filter(GroupState::spread)
                .map(g -> g.part(joined(g)))
                .toList();
    }

    /** Takes what all the other processes know of such a group. Any thread. */
    public final void elsewhere(GroupPart rest) {
        long now = waiter.nanoTime();
        groups.stream().filter(GroupState::spread).forEach(g -> g.elsewhere(rest, now));
        wakeup();
    }

    /** Lets the consumers read, at once or when their start condition says so. */
    public void start(TrialClock clock) {
        window.start(clock);
        wakeup();
    }

    /** Groups that wait for an amount of data to be produced may read now. Others are not affected. */
    public final void openGate() {
        window.openGate(waiter.nanoTime());
        wakeup();
    }

    /** When held-back groups were let read, in nanoTime; {@link Long#MAX_VALUE} if they have not been. */
    public final long openedNanos() {
        return window.openedNanos();
    }

    /**
     * The producers of the trial have ended.
     *
     * @param endOffsets where each partition ends: groups that are not bound by records read up to here and end
     */
    public final void producersDone(Map<TopicPartition, Long> endOffsets) {
        long now = waiter.nanoTime();
        groups.forEach(group -> {
            List<String> topics = topicsOf(group);
            Map<TopicPartition, Long> mine = new HashMap<>(endOffsets);
            mine.keySet().removeIf(p -> !topics.contains(p.topic()));
            group.startWaiting(now);
            group.readUpTo(mine);
        });
        window.producersDone(now);
        wakeup();
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            stop();
            end();
            groups.stream().filter(group -> group.missing() > 0).forEach(this::noteMissing);
        }
    }

    private void noteMissing(GroupState group) {
        note(Sentence.of(
                "load.missing", group.id(), group.missing(), spec.idleTimeout().toMillis() + " ms"));
    }

    /** Reads all meters; each reading holds what happened since the one before. */
    public final void read(MeterReading into) {
        meters.forEach(meter -> meter.drainInto(into.window(false), into.window(true)));
        into.whole().add(WireUse.FETCH_REQUESTS, fetches());
        figures(into.clients());
    }

    /** What the groups here had to read and have not, once; after {@link #close}. */
    public final List<Unreceived> unreceived() {
        List<Unreceived> all = new ArrayList<>();
        for (GroupState group : groups) {
            AtomicLong most = new AtomicLong(group.bound() ? group.missing() : Long.MAX_VALUE);
            if (most.get() > 0) {
                ReceiveMeter meter = ReceiveMeter.of(group.id(), true);
                meters.add(meter);
                unread(group)
                        .forEach((partition, from) -> all.add(new Unreceived(
                                partition,
                                from,
                                group.targets().get(partition),
                                offset -> missed(group, partition, offset),
                                most,
                                kind.readsCommitted(spec),
                                source,
                                meter)));
            }
        }
        return all;
    }

    /** The first offset of each partition that a group had to read and perhaps has not; partitions that it has read are absent. */
    protected Map<TopicPartition, Long> unread(GroupState group) {
        return group.unread();
    }

    /** Whether a group has not had the record at an offset from {@link #unread} on. */
    protected boolean missed(GroupState group, TopicPartition partition, long offset) {
        return true;
    }

    /** When partitions of groups went from member to member, in nanoTime; of groups with all members here. */
    public final List<HandOver> handOvers() {
        return groups.stream()
                .filter(g -> !g.spread())
                .flatMap(g -> g.handOvers().all().stream())
                .toList();
    }

    /** Records not yet read against the given ends of the partitions, per group that can tell. */
    public Map<String, Long> lag(Map<TopicPartition, Long> endOffsets) {
        Map<String, Long> lag = new TreeMap<>();
        groups.forEach(group -> group.lag(endOffsets).ifPresent(records -> lag.put(group.id(), records)));
        return lag;
    }

    /** Whether the lag of its groups is known here at any time. The coordinator of a share group is asked once a second. */
    public boolean ownsOffsets() {
        return groups.stream().allMatch(GroupState::ownsOffsets);
    }

    /** Consumed records per {@code topic-partition} since the start. */
    public Map<String, Long> consumedByPartition() {
        Map<String, Long> counts = new TreeMap<>();
        groups.forEach(group -> group.consumedByPartition()
                .forEach((partition, count) -> counts.merge(partition.toString(), count.get(), Long::sum)));
        return counts;
    }

    /** From when to when the groups read, in nanoTime, for their throughput; empty if nothing was read. */
    public final Optional<Span> span() {
        return window.span(
                meters.stream().mapToLong(ReceiveMeter::lastRecordNanos).max().orElse(0), waiter.nanoTime());
    }

    /** The same of each group by itself; groups that read nothing are absent. */
    public final Map<String, Span> spans() {
        Map<String, Long> last = new TreeMap<>();
        meters.forEach(meter -> last.merge(meter.group(), meter.lastRecordNanos(), Math::max));
        Map<String, Span> spans = new TreeMap<>();
        long now = waiter.nanoTime();
        last.forEach((group, nanos) -> window.span(nanos, now).ifPresent(span -> spans.put(group, span)));
        return spans;
    }

    /**
     * The time in which groups read.
     *
     * @param fromNanos when reading began, in nanoTime
     * @param toNanos when it ended
     */
    public record Span(long fromNanos, long toNanos) {
        public double seconds() {
            return (toNanos - fromNanos) / 1e9;
        }
    }
}
