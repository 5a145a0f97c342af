package io.plimsoll.fleet;

import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.fleet.FleetMessage.AckTimes;
import io.plimsoll.fleet.FleetMessage.AllProduced;
import io.plimsoll.fleet.FleetMessage.ClockIs;
import io.plimsoll.fleet.FleetMessage.Delivered;
import io.plimsoll.fleet.FleetMessage.EndWarmup;
import io.plimsoll.fleet.FleetMessage.Ended;
import io.plimsoll.fleet.FleetMessage.Failed;
import io.plimsoll.fleet.FleetMessage.GroupsElsewhere;
import io.plimsoll.fleet.FleetMessage.GroupsHere;
import io.plimsoll.fleet.FleetMessage.Halve;
import io.plimsoll.fleet.FleetMessage.HostObserved;
import io.plimsoll.fleet.FleetMessage.Journalled;
import io.plimsoll.fleet.FleetMessage.MemberAnswer;
import io.plimsoll.fleet.FleetMessage.MemberFate;
import io.plimsoll.fleet.FleetMessage.MemberOrder;
import io.plimsoll.fleet.FleetMessage.Noted;
import io.plimsoll.fleet.FleetMessage.OpenGate;
import io.plimsoll.fleet.FleetMessage.PiledUp;
import io.plimsoll.fleet.FleetMessage.Prepare;
import io.plimsoll.fleet.FleetMessage.Prepared;
import io.plimsoll.fleet.FleetMessage.ProducedHere;
import io.plimsoll.fleet.FleetMessage.SnapshotTaken;
import io.plimsoll.fleet.FleetMessage.Stop;
import io.plimsoll.fleet.TrialPlacement.TrialOrders;
import io.plimsoll.fleet.plan.AckLooksMerger;
import io.plimsoll.fleet.plan.Crowd;
import io.plimsoll.fleet.plan.SnapshotMerger;
import io.plimsoll.fleet.plan.SpreadGroups;
import io.plimsoll.fleet.plan.WarmupTurn.Waiting;
import io.plimsoll.fleet.plan.WarmupTurn;
import io.plimsoll.load.GroupMember;
import io.plimsoll.load.GroupPart;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock.WallClock;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.Worker;
import io.plimsoll.run.WorkerBarrier;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Presents the agents of a fleet as one worker for one trial. Messages of agents are queued for the trial's thread. */
final class FleetWorker implements Worker {
    /** Time limit in ns for preparation: longer than the limit of an agent, which has the more precise error message. */
    private static final long PREPARE_NANOS = Duration.ofSeconds(90).toNanos();
    /**
     * Time in ns from the start order to the start, sufficient for the order to arrive and for an agent to create its
     * observers and wake its clients.
     */
    private static final long LEAD_NANOS = 500_000_000L;
    /** Additional time in ns for each further agent on the same host, which shares its cores. */
    private static final long LEAD_EACH_NANOS = 50_000_000L;

    private static final long LEAD_MOST_NANOS = 4_000_000_000L;
    /**
     * Lead time for orders, sufficient to resend a lost message. An agent that learns the end of the warm-up too late
     * fails the trial.
     */
    private static final Duration NOTICE = Duration.ofSeconds(2);

    private static final long STOP_NANOS = Duration.ofMillis(3200).toNanos();
    private static final int SECONDS_BEHIND = 3;
    /** Resolution of process pauses for an agent with a core of its own. */
    private static final int PAUSES_MILLIS = 5;

    private final List<RemoteAgent> agents;
    private final FleetRules rules;
    private final Topics topics;
    private final RemoteAgent.Post post;
    /** Agents that an earlier trial of the run may have used. */
    private final List<RemoteAgent> gone;
    /** Tasks for the trial's thread. */
    private final BlockingQueue<Consumer<Listener>> events = new LinkedBlockingQueue<>();

    // Owned by the trial's thread.
    private final Set<RemoteAgent> running = new LinkedHashSet<>();
    private @Nullable FleetTrial prepared;
    private @Nullable Duration drainLimit;
    private @Nullable PlimsollException failure;
    private volatile boolean begun;
    private boolean someLost;
    private long deadlineNanos = Long.MAX_VALUE;
    /** Agents per core of the host of each agent, see {@link Crowd}. */
    private volatile Map<RemoteAgent, Integer> crowds = Map.of();

    private volatile @Nullable RemoteMembers members;
    private volatile boolean stopRequested;

    /** The trial, its division among agents, and their merged messages. */
    private record FleetTrial(
            TrialAssignment assignment,
            TrialPlacement placement,
            TrialAgents workers,
            SnapshotMerger merger,
            AckLooksMerger looks,
            SpreadGroups groups) {}

    FleetWorker(List<RemoteAgent> agents, FleetRules rules, Topics topics, RemoteAgent.Post post) {
        this.agents = agents.stream().filter(a -> !a.lost()).toList();
        this.gone = agents.stream().filter(RemoteAgent::lost).toList();
        this.rules = rules;
        this.topics = topics;
        this.post = post;
    }

    /** Receives a message from an agent. Usable by any thread; does not block. */
    void received(RemoteAgent agent, @Nullable String trial, FleetMessage message) {
        RemoteMembers asked = members;
        if (message instanceof MemberAnswer answer && asked != null) {
            // Not queued, because the caller is waiting and the trial's thread may have ended.
            asked.onAnswer(answer);
        } else {
            events.add(listener -> onMessage(agent, trial, message, listener));
        }
    }

    /** Whether the start of the load was ordered. Usable by any thread. */
    boolean begun() {
        return begun;
    }

    /** Number of agents per core of the host of this agent, at least 1. Usable by any thread. */
    int crowd(RemoteAgent agent) {
        return crowds.getOrDefault(agent, 1);
    }

    /** Usable by any thread; does not block. */
    void lost(RemoteAgent agent, Sentence how) {
        events.add(listener -> lose(agent, how, listener));
    }

    @Override
    public void stop() {
        stopRequested = true;
        events.add(listener -> {});
    }

    @Override
    public void limitDrain(Duration limit) {
        drainLimit = limit;
    }

    @Override
    public Duration notice() {
        return NOTICE;
    }

    /** Called by the trial's thread, which delivered the snapshots for this decision. */
    @Override
    public void endWarmup(long nanos) {
        trial().assignment().warmup().tell(nanos);
        tellAll(new EndWarmup(nanos));
    }

    @Override
    public void halve(long nanos) {
        events.add(listener -> tellAll(new Halve(nanos)));
    }

    @Override
    public List<GroupMember> members(OptionalInt entry) {
        return Objects.requireNonNull(members, "not prepared").of(entry);
    }

    private FleetTrial trial() {
        return Objects.requireNonNull(prepared, "not prepared");
    }

    /** A note about a trial that starts after an agent was lost; fails if the run requires all agents. */
    private Sentence without(RemoteAgent lost, TrialAssignment trial) {
        Sentence what = Sentence.of("fleet.lostBefore", lost, lost.howLost());
        if (!rules.continues(trial.scenario())) {
            throw new PlimsollException(Exit.INVALID_MEASUREMENT, what);
        }
        return what;
    }

    @Override
    public void prepare(TrialAssignment trial) {
        Exit.INVALID_MEASUREMENT.when(agents.isEmpty(), "fleet.noAgentLeft");
        Consumer<Sentence> notes = trial.context().notes();
        gone.forEach(agent -> notes.accept(without(agent, trial)));
        TrialPlacement placement =
                new TrialPlacement(trial.scenario(), TrialPlacement.hosts(agents, trial.scenario()), rules);
        TrialAgents workers = new TrialAgents(trial.scenario(), trial.context().trail());
        for (int i = 0; i < agents.size(); i++) {
            if (placement.uses(i)) {
                running.add(agents.get(i));
                workers.add(agents.get(i), placement.part(i, agents.get(i)));
            }
        }
        Set<String> names =
                running.stream().map(RemoteAgent::name).collect(Collectors.toCollection(LinkedHashSet::new));
        prepared = new FleetTrial(
                trial,
                placement,
                workers,
                new SnapshotMerger("fleet", names),
                new AckLooksMerger(names),
                new SpreadGroups(placement.spread()));
        members = new RemoteMembers(trial, placement);
        List<Waiting> waiting =
                agents.stream().map(agent -> agent.waiting(trial.scenario())).toList();
        List<WarmupTurn> turns = WarmupTurn.of(waiting, trial.selfWarmup());
        long cold = IntStream.range(0, agents.size())
                .filter(i -> !waiting.get(i).warm() && turns.get(i).limit().isZero())
                .count();
        if (cold > 0 && !trial.selfWarmup().isZero()) {
            notes.accept(Sentence.of("fleet.withoutSelfWarmup", cold));
        }
        List<Integer> perCore = Crowd.of(waiting);
        Map<RemoteAgent, Integer> known = new HashMap<>();
        for (int i = 0; i < agents.size(); i++) {
            known.put(agents.get(i), perCore.get(i));
        }
        crowds = Map.copyOf(known);
        int most = Collections.max(perCore);
        if (most > 1) {
            notes.accept(Sentence.of("fleet.crowded", perCore.stream().filter(c -> c > 1).count(), PAUSES_MILLIS * most));
        }
        TrialOrders orders = new TrialOrders(trial, placement, turns, perCore, topics, drainLimit);
        for (int i = 0; i < agents.size() && failure == null; i++) {
            if (placement.uses(i)) {
                tell(agents.get(i), new Prepare(orders.of(i)));
            }
        }
        awaitPrepared(workers);
        try {
            workers.beginJournals();
        } catch (PlimsollException e) {
            tellAll(new Stop(true));
            throw e;
        }
    }

    @Override
    public List<SelfWarmup> selfWarmups() {
        return trial().workers().selfWarmups();
    }

    @Override
    public LoadLimits limits(Calibrations known) {
        return trial().workers().limits(trial().placement());
    }

    private void awaitPrepared(TrialAgents workers) {
        Set<RemoteAgent> missing = new LinkedHashSet<>(running);
        long deadline = System.nanoTime() + PREPARE_NANOS;
        try {
            while (!missing.isEmpty() && failure == null) {
                Consumer<Listener> event = events.poll(100, TimeUnit.MILLISECONDS);
                if (stopRequested) {
                    fail(Exit.INTERRUPTED, Sentence.of("fleet.interruptedPreparing"));
                } else if (event != null) {
                    event.accept(s -> {});
                } else if (System.nanoTime() > deadline) {
                    fail(Exit.CLUSTER, Sentence.of("fleet.notReady", List.copyOf(missing)));
                }
                missing.retainAll(running);
                missing.removeIf(agent -> workers.of(agent).prepared != null);
                tellOfGroups();
            }
        } catch (InterruptedException e) {
            fail(Exit.INTERRUPTED, Sentence.of("fleet.interruptedPreparing"));
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public TrialOutcome run(Listener listener) {
        startAll(listener);
        TrialAgents workers = trial().workers();
        SnapshotMerger merger = trial().merger();
        boolean interrupted = false;
        while (!running.isEmpty() && System.nanoTime() < deadlineNanos) {
            try {
                Consumer<Listener> event = events.poll(100, TimeUnit.MILLISECONDS);
                if (event != null) {
                    event.accept(listener);
                }
                tellOfGroups();
                workers.compareClocks(running, (agent, epochOffset) -> tell(agent, new ClockIs(epochOffset)));
                handOn(merger.giveUpOn(SECONDS_BEHIND), listener);
            } catch (InterruptedException e) {
                interrupted = true;
                stopRequested = true;
            }
            if (stopRequested) {
                stopAll();
            }
        }
        handOn(merger.giveUpOn(0), listener);
        running.forEach(workers::journalLost);
        listener.workers(workers.results());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null && !(stopRequested && !workers.anyOutcome() && failure.exit() == Exit.INTERRUPTED)) {
            throw failure;
        }
        workers.straggler().ifPresent(s -> note(s.sentence()));
        return workers.merged(running.isEmpty() && !someLost, stopRequested);
    }

    /** Starts all agents at the same time, each according to its own clock. */
    private void startAll(Listener listener) {
        long now = System.nanoTime();
        WorkerBarrier.Start start = new WorkerBarrier.Start(now + leadNanos(), WallClock.epochOffsetNanos());
        TrialAgents workers = trial().workers();
        workers.begin(start.epochOffsetNanos());
        running.forEach(agent -> tell(agent, workers.startAt(agent, start.startNanos(), now)));
        begun = true;
        listener.started(trial().assignment().clock(start));
    }

    private long leadNanos() {
        long together = running.stream()
                .collect(Collectors.groupingBy(agent -> agent.info().host(), Collectors.counting()))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(1);
        return Math.min(LEAD_MOST_NANOS, LEAD_NANOS + (together - 1) * LEAD_EACH_NANOS);
    }

    private void stopAll() {
        if (deadlineNanos == Long.MAX_VALUE) {
            // A failed trial stops at once; after a requested stop, records in flight are completed.
            tellAll(new Stop(failure != null));
            deadlineNanos = System.nanoTime() + STOP_NANOS;
        }
    }

    private void tellOfGroups() {
        Map<String, List<GroupPart>> news = trial().groups().changed();
        running.forEach(agent -> {
            List<GroupPart> ofOthers = news.get(agent.name());
            if (ofOthers != null) {
                tell(agent, new GroupsElsewhere(ofOthers));
            }
        });
    }

    private void tell(RemoteAgent agent, FleetMessage message) {
        Sentence refusal = post.send(agent, trial().assignment().trial(), message);
        if (refusal != null) {
            fail(Exit.INTERNAL, Sentence.of("fleet.agentFailed", agent, refusal));
        }
    }

    private void tellAll(FleetMessage message) {
        running.forEach(agent -> tell(agent, message));
    }

    private void onMessage(RemoteAgent agent, @Nullable String trial, FleetMessage message, Listener listener) {
        if (!running.contains(agent) || !trial().assignment().trial().equals(trial)) {
            return;
        }
        TrialAgents workers = trial().workers();
        if (message instanceof Prepared ready) {
            workers.of(agent).prepared = ready;
        } else if (message instanceof SnapshotTaken took
                && took.snapshot().worker().equals(agent.name())) {
            workers.of(agent).sums.add(took.snapshot());
            handOn(trial().merger().add(took.snapshot()), listener);
        } else if (message instanceof Noted noted) {
            note(Sentence.of("fleet.ofAgent", agent, noted.text()));
        } else if (message instanceof Journalled journal) {
            workers.add(agent, journal);
        } else if (message instanceof HostObserved watched) {
            listener.observed(workers.host(agent, watched.host()));
            if (watched.incidents() != null && !watched.incidents().isEmpty()) {
                listener.happened(workers.placed(agent, watched.incidents()));
            }
        } else if (message instanceof AckTimes pulsed) {
            trial().looks().add(agent.name(), pulsed.looks()).forEach(listener::acknowledged);
        } else if (message instanceof GroupsHere here) {
            trial().groups().update(agent.name(), here.groups());
        } else if (message instanceof PiledUp piled) {
            workers.piledUp(agent, piled.bytes()).forEach(entry -> tellAll(new OpenGate(entry)));
        } else if (message instanceof Delivered read) {
            workers.add(agent, read.deliveries());
        } else if (message instanceof ProducedHere here) {
            workers.of(agent).produced = here.produced();
            tellWhenAllProduced();
        } else if (message instanceof Ended end) {
            ended(agent, end);
            if (stopRequested() || end.outcome().complete()) {
                leave(agent, trial().merger().ended(agent.name()), listener);
            } else {
                miss(agent, Sentence.of("fleet.lost.stopped"), listener);
            }
        } else if (message instanceof Failed failed) {
            failed(agent, failed, listener);
        }
    }

    private boolean stopRequested() {
        return stopRequested || deadlineNanos != Long.MAX_VALUE;
    }

    private void ended(RemoteAgent agent, Ended end) {
        TrialAgents workers = trial().workers();
        long missing = end.snapshots() - workers.of(agent).sums.snapshots();
        if (missing != 0) {
            note(Sentence.of("fleet.snapshotsMissing", missing, agent));
        }
        if (!workers.journalEnded(agent, end.journals())) {
            note(Sentence.of("fleet.journalMissing", agent));
        }
        workers.of(agent).outcome = end.outcome();
        workers.of(agent).own = end.own();
    }

    private void failed(RemoteAgent agent, Failed failed, Listener listener) {
        trial().workers().journalLost(agent);
        if (failed.exit() == Exit.INTERRUPTED && !stopRequested()) {
            miss(agent, Sentence.of("fleet.lost.stopped"), listener);
        } else {
            leave(agent, trial().merger().ended(agent.name()), listener);
            fail(failed.exit(), Sentence.of("fleet.agentFailed", agent, failed.reason()));
        }
    }

    private void lose(RemoteAgent agent, Sentence how, Listener listener) {
        if (running.contains(agent)) {
            trial().workers().journalLost(agent);
            miss(agent, how, listener);
        }
    }

    private void miss(RemoteAgent agent, Sentence how, Listener listener) {
        someLost = true;
        trial().workers().of(agent).lost = how;
        trial().groups().lost(agent.name());
        leave(agent, trial().merger().lost(agent.name()), listener);
        Sentence what = Sentence.of("fleet.agentLost", agent, how);
        // Report it now, and not only at the end.
        note(what);
        if (begun && rules.continues(trial().assignment().scenario()) && !running.isEmpty()) {
            tellWhenAllProduced();
        } else {
            fail(Exit.INVALID_MEASUREMENT, what);
        }
    }

    private void leave(RemoteAgent agent, List<Snapshot> complete, Listener listener) {
        running.remove(agent);
        handOn(complete, listener);
        trial().looks().ended(agent.name()).forEach(listener::acknowledged);
    }

    private void fail(Exit exit, Sentence reason) {
        if (failure == null) {
            failure = new PlimsollException(exit, reason);
        }
        stopAll();
    }

    private void tellWhenAllProduced() {
        TrialAgents workers = trial().workers();
        if (running.stream().allMatch(agent -> workers.of(agent).produced != null)) {
            tellAll(new AllProduced(workers.produced()));
        }
    }

    private void note(Sentence text) {
        trial().assignment().context().notes().accept(text);
    }

    private void handOn(List<Snapshot> merged, Listener listener) {
        merged.forEach(s -> listener.snapshot(
                s.withClockError(trial().workers().clockErrorNanos())));
    }

    /** The consumer group members on agents, as targets of faults. Thread-safe. */
    private final class RemoteMembers {
        /** Time limit in seconds for an answer: to replace a member, an agent waits until the previous member has ended. */
        private static final long ANSWER_SECONDS = 5;

        private final List<Member> members = new ArrayList<>();
        private final Map<Long, CompletableFuture<MemberAnswer>> orders = new ConcurrentHashMap<>();
        private final AtomicLong lastOrder = new AtomicLong();

        RemoteMembers(TrialAssignment assignment, TrialPlacement placement) {
            LoadContext context = assignment.context();
            List<ConsumerSpec> entries = assignment.scenario().consumers();
            for (int entry = 0; entry < entries.size(); entry++) {
                for (int host = 0; host < agents.size(); host++) {
                    Slice slice = placement.consumersOf(host).get(entry);
                    add(context, entry, entries.get(entry), slice, agents.get(host));
                }
            }
        }

        private void add(LoadContext context, int entry, ConsumerSpec spec, Slice slice, RemoteAgent agent) {
            if (LoadKind.of(spec.engine()).joinsGroups()) {
                List<String> ids =
                        List.copyOf(LoadKind.consumers(spec.engine()).groupIds(context, spec, "consumers-" + entry));
                for (int n = slice.from(); n < slice.to(); n++) {
                    // The groups can share one configured id.
                    String id = ids.get(Math.min(ids.size() - 1, n / spec.members()));
                    int number = n % spec.members();
                    Sentence said =
                            Sentence.of("load.memberOnAgent", number, GroupMember.shortened(id, context), agent.name());
                    members.add(new Member(entry, "member " + number + " of " + id, said, agent));
                }
            }
        }

        /** The members of one entry or of all entries, in order. */
        List<GroupMember> of(OptionalInt entry) {
            return members.stream()
                    .filter(m -> entry.isEmpty() || entry.getAsInt() == m.entry)
                    .<GroupMember>map(m -> m)
                    .toList();
        }

        void onAnswer(MemberAnswer answer) {
            CompletableFuture<MemberAnswer> order = orders.remove(answer.number());
            if (order != null) {
                order.complete(answer);
            }
        }

        private final class Member implements GroupMember {
            private final int entry;
            private final String name;
            private final Sentence said;
            private final RemoteAgent agent;
            private volatile boolean killed;

            Member(int entry, String name, Sentence said, RemoteAgent agent) {
                this.entry = entry;
                this.name = name;
                this.said = said;
                this.agent = agent;
            }

            @Override
            public String name() {
                return name + " on agent " + agent.name();
            }

            @Override
            public Sentence said() {
                return said;
            }

            @Override
            public boolean alive() {
                return !killed && !agent.lost();
            }

            @Override
            public void kill() {
                order(MemberFate.KILL);
                killed = true;
            }

            @Override
            public void pause() {
                order(MemberFate.PAUSE);
            }

            @Override
            public void resume() {
                order(MemberFate.RESUME);
            }

            @Override
            public void replace() {
                order(MemberFate.REPLACE);
                killed = false;
            }

            private void order(MemberFate fate) {
                long number = lastOrder.incrementAndGet();
                CompletableFuture<MemberAnswer> answer = new CompletableFuture<>();
                orders.put(number, answer);
                tell(agent, new MemberOrder(number, name, fate));
                Sentence failure;
                try {
                    failure = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS).failure();
                } catch (TimeoutException e) {
                    failure = Sentence.of("fleet.doesNotAnswer");
                } catch (InterruptedException e) {
                    throw Exit.interrupted(e, "fleet.interruptedAsking", agent);
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e);
                }
                Exit.CLUSTER.when(failure != null, "fleet.agentFailed", agent, failure);
            }
        }
    }
}
