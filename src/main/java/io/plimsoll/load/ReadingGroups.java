package io.plimsoll.load;

import io.plimsoll.measure.ConsumeCounts;
import io.plimsoll.measure.ConsumeTally;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * The groups of a consumer entry, whatever kind reads for them: how far each is, and the meters into which its members
 * write. Used by the worker's thread; groups, meters and window are used by the members as well.
 */
public final class ReadingGroups {
    /** More members than this share meters: a meter takes about a megabyte. */
    private static final int MAX_METERS_PER_GROUP = 16;

    private final ConsumerSpec spec;
    private final ConsumerKind kind;
    private final ReadWindow window;
    private final List<GroupState> groups = new CopyOnWriteArrayList<>();
    private final List<ReceiveMeter> meters = new ArrayList<>();
    private final ConsumeTally tally = new ConsumeTally();

    /** @param kind that reads for them */
    public ReadingGroups(ConsumerSpec spec, ConsumerKind kind) {
        this.spec = spec;
        this.kind = kind;
        this.window = new ReadWindow(spec.start(), spec.records().isPresent());
    }

    public ReadWindow window() {
        return window;
    }

    public List<GroupState> all() {
        return groups;
    }

    /**
     * Adds one of the entry's groups.
     *
     * @param number of the group in the entry
     * @param part of the scenario, such as {@code consumers-0}
     * @param here its members that are in this process
     */
    public GroupState add(LoadContext context, int number, String part, Slice here) {
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
    public List<String> topicsOf(GroupState group) {
        return spec.topicsOf(group.number());
    }

    /** @return a meter for each member; with many of them, several have the same */
    public List<ReceiveMeter> addMeters(GroupState group, int members) {
        List<ReceiveMeter> own = new ArrayList<>();
        List<ReceiveMeter> each = new ArrayList<>();
        for (int m = 0; m < members; m++) {
            if (m < MAX_METERS_PER_GROUP) {
                own.add(new ReceiveMeter(group.id(), members > MAX_METERS_PER_GROUP));
            }
            each.add(own.get(m % MAX_METERS_PER_GROUP));
        }
        meters.addAll(own);
        return each;
    }

    /** @param joined whether all members of a group that are here have been told their partitions */
    public List<GroupPart> parts(Predicate<GroupState> joined) {
        return groups.stream()
                .filter(GroupState::spread)
                .map(g -> g.part(joined.test(g)))
                .toList();
    }

    /** Takes what the processes that share a group with this one know of it. */
    void elsewhere(GroupPart rest, long nowNanos) {
        groups.stream().filter(GroupState::spread).forEach(g -> g.elsewhere(rest, nowNanos));
    }

    /** Groups that are not bound by records read up to these offsets and end. */
    void producersDone(Map<TopicPartition, Long> endOffsets, long now) {
        groups.forEach(group -> {
            List<String> topics = topicsOf(group);
            Map<TopicPartition, Long> mine = new HashMap<>(endOffsets);
            mine.keySet().removeIf(p -> !topics.contains(p.topic()));
            group.startWaiting(now);
            group.readUpTo(mine);
        });
        window.producersDone(now);
    }

    /** Says which groups waited in vain for what they were asked to read. */
    public void noteMissing(Consumer<Sentence> notes) {
        for (GroupState group : groups) {
            if (group.missing() > 0) {
                notes.accept(Sentence.of(
                        "load.missing",
                        group.id(),
                        group.missing(),
                        spec.idleTimeout().toMillis() + " ms"));
            }
        }
    }

    /** Takes what has come since the last call, for {@link #counts}. */
    public void read() {
        tally.read(meters);
    }

    public ConsumeCounts counts(boolean measured) {
        return tally.counts(measured);
    }

    /** As {@link Consumers#lag}. */
    public Map<String, Long> lag(Map<TopicPartition, Long> endOffsets) {
        Map<String, Long> lag = new TreeMap<>();
        groups.forEach(group -> group.lag(endOffsets).ifPresent(records -> lag.put(group.id(), records)));
        return lag;
    }

    /** As {@link Consumers#consumedByPartition}. */
    public Map<String, Long> consumedByPartition() {
        Map<String, Long> counts = new TreeMap<>();
        groups.forEach(group -> group.consumedByPartition()
                .forEach((partition, count) -> counts.merge(partition.toString(), count.get(), Long::sum)));
        return counts;
    }

    /** As {@link Consumers#span}. */
    public Optional<Consumers.Span> span() {
        long last =
                meters.stream().mapToLong(ReceiveMeter::lastRecordNanos).max().orElse(0);
        return window.span(last);
    }
}
