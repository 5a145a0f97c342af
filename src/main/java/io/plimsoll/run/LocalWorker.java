package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.Lifecycle;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.Connections;
import io.plimsoll.load.Consumers;
import io.plimsoll.load.GroupMember;
import io.plimsoll.load.GroupPart;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.observe.self.SelfObserver;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** The worker in this process. */
public final class LocalWorker implements Worker {
    /**
     * The wait for late acknowledgements (whoever comes later is charged with the time it waited), and consumers
     * that read along once the producers are done. Longer than clients wait for an answer before they ask again
     * ({@code request.timeout.ms}, 30 s as it comes): a broker that has forgotten one makes no record unknown.
     */
    static final Duration DRAIN_LIMIT = Duration.ofSeconds(35);
    /** The time that followers may take for what a leader has acknowledged alone. */
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(5);

    /** The time that the waits for senders and for acknowledgements may still take once the trial is stopped. */
    private static final Duration STOPPED_LIMIT = Duration.ofMillis(500);

    /** Longer than a sending thread sleeps in one piece, and than most pauses of a collector. */
    private static final Duration NOTICE = Duration.ofMillis(500);

    /** Each entry knows how long it waits for answers. */
    private static final Duration REPLY_LIMIT = Duration.ofDays(1);

    private static final Duration SLICE = Duration.ofMillis(20);
    private static final Duration SENDERS_END_LIMIT = Duration.ofSeconds(90);

    /** How far the load is. */
    private enum LoadPhase {
        NEW,
        PREPARED,
        /** Producers and consumers work, first for the warm-up, then for the measured window. */
        LOADING,
        /** No record is handed over any more. */
        DRAINING,
        ENDED;

        /** A load that fails or is stopped ends from wherever it is. */
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

    // Shared: guards, the ticker, a fleet's messages and Ctrl-C read it, each in a thread of its own. The thread that
    // runs the
    // trial alone writes it, in this order: the clients before any is prepared, the clock before LOADING. Each is
    // volatile.
    private volatile TrialClients clients;
    private volatile TrialClock clock;
    private final Lifecycle<LoadPhase> life = LoadPhase.begin();

    // Orders to end early may come from any thread: the first one sets the time, and only then is the latch released.
    private final AtomicLong stoppedNanos = new AtomicLong(NEVER);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean abandoned;

    // Of the thread that runs the trial.
    private List<SelfWarmup> selfWarmups = List.of();
    private Duration drainLimit = DRAIN_LIMIT;
    private boolean tellsAcknowledgements;

    /** @param name in snapshots, {@code local} for the only one */
    public LocalWorker(String name, Topics topics) {
        this(name, topics, WorkerBarrier.NONE);
    }

    /** @param peers the other workers of the trial */
    public LocalWorker(String name, Topics topics, WorkerBarrier peers) {
        this.name = name;
        this.topics = topics;
        this.peers = peers;
    }

    @Override
    public Duration notice() {
        return NOTICE;
    }

    @Override
    public void endWarmup(long nanos) {
        clients.assignment.warmup().tell(nanos);
    }

    @Override
    public void halve(long nanos) {
        clients.assignment.context().throttle().halve(nanos);
    }

    /** Whether it is too late for a warm-up to end so many nanoseconds after the trial's start. Any thread. */
    public boolean isPast(long nanos) {
        return System.nanoTime() - clock.startNanos() >= nanos;
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
    public void prepare(TrialAssignment assignment) {
        clients = new TrialClients(topics, assignment);
        selfWarmups = SelfWarming.of(name, assignment, this::isStopped);
        clients.prepare();
        life.enter(LoadPhase.PREPARED);
    }

    @Override
    public List<SelfWarmup> selfWarmups() {
        return selfWarmups;
    }

    @Override
    public LoadLimits limits(Calibrations known) {
        TrialAssignment assignment = clients.assignment;
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

    private List<Consumers> consumers() {
        TrialClients made = clients;
        return made == null ? List.of() : made.consumers;
    }

    /** Says what is known here of groups that have members on other workers too. Any thread. */
    public List<GroupPart> groupParts() {
        return consumers().stream().flatMap(c -> c.parts().stream()).toList();
    }

    /** Takes what the other workers know of such a group. Any thread. */
    public void takeRemotePart(GroupPart rest) {
        consumers().forEach(c -> c.elsewhere(rest));
    }

    /**
     * Bytes that the producers here have had acknowledged for consumer entries that wait for a backlog, of each entry;
     * empty before the start, and if none waits. Any thread.
     */
    public List<Long> piledUp() {
        return life.reached(LoadPhase.LOADING) ? clients.piledUp() : List.of();
    }

    /** This worker's clock has drifted away from the others'. Any thread. */
    public void correctClock(long epochOffsetNanos) {
        TrialClock running = clock;
        if (running != null) {
            running.epoch().correct(epochOffsetNanos);
        }
    }

    /** The groups of this entry have waited for enough, here or elsewhere. Any thread. */
    public void openGate(int entry) {
        clients.openGate(entry);
    }

    /** The life of the load: warm up and measure, drain, read to the end, close, and say what it came to. */
    @Override
    public TrialOutcome run(Listener listener) {
        TrialAssignment assignment = clients.assignment;
        Scenario scenario = assignment.scenario();
        List<Producers> producers = clients.producers;
        List<Consumers> consumers = clients.consumers;
        clock = agreedClock();
        Set<String> names = TrialClients.topicNames(scenario);
        try (SelfObserver self = new SelfObserver();
                LagWatch lags = new LagWatch(topics, names, clients, clock.startNanos())) {
            self.read(new MeterReading());
            SnapshotMaker maker = new SnapshotMaker(
                    name,
                    assignment.trial(),
                    producers,
                    consumers,
                    clients.connections,
                    self::read,
                    lags::read,
                    clock,
                    System::nanoTime);
            Ticker ticker = new Ticker(maker, listener, clock, () -> life.reached(LoadPhase.DRAINING), this::stop);
            AckSampler acks = new AckSampler(producers, clock, listener::acknowledged);
            boolean sampled = (tellsAcknowledgements || !scenario.faults().isEmpty()) && !producers.isEmpty();
            long producedNanos = NEVER;
            long gaveUpNanos;
            boolean interrupted = false;
            clients.start(clock);
            life.enter(LoadPhase.LOADING);
            try {
                listener.started(clock);
                ticker.start();
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
                ticker.end();
            }
            interrupted |= chargeUnreceived(gaveUpNanos, producedNanos);
            life.enter(LoadPhase.ENDED);
            listener.snapshot(maker.next(Phase.DRAIN));
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

    /** @return true if the thread was interrupted meanwhile */
    private boolean chargeUnreceived(long gaveUpNanos, long producedNanos) {
        try {
            if (!isStopped()) {
                clients.chargeUnreceived(clock, gaveUpNanos, producedNanos, this::isStopped);
            }
            return false;
        } catch (InterruptedException e) {
            stop();
            return true;
        }
    }

    private TrialClock agreedClock() {
        try {
            clients.startCold(false);
            return clients.assignment.clock(peers.start());
        } catch (InterruptedException e) {
            clients.close();
            throw Exit.interrupted(e, "run.interruptedBeforeStart");
        } catch (RuntimeException e) {
            clients.close();
            throw e;
        }
    }

    /** Warm-up and measured window: waits until every record is handed over, or given up. */
    private void awaitSent() throws InterruptedException {
        List<Producers> producers = clients.producers;
        while (!isStopped() && !producers.stream().allMatch(Producers::sent)) {
            if (pause()) {
                break;
            }
            clients.releaseBacklog(clock);
            if (clock.measureEndNanos() != Long.MAX_VALUE
                    && System.nanoTime() - clock.measureEndNanos() > SENDERS_END_LIMIT.toNanos()) {
                producers.forEach(Producers::stop);
            }
        }
    }

    /** Drain: waits until what was handed over is acknowledged, or given up. */
    private void awaitAcknowledged() throws InterruptedException {
        List<Producers> producers = clients.producers;
        if (producers.isEmpty()) {
            return;
        }
        clients.connections.forEach(Connections::stop);
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
        clients.closeProducers();
    }

    /** Something that an entry may take a while for, tried for a short time. */
    private interface Patience {
        boolean done(Producers entry, Duration slice) throws InterruptedException;
    }

    /** Waits until all have done it or the limit is over, which is short once the trial has been stopped. */
    private void await(Duration limit, Patience patience) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        long stoppedDeadline = Long.MAX_VALUE;
        Duration slice = SLICE.dividedBy(clients.producers.size());
        for (boolean all = false; !all && !abandoned && System.nanoTime() < Math.min(deadline, stoppedDeadline); ) {
            all = true;
            for (Producers entry : clients.producers) {
                all &= patience.done(entry, slice);
            }
            if (isStopped() && stoppedDeadline == Long.MAX_VALUE) {
                stoppedDeadline = System.nanoTime() + STOPPED_LIMIT.toNanos();
            }
        }
    }

    /** Waits until groups have read what there is, or have given up; where nothing is produced, for their window. */
    private void awaitRead(Set<String> names) throws InterruptedException {
        List<Consumers> consumers = clients.consumers;
        if (consumers.isEmpty() || isStopped()) {
            return;
        }
        if (clients.producers.isEmpty()) {
            // Groups bound by records end by themselves, the others with the window.
            awaitGroups(clock.measureEndNanos());
            life.enter(LoadPhase.DRAINING);
            return;
        }
        WorkerBarrier.Produced all = peers.produced(clients.produced(), this::isStopped);
        Map<TopicPartition, Long> ends = TimedClusterCall.ask(
                        () -> SettledEnds.ask(topics, names, clients.before(), all, SETTLE_LIMIT, this::isStopped),
                        DRAIN_LIMIT,
                        this::isStopped,
                        Duration.ZERO,
                        problem -> clients.assignment.context().notes().accept(Sentence.of("run.noTarget", problem)))
                .orElse(Map.of());
        clients.startCold(true);
        consumers.forEach(c -> c.producersDone(ends));
        // Groups that started late have as long as they make progress; those that read along have a limit.
        boolean late = clients.assignment.scenario().consumers().stream()
                .anyMatch(c -> c.startsLate() || c.records().isPresent());
        Duration limit = drainLimit.equals(DRAIN_LIMIT)
                ? Stream.concat(Stream.of(DRAIN_LIMIT), consumers.stream().map(Consumers::endLimit))
                        .max(Comparator.naturalOrder())
                        .get()
                : drainLimit;
        long deadline = late ? Long.MAX_VALUE : System.nanoTime() + limit.toNanos();
        awaitGroups(deadline);
    }

    /** The groups end by themselves. */
    private void awaitGroups(long deadlineNanos) throws InterruptedException {
        while (!clients.consumers.stream().allMatch(Consumers::done) && System.nanoTime() < deadlineNanos && !pause()) {
            // they read
        }
    }

    /** Connections alone have nothing that ends before the window. */
    private void awaitConnections() throws InterruptedException {
        boolean alone = clients.assignment.scenario().onlyConnects();
        while (alone && System.nanoTime() < clock.measureEndNanos() && !pause()) {
            // they stand
        }
        clients.connections.forEach(Connections::stop);
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** @return true if the trial was stopped meanwhile */
    private boolean pause() throws InterruptedException {
        return stopped.await(5, TimeUnit.MILLISECONDS);
    }

    /** Stops without waiting for any acknowledgement: nobody wants the outcome any more. */
    public void abandon() {
        abandoned = true;
        stop();
    }

    @Override
    public void stop() {
        stoppedNanos.compareAndSet(NEVER, System.nanoTime());
        stopped.countDown();
    }
}
