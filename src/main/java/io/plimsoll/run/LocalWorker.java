package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.Lifecycle;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.Connections;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.GroupMember;
import io.plimsoll.load.GroupPart;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Quiet;
import io.plimsoll.measure.Quiet.Span;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.self.SelfObserver;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A worker that generates load in this process. */
public final class LocalWorker implements Worker {
    /**
     * Time limit for late acknowledgments, which are charged with their waiting time, and for consumers that read
     * during the load. Above the default {@code request.timeout.ms} of 30 s, so that a dropped request leaves no
     * unknown outcome.
     */
    static final Duration DRAIN_LIMIT = Duration.ofSeconds(35);
    /** Time limit for followers to replicate records that were acknowledged by the leader alone. */
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(5);

    /** Time limit of the waits for senders and acknowledgments after a stop. */
    private static final Duration STOPPED_LIMIT = Duration.ofMillis(500);

    /** Lead time for a notice to sending threads: longer than one of their sleeps and than most garbage collections. */
    private static final Duration NOTICE = Duration.ofMillis(500);

    /** Unlimited, because each entry has its own reply timeout. */
    private static final Duration REPLY_LIMIT = Duration.ofDays(1);

    private static final Duration SLICE = Duration.ofMillis(20);
    private static final Duration SENDERS_END_LIMIT = Duration.ofSeconds(90);

    private enum LoadPhase {
        NEW,
        PREPARED,
        /** Clients are active: the warm-up, then the measured window. */
        LOADING,
        /** No further records are sent. */
        DRAINING,
        ENDED;

        /** A stopped load, or a load of only connections, ends without a drain. */
        private static Lifecycle<LoadPhase> begin() {
            return new Lifecycle<>(
                    NEW,
                    Map.of(
                            NEW, EnumSet.of(PREPARED),
                            PREPARED, EnumSet.of(LOADING),
                            LOADING, EnumSet.of(DRAINING, ENDED),
                            DRAINING, EnumSet.of(ENDED)));
        }
    }

    private static final long NEVER = Long.MAX_VALUE;

    private final String name;
    private final Topics topics;
    private final WorkerBarrier peers;
    private final int crowd;

    // Shared with guards, the ticker, fleet messages, and Ctrl-C, each in a separate thread. Only the trial's thread
    // writes, in this order: the clients before any is prepared, the clock before LOADING. All fields are volatile.
    private volatile @Nullable TrialClients clients;
    private volatile @Nullable TrialClock clock;
    private final Lifecycle<LoadPhase> life = LoadPhase.begin();

    // Any thread can end the trial early: the first thread sets the time, then releases the latch.
    private final AtomicLong stoppedNanos = new AtomicLong(NEVER);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean abandoned;

    // Used only by the trial's thread.
    private List<SelfWarmup> selfWarmups = List.of();
    private Duration drainLimit = DRAIN_LIMIT;
    private boolean reportsAcknowledgments;

    /** @param name worker name in snapshots; {@code local} for a single worker */
    public LocalWorker(String name, Topics topics) {
        this(name, topics, WorkerBarrier.NONE, 1);
    }

    /** @param crowd number of workers per core, at least 1; the interval of observations is multiplied by it */
    public LocalWorker(String name, Topics topics, WorkerBarrier peers, int crowd) {
        this.name = name;
        this.topics = topics;
        this.peers = peers;
        this.crowd = crowd;
    }

    @Override
    public Duration notice() {
        return NOTICE;
    }

    @Override
    public void endWarmup(long nanos) {
        clients().assignment.warmup().tell(nanos);
    }

    @Override
    public void halve(long nanos) {
        clients().assignment.context().throttle().halve(nanos);
    }

    /** Whether it is too late to end the warm-up at this time since the trial's start. Usable by any thread. */
    public boolean isPast(long nanos) {
        return System.nanoTime() - clock().startNanos() >= nanos;
    }

    @Override
    public void limitDrain(Duration limit) {
        drainLimit = limit;
    }

    /** Enables reports of acknowledgment times, although another process injects the faults. Call before {@link #run}. */
    public void reportAcknowledgments() {
        reportsAcknowledgments = true;
    }

    @Override
    public void prepare(TrialAssignment assignment) {
        TrialClients made = new TrialClients(topics, assignment);
        clients = made;
        selfWarmups = SelfWarming.of(name, assignment, this::isStopped);
        made.prepare();
        life.enter(LoadPhase.PREPARED);
    }

    /** Closes the clients of a prepared trial that does not run. */
    public void discard() {
        clients().discard();
    }

    @Override
    public List<SelfWarmup> selfWarmups() {
        return selfWarmups;
    }

    @Override
    public LoadLimits limits(Calibrations known) {
        TrialAssignment assignment = clients().assignment;
        return new LoadLimits(HostLimits.producers(known, assignment), HostLimits.consumers(known, assignment));
    }

    @Override
    public List<GroupMember> members(OptionalInt entry) {
        List<Consumers> entries = consumers();
        return IntStream.range(0, entries.size())
                .filter(i -> entry.isEmpty() || entry.getAsInt() == i)
                .boxed()
                .flatMap(i -> entries.get(i).members().stream())
                .toList();
    }

    private TrialClients clients() {
        return Objects.requireNonNull(clients, "not prepared");
    }

    private TrialClock clock() {
        return Objects.requireNonNull(clock, "not started");
    }

    private List<Consumers> consumers() {
        TrialClients made = clients;
        return made == null ? List.of() : made.consumers;
    }

    /** Local state of groups that span several workers. Usable by any thread. */
    public List<GroupPart> groupParts() {
        return consumers().stream().flatMap(c -> c.parts().stream()).toList();
    }

    /** Receives the other workers' state of a group that spans several workers. Usable by any thread. */
    public void takeRemotePart(GroupPart rest) {
        consumers().forEach(c -> c.elsewhere(rest));
    }

    /**
     * Bytes acknowledged by local producers for each consumer entry that waits for a backlog; empty before the start or
     * without such entries. Usable by any thread.
     */
    public List<Long> piledUp() {
        return life.reached(LoadPhase.LOADING) ? clients().piledUp() : List.of();
    }

    /** Corrects this worker's clock after drift. Usable by any thread. */
    public void correctClock(long epochOffsetNanos) {
        TrialClock running = clock;
        if (running != null) {
            running.epoch().correct(epochOffsetNanos);
        }
    }

    /** Lets the groups of an entry start reading, because the backlog is complete. Usable by any thread. */
    public void openGate(int entry) {
        clients().openGate(entry);
    }

    /** Runs the load: warm up, measure, drain, read to the end, close, and return the outcome. */
    @Override
    public TrialOutcome run(Listener listener) {
        TrialClients clients = clients();
        TrialAssignment assignment = clients.assignment;
        Scenario scenario = assignment.scenario();
        List<Producers> producers = clients.producers;
        List<Consumers> consumers = clients.consumers;
        TrialClock clock = agreedClock();
        this.clock = clock;
        Set<String> names = TrialClients.topicNames(scenario);
        try (SelfObserver self = new SelfObserver(crowd);
                TrialClients.LagWatch lags = clients.watchLags(names, clock.startNanos())) {
            self.read(new MeterReading());
            IncidentSink pauses = new IncidentSink(clock.startNanos());
            SnapshotMaker maker = new SnapshotMaker(
                    name,
                    assignment.trial(),
                    producers,
                    consumers,
                    clients.connections,
                    reading -> {
                        self.read(reading);
                        tell(self, pauses, false, listener);
                    },
                    lags::read,
                    clock,
                    System::nanoTime);
            AckSampler acks = new AckSampler(listener::acknowledged);
            boolean sampled = (reportsAcknowledgments || !scenario.faults().isEmpty()) && !producers.isEmpty();
            long producedNanos = NEVER;
            long gaveUpNanos;
            boolean interrupted = false;
            clients.start(clock);
            life.enter(LoadPhase.LOADING);
            try {
                listener.started(clock);
                maker.start(listener, () -> life.reached(LoadPhase.DRAINING), this::stop);
                if (sampled) {
                    acks.start();
                }
                awaitSent();
                awaitAcknowledged();
                acks.end();
                producedNanos = System.nanoTime();
                awaitRead(names);
                awaitConnections();
            } catch (InterruptedException e) {
                stop();
                interrupted = true;
            } finally {
                acks.end();
                gaveUpNanos = System.nanoTime();
                clients.close();
                maker.end();
            }
            interrupted |= chargeUnreceived(gaveUpNanos, producedNanos);
            life.enter(LoadPhase.ENDED);
            listener.snapshot(maker.next(Phase.DRAIN));
            tell(self, pauses, true, listener);
            listener.handedOver(consumers.stream()
                    .flatMap(c -> c.handOvers().stream())
                    .map(h -> h.since(clock.startNanos()))
                    .toList());
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return clients.outcome(clock, stoppedNanos.get());
    }

    private void tell(SelfObserver self, IncidentSink pauses, boolean last, Listener listener) {
        clients().assignment.context().events().take().forEach(pauses::add);
        self.incidents(pauses, last);
        List<Incident> found = pauses.take();
        if (!found.isEmpty()) {
            listener.happened(found);
        }
    }

    /** @return true if the thread was interrupted */
    private boolean chargeUnreceived(long gaveUpNanos, long producedNanos) {
        try {
            if (!isStopped()) {
                clients().chargeUnreceived(clock(), gaveUpNanos, producedNanos, this::isStopped);
            }
            return false;
        } catch (InterruptedException e) {
            stop();
            return true;
        }
    }

    private TrialClock agreedClock() {
        try {
            clients().startCold(false);
            return clients().assignment.clock(peers.start());
        } catch (InterruptedException e) {
            clients().close();
            throw Exit.interrupted(e, "run.interruptedBeforeStart");
        } catch (RuntimeException e) {
            clients().close();
            throw e;
        }
    }

    /** Warm-up and measured window. */
    private void awaitSent() throws InterruptedException {
        List<Producers> producers = clients().producers;
        while (!isStopped() && !producers.stream().allMatch(Producers::sent)) {
            if (pause()) {
                break;
            }
            clients().releaseBacklog(clock());
            if (clock().measureEndNanos() != Long.MAX_VALUE
                    && System.nanoTime() - clock().measureEndNanos() > SENDERS_END_LIMIT.toNanos()) {
                producers.forEach(Producers::stop);
            }
        }
    }

    /** Drain: waits until every sent record is acknowledged or given up. */
    private void awaitAcknowledged() throws InterruptedException {
        List<Producers> producers = clients().producers;
        if (producers.isEmpty()) {
            return;
        }
        clients().connections.forEach(Connections::stop);
        life.enter(LoadPhase.DRAINING);
        if (isStopped()) {
            producers.forEach(Producers::stop);
        }
        await(SENDERS_END_LIMIT, Producers::awaitSent);
        if (isStopped()) {
            producers.forEach(Producers::stop);
        }
        await(drainLimit, Producers::drain);
        await(REPLY_LIMIT, Producers::awaitReplies);
        clients().closeProducers();
    }

    private interface Patience {
        boolean done(Producers entry, Duration slice) throws InterruptedException;
    }

    /** Waits until all producers are done or the limit has passed. After a stop, the limit is short. */
    private void await(Duration limit, Patience patience) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        long stoppedDeadline = Long.MAX_VALUE;
        Duration slice = SLICE.dividedBy(clients().producers.size());
        for (boolean all = false; !all && !abandoned && System.nanoTime() < Math.min(deadline, stoppedDeadline); ) {
            all = true;
            for (Producers entry : clients().producers) {
                all &= patience.done(entry, slice);
            }
            if (isStopped() && stoppedDeadline == Long.MAX_VALUE) {
                stoppedDeadline = System.nanoTime() + STOPPED_LIMIT.toNanos();
            }
        }
    }

    /**
     * Waits until groups have read everything or give up; without producers, until each group has read the requested
     * number of records or its time is over.
     */
    private void awaitRead(Set<String> names) throws InterruptedException {
        List<Consumers> consumers = clients().consumers;
        if (consumers.isEmpty() || isStopped()) {
            return;
        }
        if (clients().producers.isEmpty()) {
            // Groups with a record count end on their own, other groups at the end of the scenario's duration.
            long end = clock().measureEndNanos();
            long duration = clients().assignment.scenario().duration().toNanos();
            long othersEnd = end == Long.MAX_VALUE ? clock().startNanos() + duration : end;
            awaitGroups(
                    end,
                    group -> (group.done() && !group.awaitsMembers())
                            || (!group.countsRecords() && System.nanoTime() >= othersEnd));
            life.enter(LoadPhase.DRAINING);
            return;
        }
        WorkerBarrier.Produced all = peers.produced(clients().produced(), this::isStopped);
        Map<TopicPartition, Long> ends = LogEnds.inTime(
                        () -> clients().before().settled(topics, names, all, SETTLE_LIMIT, this::isStopped),
                        DRAIN_LIMIT,
                        this::isStopped,
                        Duration.ZERO,
                        problem -> clients().assignment.context().notes().accept(Sentence.of("run.noTarget", problem)))
                .orElse(Map.of());
        clients().startCold(true);
        consumers.forEach(c -> c.producersDone(ends));
        // Groups with a delayed start have no time limit while they make progress; other groups have one.
        boolean late = clients().assignment.scenario().consumers().stream()
                .anyMatch(c -> c.startsLate() || c.records().isPresent());
        Duration limit = drainLimit.equals(DRAIN_LIMIT)
                ? Stream.concat(Stream.of(DRAIN_LIMIT), consumers.stream().map(Consumers::endLimit))
                        .max(Comparator.naturalOrder())
                        .get()
                : drainLimit;
        long deadline = late ? Long.MAX_VALUE : System.nanoTime() + limit.toNanos();
        awaitGroups(deadline, Consumers::done);
    }

    private void awaitGroups(long deadlineNanos, Predicate<Consumers> over) throws InterruptedException {
        while (!clients().consumers.stream().allMatch(over) && System.nanoTime() < deadlineNanos && !pause()) {
            // pause() waits between two checks.
        }
    }

    /** If the load has only connections, waits for the end of the window. */
    private void awaitConnections() throws InterruptedException {
        boolean alone = clients().assignment.scenario().onlyConnects();
        while (alone && System.nanoTime() < clock().measureEndNanos() && !pause()) {
            // pause() waits between two checks.
        }
        clients().connections.forEach(Connections::stop);
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** @return whether the trial was stopped */
    private boolean pause() throws InterruptedException {
        return stopped.await(5L * crowd, TimeUnit.MILLISECONDS);
    }

    /** Stops without waiting for acknowledgments; the outcome is not needed. */
    public void abandon() {
        abandoned = true;
        stop();
    }

    @Override
    public void stop() {
        stoppedNanos.compareAndSet(NEVER, System.nanoTime());
        stopped.countDown();
    }

    /** Polls acknowledgment progress every 10 ms in a separate thread, and reports it once a second. */
    private final class AckSampler {
        private static final int FEW_PARTITIONS = 50;
        private static final int MANY_PARTITIONS = 1000;

        private final Consumer<AckLooks> looks;
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Thread thread = Daemon.thread("plimsoll-acks", this::sample);

        private long countBefore;
        private final Map<String, Long> lastAcks = new HashMap<>();
        private final List<Long> lastAckNanos = new ArrayList<>();
        private final List<Long> acknowledged = new ArrayList<>();
        private long first = 1;
        private final Quiet.Looking quiet = new Quiet.Looking();

        AckSampler(Consumer<AckLooks> looks) {
            this.looks = looks;
        }

        void start() {
            thread.start();
        }

        private void sample() {
            try {
                for (long k = 1; !ended.await(untilLook(k), TimeUnit.NANOSECONDS); k++) {
                    look();
                    if (k % everyLooks() == 0) {
                        lookAtPartitions();
                    }
                    if (k % AckLooks.LOOKS_PER_BUCKET == 0) {
                        count();
                    }
                    if (k % AckLooks.LOOKS == 0) {
                        tell(false);
                    }
                }
                look();
                lookAtPartitions();
                count();
                tell(true);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (PlimsollException e) {
                // The timeline cannot be written; the next snapshot reports this error.
            }
        }

        private long untilLook(long k) {
            return Math.max(0, clock().startNanos() + k * AckLooks.LOOK_NANOS - System.nanoTime());
        }

        private void look() {
            long last = clients().producers.stream()
                    .mapToLong(Producers::lastAckNanos)
                    .max()
                    .orElse(0);
            lastAckNanos.add(sinceStart(last));
        }

        /**
         * Number of polls from one poll of all partitions to the next: polling thousands of partitions every 10 ms
         * would use CPU time that the load needs.
         */
        private int everyLooks() {
            return lastAcks.size() <= FEW_PARTITIONS
                    ? 1
                    : lastAcks.size() <= MANY_PARTITIONS ? AckLooks.LOOKS_PER_BUCKET : AckLooks.LOOKS;
        }

        private void lookAtPartitions() {
            for (Producers entry : clients().producers) {
                entry.lastAckByPartition()
                        .forEach((partition, nanos) -> lastAcks.merge(partition, sinceStart(nanos), Math::max));
            }
            quiet.look(lastAcks);
        }

        private long sinceStart(long nanoTime) {
            return nanoTime == 0 ? 0 : Math.max(0, nanoTime - clock().startNanos());
        }

        private void count() {
            long count = clients().producers.stream()
                    .mapToLong(Producers::acknowledgedTotal)
                    .sum();
            acknowledged.add(count - countBefore);
            countBefore = count;
        }

        private void tell(boolean end) {
            long to = (first - 1 + lastAckNanos.size()) * AckLooks.LOOK_NANOS;
            AckLooks seen = new AckLooks(first, lastAckNanos, acknowledged, quiet.until(to), appended(), end);
            first += lastAckNanos.size();
            lastAckNanos.clear();
            acknowledged.clear();
            looks.accept(seen);
        }

        private Map<String, List<Span>> appended() {
            Map<String, List<Span>> appended = new TreeMap<>();
            clients().producers.forEach(entry -> entry.takeAppended()
                    .forEach((partition, spans) -> appended.computeIfAbsent(partition, p -> new ArrayList<>())
                            .addAll(spans)));
            return appended;
        }

        /** Stops polling; returns when the remaining polls are reported. */
        void end() {
            ended.countDown();
            Daemon.join(thread, 0);
        }
    }
}
