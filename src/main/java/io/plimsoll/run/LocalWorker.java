package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.AtOnce;
import io.plimsoll.engine.AuditTrail;
import io.plimsoll.engine.Consumers;
import io.plimsoll.engine.EngineContext;
import io.plimsoll.engine.GroupMember;
import io.plimsoll.engine.GroupPart;
import io.plimsoll.engine.Producers;
import io.plimsoll.engine.Slice;
import io.plimsoll.engine.client.ClientConsumers;
import io.plimsoll.engine.client.ClientProducers;
import io.plimsoll.engine.client.Topics;
import io.plimsoll.engine.raw.RawConsumers;
import io.plimsoll.engine.raw.RawProducers;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.observe.self.SelfObserver;
import io.plimsoll.result.Calibrations;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** The worker in this process. */
public final class LocalWorker implements Worker {
    private static final Predicate<ConsumerSpec> BACKLOG = c -> c.start() instanceof ConsumerSpec.Start.BacklogBytes;
    private static final Duration PREPARE_LIMIT = Duration.ofSeconds(60);
    /**
     * How long late acknowledgements are waited for (whoever comes later is charged with the time it waited), and consumers
     * that read along once the producers are done.
     */
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(30);
    /** How long followers may take for what a leader has acknowledged alone. */
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(5);

    /** How long the waits for senders and for acknowledgements may still take once the trial is stopped. */
    private static final Duration STOPPED_LIMIT = Duration.ofMillis(500);

    private static final Duration SLICE = Duration.ofMillis(20);
    private static final Duration SENDERS_END_LIMIT = Duration.ofSeconds(90);

    private final String name;
    private final Topics topics;
    private final Peers peers;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile long stoppedNanos = Long.MAX_VALUE;
    private final List<Producers> producers = new CopyOnWriteArrayList<>();
    private final List<Consumers> consumers = new CopyOnWriteArrayList<>();
    private TrialAssignment assignment;
    /** Where the partitions ended before the first record. */
    private Map<String, Long> before = Map.of();

    private TrialClock clock;
    private volatile boolean started;
    private volatile boolean draining;
    private volatile boolean abandoned;
    private Duration drainLimit = DRAIN_LIMIT;
    private boolean tellsAcknowledgements;

    /** @param name in snapshots, {@code local} for the only one */
    public LocalWorker(String name, Topics topics) {
        this(name, topics, Peers.NONE);
    }

    /** @param peers the other workers of the trial */
    public LocalWorker(String name, Topics topics, Peers peers) {
        this.name = name;
        this.topics = topics;
        this.peers = peers;
    }

    @Override
    public void limitDrain(Duration limit) {
        drainLimit = limit;
    }

    /** Tells when acknowledgements came, although the trial's faults are somebody else's; before {@link #run}. */
    public void tellAcknowledgements() {
        tellsAcknowledgements = true;
    }

    @Override
    public void prepare(TrialAssignment trialAssignment) {
        assignment = trialAssignment;
        Scenario scenario = assignment.scenario();
        EngineContext context = assignment.context();
        long warmupNanos = scenario.effectiveWarmup().toNanos();
        try {
            // Producers that wait cost nothing; a thousand members of groups that wait take half a core.
            int index = 0;
            for (ProducerSpec spec : scenario.producers()) {
                Slice slice = assignment.producers().get(index);
                Producers entry = producers(context, spec, slice, "producers-" + index++, warmupNanos);
                producers.add(entry);
                entry.prepare(PREPARE_LIMIT);
            }
            index = 0;
            for (ConsumerSpec spec : scenario.consumers()) {
                Slice slice = assignment.consumers().get(index);
                Consumers entry = consumers(context, spec, slice, "consumers-" + index++);
                consumers.add(entry);
                entry.prepare(PREPARE_LIMIT);
            }
            before = consumers.isEmpty() || producers.isEmpty()
                    ? Map.of()
                    : SettledEnds.byName(topics.endOffsets(topicNames(scenario)));
        } catch (RuntimeException e) {
            boolean interrupted = Thread.interrupted();
            closeAll();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            throw e;
        }
    }

    private Producers producers(EngineContext context, ProducerSpec spec, Slice slice, String part, long warmupNanos) {
        if (spec.engine() == Engine.CLIENT) {
            return new ClientProducers(context, spec, slice, part, warmupNanos);
        }
        return new RawProducers(context, spec, slice, part, warmupNanos, partitionCounts(spec.topics()));
    }

    private Consumers consumers(EngineContext context, ConsumerSpec spec, Slice slice, String part) {
        boolean feeds = Identities.feeds(assignment.scenario(), spec, context);
        AuditTrail feed = feeds ? context.trail() : null;
        return spec.engine() == Engine.CLIENT
                ? new ClientConsumers(context, spec, slice, part, assignment.endToEnd(), feed)
                : new RawConsumers(
                        context, spec, slice, part, assignment.endToEnd(), partitionCounts(spec.topics()), feed);
    }

    private int[] partitionCounts(List<String> names) {
        Map<String, TopicDescription> descriptions = topics.describe(names);
        return names.stream()
                .mapToInt(topic -> descriptions.get(topic).partitions().size())
                .toArray();
    }

    /** The consumer groups that this scenario makes or uses on the cluster. */
    static Set<String> groupIds(Scenario scenario, EngineContext context) {
        Set<String> ids = new TreeSet<>();
        int index = 0;
        for (ConsumerSpec spec : scenario.consumers()) {
            String part = "consumers-" + index++;
            // The raw engine's groups exist in this process alone.
            if (spec.engine() == Engine.CLIENT) {
                ids.addAll(groupIds(spec, context, part));
            }
        }
        return ids;
    }

    @Override
    public Limits limits(Calibrations known) {
        return new Limits(HostLimits.producers(known, assignment), HostLimits.consumers(known, assignment));
    }

    @Override
    public List<GroupMember> members(OptionalInt entry) {
        List<GroupMember> members = new ArrayList<>();
        for (int i = 0; i < consumers.size(); i++) {
            if (entry.isEmpty() || entry.getAsInt() == i) {
                members.addAll(consumers.get(i).members());
            }
        }
        return members;
    }

    /** What is known here of groups that have members on other workers too. Any thread. */
    public List<GroupPart> groupParts() {
        return consumers.stream().flatMap(c -> c.parts().stream()).toList();
    }

    /** What the other workers know of such a group. Any thread. */
    public void elsewhere(GroupPart rest) {
        consumers.forEach(c -> c.elsewhere(rest));
    }

    /** The groups of one entry, as snapshots name them. */
    static Set<String> groupIds(ConsumerSpec spec, EngineContext context, String part) {
        return spec.engine() == Engine.CLIENT
                ? ClientConsumers.groupIds(context, spec, part)
                : RawConsumers.groupIds(context, spec, part);
    }

    @Override
    public TrialOutcome run(Listener listener) {
        Scenario scenario = assignment.scenario();
        clock = agreedClock();
        Set<String> names = topicNames(scenario);
        SelfObserver self = new SelfObserver();
        self.sample();
        try (EndOffsetWatcher watcher = new EndOffsetWatcher(topics, names, clock.startNanos())) {
            if (!consumers.isEmpty()) {
                watcher.start();
            }
            SnapshotMaker maker = new SnapshotMaker(
                    name, assignment.trial(), producers, consumers, self::sample, watcher::latest, clock);
            consumers.forEach(c -> c.start(clock));
            producers.forEach(p -> p.start(clock));
            started = true;
            Ticker ticker = new Ticker(maker, listener, clock, () -> draining, this::stop);
            ticker.start();
            AckSampler acks = new AckSampler(producers, clock, listener::acknowledged);
            boolean sampled = (tellsAcknowledgements || !scenario.faults().isEmpty()) && !producers.isEmpty();
            boolean interrupted = false;
            try {
                listener.started(clock);
                if (sampled) {
                    acks.start();
                }
                produce();
                acks.end();
                consume(names);
            } catch (InterruptedException e) {
                stop();
                interrupted = true;
            } finally {
                acks.end();
                closeAll();
                ticker.end();
            }
            listener.snapshot(maker.next(Phase.DRAIN));
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return outcome();
    }

    private TrialClock agreedClock() {
        try {
            return assignment.clock(peers.start());
        } catch (InterruptedException e) {
            closeAll();
            Thread.currentThread().interrupt();
            throw new PlimsollException(Exit.INTERRUPTED, "interrupted before the start", e);
        } catch (RuntimeException e) {
            closeAll();
            throw e;
        }
    }

    private static Set<String> topicNames(Scenario scenario) {
        Set<String> names = new HashSet<>();
        scenario.producers().forEach(p -> names.addAll(p.topics()));
        scenario.consumers().forEach(c -> names.addAll(c.topics()));
        return names;
    }

    /** Until every record is handed over and acknowledged, or given up. */
    private void produce() throws InterruptedException {
        while (!isStopped() && !producers.stream().allMatch(Producers::sent)) {
            if (pause(5)) {
                break;
            }
            letReadWhatHasPiledUp();
            if (clock.measureEndNanos() != Long.MAX_VALUE
                    && System.nanoTime() - clock.measureEndNanos() > SENDERS_END_LIMIT.toNanos()) {
                producers.forEach(Producers::stop);
            }
        }
        if (producers.isEmpty()) {
            return;
        }
        draining = true;
        if (isStopped()) {
            producers.forEach(Producers::stop);
        }
        await(SENDERS_END_LIMIT, slice -> allOf(p -> p.awaitSent(slice)));
        if (isStopped()) {
            producers.forEach(Producers::stop);
        }
        await(drainLimit, slice -> allOf(p -> p.drain(slice)));
        closeProducers();
    }

    private void letReadWhatHasPiledUp() {
        for (int c = 0; c < consumers.size(); c++) {
            ConsumerSpec spec = assignment.scenario().consumers().get(c);
            if (spec.start() instanceof ConsumerSpec.Start.BacklogBytes backlog && piledUp(c) >= backlog.bytes()) {
                enough(c);
            }
        }
    }

    /** Bytes that the producers here have had acknowledged for a consumer entry that waits for a backlog. */
    private long piledUp(int entry) {
        Scenario scenario = assignment.scenario();
        ConsumerSpec spec = scenario.consumers().get(entry);
        long bytes = 0;
        for (int p = 0; p < producers.size(); p++) {
            boolean feeds = !Collections.disjoint(scenario.producers().get(p).topics(), spec.topics());
            bytes += feeds ? producers.get(p).acknowledgedBytes() : 0;
        }
        return bytes;
    }

    /** Likewise, of each entry; empty before the start, and if none waits. Any thread. */
    public List<Long> piledUp() {
        if (!started || assignment.scenario().consumers().stream().noneMatch(BACKLOG)) {
            return List.of();
        }
        return IntStream.range(0, consumers.size()).mapToObj(this::piledUp).toList();
    }

    /** The groups of this entry have waited for enough, here or elsewhere. Any thread. */
    public void enough(int entry) {
        consumers.get(entry).enough();
    }

    /** Something that may take a while, tried for a short time. */
    private interface Patience {
        boolean done(Duration slice) throws InterruptedException;
    }

    /** Until it is done or the limit is over, which is short once the trial has been stopped. */
    private void await(Duration limit, Patience patience) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        long stoppedDeadline = Long.MAX_VALUE;
        Duration slice = SLICE.dividedBy(producers.size());
        while (!abandoned && !patience.done(slice) && System.nanoTime() < Math.min(deadline, stoppedDeadline)) {
            if (isStopped() && stoppedDeadline == Long.MAX_VALUE) {
                stoppedDeadline = System.nanoTime() + STOPPED_LIMIT.toNanos();
            }
        }
    }

    private interface Waiting {
        boolean done(Producers entry) throws InterruptedException;
    }

    private boolean allOf(Waiting waiting) throws InterruptedException {
        boolean all = true;
        for (Producers entry : producers) {
            all &= waiting.done(entry);
        }
        return all;
    }

    private void consume(Set<String> names) throws InterruptedException {
        if (consumers.isEmpty() || isStopped()) {
            return;
        }
        if (producers.isEmpty()) {
            consumeAlone();
            return;
        }
        Peers.Produced all = peers.produced(
                new Peers.Produced(
                        byPartition(Producers::acknowledgedByPartition), byPartition(Producers::markersByPartition)),
                this::isStopped);
        Map<TopicPartition, Long> ends = Question.ask(
                        () -> SettledEnds.ask(
                                topics,
                                names,
                                before,
                                all.acknowledged(),
                                all.markers(),
                                SETTLE_LIMIT,
                                this::isStopped),
                        DRAIN_LIMIT,
                        this::isStopped,
                        Duration.ZERO,
                        problem -> assignment.context().notes().accept("consumers end without a target: " + problem))
                .orElse(Map.of());
        consumers.forEach(c -> c.producersDone(ends));
        // Groups that started late have as long as they make progress; those that read along have a limit.
        boolean late = assignment.scenario().consumers().stream()
                .anyMatch(c -> c.startsLate() || c.records().isPresent());
        long deadline = late ? Long.MAX_VALUE : System.nanoTime() + drainLimit.toNanos();
        while (!consumers.stream().allMatch(Consumers::done) && System.nanoTime() < deadline && !pause(5)) {
            // the groups end by themselves
        }
    }

    private void consumeAlone() throws InterruptedException {
        while (!consumers.stream().allMatch(Consumers::done)
                && System.nanoTime() < clock.measureEndNanos()
                && !pause(5)) {
            // groups bound by records end by themselves, the others with the window
        }
        draining = true;
    }

    private TrialOutcome outcome() {
        Map<String, Long> consumed = new HashMap<>();
        consumers.forEach(c -> c.consumedByPartition().forEach((k, v) -> consumed.merge(k, v, Long::sum)));
        double consumeSeconds = consumers.stream()
                .flatMap(c -> c.span().stream())
                .mapToDouble(Consumers.Span::seconds)
                .max()
                .orElse(0);
        if (isStopped()) {
            // The windows of those that read along end with the trial, however long it was meant to be.
            consumeSeconds = Math.min(consumeSeconds, Math.max(0, System.nanoTime() - clock.measureStartNanos()) / 1e9);
        }
        return new TrialOutcome(
                byPartition(Producers::acknowledgedByPartition),
                byPartition(Producers::markersByPartition),
                consumed,
                measuredSeconds(consumeSeconds),
                consumeSeconds,
                !isStopped(),
                producers.stream().flatMap(p -> p.shares().stream()).toList(),
                backlogOpenedSeconds(),
                consumers.stream().flatMap(c -> c.deliveries().stream()).toList());
    }

    private Map<String, Long> byPartition(Function<Producers, Map<String, Long>> count) {
        Map<String, Long> counts = new HashMap<>();
        producers.forEach(p -> count.apply(p).forEach((k, v) -> counts.merge(k, v, Long::sum)));
        return counts;
    }

    /** When the first groups that wait for a backlog were let read, in seconds of the trial; null if none were. */
    private Double backlogOpenedSeconds() {
        long first = Long.MAX_VALUE;
        for (int c = 0; c < consumers.size(); c++) {
            if (assignment.scenario().consumers().get(c).isBacklog()) {
                first = Math.min(first, consumers.get(c).openedNanos());
            }
        }
        // A backlog by time is due at a time that an interrupted trial has never seen.
        return first > System.nanoTime() ? null : Double.valueOf((first - clock.startNanos()) / 1e9);
    }

    private double measuredSeconds(double consumeSeconds) {
        if (producers.isEmpty() && clock.measureEndNanos() == Long.MAX_VALUE) {
            return consumeSeconds;
        }
        long end = Math.min(Math.min(System.nanoTime(), stoppedNanos), clock.measureEndNanos());
        if (clock.measureEndNanos() == Long.MAX_VALUE) {
            long lastAck =
                    producers.stream().mapToLong(Producers::lastAckNanos).max().orElse(0);
            end = lastAck == 0 ? end : lastAck;
        }
        return Math.max(0, end - clock.measureStartNanos()) / 1e9;
    }

    private void closeProducers() {
        AtOnce.run(producers.stream().map(p -> (Runnable) p::close).toList());
    }

    private void closeAll() {
        consumers.forEach(Consumers::stop);
        closeProducers();
        consumers.forEach(Consumers::close);
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** @return true if the trial was stopped meanwhile */
    private boolean pause(long millis) throws InterruptedException {
        return stopped.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Stops without waiting for any acknowledgement: nobody wants the outcome any more. */
    public void abandon() {
        abandoned = true;
        stop();
    }

    @Override
    public void stop() {
        if (!isStopped()) {
            stoppedNanos = System.nanoTime();
        }
        stopped.countDown();
    }
}
