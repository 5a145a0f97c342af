package io.plimsoll.run;

import io.plimsoll.Exit;
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
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    private final String name;
    private final Topics topics;
    private final WorkerBarrier peers;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile long stoppedNanos = Long.MAX_VALUE;
    private final TrialClients clients;
    private TrialAssignment assignment;
    private volatile TrialClock clock;
    private List<SelfWarmup> selfWarmups = List.of();
    /** When all was sent and acknowledged, and when consumers were stopped, in nanoTime; of the thread that runs the trial. */
    private long producedNanos;

    private long gaveUpNanos;
    private volatile boolean started;
    private volatile boolean draining;
    private volatile boolean abandoned;
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
        this.clients = new TrialClients(topics);
    }

    @Override
    public Duration notice() {
        return NOTICE;
    }

    @Override
    public void endWarmup(long nanos) {
        assignment.warmup().tell(nanos);
    }

    @Override
    public void halve(long nanos) {
        assignment.context().throttle().halve(nanos);
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
    public void prepare(TrialAssignment trialAssignment) {
        assignment = trialAssignment;
        selfWarmups = SelfWarming.of(name, assignment, this::isStopped);
        clients.prepare(assignment);
    }

    @Override
    public List<SelfWarmup> selfWarmups() {
        return selfWarmups;
    }

    @Override
    public LoadLimits limits(Calibrations known) {
        return new LoadLimits(HostLimits.producers(known, assignment), HostLimits.consumers(known, assignment));
    }

    @Override
    public List<GroupMember> members(OptionalInt entry) {
        return clients.members(entry);
    }

    /** Says what is known here of groups that have members on other workers too. Any thread. */
    public List<GroupPart> groupParts() {
        return clients.consumers().stream().flatMap(c -> c.parts().stream()).toList();
    }

    /** Takes what the other workers know of such a group. Any thread. */
    public void takeRemotePart(GroupPart rest) {
        clients.consumers().forEach(c -> c.elsewhere(rest));
    }

    /**
     * Bytes that the producers here have had acknowledged for consumer entries that wait for a backlog, of each entry;
     * empty before the start, and if none waits. Any thread.
     */
    public List<Long> piledUp() {
        return started ? clients.piledUp() : List.of();
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

    @Override
    public TrialOutcome run(Listener listener) {
        Scenario scenario = assignment.scenario();
        List<Producers> producers = clients.producers();
        List<Consumers> consumers = clients.consumers();
        clock = agreedClock();
        Set<String> names = TrialClients.topicNames(scenario);
        try (SelfObserver self = new SelfObserver();
                LagWatch lags = new LagWatch(
                        topics, names, consumers, clients.before(), clients::acknowledged, clock.startNanos())) {
            self.read(new MeterReading());
            SnapshotMaker maker = new SnapshotMaker(
                            name,
                            assignment.trial(),
                            producers,
                            consumers,
                            self::read,
                            lags::read,
                            clock,
                            System::nanoTime)
                    .with(clients.connections());
            clients.connections().forEach(c -> c.start(clock));
            consumers.forEach(c -> c.start(clock));
            producers.forEach(p -> p.start(clock));
            started = true;
            Ticker ticker = new Ticker(maker, listener, clock, () -> draining, this::stop);
            AckSampler acks = new AckSampler(producers, clock, listener::acknowledged);
            boolean sampled = (tellsAcknowledgements || !scenario.faults().isEmpty()) && !producers.isEmpty();
            boolean interrupted = false;
            try {
                listener.started(clock);
                ticker.start();
                if (sampled) {
                    acks.start();
                }
                produce();
                acks.end();
                producedNanos = System.nanoTime();
                consume(names);
                connect();
            } catch (InterruptedException e) {
                stop();
                interrupted = true;
            } finally {
                acks.end();
                gaveUpNanos = System.nanoTime();
                clients.close();
                ticker.end();
            }
            interrupted |= chargeUnreceived();
            listener.snapshot(maker.next(Phase.DRAIN));
            listener.handedOver(consumers.stream()
                    .flatMap(c -> c.handOvers().stream())
                    .map(h -> h.since(clock.startNanos()))
                    .toList());
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return clients.outcome(clock, isStopped() ? stoppedNanos : Long.MAX_VALUE);
    }

    /** @return true if the thread was interrupted meanwhile */
    private boolean chargeUnreceived() {
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
            return assignment.clock(peers.start());
        } catch (InterruptedException e) {
            clients.close();
            Thread.currentThread().interrupt();
            throw Exit.INTERRUPTED.because(e, "run.interruptedBeforeStart");
        } catch (RuntimeException e) {
            clients.close();
            throw e;
        }
    }

    /** Waits until every record is handed over and acknowledged, or given up. */
    private void produce() throws InterruptedException {
        List<Producers> producers = clients.producers();
        while (!isStopped() && !producers.stream().allMatch(Producers::sent)) {
            if (pause(5)) {
                break;
            }
            clients.releaseBacklog(clock);
            if (clock.measureEndNanos() != Long.MAX_VALUE
                    && System.nanoTime() - clock.measureEndNanos() > SENDERS_END_LIMIT.toNanos()) {
                producers.forEach(Producers::stop);
            }
        }
        if (producers.isEmpty()) {
            return;
        }
        clients.connections().forEach(Connections::stop);
        draining = true;
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
        Duration slice = SLICE.dividedBy(clients.producers().size());
        for (boolean all = false; !all && !abandoned && System.nanoTime() < Math.min(deadline, stoppedDeadline); ) {
            all = true;
            for (Producers entry : clients.producers()) {
                all &= patience.done(entry, slice);
            }
            if (isStopped() && stoppedDeadline == Long.MAX_VALUE) {
                stoppedDeadline = System.nanoTime() + STOPPED_LIMIT.toNanos();
            }
        }
    }

    private void consume(Set<String> names) throws InterruptedException {
        List<Consumers> consumers = clients.consumers();
        if (consumers.isEmpty() || isStopped()) {
            return;
        }
        if (clients.producers().isEmpty()) {
            // Groups bound by records end by themselves, the others with the window.
            awaitGroups(clock.measureEndNanos());
            draining = true;
            return;
        }
        WorkerBarrier.Produced all = peers.produced(clients.produced(), this::isStopped);
        Map<TopicPartition, Long> ends = TimedClusterCall.ask(
                        () -> SettledEnds.ask(topics, names, clients.before(), all, SETTLE_LIMIT, this::isStopped),
                        DRAIN_LIMIT,
                        this::isStopped,
                        Duration.ZERO,
                        problem -> assignment.context().notes().accept(Sentence.of("run.noTarget", problem)))
                .orElse(Map.of());
        clients.startCold(true);
        consumers.forEach(c -> c.producersDone(ends));
        // Groups that started late have as long as they make progress; those that read along have a limit.
        boolean late = assignment.scenario().consumers().stream()
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
        while (!clients.consumers().stream().allMatch(Consumers::done)
                && System.nanoTime() < deadlineNanos
                && !pause(5)) {
            // they read
        }
    }

    /** Connections alone have nothing that ends before the window. */
    private void connect() throws InterruptedException {
        boolean alone = assignment.scenario().onlyConnects();
        while (alone && System.nanoTime() < clock.measureEndNanos() && !pause(5)) {
            // they stand
        }
        clients.connections().forEach(Connections::stop);
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
