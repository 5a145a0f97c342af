package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.EngineContext;
import io.plimsoll.engine.GroupMember;
import io.plimsoll.fleet.FleetMessage.AllProduced;
import io.plimsoll.fleet.FleetMessage.Ended;
import io.plimsoll.fleet.FleetMessage.Failed;
import io.plimsoll.fleet.FleetMessage.Noted;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.fleet.FleetMessage.Prepare;
import io.plimsoll.fleet.FleetMessage.Prepared;
import io.plimsoll.fleet.FleetMessage.ProducedHere;
import io.plimsoll.fleet.FleetMessage.StartAt;
import io.plimsoll.fleet.FleetMessage.Stop;
import io.plimsoll.fleet.FleetMessage.Took;
import io.plimsoll.fleet.plan.ClockNote;
import io.plimsoll.fleet.plan.ClockOffset;
import io.plimsoll.fleet.plan.Host;
import io.plimsoll.fleet.plan.SnapshotMerger;
import io.plimsoll.fleet.plan.Stragglers;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.run.Peers;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.Worker;
import io.plimsoll.scenario.Scenario;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** The agents of a fleet as one worker, for one trial. What comes from agents waits in a queue for the trial's thread. */
final class FleetWorker implements Worker {
    /** Longer than an agent's own patience, whose sentence says more. */
    private static final long PREPARE_NANOS = Duration.ofSeconds(90).toNanos();
    /** From the order to start to the start: the order has arrived by then, and the clients are awake. */
    private static final long LEAD_NANOS = 500_000_000L;

    private static final long STOP_NANOS = Duration.ofMillis(3200).toNanos();
    private static final int SECONDS_BEHIND = 3;

    private final List<RemoteAgent> agents;
    private final String session;
    private final FleetRules rules;
    private final BiConsumer<String, FleetMessage> send;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    // Of the trial's thread.
    private final Set<RemoteAgent> running = new LinkedHashSet<>();
    private final Map<String, Peers.Produced> produced = new HashMap<>();
    private final Map<String, Long> snapshots = new HashMap<>();
    private final Map<String, TrialOutcome> outcomes = new TreeMap<>();
    private final Stragglers stragglers = new Stragglers();
    private final ClockNote clocks = new ClockNote();
    private TrialAssignment assignment;
    private Duration drainLimit;
    private SnapshotMerger merger;
    private PlimsollException failure;
    private boolean someLost;
    private boolean stopSent;
    private long deadlineNanos = Long.MAX_VALUE;
    private volatile boolean stopRequested;

    /** @param lost how; null for a message, or to wake the trial's thread */
    private record Event(RemoteAgent agent, FleetMessage message, String lost) {}

    FleetWorker(List<RemoteAgent> agents, String session, FleetRules rules, BiConsumer<String, FleetMessage> send) {
        this.agents = agents.stream().filter(a -> !a.lost()).toList();
        this.session = session;
        this.rules = rules;
        this.send = send;
    }

    /** Any thread, without waiting. */
    void received(RemoteAgent agent, FleetMessage message) {
        events.add(new Event(agent, message, null));
    }

    /** Any thread, without waiting. */
    void lost(RemoteAgent agent, String how) {
        events.add(new Event(agent, null, how));
    }

    @Override
    public void stop() {
        stopRequested = true;
        events.add(new Event(null, null, null));
    }

    @Override
    public void limitDrain(Duration limit) {
        drainLimit = limit;
    }

    @Override
    public List<GroupMember> members(OptionalInt entry) {
        return List.of();
    }

    @Override
    public void prepare(TrialAssignment trial) {
        assignment = trial;
        List<Host> hosts = agents.stream().map(RemoteAgent::host).toList();
        if (hosts.isEmpty()) {
            throw new PlimsollException(Exit.INVALID_MEASUREMENT, "no agent of the fleet is left");
        }
        TrialPlacement placement = new TrialPlacement(trial.scenario(), hosts, rules);
        for (int i = 0; i < agents.size(); i++) {
            if (placement.uses(i)) {
                running.add(agents.get(i));
                send.accept(agents.get(i).address(), new Prepare(session, order(placement, i)));
            }
        }
        merger = new SnapshotMerger(
                "fleet", running.stream().map(RemoteAgent::name).collect(Collectors.toSet()));
        awaitPrepared();
    }

    private Order order(TrialPlacement placement, int host) {
        Scenario s = assignment.scenario();
        EngineContext context = assignment.context();
        Map<String, String> properties = new LinkedHashMap<>();
        context.clientProperties().forEach((name, value) -> properties.put(name, String.valueOf(value)));
        return new Order(
                assignment.trial(),
                s.topics(),
                s.producers(),
                s.consumers(),
                s.duration(),
                s.effectiveWarmup(),
                properties,
                context.runTag(),
                context.runId(),
                context.seed(),
                assignment.endToEnd(),
                placement.producersOf(host),
                placement.consumersOf(host),
                drainLimit);
    }

    private void awaitPrepared() {
        Set<RemoteAgent> missing = new LinkedHashSet<>(running);
        long deadline = System.nanoTime() + PREPARE_NANOS;
        try {
            while (!missing.isEmpty() && failure == null) {
                Event event = events.poll(100, TimeUnit.MILLISECONDS);
                if (stopRequested) {
                    failure = new PlimsollException(Exit.INTERRUPTED, "interrupted while agents were preparing");
                } else if (event != null && event.message() instanceof Prepared) {
                    missing.remove(event.agent());
                } else if (event != null) {
                    handle(event, s -> {});
                } else if (System.nanoTime() > deadline) {
                    failure = new PlimsollException(Exit.CLUSTER, "not ready within the time: " + missing);
                }
                missing.retainAll(running);
            }
        } catch (InterruptedException e) {
            failure = new PlimsollException(Exit.INTERRUPTED, "interrupted while agents were preparing", e);
        }
        if (failure != null) {
            tellAll(new Stop(session));
            throw failure;
        }
    }

    @Override
    public TrialOutcome run(Listener listener) {
        long now = System.nanoTime();
        Peers.Start start = new Peers.Start(now + LEAD_NANOS, System.currentTimeMillis() * 1_000_000 - now);
        for (RemoteAgent agent : running) {
            ClockOffset.Estimate clock = agent.clock(now).orElseThrow();
            clocks.error(clock.errorNanos());
            send.accept(
                    agent.address(),
                    new StartAt(
                            session,
                            assignment.trial(),
                            clock.toOther(start.startNanos()),
                            start.epochOffsetNanos() - clock.offsetNanos()));
        }
        listener.started(assignment.clock(start));
        boolean interrupted = false;
        while (!running.isEmpty() && System.nanoTime() < deadlineNanos) {
            try {
                Event event = events.poll(100, TimeUnit.MILLISECONDS);
                if (event != null) {
                    handle(event, listener);
                }
                handOn(merger.giveUpOn(SECONDS_BEHIND), listener);
            } catch (InterruptedException e) {
                interrupted = true;
                stopRequested = true;
            }
            if (stopRequested) {
                stopAll();
            }
        }
        handOn(merger.rest(), listener);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (failure != null && !(stopRequested && outcomes.isEmpty() && failure.exit() == Exit.INTERRUPTED)) {
            throw failure;
        }
        stragglers.sentence().ifPresent(this::note);
        if (agents.size() > 1) {
            clocks.sentence().ifPresent(this::note);
        }
        return MergedOutcome.of(outcomes, running.isEmpty() && !stopRequested && !someLost);
    }

    private void stopAll() {
        if (!stopSent) {
            stopSent = true;
            tellAll(new Stop(session));
            deadlineNanos = System.nanoTime() + STOP_NANOS;
        }
    }

    private void tellAll(FleetMessage message) {
        running.forEach(agent -> send.accept(agent.address(), message));
    }

    private void handle(Event event, Listener listener) {
        RemoteAgent agent = event.agent();
        if (agent == null || !running.contains(agent)) {
            return;
        }
        if (event.lost() != null) {
            lose(agent, event.lost(), listener);
        } else if (event.message() instanceof Took took
                && took.session().equals(session)
                && took.snapshot().trial().equals(assignment.trial())) {
            snapshots.merge(agent.name(), 1L, Long::sum);
            stragglers.add(took.snapshot());
            clocks.add(took.snapshot());
            handOn(merger.add(took.snapshot()), listener);
        } else if (event.message() instanceof ProducedHere here && isOurs(here.session(), here.trial())) {
            produced.put(agent.name(), here.produced());
            tellWhenAllProduced();
        } else if (event.message() instanceof Noted noted && noted.session().equals(session)) {
            note("agent " + agent + ": " + noted.text());
        } else if (event.message() instanceof Ended end && isOurs(end.session(), end.trial())) {
            long came = snapshots.getOrDefault(agent.name(), 0L);
            if (came != end.snapshots()) {
                note((end.snapshots() - came) + " snapshots of agent " + agent
                        + " did not arrive: what was measured in those seconds is missing");
            }
            outcomes.put(agent.name(), end.outcome());
            leave(agent, listener);
        } else if (event.message() instanceof Failed failed && isOurs(failed.session(), failed.trial())) {
            leave(agent, listener);
            fail(exit(failed.exit()), "agent " + agent + ": " + failed.reason());
        }
    }

    private boolean isOurs(String ofSession, String trial) {
        return ofSession.equals(session) && trial.equals(assignment.trial());
    }

    private static Exit exit(String name) {
        for (Exit exit : Exit.values()) {
            if (exit.name().equals(name)) {
                return exit;
            }
        }
        return Exit.INTERNAL;
    }

    private void lose(RemoteAgent agent, String how, Listener listener) {
        someLost = true;
        leave(agent, listener);
        String what = "agent " + agent + " was lost: it " + how + "; its share of the load is missing from then on";
        if (rules.goOn() && !running.isEmpty()) {
            note(what);
            tellWhenAllProduced();
        } else {
            fail(Exit.INVALID_MEASUREMENT, what);
        }
    }

    private void leave(RemoteAgent agent, Listener listener) {
        running.remove(agent);
        handOn(merger.ended(agent.name()), listener);
    }

    private void fail(Exit exit, String reason) {
        if (failure == null) {
            failure = new PlimsollException(exit, reason);
        }
        stopAll();
    }

    private void tellWhenAllProduced() {
        boolean all = running.stream().allMatch(a -> produced.containsKey(a.name()));
        if (all) {
            tellAll(new AllProduced(session, assignment.trial(), MergedOutcome.produced(produced.values())));
        }
    }

    private void note(String text) {
        assignment.context().notes().accept(text);
    }

    private static void handOn(List<Snapshot> merged, Listener listener) {
        merged.forEach(listener::snapshot);
    }
}
