package io.plimsoll.load;

import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireCounts;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * The life of an entry's consumer groups, whatever their kind: when they may read, how far they are, when they are done. A
 * kind adds the members that read.
 */
public abstract class GroupedConsumers implements Consumers {
    protected final LoadContext context;
    protected final ConsumerSpec spec;
    /** Name of the entry in client ids and messages, such as {@code consumers-0}. */
    protected final String part;

    protected final EndToEndSource source;
    /** Takes what the first group reads; null if an audit reads by itself, or there is none. */
    protected final AuditTrail feed;

    protected final ReadingGroups groups;
    protected final Waiter waiter;
    private final Slice slice;
    private boolean closed;

    protected GroupedConsumers(ConsumerKind.Entry entry, Waiter waiter) {
        this.context = entry.context();
        this.spec = entry.spec();
        this.slice = entry.slice();
        this.part = entry.part();
        this.source = entry.source();
        this.feed = entry.feed();
        this.groups = new ReadingGroups(spec, LoadKind.consumers(spec.engine()));
        this.waiter = waiter;
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

    protected final void note(Sentence text) {
        context.notes().accept(Sentence.of("load.ofPart", part, text));
    }

    @Override
    public final List<GroupPart> parts() {
        return groups.parts(this::joined);
    }

    @Override
    public final void elsewhere(GroupPart rest) {
        groups.elsewhere(rest, waiter.nanoTime());
        wakeup();
    }

    @Override
    public void start(TrialClock clock) {
        groups.window().start(clock);
        wakeup();
    }

    @Override
    public final void openGate() {
        groups.window().openGate(waiter.nanoTime());
        wakeup();
    }

    @Override
    public final long openedNanos() {
        return groups.window().openedNanos();
    }

    @Override
    public final void producersDone(Map<TopicPartition, Long> endOffsets) {
        groups.producersDone(endOffsets, waiter.nanoTime());
        wakeup();
    }

    @Override
    public final void close() {
        if (!closed) {
            closed = true;
            stop();
            end();
            groups.noteMissing(this::note);
        }
    }

    @Override
    public final Reading read() {
        groups.read();
        WireCounts wire = new WireCounts(0, WireCounts.Written.NOTHING, 0, 0, 0, fetches());
        return new Reading(groups.counts(false), groups.counts(true), wire);
    }

    @Override
    public final Map<String, Long> lag(Map<TopicPartition, Long> endOffsets) {
        return groups.lag(endOffsets);
    }

    @Override
    public final Map<String, Long> consumedByPartition() {
        return groups.consumedByPartition();
    }

    @Override
    public final Optional<Span> span() {
        return groups.span();
    }
}
