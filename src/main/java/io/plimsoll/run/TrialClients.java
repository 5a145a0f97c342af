package io.plimsoll.run;

import io.plimsoll.cluster.Topics;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.Concurrently;
import io.plimsoll.load.Connections;
import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.Producers;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConnectionSpec;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;

/**
 * This process's producers and consumers of a trial, one object per scenario entry. Created and closed by the worker's
 * thread; readable by any thread.
 */
final class TrialClients implements AutoCloseable {
    private static final Duration PREPARE_LIMIT = Duration.ofSeconds(60);

    private final Topics topics;
    final List<Producers> producers = new CopyOnWriteArrayList<>();
    final List<Consumers> consumers = new CopyOnWriteArrayList<>();
    final List<Connections> connections = new CopyOnWriteArrayList<>();
    final TrialAssignment assignment;
    private final ColdStarts cold;
    private volatile LogEnds before = LogEnds.UNKNOWN;
    private Set<String> appendTimes = Set.of();

    TrialClients(Topics topics, TrialAssignment assignment) {
        this.topics = topics;
        this.assignment = assignment;
        this.cold = new ColdStarts(topics, assignment.context().notes());
    }

    /**
     * Creates the clients and waits until they are ready.
     *
     * @throws io.plimsoll.PlimsollException if creation fails; all clients are closed then
     */
    void prepare() {
        Scenario scenario = scenario();
        try {
            // Producers first: idle producers are free, a thousand idle group members take half a core.
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
            for (ConnectionSpec spec : scenario.connections()) {
                String part = "connections-" + index++;
                connections.add(Connections.maker().create(assignment.context(), spec, part, topics.brokers()));
            }
            before = consumers.isEmpty() || producers.isEmpty()
                    ? LogEnds.UNKNOWN
                    : LogEnds.of(topics, topicNames(scenario));
        } catch (RuntimeException e) {
            boolean interrupted = Thread.interrupted();
            close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            throw e;
        }
    }

    private Producers producers(ProducerSpec spec, Slice slice, String part) {
        LoadContext context = assignment.context();
        return LoadKind.producers(spec.engine())
                .create(new ProducerKind.Entry(
                        context, spec, slice, part, assignment.warmup(), this::partitionCounts, appendTimes));
    }

    private Consumers consumers(ConsumerSpec spec, Slice slice, String part) {
        LoadContext context = assignment.context();
        // With unclean leader election a record read once can vanish, so consumers cannot feed the audit.
        boolean feeds = Identities.feeds(assignment.scenario(), spec, context)
                && topics.uncleanlyLed(spec.topics()).isEmpty();
        AuditTrail feed = feeds ? context.trail() : null;
        return LoadKind.consumers(spec.engine())
                .create(new ConsumerKind.Entry(
                        context, spec, slice, part, assignment.endToEnd(), feed, this::partitionCounts));
    }

    private int[] partitionCounts(List<String> names) {
        Map<String, TopicDescription> descriptions = topics.describe(names);
        return names.stream()
                .mapToInt(topic -> descriptions.get(topic).partitions().size())
                .toArray();
    }

    private Scenario scenario() {
        return assignment.scenario();
    }

    /** Starts the clients on the trial's clock. */
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

    /** Lets the groups of an entry start reading: the backlog is complete. Any thread. */
    void openGate(int entry) {
        cold.open(entry, scenario().consumers().get(entry), consumers.get(entry)::openGate);
    }

    /** Evicts cold logs before delayed groups read, or before the rest do. */
    void startCold(boolean late) throws InterruptedException {
        cold.before(scenario().consumers(), late);
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

    /** Sum over all producers, by {@code topic-partition}. */
    Map<String, Long> byPartition(Function<Producers, Map<String, Long>> count) {
        Map<String, Long> counts = new HashMap<>();
        producers.forEach(p -> count.apply(p).forEach((k, v) -> counts.merge(k, v, Long::sum)));
        return counts;
    }

    /** Records acknowledged so far, by {@code topic-partition}. Any thread. */
    Map<String, Long> acknowledged() {
        return byPartition(Producers::acknowledgedByPartition);
    }

    WorkerBarrier.Produced produced() {
        return new WorkerBarrier.Produced(acknowledged(), byPartition(Producers::markersByPartition));
    }

    /**
     * Charges groups for unread records after all clients are closed.
     *
     * @param gaveUpNanos nanoTime at which they stopped reading
     * @param loadEndNanos nanoTime at which the producers finished
     */
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

    /**
     * Builds the outcome in this process after all clients are closed.
     *
     * @param stoppedNanos time of an early stop; {@link Long#MAX_VALUE} if none
     */
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
            // Concurrent groups end with the trial, before their planned window.
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
    private Double backlogOpenedSeconds(TrialClock clock) {
        long first = Long.MAX_VALUE;
        for (int c = 0; c < consumers.size(); c++) {
            if (scenario().consumers().get(c).isBacklog()) {
                first = Math.min(first, consumers.get(c).openedNanos());
            }
        }
        // An interrupted trial never reached the start of a time-based backlog.
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
}
