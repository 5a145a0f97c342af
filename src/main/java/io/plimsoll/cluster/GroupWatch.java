package io.plimsoll.cluster;

import io.plimsoll.Exit;
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
 * Observes a third-party consumer group without affecting it: the Admin API provides committed offsets and members, and
 * a consumer without a group reads the timestamp of the first unread record. The consumer never joins the group,
 * commits, or subscribes. Used by one thread at a time, except {@link #close()}.
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
    /** Known offset ranges that follow a commit and contain no readable record. */
    private final Map<TopicPartition, Gap> gaps = new HashMap<>();
    /** Partitions assigned to members at the last reading. */
    private Set<TopicPartition> held = Set.of();
    /**
     * Whether the group is known to read uncommitted records: it has committed an offset within an open transaction.
     */
    private boolean uncommitted;

    private record Gap(long from, long until) {}

    /**
     * Offsets of a group in a partition.
     *
     * @param committed next offset to read according to the last commit; −1 if none
     * @param begin first offset of the log, if known
     * @param from first offset that the group may have to read; {@code begin} if the position is unknown
     * @param stable first offset of an open transaction, or {@code end}
     * @param end offset of the next record
     */
    public record Position(long committed, long begin, long from, long stable, long end) {
        /** Whether the position is known: a commit exists and is within the log. */
        public boolean known() {
            return committed >= 0 && !beyond();
        }

        /** Whether the log ends before the committed offset, because it was truncated or recreated. */
        public boolean beyond() {
            return committed > end;
        }

        /** Upper bound of unread records; the whole log if not {@link #known}. */
        public long unread() {
            return Math.max(0, end - from);
        }

        /** Unread records of open transactions, which a {@code read_committed} member cannot read yet. */
        public long open() {
            return Math.max(0, end - Math.max(stable, from));
        }

        /** Records that were deleted before the group committed their offsets. */
        public long deleted() {
            return known() ? Math.max(0, begin - committed) : 0;
        }
    }

    /** Positions of a group in its committed or assigned partitions. */
    public record Progress(Map<TopicPartition, Position> positions) {
        public Map<TopicPartition, Position> known() {
            Map<TopicPartition, Position> known = new HashMap<>(positions);
            known.values().removeIf(at -> !at.known());
            return known;
        }

        /** Whether the group has read all records that existed at an earlier time, in its {@link #known} partitions. */
        public boolean hasRead(Progress earlier) {
            return known().entrySet().stream().allMatch(at -> {
                Position then = earlier.positions().get(at.getKey());
                return then != null && at.getValue().from() >= then.end();
            });
        }
    }

    /** Progress of a group, and the timestamp in ms of the first unread record by partition, if known. */
    public record FirstUnread(Progress progress, Map<TopicPartition, Long> firstMillis) {}

    /** Offsets of one kind, requested per partition so that a missing leader does not delay other partitions. */
    private final class Offsets {
        private final OffsetSpec spec;
        private final ListOffsetsOptions options;
        private final Map<TopicPartition, Long> known = new HashMap<>();
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
            // Without any response the whole cluster is slow, so wait for it.
            boolean none = asked.values().stream().noneMatch(KafkaFuture::isDone);
            new HashMap<>(asked).forEach((partition, answer) -> {
                if ((none || answer.isDone()) && asked.remove(partition, answer)) {
                    Answers.await(answer, READ_ENDS, group, e -> !none && isWithoutLeader(e))
                            .ifPresent(info -> known.put(partition, info.offset()));
                }
            });
        }
    }

    /** Partitions of each member by id; stable if no member waits for partitions. */
    public record Members(boolean stable, Map<String, Set<TopicPartition>> assigned) {
        public boolean settled() {
            return stable && !assigned.isEmpty();
        }
    }

    /** @param admin of the same cluster; not closed */
    public GroupWatch(ClusterConnection connection, Admin admin, String group) {
        this.group = group;
        this.admin = admin;
        this.connection = connection;
    }

    /** Topics with committed offsets or assigned partitions. */
    public Set<String> topics() {
        Set<TopicPartition> partitions = new HashSet<>(committed().keySet());
        members().ifPresent(m -> m.assigned().values().forEach(partitions::addAll));
        Exit.CLUSTER.when(partitions.isEmpty(), "cluster.groupReadsNothing", group);
        return partitions.stream().map(TopicPartition::topic).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Reads the group's progress. A partition without a leader keeps its last known end offset, and is omitted if none
     * is known.
     */
    public Progress progress() {
        return progress(true);
    }

    /**
     * Reads progress without begin offsets or last stable offsets, to limit the number of requests at four readings a
     * second.
     */
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
            // Requested after the end offsets; otherwise, records appended in between would count as records of an open
            // transaction.
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
        // A stale end offset can be below the commit.
        long known = ends.asked.containsKey(partition) ? Math.max(committed, end) : end;
        long open = whole ? Math.min(known, stable.known.getOrDefault(partition, known)) : known;
        // A last stable offset that was not updated, because its leader did not respond, can be below a newer commit.
        uncommitted |= !stable.asked.containsKey(partition) && committed > open && committed <= known;
        Gap gap = gaps.get(partition);
        long read = gap != null && gap.from <= committed && committed <= gap.until ? gap.until : 0;
        long from = committed < 0 || committed > known ? begin : Math.max(Math.max(committed, begin), read);
        return new Position(committed, begin, Math.min(from, known), open, known);
    }

    /** Partitions without an end offset in the last reading; their state is stale or unknown. */
    public List<String> withoutEndOffset() {
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

    /** Reads the members; empty if the group does not exist. */
    public Optional<Members> members() {
        return Answers.await(
                        Objects.requireNonNull(admin.describeConsumerGroups(Set.of(group))
                                .describedGroups()
                                .get(group)),
                        KafkaErrors.DESCRIBE_GROUP,
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

    /** Reads the first unread record of each partition, for its timestamp and to skip markers and aborted records. */
    public FirstUnread firstUnread(Progress progress) {
        Map<TopicPartition, Position> positions = new HashMap<>(progress.positions());
        Map<TopicPartition, Long> millis = new HashMap<>();
        reader.first(progress.known(), uncommitted).forEach((partition, first) -> {
            positions.computeIfPresent(partition, (p, at) -> {
                gaps.put(p, new Gap(at.committed(), first.offset()));
                return new Position(
                        at.committed(), at.begin(), Math.min(first.offset(), at.end()), at.stable(), at.end());
            });
            if (first.millis() >= 0) {
                millis.put(partition, first.millis());
            }
        });
        return new FirstUnread(new Progress(Map.copyOf(positions)), millis);
    }

    /**
     * Number of offsets by partition that count as {@link Position#unread} but have no readable record (markers,
     * aborted or compacted records), within limits.
     *
     * @param most remaining time; if negative, nothing is read
     */
    public Map<TopicPartition, Long> withoutRecord(Progress progress, Duration most) {
        return most.isNegative() ? Map.of() : reader.gaps(progress.positions(), uncommitted, most);
    }

    /** Closes the consumers that read records; the next reading opens them again. */
    public void release() {
        reader.close();
    }

    @Override
    public void close() {
        release();
    }

    /**
     * Reads the records that a group has not read yet, with consumers that have no group. Only records that the group
     * would read count.
     */
    private final class UnreadRecords {
        private static final Duration READING = Duration.ofMillis(800);
        private static final Duration COUNTING = Duration.ofSeconds(3);
        private static final Duration POLL = Duration.ofMillis(100);
        private static final Duration CLOSING = Duration.ofSeconds(1);
        /** Fetch size; a larger batch is returned alone. */
        private static final int BATCH_BYTES = 65_536;
        /** Limit per partition; offsets beyond it are assumed to be records. */
        private static final long MOST_OFFSETS = 10_000;

        private static final long MOST_BYTES = 16_000_000;

        private final Map<IsolationLevel, KafkaConsumer<byte[], byte[]>> readers = new HashMap<>();

        /** First record of a partition, or the offset up to which no record exists; the time is negative if unknown. */
        record First(long offset, long millis) {}

        /** Receives records and decides when a partition is complete. */
        private interface Reading {
            boolean take(TopicPartition partition, List<ConsumerRecord<byte[], byte[]>> records, long position);
        }

        /** The first unread record of each partition; partitions without a response in time are omitted. */
        Map<TopicPartition, First> first(Map<TopicPartition, Position> positions, boolean uncommitted) {
            Map<TopicPartition, Long> from = new HashMap<>();
            positions.forEach((partition, at) -> {
                if (at.from() < readable(at, uncommitted)) {
                    from.put(partition, at.from());
                }
            });
            Map<TopicPartition, First> first = first(from, positions, uncommitted);
            if (!uncommitted) {
                // Records of an open transaction also wait and have a timestamp.
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
                } else if (position >= readable(Objects.requireNonNull(positions.get(partition)), uncommitted)) {
                    first.put(partition, new First(position, -1));
                }
                return first.containsKey(partition);
            });
            return first;
        }

        private static long readable(Position at, boolean uncommitted) {
            return uncommitted ? at.end() : at.end() - at.open();
        }

        /** Number of offsets without a record, from the first unread offset, within the limits. */
        Map<TopicPartition, Long> gaps(Map<TopicPartition, Position> positions, boolean uncommitted, Duration most) {
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
            Duration patience = most.compareTo(COUNTING) < 0 ? most : COUNTING;
            read(from, uncommitted, patience, (partition, records, position) -> {
                long end = Objects.requireNonNull(until.get(partition));
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    bytes[0] += record.serializedKeySize() + record.serializedValueSize();
                    if (record.offset() < end) {
                        found.merge(partition, 1L, Long::sum);
                    }
                }
                long reached = Math.min(position, end);
                gaps.put(
                        partition,
                        reached - Objects.requireNonNull(from.get(partition)) - found.getOrDefault(partition, 0L));
                return reached == end || bytes[0] > MOST_BYTES;
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
            readers.clear();
        }
    }
}
