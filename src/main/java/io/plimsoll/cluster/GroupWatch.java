package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Looks at a consumer group of others without touching it: Admin tells what it has committed and who its members are, and
 * a consumer without a group reads the first record that it has not committed, for that record's time. Nothing joins,
 * commits or subscribes. Used by one thread at a time, but for {@link #close()}.
 */
public final class GroupWatch implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final String READ_ENDS = "read the end offsets of the topics of group";
    private static final long NONE = -1;

    private final Admin admin;
    private final ClusterConnection connection;
    private final UnreadRecords reader = new UnreadRecords();
    private final String group;
    private final Offsets ends = new Offsets(OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    private final Offsets begins = new Offsets(OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    private final Offsets stable = new Offsets(OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    /** Offsets without a record to read, as they were found behind a commit. */
    private final Map<TopicPartition, Gap> gaps = new HashMap<>();
    /** That its members had at the last look. */
    private Set<TopicPartition> held = Set.of();
    /** It has committed records of a transaction that was open: it reads what is not committed. */
    private boolean uncommitted;

    private record Gap(long from, long until) {}

    /**
     * Where a group is in a partition, by offsets.
     *
     * @param committed that it wants next, by its last commit; -1 if it has none
     * @param begin of the first record in the log, as far as it is known
     * @param from of the first record that it may have to read; of all in the log if it is not known where it is
     * @param stable of the first record of an open transaction, or {@code end}
     * @param end that the next record will get
     */
    public record Position(long committed, long begin, long from, long stable, long end) {
        /** Without markers, transactions or deleted records. */
        static Position of(long committed, long end) {
            return new Position(committed, 0, Math.max(0, committed), end, end);
        }

        /** Whether its commit says where it is: there is one, and it is within the log. */
        public boolean known() {
            return committed >= 0 && !beyond();
        }

        /** Whether the log ends before its commit: it was cut, or is another one. */
        public boolean beyond() {
            return committed > end;
        }

        /** What it has to read: at most so many records; if it is not {@link #known}, all in the log. */
        public long unread() {
            return Math.max(0, end - from);
        }

        /** Of them, those of open transactions, which a member that reads committed records alone cannot read yet. */
        public long open() {
            return Math.max(0, end - Math.max(stable, from));
        }

        /** Deleted before they were committed. */
        public long deleted() {
            return known() ? Math.max(0, begin - committed) : 0;
        }
    }

    /** How far a group is in the partitions in which it has a commit or a member. */
    public record Progress(Map<TopicPartition, Position> positions) {
        /** Records that it has not read, at the most; 0 where that is not known. */
        public long lag(TopicPartition partition) {
            Position at = positions.get(partition);
            return at != null && at.known() ? at.unread() : 0;
        }

        /** The partitions of which it is known where the group is. */
        public Map<TopicPartition, Position> known() {
            Map<TopicPartition, Position> known = new HashMap<>(positions);
            known.values().removeIf(at -> !at.known());
            return known;
        }
    }

    /** How far a group is, and the time of the first record that it has to read by partition, in ms, if it is known. */
    public record Unread(Progress progress, Map<TopicPartition, Long> firstMillis) {}

    /** Offsets of one kind: a partition without a leader must not keep the others waiting. */
    private final class Offsets {
        private final OffsetSpec spec;
        private final ListOffsetsOptions options;
        private final Map<TopicPartition, Long> known = new HashMap<>();
        /** What is not answered yet. */
        private final Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> asked = new HashMap<>();

        Offsets(OffsetSpec spec, IsolationLevel level) {
            this.spec = spec;
            this.options = new ListOffsetsOptions(level);
        }

        void ask(Set<TopicPartition> partitions) {
            known.keySet().retainAll(partitions);
            asked.keySet().retainAll(partitions);
            Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
            partitions.stream().filter(p -> !asked.containsKey(p)).forEach(p -> wanted.put(p, spec));
            ListOffsetsResult answers = admin.listOffsets(wanted, options);
            wanted.keySet().forEach(p -> asked.put(p, answers.partitionResult(p)));
            Answers.settle(wanted.keySet().stream().map(asked::get).toList(), PATIENCE, READ_ENDS, group);
            // Where nobody answers the cluster is slow, and what it will say is waited for.
            boolean none = asked.values().stream().noneMatch(KafkaFuture::isDone);
            for (TopicPartition partition : List.copyOf(asked.keySet())) {
                if (none || asked.get(partition).isDone()) {
                    Answers.await(asked.remove(partition), READ_ENDS, group, e -> !none && isWithoutLeader(e))
                            .ifPresent(info -> known.put(partition, info.offset()));
                }
            }
        }
    }

    /** The partitions of each member of a group, by its id; stable if none waits for partitions. */
    public record Members(boolean stable, Map<String, Set<TopicPartition>> assigned) {
        /** Whether there are members, and none of them waits. */
        public boolean settled() {
            return stable && !assigned.isEmpty();
        }
    }

    /** @param admin of the same cluster; stays open */
    public GroupWatch(ClusterConnection connection, Admin admin, String group) {
        this.group = group;
        this.admin = admin;
        this.connection = connection;
    }

    /** The topics in which it has committed offsets, or whose partitions its members have. */
    public Set<String> topics() {
        Set<TopicPartition> partitions = new HashSet<>(committed().keySet());
        members().ifPresent(m -> m.assigned().values().forEach(partitions::addAll));
        Exit.CLUSTER.when(partitions.isEmpty(), "cluster.groupReadsNothing", group);
        return partitions.stream().map(TopicPartition::topic).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Asks how far it is. A partition without a leader gets no records, so that its end stays what it was; where that is
     * unknown, it is left out.
     *
     * @throws PlimsollException if the cluster does not say
     */
    public Progress progress() {
        return progress(true);
    }

    /** The same without asking again where logs begin, and which transactions are open: four times a second is too often. */
    public Progress glance() {
        return progress(false);
    }

    private Progress progress(boolean whole) {
        Map<TopicPartition, Long> committed = committed();
        Set<TopicPartition> partitions = new HashSet<>(committed.keySet());
        partitions.addAll(held);
        ends.ask(partitions);
        if (whole) {
            begins.ask(partitions);
            // After the ends: what is written meanwhile is in no open transaction.
            stable.ask(partitions);
        }
        gaps.keySet().retainAll(committed.keySet());
        Map<TopicPartition, Position> positions = new HashMap<>();
        ends.known.forEach((partition, end) ->
                positions.put(partition, position(partition, committed.getOrDefault(partition, NONE), end, whole)));
        return new Progress(Map.copyOf(positions));
    }

    private Position position(TopicPartition partition, long committed, long end, boolean whole) {
        long begin = Math.min(end, begins.known.getOrDefault(partition, 0L));
        // An end that nobody tells any more is not that of the log.
        long known = ends.asked.containsKey(partition) ? Math.max(committed, end) : end;
        long open = whole ? Math.min(known, stable.known.getOrDefault(partition, known)) : known;
        uncommitted |= committed > open && committed <= known;
        Gap gap = gaps.get(partition);
        boolean within = gap != null && gap.from <= committed && committed <= gap.until;
        long from = committed < 0 || committed > known
                ? begin
                : Math.max(Math.max(committed, begin), within ? gap.until : 0);
        return new Position(committed, begin, Math.min(from, known), open, known);
    }

    /** The partitions whose ends nobody told at the last look: what is known of them is as it was, or nothing. */
    public List<String> untold() {
        return ends.asked.keySet().stream()
                .map(TopicPartition::toString)
                .sorted()
                .toList();
    }

    private static boolean isWithoutLeader(Throwable e) {
        return e instanceof TimeoutException
                || e instanceof LeaderNotAvailableException
                || e instanceof UnknownTopicOrPartitionException;
    }

    private Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> committed = new HashMap<>();
        Answers.await(
                        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(),
                        "read the offsets of group",
                        group)
                .forEach((partition, offset) -> committed.put(partition, offset == null ? null : offset.offset()));
        committed.values().removeIf(Objects::isNull);
        return committed;
    }

    /** Asks who is in it; empty if there is no such group. */
    public Optional<Members> members() {
        return Answers.await(
                        admin.describeConsumerGroups(Set.of(group))
                                .describedGroups()
                                .get(group),
                        "describe consumer group",
                        group,
                        e -> e instanceof GroupIdNotFoundException)
                .filter(found -> found.groupState() != GroupState.DEAD)
                .map(this::members);
    }

    private Members members(ConsumerGroupDescription found) {
        Map<String, Set<TopicPartition>> assigned = new HashMap<>();
        found.members().forEach(m -> assigned.put(m.consumerId(), m.assignment().topicPartitions()));
        held = assigned.values().stream().flatMap(Set::stream).collect(Collectors.toSet());
        boolean stable = found.groupState() == GroupState.STABLE || found.groupState() == GroupState.EMPTY;
        return new Members(stable, assigned);
    }

    /** Reads the first unread record of each partition: for its time, and since markers and aborted records are not to be read. */
    public Unread firstUnread(Progress progress) {
        Map<TopicPartition, Position> positions = new HashMap<>(progress.positions());
        Map<TopicPartition, Long> millis = new HashMap<>();
        reader.first(progress.known(), uncommitted).forEach((partition, first) -> {
            Position at = positions.get(partition);
            gaps.put(partition, new Gap(at.committed(), first.offset()));
            positions.put(
                    partition,
                    new Position(
                            at.committed(), at.begin(), Math.min(first.offset(), at.end()), at.stable(), at.end()));
            if (first.millis() >= 0) {
                millis.put(partition, first.millis());
            }
        });
        return new Unread(new Progress(Map.copyOf(positions)), millis);
    }

    /**
     * Reads what the group has not read, within limits of time and size.
     *
     * @return of {@link Position#unread}, offsets that were found to hold no record for it: markers, aborted and compacted records
     */
    public Map<TopicPartition, Long> withoutRecord(Progress progress) {
        return reader.gaps(progress.positions(), uncommitted);
    }

    @Override
    public void close() {
        reader.close();
    }

    /**
     * Reads records that a group has not committed, with consumers that have no group: nothing joins, commits or subscribes. Markers
     * of transactions are no records, and neither are those of transactions that were aborted, unless the group is known to read
     * uncommitted records. Used by one thread at a time, but for {@link #close()}.
     */
    private final class UnreadRecords {
        private static final Duration READING = Duration.ofMillis(800);
        private static final Duration COUNTING = Duration.ofSeconds(3);
        private static final Duration POLL = Duration.ofMillis(100);
        private static final Duration CLOSING = Duration.ofSeconds(1);
        /** A batch that is larger is read all the same, one in each answer. */
        private static final int BATCH_BYTES = 65_536;
        /** Of a partition; what is behind them is taken to be records. */
        private static final long MOST_OFFSETS = 10_000;
        /** Of all partitions. */
        private static final long MOST_BYTES = 16_000_000;

        private final Map<IsolationLevel, KafkaConsumer<byte[], byte[]>> readers = new HashMap<>();

        /** The first record of a partition, or the offset up to which there is none; a time below 0 is unknown. */
        record First(long offset, long millis) {}

        /** Takes records, and says whether it has all that it wants of a partition. */
        private interface Reading {
            boolean take(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records, long position);
        }

        /**
         * The first record of each of these partitions that the group has yet to read; partitions of which that is not known in time
         * are left out.
         */
        Map<TopicPartition, First> first(Map<TopicPartition, Position> positions, boolean uncommitted) {
            Map<TopicPartition, Long> from = new HashMap<>();
            positions.forEach((partition, at) -> {
                if (at.from() < readable(at, uncommitted)) {
                    from.put(partition, at.from());
                }
            });
            Map<TopicPartition, First> first = first(from, positions, uncommitted);
            if (!uncommitted) {
                // What is in an open transaction is waiting, too, and has a time.
                Map<TopicPartition, Long> open = new HashMap<>();
                positions.forEach((partition, at) -> {
                    First found = first.get(partition);
                    long next = found == null ? at.from() : found.offset();
                    if (at.open() > 0 && next >= at.stable()) {
                        open.put(partition, next);
                    }
                });
                first.putAll(first(open, positions, true));
            }
            return first;
        }

        private Map<TopicPartition, First> first(
                Map<TopicPartition, Long> from, Map<TopicPartition, Position> positions, boolean uncommitted) {
            Map<TopicPartition, First> first = new HashMap<>();
            read(from, uncommitted, READING, (partition, records, position) -> {
                if (!records.isEmpty()) {
                    first.put(
                            partition,
                            new First(records.get(0).offset(), records.get(0).timestamp()));
                } else if (position >= readable(positions.get(partition), uncommitted)) {
                    first.put(partition, new First(position, -1));
                }
                return first.containsKey(partition);
            });
            return first;
        }

        private static long readable(Position at, boolean uncommitted) {
            return uncommitted ? at.end() : at.end() - at.open();
        }

        /** How many offsets, from the first unread one on, hold no record, of those that could be looked at within its limits. */
        Map<TopicPartition, Long> gaps(Map<TopicPartition, Position> positions, boolean uncommitted) {
            Map<TopicPartition, Long> from = new HashMap<>();
            Map<TopicPartition, Long> until = new HashMap<>();
            positions.forEach((partition, at) -> {
                if (at.from() < readable(at, uncommitted)) {
                    from.put(partition, at.from());
                    until.put(partition, Math.min(readable(at, uncommitted), at.from() + MOST_OFFSETS));
                }
            });
            Map<TopicPartition, Long> found = new HashMap<>();
            Map<TopicPartition, Long> gaps = new HashMap<>();
            long[] bytes = {0};
            read(from, uncommitted, COUNTING, (partition, records, position) -> {
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    bytes[0] += record.serializedKeySize() + record.serializedValueSize();
                    if (record.offset() < until.get(partition)) {
                        found.merge(partition, 1L, Long::sum);
                    }
                }
                long reached = Math.min(position, until.get(partition));
                gaps.put(partition, reached - from.get(partition) - found.getOrDefault(partition, 0L));
                return reached == until.get(partition) || bytes[0] > MOST_BYTES;
            });
            return gaps;
        }

        private void read(Map<TopicPartition, Long> from, boolean uncommitted, Duration patience, Reading reading) {
            if (from.isEmpty()) {
                return;
            }
            Set<TopicPartition> missing = new HashSet<>(from.keySet());
            try {
                KafkaConsumer<byte[], byte[]> reader = readers.computeIfAbsent(
                        uncommitted ? IsolationLevel.READ_UNCOMMITTED : IsolationLevel.READ_COMMITTED, this::reader);
                reader.assign(missing);
                reader.resume(missing);
                from.forEach(reader::seek);
                long untilNanos = System.nanoTime() + patience.toNanos();
                while (!missing.isEmpty() && System.nanoTime() < untilNanos) {
                    ConsumerRecords<byte[], byte[]> records = reader.poll(POLL);
                    Set<TopicPartition> done = new HashSet<>(missing);
                    done.removeIf(partition ->
                            !reading.take(partition, records.records(partition), reader.position(partition, POLL)));
                    missing.removeAll(done);
                    reader.pause(done);
                }
            } catch (KafkaException e) {
                throw KafkaErrors.explain(e, "read the first unread records of group", group);
            }
        }

        private KafkaConsumer<byte[], byte[]> reader(IsolationLevel level) {
            String isolation = level.toString().toLowerCase(Locale.ROOT);
            Map<String, Object> own = new HashMap<>(Map.of("client.id", "plimsoll-lag", "isolation.level", isolation));
            own.putAll(Map.of("auto.offset.reset", "earliest", "fetch.max.wait.ms", 100));
            own.put("max.partition.fetch.bytes", BATCH_BYTES);
            return connection.consumer(own);
        }

        void close() {
            readers.values().forEach(reader -> reader.close(CloseOptions.timeout(CLOSING)));
        }
    }
}
