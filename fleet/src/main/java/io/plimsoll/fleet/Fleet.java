package io.plimsoll.fleet;

import io.plimsoll.run.fleet.FleetSupport.Wanted;
import io.plimsoll.run.fleet.FleetSupport;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.Exit;
import io.plimsoll.cluster.Topics;
import io.plimsoll.fleet.FleetMessage.Ask;
import io.plimsoll.fleet.FleetMessage.Beat;
import io.plimsoll.fleet.FleetMessage.BeatAnswer;
import io.plimsoll.fleet.FleetMessage.Claim;
import io.plimsoll.fleet.FleetMessage.Claimed;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.FleetMessage.Info;
import io.plimsoll.fleet.FleetMessage.Release;
import io.plimsoll.fleet.FleetMessage.Stop;
import io.plimsoll.fleet.plan.Crowd;
import io.plimsoll.fleet.plan.RunningTime;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.Worker;
import io.plimsoll.run.Workers;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The coordinator's side of a fleet: finds and claims agents, and presents them as one worker. Thread-safe. */
final class Fleet implements FleetSupport.Agents {
    private static final long BEAT_MILLIS = 200;
    /** During the load, each agent of a crowded host receives only every nth heartbeat, in turn. */
    private static final int CROWD_EVERY = 3;
    /** Maximum number of threads for the messages of all agents. */
    private static final int THREADS = 4;
    /**
     * Time in ns without a response after which an agent that generates load is lost, unless its host is crowded. The
     * loss is detected within five seconds. Time in which this process itself does not run is not counted.
     */
    private static final long LOST_NANOS = 3_500_000_000L;
    /**
     * Before a run, every nth heartbeat is replaced by a request for the agent's description, which lists the agents
     * that it knows.
     */
    private static final int ASK_EVERY = 5;
    /** Time in ns to wait for agents that the first agents report. */
    private static final long LATE_NANOS = 700_000_000L;

    private static final Duration CLAIM_LIMIT = Duration.ofSeconds(10);
    private static final int CLOCK_LOOKS = 8;
    private static final Duration END_LIMIT = Duration.ofSeconds(8);

    private final Wanted options;
    private final Certificates own;
    private final FleetNode node;
    private final String session = UUID.randomUUID().toString();
    private final RunningTime running = new RunningTime(2 * BEAT_MILLIS * 1_000_000, System.nanoTime());
    /** Used only by the heartbeat thread. */
    private int beatCount;

    private final ScheduledExecutorService beats = FleetNode.scheduler("plimsoll-fleet-beat");

    /** Shutdown waits until the agents are released. */
    private final CountDownLatch closed = new CountDownLatch(1);

    private final Thread hook = new Thread(this::awaitClosed, "plimsoll-fleet-end");

    // Guarded by this object; its monitor is notified of every change.
    private final Map<String, RemoteAgent> agents = new TreeMap<>();
    private long lastFoundNanos;
    /** Running time at which an agent was last found, or described itself for the first time. */
    private long lastNewsNanos;

    private volatile boolean claimed;
    private @Nullable FleetWorker current;
    /** Message about the first peer that this host rejected; null if it rejected none. */
    private @Nullable Sentence unbelieved;

    private Fleet(Wanted options) {
        this.options = options;
        this.own = Certificates.of(options.credentials(), false);
        NodeAddress first = options.fleet().get(0);
        Exit.USAGE.when(own.token() && !first.isLoopback(), "fleet.farNeedsTls", first);
        this.node = FleetNode.start(
                new NodeAddress(FleetNode.coordinatorHost(own, FleetNode.route(first, options.patience())), 0),
                own,
                new Listening(),
                THREADS);
        options.fleet().forEach(address -> found(FleetNode.address(address)));
        var unused = beats.scheduleWithFixedDelay(this::beat, 0, BEAT_MILLIS, TimeUnit.MILLISECONDS);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Adds an agent that was named or that another agent knows. An agent that joins during a run does not take part in it. */
    private synchronized void found(String address) {
        if (!claimed) {
            agents.computeIfAbsent(address, a -> {
                        lastFoundNanos = System.nanoTime();
                        lastNewsNanos = running.nanos();
                        return new RemoteAgent(a);
                    })
                    .foundNanos = running.nanos();
        }
    }

    private boolean named(RemoteAgent agent) {
        return options.fleet().stream().anyMatch(a -> a.toString().equals(agent.place()));
    }

    private void awaitClosed() {
        synchronized (this) {
            if (!claimed) {
                return;
            }
        }
        try {
            closed.await(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static Fleet find(Wanted options) {
        Fleet fleet = new Fleet(options);
        try {
            fleet.awaitAgents();
            return fleet;
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    private synchronized void awaitAgents() {
        int wanted = options.workers() > 0 ? options.workers() : options.fleet().size();
        boolean there = await(options.patience(), () -> {
            long known =
                    agents.values().stream().filter(RemoteAgent::introduced).count();
            // A crashed agent never describes itself, although other agents still report it for some time.
            boolean settled = known == agents.size()
                    ? System.nanoTime() - lastFoundNanos > LATE_NANOS
                    : running.nanos() - lastNewsNanos > LOST_NANOS;
            return known >= wanted
                    && (options.workers() > 0 || settled)
                    && missing().isEmpty();
        });
        if (!there) {
            Set<String> missing = missing();
            // Agents that joined but have not described themselves yet.
            agents.values().stream().filter(a -> !a.introduced()).forEach(a -> missing.add(a.place()));
            Sentence who = missing.isEmpty() ? Sentence.NONE : Sentence.of("fleet.missing", List.copyOf(missing));
            throw Exit.CLUSTER.because(
                    "fleet.agentsMissing",
                    agents().size(),
                    wanted,
                    options.patience().toSeconds(),
                    who,
                    Sentence.of(own.token() ? "fleet.andSameToken" : "fleet.andWithCerts"),
                    unbelieved == null ? Sentence.NONE : Sentence.of("fleet.unbelieved", unbelieved));
        }
        Set<String> names = new TreeSet<>();
        agents().stream()
                .map(RemoteAgent::name)
                .filter(name -> !names.add(name))
                .forEach(name -> {
                    throw Exit.USAGE.because("fleet.sameName", name);
                });
    }

    /** The named agents that are missing. Guarded by this object. */
    private Set<String> missing() {
        Set<String> missing = new LinkedHashSet<>();
        options.fleet().forEach(a -> missing.add(a.toString()));
        agents.values().stream().filter(RemoteAgent::introduced).forEach(a -> missing.remove(a.place()));
        return missing;
    }

    /** Waits on this object's monitor until a condition is true. */
    private boolean await(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                long left = (deadline - System.nanoTime()) / 1_000_000;
                if (left <= 0) {
                    return false;
                }
                wait(Math.min(left, 100));
            }
            return true;
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "fleet.interruptedLooking");
        }
    }

    @Override
    public synchronized void claim() {
        claimed = true;
        agents.values().removeIf(agent -> !agent.introduced());
        tellAll(new Claim(options.run(), options.build()));
        boolean answered =
                await(CLAIM_LIMIT, () -> agents.values().stream().allMatch(a -> a.answer != null || a.lost()));
        List<Sentence> refusals = new ArrayList<>();
        for (RemoteAgent agent : agents.values()) {
            Claimed said = agent.answer;
            Sentence refusal = said == null ? Sentence.of("fleet.doesNotAnswer") : said.refusal();
            Sentence.addIf(refusal != null, refusals, "fleet.agentSays", agent, refusal);
        }
        if (!answered || !refusals.isEmpty()) {
            tellAll(new Release(false, true));
            throw Exit.CLUSTER.because("fleet.refused", refusals);
        }
        awaitClocks();
        long now = System.nanoTime();
        List<Sentence> silent = agents().stream()
                .filter(a -> a.clock(now).isEmpty() && !a.lost())
                .map(a -> Sentence.of("fleet.agentSays", a, Sentence.of("fleet.doesNotAnswer")))
                .toList();
        if (!silent.isEmpty()) {
            tellAll(new Release(false, true));
            throw Exit.CLUSTER.because("fleet.refused", silent);
        }
    }

    private void tellAll(FleetMessage message) {
        agents.values().forEach(a -> node.send(a.address, session, null, message));
    }

    /** Waits until each agent has enough clock comparisons or is lost. */
    private synchronized void awaitClocks() {
        await(CLAIM_LIMIT, () -> agents().stream().allMatch(a -> a.beats >= CLOCK_LOOKS || a.lost()));
    }

    /** The agents, ordered by name. */
    synchronized List<RemoteAgent> agents() {
        return agents.values().stream()
                .filter(RemoteAgent::introduced)
                .sorted(Comparator.comparing(a -> a.info().name()))
                .toList();
    }

    @Override
    public synchronized List<Sentence> warnings() {
        Instant now = Instant.now();
        List<Sentence> all = new ArrayList<>();
        if (!own.token()) {
            Certificates.warning(Sentence.of("fleet.ofThisHost"), own.ends(), now)
                    .ifPresent(all::add);
        }
        List<String> silent = agents.values().stream()
                .filter(agent -> !agent.introduced())
                .map(RemoteAgent::place)
                .toList();
        Sentence.addIf(options.workers() == 0 && !silent.isEmpty(), all, "fleet.silent", silent);
        for (RemoteAgent agent : agents()) {
            agent.certificateEnds()
                    .flatMap(ends -> Certificates.warning(Sentence.of("fleet.agent", agent), ends, now))
                    .ifPresent(all::add);
        }
        return all;
    }

    /** A line for each agent, after its clock was compared. */
    synchronized List<Sentence> status() {
        awaitClocks();
        long now = System.nanoTime();
        return agents().stream().map(a -> a.describe(now)).toList();
    }

    @Override
    public void check(RunRequest request) {
        Optional<RemoteAgent> far = agents().stream()
                .filter(a -> !NodeAddress.parse(a.place(), "--fleet").isLoopback())
                .findFirst();
        if (request.cluster().isEmpty() && far.isPresent()) {
            throw Exit.USAGE.because("fleet.labIsLocal", far.get());
        }
    }

    @Override
    public List<Sentence> placement(Scenario scenario) {
        List<RemoteAgent> agents = agents();
        List<Sentence> lines = new ArrayList<>();
        lines.add(TrialPlacement.basis(agents, scenario));
        lines.addAll(new TrialPlacement(scenario, TrialPlacement.hosts(agents, scenario), options.rules()).lines());
        return lines;
    }

    @Override
    public synchronized Worker worker(Topics topics) {
        current = new FleetWorker(
                agents(),
                options.rules(),
                topics,
                (agent, trial, message) -> node.send(agent.address, session, trial, message));
        return current;
    }

    @Override
    public boolean local() {
        return false;
    }

    private void beat() {
        long now = System.nanoTime();
        long ran = running.look(now);
        boolean ask = beatCount++ % ASK_EVERY == 0;
        List<RemoteAgent> all;
        FleetWorker loading;
        synchronized (this) {
            // Before the start of the run, the end of an agent only reduces the number of agents.
            if (!claimed
                    && agents.values().removeIf(agent -> agent.introduced()
                            ? agent.silentNanos(ran) > LOST_NANOS
                            : !named(agent) && ran - agent.foundNanos > LOST_NANOS)) {
                options.fleet().forEach(address -> found(FleetNode.address(address)));
            }
            ask &= !claimed;
            loading = current != null && current.begun() ? current : null;
            all = List.copyOf(agents.values());
        }
        int turn = beatCount;
        for (RemoteAgent agent : all) {
            boolean due = loading == null || loading.crowd(agent) == 1 || turn++ % CROWD_EVERY == 0;
            long patience = loading == null
                    ? Agent.WAITING_NANOS
                    : Crowd.patienceNanos(LOST_NANOS, loading.crowd(agent));
            if (claimed && agent.silentNanos(ran) > patience) {
                lose(agent, Sentence.of("fleet.lost.silent", TimeUnit.NANOSECONDS.toSeconds(patience)));
            }
            // A lost agent gets no heartbeats, so that its load ends: its records no longer count.
            if (due && !agent.lost()) {
                FleetMessage message = agent.introduced() && !ask ? new Beat(now) : new Ask();
                node.send(agent.address, session, null, message);
            }
        }
    }

    private synchronized void lose(RemoteAgent agent, Sentence how) {
        if (agent.lose(how)) {
            // In case the agent is still running.
            node.send(agent.address, session, null, new Stop(true));
            node.send(agent.address, session, null, new Release(true, false));
            if (current != null) {
                current.lost(agent, how);
            }
        }
        notifyAll();
    }

    /** Handles incoming messages. If this node ends, heartbeats get no answers, and every agent is reported as lost. */
    private final class Listening implements FleetNode.Inbox {
        @Override
        public void received(Envelope envelope) {
            FleetMessage message = envelope.message();
            synchronized (Fleet.this) {
                RemoteAgent agent = agents.get(envelope.from());
                if (agent == null) {
                    return;
                }
                agent.heard(running.nanos());
                if (message instanceof BeatAnswer seen) {
                    agent.saw(seen, System.nanoTime());
                } else if (message instanceof Info info) {
                    lastNewsNanos = agent.introduced() ? lastNewsNanos : running.nanos();
                    agent.introduce(info);
                    info.members().forEach(Fleet.this::found);
                } else if (message instanceof Claimed answer && session.equals(envelope.session())) {
                    agent.answer = answer;
                } else if (current != null && session.equals(envelope.session())) {
                    current.received(agent, envelope.trial(), message);
                }
                Fleet.this.notifyAll();
            }
        }

        @Override
        public void left(String address) {
            synchronized (Fleet.this) {
                RemoteAgent agent = agents.get(address);
                if (agent != null && claimed) {
                    lose(agent, Sentence.of("fleet.lost.gone"));
                } else if (agent != null && !named(agent)) {
                    agents.remove(address);
                }
                Fleet.this.notifyAll();
            }
        }

        @Override
        public void refused(Sentence who) {
            synchronized (Fleet.this) {
                unbelieved = unbelieved == null ? who : unbelieved;
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            if (claimed) {
                tellAll(new Release(false, false));
            }
        }
        beats.shutdownNow();
        node.close();
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending and can exit now.
        }
    }
}
