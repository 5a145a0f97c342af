package io.plimsoll.load;

import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.Polls;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireUse;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Labels;
import io.plimsoll.scenario.WorkSpec;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The consumer groups of one {@link ConsumerSpec} on one worker: start conditions, progress and end. Subclasses add
 * the members. The worker's thread calls {@link #prepare}, {@link #start}, any number of {@link #read}, {@link
 * #producersDone}, {@link #stop}, {@link #close}, in this order.
 */
public abstract class Consumers implements AutoCloseable {
    /** Maximum number of meters per group. In a larger group, several members share a meter, because a meter needs about a megabyte. */
    private static final int MAX_METERS_PER_GROUP = 16;

    protected final LoadContext context;
    protected final ConsumerSpec spec;
    protected final String part;
    protected final EndToEndSource source;
    protected final @Nullable AuditTrail feed;
    protected final List<GroupState> groups = new CopyOnWriteArrayList<>();
    protected final ReadWindow window;
    protected final Waiter waiter;
    private final ConsumerKind kind;
    private final Slice slice;
    private final List<ReceiveMeter> meters = new CopyOnWriteArrayList<>();
    /** Number of partitions that a group reads; 0 if not needed. */
    protected final int partitionCount;

    /** Whether a record had a schema ID that this process cannot resolve. */
    private final AtomicBoolean unresolved = new AtomicBoolean();

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

    /**
     * The start condition of the entry. A cold start waits for {@link #openGate}, which is called after the page cache
     * has been dropped.
     */
    private static ConsumerSpec.Start gate(ConsumerSpec spec) {
        boolean opened = spec.startsCold() && spec.isBacklog();
        return opened ? new ConsumerSpec.Start.BacklogBytes(Long.MAX_VALUE) : spec.start();
    }

    /**
     * Creates the consumers and waits until every partition has a member and a position. Reads nothing.
     * @throws io.plimsoll.PlimsollException on timeout
     */
    public abstract void prepare(Duration timeout);

    /** Whether every group has finished reading or has given up. */
    public abstract boolean done();

    /** Whether a group ends after a number of records. */
    public boolean countsRecords() {
        return spec.records().isPresent();
    }

    /**
     * Whether a group is not over although members were killed or have left: a fault can replace them. Groups give up
     * after their idle timeout.
     */
    public boolean awaitsMembers() {
        return false;
    }

    /**
     * Maximum wait for records that are still locked after the producers are done; zero for consumers without locks.
     */
    public Duration endLimit() {
        return Duration.ZERO;
    }

    /** Ends reading as soon as possible. */
    public abstract void stop();

    /** Adds the client metrics since the last call; returns the number of fetch requests. */
    protected abstract long figures(ClientFigures figures);

    /** The members created so far; empty without consumer groups. */
    public List<GroupMember> members() {
        return List.of();
    }

    /** The deliveries per partition of the groups that are examined; exact after {@link #close}. */
    public List<GroupDelivery> deliveries() {
        return List.of();
    }

    protected abstract void wakeup();

    /** Ends the threads of all members and waits for them, within a time limit. */
    protected abstract void end();

    /** Whether all local members of a group have their assignment. */
    protected boolean joined(GroupState group) {
        return true;
    }

    /** Numbers of the groups with local members. */
    protected final IntStream groupsHere() {
        return slice.groups(spec.members());
    }

    /** The local members of a group, numbered from the group's first. */
    protected final Slice membersHere(int group) {
        return slice.within(group, spec.members());
    }

    /**
     * @param number of the group in the entry
     * @param here its local members
     */
    protected final GroupState addGroup(int number, Slice here) {
        String key = here.count() < spec.members() ? part + "-group-" + number : null;
        GroupState group = new GroupState(
                kind.groupId(context, spec, part, number),
                number,
                key,
                spec.records(),
                spec.get(ConsumerSpec.IDLE_TIMEOUT),
                kind.ownsOffsets());
        groups.add(group);
        return group;
    }

    protected final List<String> topicsOf(GroupState group) {
        return spec.topicsOf(group.number());
    }

    /** @return a meter for each member; in large groups, several members share a meter */
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

    /** @param client id of the member */
    protected final Polls polls(GroupState group, String client) {
        return new Polls(group.id(), client, context.events());
    }

    /** The simulated work of a member. */
    protected final @Nullable Work work(int member, BooleanSupplier over) {
        return spec.work()
                .map(work -> new Work(work, context.seed() + member, waiter, over))
                .orElse(null);
    }

    /** Reports the processing capacity of all members in records per second, or the processing time per poll. */
    protected final void workFigures(ClientFigures into) {
        spec.work().ifPresent(work -> {
            if (work.shape() == WorkSpec.Shape.PER_BATCH) {
                into.set(part, "workPerPollMs", work.time().toNanos() / 1e6);
            } else {
                into.set(part, "workBound", spec.mostPerSecond(partitionCount) * spec.groups());
            }
        });
    }

    /** The check of the records of one member; null if the entry decodes no records. */
    protected final @Nullable SchemaCheck schemaCheck() {
        return SchemaCheck.of(spec, () -> {
            if (!unresolved.getAndSet(true)) {
                note(Sentence.of("load.schemaUnresolved"));
            }
        });
    }

    protected final void note(Sentence text) {
        context.notes().accept(Sentence.of("load.ofPart", part, text));
    }

    /** The local state of groups that are spread over processes. Usable by any thread. */
    public final List<GroupPart> parts() {
        return groups.stream()
                .filter(GroupState::spread)
                .map(g -> g.part(joined(g)))
                .toList();
    }

    /**
     * Sets the combined state of all other processes for a group that is spread over processes. Usable by any thread.
     */
    public final void elsewhere(GroupPart rest) {
        long now = waiter.nanoTime();
        groups.stream().filter(GroupState::spread).forEach(g -> g.elsewhere(rest, now));
        wakeup();
    }

    /** Starts reading, now or when the start condition is met. */
    public void start(TrialClock clock) {
        window.start(clock);
        wakeup();
    }

    /** Starts the groups that wait for a backlog. */
    public final void openGate() {
        window.openGate(waiter.nanoTime());
        wakeup();
    }

    /** Start time of the waiting groups, in nanoTime; {@link Long#MAX_VALUE} before the start. */
    public final long openedNanos() {
        return window.openedNanos();
    }

    /** Reports the end of the producers. Groups without a record limit read up to these end offsets and then end. */
    public final void producersDone(Map<TopicPartition, Long> endOffsets) {
        long now = waiter.nanoTime();
        groups.forEach(group -> {
            Set<String> topics = Set.copyOf(topicsOf(group));
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
                "load.missing",
                group.id(),
                group.missing(),
                spec.get(ConsumerSpec.IDLE_TIMEOUT).toMillis() + " ms"));
    }

    /**
     * The labels of this entry's figures.
     * @param byGroup whether an entry with a single group is labeled with this group
     */
    public final Set<String> labels(boolean byGroup) {
        Set<String> labels = Labels.of(spec.labels());
        if (byGroup && spec.groups() == 1) {
            groupNames().forEach(name -> labels.add(Labels.group(name)));
        }
        return labels;
    }

    /** The names of this entry's groups, on all workers. */
    public final Set<String> groupNames() {
        return spec.groupNames(part);
    }

    /**
     * Adds the counts since the last call.
     * @param byGroup whether the counts of an entry with several groups are also added by group
     */
    public final void read(MeterReading into, boolean byGroup) {
        Map<String, Set<String>> names = new HashMap<>();
        if (byGroup && spec.groups() > 1) {
            groups.forEach(g -> names.put(g.id(), Set.of(Labels.group(spec.groupName(part, g.number())))));
        }
        meters.forEach(meter -> into.labeled(
                names.getOrDefault(meter.group(), Set.of()),
                own -> meter.drainInto(own.window(false), own.window(true))));
        if (window.started()) {
            long start = window.clock().startNanos();
            meters.forEach(meter -> into.slow(Consumed.END_TO_END, meter.takeSlow(start)));
        }
        into.whole().add(WireUse.FETCH_REQUESTS, figures(into.clients()));
    }

    /** The unread records of the local groups; call once, after {@link #close}. */
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
                                group.targets().getOrDefault(partition, from),
                                offset -> missed(group, partition, offset),
                                most,
                                kind.readsCommitted(spec),
                                source,
                                meter)));
            }
        }
        return all;
    }

    /** The first possibly unread offset per partition of a group; fully read partitions are absent. */
    protected Map<TopicPartition, Long> unread(GroupState group) {
        return group.unread();
    }

    /** Whether a group has not received the record at an offset; asked only for offsets from {@link #unread} on. */
    protected boolean missed(GroupState group, TopicPartition partition, long offset) {
        return true;
    }

    /** Times at which partitions moved between members, in nanoTime; only for groups within this process. */
    public final List<HandOver> handOvers() {
        return groups.stream()
                .filter(g -> !g.spread())
                .flatMap(g -> g.handOvers().all().stream())
                .toList();
    }

    /** Lag per group against the given end offsets; groups with unknown lag are absent. */
    public Map<String, Long> lag(Map<TopicPartition, Long> endOffsets) {
        Map<String, Long> lag = new TreeMap<>();
        groups.forEach(group -> group.lag(endOffsets).ifPresent(records -> lag.put(group.id(), records)));
        return lag;
    }

    /** Whether the lag of all groups is known here; the lag of share groups is queried once a second. */
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

    /** The time span of reading, in nanoTime, for the throughput; empty if no record was read. */
    public final Optional<Span> span() {
        return window.span(
                meters.stream().mapToLong(ReceiveMeter::lastRecordNanos).max().orElse(0), waiter.nanoTime());
    }

    /** Time span of reading per group; groups without records are absent. */
    public final Map<String, Span> spans() {
        Map<String, Long> last = new TreeMap<>();
        meters.forEach(meter -> last.merge(meter.group(), meter.lastRecordNanos(), Math::max));
        Map<String, Span> spans = new TreeMap<>();
        long now = waiter.nanoTime();
        last.forEach((group, nanos) -> window.span(nanos, now).ifPresent(span -> spans.put(group, span)));
        return spans;
    }

    /** The time during which groups read, in nanoTime. */
    public record Span(long fromNanos, long toNanos) {
        public double seconds() {
            return (toNanos - fromNanos) / 1e9;
        }
    }

    /**
     * Unread records of one partition of a group.
     * @param from first offset that the group may have missed
     * @param to end offset
     * @param missed whether the group has not received the record at an offset
     * @param most maximum number of records that the group still lacks, over all its partitions
     * @param committed whether aborted records do not count
     * @param source start of end-to-end latency
     * @param meter receives the waiting time of the records; used by the thread that charges them
     */
    public record Unreceived(
            TopicPartition partition,
            long from,
            long to,
            LongPredicate missed,
            AtomicLong most,
            boolean committed,
            EndToEndSource source,
            ReceiveMeter meter) {
        /** Maximum number of unread records from {@code first} (inclusive) to {@code end} (exclusive). */
        public long between(long first, long end) {
            return Math.max(0, Math.min(end, to) - Math.max(first, from));
        }

        public boolean has(long offset) {
            return offset >= from && offset < to && missed.test(offset);
        }
    }
}
