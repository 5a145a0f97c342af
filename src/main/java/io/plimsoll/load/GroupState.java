package io.plimsoll.load;

import io.plimsoll.audit.Deliveries;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.SequenceSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The state that the members of one consumer group share: how far the group is, and when it is done. Thread-safe; each position
 * is written by the member that owns the partition. Of a group that is spread over several processes, this is what is
 * known here; {@link #elsewhere} brings what is known in the others.
 */
public final class GroupState {
    private enum GroupPhase {
        GOES_ON,
        DONE,
        /** Records that were asked for did not come. */
        GAVE_UP
    }

    /** The first to end the group says how. */
    private final AtomicReference<GroupPhase> phase = new AtomicReference<>(GroupPhase.GOES_ON);

    private final String id;
    private final int number;
    /** Null if all members are here. */
    private final String key;

    private final long limit;
    private final long idleNanos;
    private final boolean ownsOffsets;
    private final AtomicLong claimed = new AtomicLong();
    private final Map<TopicPartition, AtomicLong> positions = new ConcurrentHashMap<>();
    private final Map<TopicPartition, Long> first = new ConcurrentHashMap<>();
    private final Map<TopicPartition, AtomicLong> consumed = new ConcurrentHashMap<>();
    private final Set<TopicPartition> ready = ConcurrentHashMap.newKeySet();
    private final Set<TopicPartition> reached = ConcurrentHashMap.newKeySet();
    private final AtomicLong lastProgressNanos = new AtomicLong();
    private volatile Map<TopicPartition, Long> targets;
    private final Map<TopicPartition, Deliveries> deliveries = new ConcurrentHashMap<>();
    private final HandOvers handOvers = new HandOvers();
    private volatile GroupPart elsewhere;
    private volatile boolean open;
    private volatile boolean examined;
    private volatile long toldLag = -1;

    /**
     * @param number of the group in its entry
     * @param key by which processes that share the group call it; null if all members are here
     * @param records after which the group ends; empty: it reads until it has caught up with the producers
     * @param idleTimeout the group gives up when nothing came for so long
     * @param ownsOffsets see {@link ConsumerKind#ownsOffsets()}
     */
    public GroupState(
            String id, int number, String key, OptionalLong records, Duration idleTimeout, boolean ownsOffsets) {
        this.id = id;
        this.number = number;
        this.key = key;
        this.limit = records.orElse(Long.MAX_VALUE);
        this.idleNanos = idleTimeout.toNanos();
        this.ownsOffsets = ownsOffsets;
        this.elsewhere = key == null ? null : GroupPart.unknown(key);
    }

    public String id() {
        return id;
    }

    /** When its partitions went from member to member. */
    public HandOvers handOvers() {
        return handOvers;
    }

    /** In its entry. */
    public int number() {
        return number;
    }

    /** Whether other processes have members of it. */
    public boolean spread() {
        return key != null;
    }

    /** Members may join, here and elsewhere. */
    public void open() {
        open = true;
    }

    /** Whether another process has said that members may join. */
    public boolean openedElsewhere() {
        return elsewhere.open();
    }

    /**
     * Says what is known here, for the others.
     *
     * @param joined whether every member here has been told its partitions
     */
    public GroupPart part(boolean joined) {
        return new GroupPart(key, open, joined, names(ready), names(reached), claimed.get());
    }

    private static Set<String> names(Set<TopicPartition> partitions) {
        return partitions.stream().map(TopicPartition::toString).collect(Collectors.toSet());
    }

    /** Takes what all the others know of the group. */
    public void elsewhere(GroupPart rest, long nowNanos) {
        if (!rest.key().equals(key)) {
            return;
        }
        if (rest.taken() > elsewhere.taken()) {
            lastProgressNanos.set(nowNanos);
        }
        elsewhere = rest;
        endIfAllReached();
    }

    /**
     * Takes a share of the group's records.
     *
     * @return how many of them still belong to what was asked for, so that the count is exact
     */
    public int claim(int records, long nowNanos) {
        lastProgressNanos.set(nowNanos);
        if (limit == Long.MAX_VALUE) {
            if (spread()) {
                claimed.addAndGet(records);
            }
            return records;
        }
        long before = claimed.getAndAdd(records);
        if (before + records >= limit) {
            end();
        }
        return (int) Math.max(0, Math.min(records, limit - before));
    }

    /** From now on, what is processed twice or left out shows in {@link #deliveries}, if the group owns offsets. */
    public void examine() {
        examined = ownsOffsets;
    }

    /** Keeps what of a partition was processed; null if that is not examined. */
    public Deliveries deliveries(TopicPartition partition) {
        return examined ? deliveries.get(partition) : null;
    }

    /** Says what became of the records of a trial; empty if the group is not examined. */
    public List<GroupDelivery> deliveries(AuditTrail trail) {
        List<GroupDelivery> all = new ArrayList<>();
        deliveries.forEach((partition, of) -> {
            LogReading reading = trail.reading(partition);
            if (reading != null) {
                long distinct = of.distinct(reading.from(), SequenceSet.LIMIT);
                long position = positions.get(partition).get();
                all.add(new GroupDelivery(
                        id,
                        partition.topic(),
                        partition.partition(),
                        of.twice(),
                        distinct,
                        position,
                        spread() ? of.ranges() : null,
                        null));
            }
        });
        return all;
    }

    /** A member knows where it will read from. */
    public void positioned(TopicPartition partition, long offset) {
        if (examined) {
            deliveries.computeIfAbsent(partition, p -> new Deliveries(offset));
        }
        first.putIfAbsent(partition, offset);
        positions.computeIfAbsent(partition, p -> new AtomicLong()).set(offset);
        ready.add(partition);
    }

    /** True if a member has been positioned there before; before it reads, a spread group was everywhere. */
    public boolean knows(TopicPartition partition) {
        return spread() || positions.containsKey(partition);
    }

    /** Where the group reads a partition on; 0 if it has not begun. */
    public long position(TopicPartition partition) {
        AtomicLong position = positions.get(partition);
        return position == null ? 0 : position.get();
    }

    /** Where the group began to read a partition; 0 if it has not. */
    public long firstPosition(TopicPartition partition) {
        return first.getOrDefault(partition, 0L);
    }

    public void unassigned(TopicPartition partition) {
        ready.remove(partition);
    }

    /**
     * A member has taken records; if it owns the partition, the group reads on from here.
     *
     * @return whether they are the first of the partition
     */
    public boolean consumed(TopicPartition partition, int records, long nextOffset) {
        long before = consumed.computeIfAbsent(partition, p -> new AtomicLong()).getAndAdd(records);
        if (ownsOffsets) {
            positions.computeIfAbsent(partition, p -> new AtomicLong()).set(nextOffset);
        }
        return before == 0 && records > 0;
    }

    /** The member that owns a partition fetches from this offset next; passing what is not returned is progress, too. */
    public void readsFrom(TopicPartition partition, long offset, long nowNanos) {
        long before =
                positions.computeIfAbsent(partition, p -> new AtomicLong()).getAndSet(offset);
        if (offset > before) {
            lastProgressNanos.set(nowNanos);
        }
    }

    /** Reading goes on up to these offsets. */
    public void readUpTo(Map<TopicPartition, Long> endOffsets) {
        targets = Map.copyOf(endOffsets);
    }

    /** Where partitions end up to which the group reads; empty as long as that is not known. */
    public Map<TopicPartition, Long> targets() {
        return targets == null ? Map.of() : targets;
    }

    /** The cluster says how many records a group still has to read that owns no offsets. */
    public void toldLag(long records) {
        toldLag = records;
    }

    /** Somebody has seen that there is nothing left to read. */
    public void end() {
        end(GroupPhase.DONE);
    }

    private void end(GroupPhase how) {
        phase.compareAndSet(GroupPhase.GOES_ON, how);
    }

    /** Whether members have to tell how far they have read: the group ends where the producers have. */
    public boolean endsByOffsets() {
        return targets != null && limit == Long.MAX_VALUE && ownsOffsets;
    }

    /** The member that owns a partition has read it up to here; ends the group if all are read to their end. */
    public void readTo(TopicPartition partition, long position) {
        Map<TopicPartition, Long> ends = targets;
        Long end = ends == null || reached.contains(partition) ? null : ends.get(partition);
        if (end != null && position >= end) {
            reached.add(partition);
            endIfAllReached();
        }
    }

    /** Ends a group of which an end is expected when nothing has come for too long. */
    public void endIfIdle(long nowNanos) {
        if ((bound() || targets != null) && nowNanos - lastProgressNanos.get() > idleNanos) {
            end(GroupPhase.GAVE_UP);
        }
    }

    private void endIfAllReached() {
        Map<TopicPartition, Long> ends = targets;
        if (endsByOffsets() && ends.keySet().stream().allMatch(p -> reached.contains(p) || isReachedElsewhere(p))) {
            end();
        }
    }

    private boolean isReachedElsewhere(TopicPartition partition) {
        return spread() && elsewhere.reached().contains(partition.toString());
    }

    private boolean isOwnedElsewhere(TopicPartition partition) {
        return spread() && elsewhere.owned().contains(partition.toString());
    }

    /**
     * Whether each of these partitions has a member, here or elsewhere, that knows where it reads from; in a group that
     * owns no offsets, whether all members elsewhere have joined.
     */
    public boolean isReady(Set<TopicPartition> all) {
        if (!ownsOffsets) {
            return !spread() || elsewhere.joined();
        }
        return spread()
                ? elsewhere.joined() && all.stream().allMatch(p -> ready.contains(p) != isOwnedElsewhere(p))
                : ready.containsAll(all);
    }

    boolean ownsOffsets() {
        return ownsOffsets;
    }

    public boolean done() {
        return phase.get() != GroupPhase.GOES_ON;
    }

    /** @param nowNanos progress is counted from here on */
    public void startWaiting(long nowNanos) {
        lastProgressNanos.set(nowNanos);
    }

    public boolean bound() {
        return limit != Long.MAX_VALUE;
    }

    /** Records asked for that did not come; 0 if the group is not bound by records or has not given up on them. */
    public long missing() {
        return bound() && phase.get() == GroupPhase.GAVE_UP ? Math.max(0, limit - claimed.get()) : 0;
    }

    /**
     * Records up to the given ends that the group has not read. In a spread group those of partitions that were here last:
     * what all say adds up to the group's lag.
     *
     * @return empty if nobody can tell, since the group owns no offsets and nobody has asked the cluster
     */
    public OptionalLong lag(Map<TopicPartition, Long> endOffsets) {
        if (!ownsOffsets) {
            return toldLag < 0 ? OptionalLong.empty() : OptionalLong.of(toldLag);
        }
        long lag = 0;
        for (Map.Entry<TopicPartition, Long> end : endOffsets.entrySet()) {
            if (countsHere(end.getKey())) {
                long last = Math.max(end.getValue(), targets().getOrDefault(end.getKey(), 0L));
                lag += Math.max(0, last - position(end.getKey()));
            }
        }
        return OptionalLong.of(lag);
    }

    /** Where it reads partitions on that it has not read to their end, of those that count here as in {@link #lag}. */
    Map<TopicPartition, Long> unread() {
        Map<TopicPartition, Long> unread = new HashMap<>();
        targets().forEach((partition, end) -> {
            if (countsHere(partition) && position(partition) < end) {
                unread.put(partition, position(partition));
            }
        });
        return unread;
    }

    private boolean countsHere(TopicPartition partition) {
        return positions.containsKey(partition) && (ready.contains(partition) || !isOwnedElsewhere(partition));
    }

    public Map<TopicPartition, AtomicLong> consumedByPartition() {
        return consumed;
    }

    /**
     * The account of what a consumer group did to one partition.
     *
     * @param again records that were processed once more
     * @param distinct records of the trial that were processed
     * @param position the offset behind the last one
     * @param ranges of a group with members elsewhere: what was processed here, as the first offset and the number of
     *     records of each range one after the other; null if all members are here
     * @param givenUp records that the cluster will give to nobody any more although no member accepted them; null where
     *     there is no such thing
     */
    public record GroupDelivery(
            String group,
            String topic,
            int partition,
            long again,
            long distinct,
            long position,
            List<Long> ranges,
            Long givenUp) {}
}
