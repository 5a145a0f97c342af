package io.plimsoll.load;

import io.plimsoll.audit.Deliveries;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.SequenceSet;
import io.plimsoll.measure.HandOver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The shared state of the members of one consumer group: positions, progress and end. Thread-safe; each position is
 * written by the owner of the partition. In a group spread over processes, this is the local part, and {@link
 * #elsewhere} adds the state of the other processes.
 */
public final class GroupState {
    private enum GroupPhase {
        GOES_ON,
        DONE,
        /** The group ended because requested records did not arrive. */
        GAVE_UP
    }

    private final AtomicReference<GroupPhase> phase = new AtomicReference<>(GroupPhase.GOES_ON);
    private final String id;
    private final int number;
    /** Empty if all members are local. */
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
    private volatile @Nullable Map<TopicPartition, Long> targets;
    private final Map<TopicPartition, Deliveries> deliveries = new ConcurrentHashMap<>();
    private final HandOvers handOvers;
    private volatile GroupPart elsewhere;
    private volatile boolean open;
    private volatile boolean examined;
    private volatile long reportedLag = -1;

    /**
     * @param number of the group in its entry
     * @param key of the group in all processes; null if all members are local
     * @param records number of records after which the group ends; if empty, it reads until its lag is zero
     * @param idleTimeout time without a record after which the group gives up
     * @param ownsOffsets see {@link ConsumerKind#ownsOffsets()}
     */
    public GroupState(
            String id,
            int number,
            @Nullable String key,
            OptionalLong records,
            Duration idleTimeout,
            boolean ownsOffsets) {
        this.id = id;
        this.handOvers = new HandOvers(id);
        this.number = number;
        this.key = key == null ? "" : key;
        this.limit = records.orElse(Long.MAX_VALUE);
        this.idleNanos = idleTimeout.toNanos();
        this.ownsOffsets = ownsOffsets;
        this.elsewhere = GroupPart.unknown(this.key);
    }

    public String id() {
        return id;
    }

    public HandOvers handOvers() {
        return handOvers;
    }

    public int number() {
        return number;
    }

    /** Whether other processes have members of this group. */
    public boolean spread() {
        return !key.isEmpty();
    }

    /** Allows members to join, in all processes. */
    public void open() {
        open = true;
    }

    /** Whether another process already allows members to join. */
    public boolean openedElsewhere() {
        return elsewhere.open();
    }

    /** The local state, to be sent to the other processes. */
    public GroupPart part(boolean joined) {
        return new GroupPart(key, open, joined, names(ready), names(reached), claimed.get());
    }

    private static Set<String> names(Set<TopicPartition> partitions) {
        return partitions.stream().map(TopicPartition::toString).collect(Collectors.toSet());
    }

    /** Sets the combined state of the other processes. */
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

    /** Claims records; returns how many of them are within the requested total, so that the count is exact. */
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

    /** Starts to record duplicate and skipped records, if the group owns offsets. */
    public void examine() {
        examined = ownsOffsets;
    }

    /** Deliveries of a partition; null if deliveries are not examined. */
    public @Nullable Deliveries deliveries(TopicPartition partition) {
        return examined ? deliveries.get(partition) : null;
    }

    /** Deliveries of all partitions; empty if they are not examined. */
    public List<GroupDelivery> deliveries(AuditTrail trail) {
        List<GroupDelivery> all = new ArrayList<>();
        deliveries.forEach((partition, of) -> {
            LogReading reading = trail.reading(partition);
            if (reading != null) {
                long distinct = of.distinct(reading.from(), SequenceSet.LIMIT);
                all.add(new GroupDelivery(
                        id,
                        partition.topic(),
                        partition.partition(),
                        of.twice(),
                        distinct,
                        position(partition),
                        spread() ? of.ranges() : null,
                        null));
            }
        });
        return all;
    }

    /** Sets a member's start position. */
    public void positioned(TopicPartition partition, long offset) {
        if (examined) {
            deliveries.computeIfAbsent(partition, p -> new Deliveries(offset));
        }
        first.putIfAbsent(partition, offset);
        positions.computeIfAbsent(partition, p -> new AtomicLong()).set(offset);
        ready.add(partition);
    }

    /** Whether a member has had a position in this partition; always true for a group spread over processes. */
    public boolean knows(TopicPartition partition) {
        return spread() || positions.containsKey(partition);
    }

    /** Next offset of a partition; 0 before the first read. */
    public long position(TopicPartition partition) {
        AtomicLong position = positions.get(partition);
        return position == null ? 0 : position.get();
    }

    /** First offset read in a partition; 0 before the first read. */
    public long firstPosition(TopicPartition partition) {
        return first.getOrDefault(partition, 0L);
    }

    public void unassigned(TopicPartition partition) {
        ready.remove(partition);
    }

    /**
     * Counts consumed records and, if the group owns offsets, moves the partition's position. Returns whether these are
     * the first records read from the partition.
     */
    public boolean consumed(TopicPartition partition, int records, long nextOffset) {
        long before = consumed.computeIfAbsent(partition, p -> new AtomicLong()).getAndAdd(records);
        if (ownsOffsets) {
            positions.computeIfAbsent(partition, p -> new AtomicLong()).set(nextOffset);
        }
        return before == 0 && records > 0;
    }

    /** Sets the next fetch offset of a partition. Skipping records that are not returned also counts as progress. */
    public void readsFrom(TopicPartition partition, long offset, long nowNanos) {
        long before =
                positions.computeIfAbsent(partition, p -> new AtomicLong()).getAndSet(offset);
        if (offset > before) {
            lastProgressNanos.set(nowNanos);
        }
    }

    /** Sets the end offsets up to which the group reads. */
    public void readUpTo(Map<TopicPartition, Long> endOffsets) {
        targets = Map.copyOf(endOffsets);
    }

    /** The end offsets up to which the group reads; empty until they are known. */
    public Map<TopicPartition, Long> targets() {
        Map<TopicPartition, Long> known = targets;
        return known == null ? Map.of() : known;
    }

    /** Sets the lag reported by the cluster, for a group that does not own offsets. */
    public void reportedLag(long records) {
        reportedLag = records;
    }

    /** Ends the group because no record is left to read. */
    public void end() {
        end(GroupPhase.DONE);
    }

    private void end(GroupPhase how) {
        phase.compareAndSet(GroupPhase.GOES_ON, how);
    }

    /** Whether the group ends at the end offsets of the producers, so that members must report their positions. */
    public boolean endsByOffsets() {
        return targets != null && limit == Long.MAX_VALUE && ownsOffsets;
    }

    /** Reports the position of a partition; ends the group when all partitions are read to their end. */
    public void readTo(TopicPartition partition, long position) {
        Map<TopicPartition, Long> ends = targets;
        Long end = ends == null || reached.contains(partition) ? null : ends.get(partition);
        if (end != null && position >= end) {
            reached.add(partition);
            endIfAllReached();
        }
    }

    /**
     * Ends a group that has made no progress for the idle timeout, if it has a record limit or its end offsets are
     * known. The timeout starts with the first call, if it has not started yet.
     */
    public void endIfIdle(long nowNanos) {
        lastProgressNanos.compareAndSet(0, nowNanos);
        if ((bound() || targets != null) && nowNanos - lastProgressNanos.get() > idleNanos) {
            end(GroupPhase.GAVE_UP);
        }
    }

    private void endIfAllReached() {
        Map<TopicPartition, Long> ends = targets;
        if (ends != null
                && endsByOffsets()
                && ends.keySet().stream().allMatch(p -> reached.contains(p) || isReachedElsewhere(p))) {
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
     * Whether each partition has a member with a position, in any process. If the group does not own offsets: whether
     * all remote members have joined.
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

    /** Starts the idle timeout. */
    public void startWaiting(long nowNanos) {
        lastProgressNanos.set(nowNanos);
    }

    public boolean bound() {
        return limit != Long.MAX_VALUE;
    }

    /** Number of requested records that did not arrive; 0 without a record limit, or before the group gives up. */
    public long missing() {
        return bound() && phase.get() == GroupPhase.GAVE_UP ? Math.max(0, limit - claimed.get()) : 0;
    }

    /**
     * Unread records up to these offsets. In a spread group each process counts the partitions that it read last.
     * @return empty if the group does not own offsets and the cluster has not reported a lag
     */
    public OptionalLong lag(Map<TopicPartition, Long> endOffsets) {
        if (!ownsOffsets) {
            return reportedLag < 0 ? OptionalLong.empty() : OptionalLong.of(reportedLag);
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

    /** Positions of the partitions that {@link #lag} counts and that are not read to their end. */
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
     * The deliveries of one partition to a consumer group.
     * @param again number of records processed more than once
     * @param distinct number of distinct records of the trial that were processed
     * @param position offset after the last processed record
     * @param ranges offsets processed here, as pairs of first offset and count; null unless the group is spread over
     *     processes
     * @param givenUp records that the cluster stopped delivering although no member accepted them; null if not
     *     applicable
     */
    public record GroupDelivery(
            String group,
            String topic,
            int partition,
            long again,
            long distinct,
            long position,
            @Nullable List<Long> ranges,
            @Nullable Long givenUp) {}

    /**
     * Times at which partitions were assigned to members, with the cost: the time without a read, and the redelivered
     * records. Thread-safe; each partition has one reader at a time.
     */
    public static final class HandOvers {
        private static final int MOST = 100_000;

        private final String group;
        private final Map<TopicPartition, Reading> readings = new ConcurrentHashMap<>();
        private final List<HandOver> done = new ArrayList<>(); // Guarded by the list itself.

        private static final class Reading {
            private long lastNanos;
            private long next;
            private boolean given;
            private long givenNanos;
            private int latest = -1;
        }

        HandOvers(String group) {
            this.group = group;
        }

        private Reading of(TopicPartition partition) {
            return readings.computeIfAbsent(partition, p -> new Reading());
        }

        /** Notes that these partitions were assigned to a member, which can be their previous owner. */
        public void given(Collection<TopicPartition> partitions, long nowNanos) {
            for (TopicPartition partition : partitions) {
                Reading reading = of(partition);
                synchronized (reading) {
                    reading.given = true;
                    reading.givenNanos = nowNanos;
                }
            }
        }

        /** Notes that a poll returned records of a partition. */
        public void read(TopicPartition partition, List<? extends ConsumerRecord<?, ?>> records, long nowNanos) {
            Reading reading = of(partition);
            synchronized (reading) {
                long again = records.get(0).offset() >= reading.next
                        ? 0
                        : records.stream()
                                .filter(r -> r.offset() < reading.next)
                                .count();
                if (reading.given && reading.lastNanos != 0) {
                    reading.latest = add(new HandOver(
                            group, partition.toString(), reading.lastNanos, reading.givenNanos, nowNanos, again));
                } else if (again > 0 && reading.latest >= 0) {
                    addAgain(reading.latest, again);
                }
                reading.given = false;
                reading.lastNanos = nowNanos;
                reading.next =
                        Math.max(reading.next, records.get(records.size() - 1).offset() + 1);
            }
        }

        private int add(HandOver handOver) {
            synchronized (done) {
                if (done.size() == MOST) {
                    return -1;
                }
                done.add(handOver);
                return done.size() - 1;
            }
        }

        private void addAgain(int number, long again) {
            synchronized (done) {
                done.set(number, done.get(number).with(again));
            }
        }

        /** The completed handovers, in order. */
        public List<HandOver> all() {
            synchronized (done) {
                return List.copyOf(done);
            }
        }
    }
}
