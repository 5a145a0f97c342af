package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.PlimsollException;
import io.plimsoll.audit.LogSink;
import io.plimsoll.cluster.ColdLogs;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.Concurrently;
import io.plimsoll.load.Connections;
import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.Consumers.Unreceived;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.ProducerKind.Identity;
import io.plimsoll.load.Producers;
import io.plimsoll.load.Slice;
import io.plimsoll.load.raw.AuditReader;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.payload.Stamp;
import io.plimsoll.scenario.ConnectionSpec;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * This process's producers and consumers of a trial, one object per scenario entry. Created and closed by the worker's
 * thread; any thread can read them.
 */
final class TrialClients implements AutoCloseable {
    private static final Duration PREPARE_LIMIT = Duration.ofSeconds(60);

    private final Topics topics;
    final List<Producers> producers = new CopyOnWriteArrayList<>();
    final List<Consumers> consumers = new CopyOnWriteArrayList<>();
    final List<Connections> connections = new CopyOnWriteArrayList<>();
    final TrialAssignment assignment;
    /** Consumer entries with evicted logs; guarded by this object. */
    private final Set<Integer> chilled = new HashSet<>();

    private volatile LogEnds before = LogEnds.UNKNOWN;
    private Set<String> appendTimes = Set.of();

    TrialClients(Topics topics, TrialAssignment assignment) {
        this.topics = topics;
        this.assignment = assignment;
    }

    /** @throws io.plimsoll.PlimsollException if creation fails; all clients are closed then */
    void prepare() {
        Scenario scenario = scenario();
        try {
            // Producers first: idle producers cost nothing, but a thousand idle group members use half a core.
            appendTimes = scenario.producers().isEmpty() ? Set.of() : topics.appendTimes(scenario.producedTopics());
            int index = 0;
            for (ProducerSpec spec : scenario.producers()) {
                Producers entry = producers(spec, assignment.producers().get(index), "producers-" + index++);
                producers.add(entry);
                entry.prepare(PREPARE_LIMIT);
                entry.prepareReplies(PREPARE_LIMIT);
            }
            index = 0;
            for (ConsumerSpec spec : scenario.consumers()) {
                Consumers entry = consumers(spec, assignment.consumers().get(index), "consumers-" + index++);
                consumers.add(entry);
                entry.prepare(PREPARE_LIMIT);
            }
            index = 0;
            Connections.Maker connects = Connections.maker();
            connects.check(
                    assignment.connections().stream().mapToLong(Slice::count).sum());
            for (ConnectionSpec spec : scenario.connections()) {
                Slice slice = assignment.connections().get(index);
                String part = "connections-" + index++;
                connections.add(connects.create(assignment.context(), spec, slice, part, topics.brokers()));
            }
            before = consumers.isEmpty() || producers.isEmpty()
                    ? LogEnds.UNKNOWN
                    : LogEnds.of(topics, topicNames(scenario));
        } catch (RuntimeException e) {
            discard();
            throw e;
        }
    }

    /** Closes all clients, also in an interrupted thread, which stays interrupted. */
    void discard() {
        boolean interrupted = Thread.interrupted();
        close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Producers producers(ProducerSpec spec, Slice slice, String part) {
        LoadContext context = assignment.context();
        return LoadKind.producers(spec.engine())
                .create(new ProducerKind.Entry(
                        context, withEnd(spec), slice, part, assignment.warmup(), this::partitionCounts, appendTimes));
    }

    /**
     * The entry, limited to the scenario's duration if it has no limit: the trial's window can end later, or only with
     * the last record.
     */
    private ProducerSpec withEnd(ProducerSpec spec) {
        boolean ends = spec.records().isPresent() || spec.duration().isPresent();
        return ends
                ? spec
                : spec.with(ProducerSpec.DURATION, Optional.of(scenario().duration()));
    }

    private Consumers consumers(ConsumerSpec spec, Slice slice, String part) {
        LoadContext context = assignment.context();
        // With unclean leader election, a record that was read can disappear, so consumers cannot feed the audit.
        boolean feeds =
                feedsAudit(spec, context) && topics.uncleanlyLed(spec.topics()).isEmpty();
        AuditTrail feed = feeds ? context.trail() : null;
        return LoadKind.consumers(spec.engine())
                .create(new ConsumerKind.Entry(
                        context, spec, slice, part, assignment.endToEnd(), feed, this::partitionCounts));
    }

    /** Whether the first group of this entry reads every record, so that it can feed the audit. */
    private boolean feedsAudit(ConsumerSpec spec, LoadContext context) {
        if (context.trail() == null
                || !context.trail().reads()
                || spec.records().isPresent()
                || spec.oneTopicEach()) {
            return false;
        }
        boolean transactional =
                scenario().producers().stream().anyMatch(p -> p.transactions().enabled());
        boolean byBatch = scenario().producers().stream()
                .anyMatch(p -> ProducerKind.marksOf(context, p).identity() == Identity.BATCH);
        return !transactional && LoadKind.consumers(spec.engine()).feedsAudit(byBatch);
    }

    private int[] partitionCounts(List<String> names) {
        Map<String, TopicDescription> descriptions = topics.describe(names);
        return names.stream()
                .mapToInt(topic -> Objects.requireNonNull(descriptions.get(topic), topic)
                        .partitions()
                        .size())
                .toArray();
    }

    private Scenario scenario() {
        return assignment.scenario();
    }

    void start(TrialClock clock) {
        connections.forEach(c -> c.start(clock));
        consumers.forEach(c -> c.start(clock));
        producers.forEach(p -> p.start(clock));
    }

    /** End offsets before the first record, if the trial has producers and consumers. */
    LogEnds before() {
        return before;
    }

    void releaseBacklog(TrialClock clock) {
        for (int c = 0; c < consumers.size(); c++) {
            ConsumerSpec spec = scenario().consumers().get(c);
            boolean enough =
                    spec.start() instanceof ConsumerSpec.Start.BacklogBytes backlog && piledUp(c) >= backlog.bytes();
            boolean longEnough = spec.startsCold()
                    && spec.start() instanceof ConsumerSpec.Start.Backlog backlog
                    && clock.warmup().known()
                    && System.nanoTime()
                            >= clock.measureStartNanos() + backlog.time().toNanos();
            if (enough || longEnough) {
                openGate(c);
            }
        }
    }

    /** Lets an entry's groups start reading; cold groups start once their logs are evicted. Usable by any thread. */
    void openGate(int entry) {
        ConsumerSpec spec = scenario().consumers().get(entry);
        Runnable gate = consumers.get(entry)::openGate;
        if (!spec.startsCold()) {
            gate.run();
        } else if (isFirstChill(entry)) {
            Daemon.start("plimsoll-cold", () -> {
                try {
                    evict(new HashSet<>(spec.topics()));
                    gate.run();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private synchronized boolean isFirstChill(int entry) {
        return chilled.add(entry);
    }

    /**
     * Evicts from the page cache the logs of entries that must read from disk. Blocks while the disk writes.
     * @param late true for the entries with a delayed start, false for all other entries
     */
    synchronized void startCold(boolean late) throws InterruptedException {
        Set<String> names = new HashSet<>();
        for (int entry = 0; entry < scenario().consumers().size(); entry++) {
            ConsumerSpec spec = scenario().consumers().get(entry);
            if (spec.startsCold() && spec.startsLate() == late && chilled.add(entry)) {
                names.addAll(spec.topics());
            }
        }
        evict(names);
    }

    private synchronized void evict(Set<String> names) throws InterruptedException {
        if (!names.isEmpty()) {
            assignment.context().notes().accept(ColdLogs.forget(topics, names));
        }
    }

    /** Bytes acknowledged by local producers for an entry that waits for a backlog. */
    private long piledUp(int entry) {
        ConsumerSpec spec = scenario().consumers().get(entry);
        long bytes = 0;
        for (int p = 0; p < producers.size(); p++) {
            boolean feeds = !Collections.disjoint(scenario().producers().get(p).topics(), spec.topics());
            bytes += feeds ? producers.get(p).acknowledgedBytes() : 0;
        }
        return bytes;
    }

    List<Long> piledUp() {
        if (scenario().consumers().stream().noneMatch(c -> c.start() instanceof ConsumerSpec.Start.BacklogBytes)) {
            return List.of();
        }
        return IntStream.range(0, consumers.size()).mapToObj(this::piledUp).toList();
    }

    Map<String, Long> byPartition(Function<Producers, Map<String, Long>> count) {
        Map<String, Long> counts = new HashMap<>();
        producers.forEach(p -> count.apply(p).forEach((k, v) -> counts.merge(k, v, Long::sum)));
        return counts;
    }

    /** @param startNanos start of the trial; snapshots are taken every second from there */
    LagWatch watchLags(Collection<String> names, long startNanos) {
        return new LagWatch(names, startNanos);
    }

    /** Number of records acknowledged so far, by {@code topic-partition}. Usable by any thread. */
    Map<String, Long> acknowledged() {
        return byPartition(Producers::acknowledgedByPartition);
    }

    WorkerBarrier.Produced produced() {
        return new WorkerBarrier.Produced(acknowledged(), byPartition(Producers::markersByPartition));
    }

    /** Charges groups for unread records after all clients are closed; times are in nanoTime. */
    void chargeUnreceived(TrialClock clock, long gaveUpNanos, long loadEndNanos, BooleanSupplier hurry)
            throws InterruptedException {
        if (!producers.isEmpty()) {
            long end = Math.min(loadEndNanos, clock.measureEndNanos());
            new UnreceivedCharges(assignment.context(), clock, gaveUpNanos, end, hurry)
                    .charge(consumers.stream()
                            .flatMap(c -> c.unreceived().stream())
                            .toList());
        }
    }

    void closeProducers() {
        Concurrently.run(producers.stream().map(p -> (Runnable) p::close).toList());
    }

    @Override
    public void close() {
        consumers.forEach(Consumers::stop);
        connections.forEach(Connections::close);
        closeProducers();
        consumers.forEach(Consumers::close);
    }

    /** @param stoppedNanos time of an early stop; {@link Long#MAX_VALUE} if none */
    TrialOutcome outcome(TrialClock clock, long stoppedNanos) {
        boolean stopped = stoppedNanos != Long.MAX_VALUE;
        Map<String, Long> consumed = new HashMap<>();
        consumers.forEach(c -> c.consumedByPartition().forEach((k, v) -> consumed.merge(k, v, Long::sum)));
        double consumeSeconds = consumers.stream()
                .flatMap(c -> c.span().stream())
                .mapToDouble(Consumers.Span::seconds)
                .max()
                .orElse(0);
        Map<String, Double> groupSeconds = new HashMap<>();
        consumers.forEach(c -> c.spans().forEach((group, span) -> groupSeconds.put(group, span.seconds())));
        if (stopped) {
            // Groups that read during the load end with the trial, before their planned window.
            double soFar = clock.measuredBefore(System.nanoTime()) / 1e9;
            consumeSeconds = Math.min(consumeSeconds, soFar);
            groupSeconds.replaceAll((group, seconds) -> Math.min(seconds, soFar));
        }
        return new TrialOutcome(
                produced(),
                consumed,
                measuredSeconds(clock, stoppedNanos, consumeSeconds),
                consumeSeconds,
                groupSeconds,
                !stopped,
                producers.stream().flatMap(p -> p.shares().stream()).toList(),
                backlogOpenedSeconds(clock),
                consumers.stream().flatMap(c -> c.deliveries().stream()).toList());
    }

    /** Trial time in seconds at which the first waiting groups started to read; null if none. */
    private @Nullable Double backlogOpenedSeconds(TrialClock clock) {
        long first = Long.MAX_VALUE;
        for (int c = 0; c < consumers.size(); c++) {
            if (scenario().consumers().get(c).isBacklog()) {
                first = Math.min(first, consumers.get(c).openedNanos());
            }
        }
        // If the start is defined by time, an interrupted trial may not have reached it.
        return first > System.nanoTime() ? null : Double.valueOf((first - clock.startNanos()) / 1e9);
    }

    private double measuredSeconds(TrialClock clock, long stoppedNanos, double consumeSeconds) {
        if (producers.isEmpty() && clock.endsWithLastRecord()) {
            return consumeSeconds;
        }
        long end = Math.min(System.nanoTime(), stoppedNanos);
        if (clock.endsWithLastRecord()) {
            long lastAck =
                    producers.stream().mapToLong(Producers::lastAckNanos).max().orElse(0);
            end = lastAck == 0 ? end : Math.min(end, lastAck);
        }
        return clock.measuredBefore(end) / 1e9;
    }

    static Set<String> topicNames(Scenario scenario) {
        Set<String> names = new HashSet<>();
        scenario.producers().forEach(p -> names.addAll(p.topics()));
        scenario.consumers().forEach(c -> names.addAll(c.topics()));
        return names;
    }

    /** The consumer groups that this scenario creates or uses on the cluster. */
    static Set<String> groupIds(Scenario scenario, LoadContext context) {
        Set<String> ids = new TreeSet<>();
        int index = 0;
        for (ConsumerSpec spec : scenario.consumers()) {
            String part = "consumers-" + index++;
            if (LoadKind.of(spec.engine()).joinsGroups()) {
                ids.addAll(groupIds(spec, context, part));
            }
        }
        return ids;
    }

    static Set<String> groupIds(ConsumerSpec spec, LoadContext context, String part) {
        return LoadKind.consumers(spec.engine()).groupIds(context, spec, part);
    }

    /**
     * Tracks the lag of this process's consumer groups. End offsets are requested once a second; until the next
     * response, acknowledgments of this process's producers raise them. After a failed request, the lag is unknown. A
     * record counts from {@link #IN_FLIGHT_NANOS} after its acknowledgment; otherwise the lag would never reach 0 while
     * producers are active.
     *
     * <p>Separate threads poll, so that a slow broker does not delay a snapshot. The snapshot thread calls {@link
     * #read}.
     */
    final class LagWatch implements AutoCloseable {
        private static final long EVERY_NANOS = 1_000_000_000L;
        private static final long IN_FLIGHT_NANOS = 100_000_000L;
        /** Time in ns between the last poll and a snapshot; polls are placed between the snapshots on whole seconds. */
        private static final long BEFORE_SNAPSHOT_NANOS = 80_000_000L;
        /** Number of partitions above which the lag is computed only for each snapshot. */
        private static final int MOST_PARTITIONS = 1_000;

        private final Collection<String> names;
        private final List<PeriodicTask> tasks;
        private final Map<String, Long> least = new HashMap<>();
        private Map<String, Long> acknowledgedBefore = Map.of();
        private volatile Map<TopicPartition, Long> ends = Map.of();

        private LagWatch(Collection<String> names, long startNanos) {
            this.names = names;
            this.tasks = consumers.isEmpty()
                    ? List.of()
                    : List.of(
                            PeriodicTask.each(
                                    "plimsoll-end-offsets", startNanos - IN_FLIGHT_NANOS, EVERY_NANOS, 0, this::ask),
                            PeriodicTask.each(
                                    "plimsoll-lag",
                                    startNanos - BEFORE_SNAPSHOT_NANOS,
                                    IN_FLIGHT_NANOS,
                                    0,
                                    this::look));
        }

        private void ask() {
            try {
                ends = topics.endOffsets(names);
            } catch (PlimsollException e) {
                // A broker is down, so the figure is absent until it responds again.
                ends = Map.of();
            }
        }

        /** Polls the lag. Every poll, including the last, can change the minimum lag of the next snapshot. */
        private synchronized void look() {
            if (ends.size() <= MOST_PARTITIONS) {
                lags(consumers.stream().filter(Consumers::ownsOffsets))
                        .forEach((group, lag) -> least.merge(group, lag, Math::min));
            }
            acknowledgedBefore = acknowledged();
        }

        private Map<String, Long> lags(Stream<Consumers> entries) {
            Map<TopicPartition, Long> raised = new HashMap<>(ends);
            raised.replaceAll((partition, end) -> {
                Long first = before.offsets().get(partition.toString());
                return first == null
                        ? end
                        : Math.max(end, first + acknowledgedBefore.getOrDefault(partition.toString(), 0L));
            });
            Map<String, Long> lags = new HashMap<>();
            if (!raised.isEmpty()) {
                entries.forEach(entry -> lags.putAll(entry.lag(raised)));
            }
            return lags;
        }

        /**
         * Adds the current lag of each group and, if its offsets are known locally, the minimum since the last call.
         */
        synchronized void read(Counts.Sum whole) {
            Map<String, Long> now = lags(consumers.stream());
            least.keySet().retainAll(now.keySet());
            least.replaceAll((group, lag) -> Math.min(lag, now.getOrDefault(group, lag)));
            whole.add(Consumed.LAG, now).add(Consumed.LEAST_LAG, Map.copyOf(least));
            least.clear();
        }

        /** Abandons a pending request. */
        @Override
        public void close() {
            tasks.forEach(task -> task.end(1));
        }
    }

    /**
     * Charges unread records to the end-to-end latency of their groups. It reads the intended times of these records
     * from the logs, or of evenly spread samples that represent their neighbors. Records that cannot be read in time
     * count as due at the end of the load, which gives a lower bound of their latency.
     * @param gaveUpNanos nanoTime at which the groups stopped reading
     * @param loadEndNanos nanoTime after which no record was due
     */
    private record UnreceivedCharges(
            LoadContext context, TrialClock clock, long gaveUpNanos, long loadEndNanos, BooleanSupplier hurry) {
        private static final Duration LIMIT = Duration.ofSeconds(10);
        /** Maximum number of offsets to read. */
        private static final long MOST = 1_000_000;

        private static final int SAMPLES = 16;

        void charge(List<Unreceived> all) throws InterruptedException {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            charge(all.stream().filter(Unreceived::committed).toList(), true, deadline);
            charge(all.stream().filter(u -> !u.committed()).toList(), false, deadline);
        }

        private void charge(List<Unreceived> all, boolean committed, long deadline) throws InterruptedException {
            Map<TopicPartition, List<Unreceived>> byPartition = new HashMap<>();
            all.stream()
                    .filter(u -> u.to() > u.from() && u.source() != EndToEndSource.NONE)
                    .forEach(u -> byPartition
                            .computeIfAbsent(u.partition(), p -> new ArrayList<>())
                            .add(u));
            long offsets = byPartition.values().stream()
                    .mapToLong(left -> to(left) - from(left))
                    .sum();
            int rounds = offsets <= MOST ? 1 : SAMPLES;
            double share = Math.min(1, (double) MOST / Math.max(1, offsets));
            for (int round = 0; round < rounds; round++) {
                List<Sample> samples = new ArrayList<>();
                for (List<Unreceived> left : byPartition.values()) {
                    long length = to(left) - from(left);
                    long from = from(left) + length * round / rounds;
                    long next = from(left) + length * (round + 1) / rounds;
                    if (next > from) {
                        samples.add(
                                new Sample(left, from, next, from + Math.max(1, Math.round((next - from) * share))));
                    }
                }
                read(samples, committed, deadline);
            }
        }

        private static long from(List<Unreceived> left) {
            return left.stream().mapToLong(Unreceived::from).min().orElseThrow();
        }

        private static long to(List<Unreceived> left) {
            return left.stream().mapToLong(Unreceived::to).max().orElseThrow();
        }

        private void read(List<Sample> samples, boolean committed, long deadline) throws InterruptedException {
            // Without a trail, records are identified by their values, as in consumers.
            AuditReader reader = new AuditReader(context.with((AuditTrail) null), committed);
            Map<TopicPartition, Long> reached = reader.read(
                    samples.stream()
                            .map(s -> new AuditReader.Part(s.partition(), s.from, s.readTo, s))
                            .toList(),
                    deadline,
                    hurry);
            samples.forEach(s -> s.chargeRest(reached.getOrDefault(s.partition(), s.from)));
        }

        /** Consecutive records; the ones before {@code readTo} are read and represent all. Used by the reading thread. */
        private final class Sample implements LogSink {
            private final List<Unreceived> left;
            private final long from;
            private final long to;
            private final long readTo;

            Sample(List<Unreceived> left, long from, long to, long readTo) {
                this.left = left;
                this.from = from;
                this.to = to;
                this.readTo = readTo;
            }

            TopicPartition partition() {
                return left.get(0).partition();
            }

            private long standFor(long offset) {
                return readTo == from ? 0 : Math.round((double) (offset - from) * (to - from) / (readTo - from));
            }

            @Override
            public void record(long offset, ByteBuffer bytes, int valueAt, int valueBytes, long epochMillis) {
                if (offset < from || offset >= readTo) {
                    return;
                }
                long count = standFor(offset + 1) - standFor(offset);
                for (Unreceived u : left) {
                    boolean stamped = u.source() == EndToEndSource.STAMP;
                    if (u.has(offset) && (!stamped || Stamp.isOurs(bytes, valueAt, valueBytes, context.runId()))) {
                        charge(u, stamped ? Stamp.intendedEpochNanos(bytes, valueAt) : epochMillis * 1_000_000, count);
                    }
                }
            }

            private void charge(Unreceived u, long dueEpochNanos, long count) {
                long due = dueEpochNanos - clock.epochOffsetNanos();
                long charged = due >= clock.startNanos() && due <= gaveUpNanos
                        ? Math.min(count, u.most().get())
                        : 0;
                if (charged > 0) {
                    u.most().addAndGet(-charged);
                    u.meter().neverReceived(clock, dueEpochNanos, gaveUpNanos, charged);
                }
            }

            void chargeRest(long reached) {
                if (reached < readTo) {
                    long offset = from + standFor(Math.max(reached, from));
                    left.forEach(u -> charge(u, clock.toEpochNanos(loadEndNanos), u.between(offset, to)));
                }
            }

            @Override
            public void records(long offset, int of, long sequence, long records, long epochMillis) {
                throw new IllegalStateException("no records are known without a trail");
            }
        }
    }
}
