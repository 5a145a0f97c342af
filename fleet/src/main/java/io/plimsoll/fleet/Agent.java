package io.plimsoll.fleet;

import io.plimsoll.LinuxRoot;
import io.plimsoll.fleet.AgentOptions.Stay;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.FleetMessage.Ask;
import io.plimsoll.fleet.FleetMessage.Beat;
import io.plimsoll.fleet.FleetMessage.BeatAnswer;
import io.plimsoll.fleet.FleetMessage.Calibrated;
import io.plimsoll.fleet.FleetMessage.Claim;
import io.plimsoll.fleet.FleetMessage.Claimed;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.FleetMessage.Failed;
import io.plimsoll.fleet.FleetMessage.Info;
import io.plimsoll.fleet.FleetMessage.Left;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.fleet.FleetMessage.Prepare;
import io.plimsoll.fleet.FleetMessage.Release;
import io.plimsoll.fleet.FleetMessage.Stop;
import io.plimsoll.fleet.OrderCheck.DataDirectory;
import io.plimsoll.fleet.OrderCheck.LoginSettings;
import io.plimsoll.fleet.plan.Crowd;
import io.plimsoll.fleet.plan.Lease;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.Units;
import io.plimsoll.run.HostLimits;
import io.plimsoll.scenario.Engine;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An agent, which generates load for one run at a time while the run's coordinator renews the lease. If the lease is
 * not renewed for {@link #LEASE_NANOS}, the load stops and the agent becomes idle. Thread-safe.
 */
final class Agent implements AutoCloseable {
    /**
     * Lease time in ns under load, unless the host is crowded. On an overloaded host, producers end within a second
     * after the lease expires: in total, less than five seconds.
     */
    static final long LEASE_NANOS = 3_000_000_000L;

    /** Lease time in ns before the load: hosts are busiest while they prepare it. */
    static final long WAITING_NANOS = 15_000_000_000L;

    private static final long WATCH_MILLIS = 100;

    private final AgentOptions options;
    private final long waitingNanos;
    private final Certificates own;
    private final Calibrations calibrations;
    /** The best calibrated rate of all cores, by engine; empty if not calibrated. */
    private final Map<String, Calibrated> calibrated = new TreeMap<>();

    /** The fastest active network interface, such as {@code eth0 10000 Mbit/s}; null if no speed is reported. */
    private final @Nullable String networkCard;

    /** ID of the host, the same for all agents of a host or container. */
    private final String host;

    private final OrderCheck check;
    private final Consumer<Sentence> says;
    /** Expiry of the agent's certificate; null with a token. */
    private final @Nullable Instant certificateEnds;

    private final ScheduledExecutorService watch = FleetNode.scheduler("plimsoll-lease");
    private final CountDownLatch over = new CountDownLatch(1);
    private final IdleWarmup idleWarmup;
    final FleetNode.Inbox inbox = new Listening();
    /** Empty before the node listens. */
    private volatile String name = "";
    /** Null before the node listens. */
    private volatile @Nullable FleetNode node;

    // Guarded by this object.
    private boolean ended;
    /** Null while the agent is idle. */
    private @Nullable Employment work;
    /** Name of the current or last run; empty before the first. */
    private String run = "";
    /** The current or last trial; null before the first. */
    private @Nullable AgentTrial trial;

    private Stay stay = Stay.FOREVER;
    private int runs;
    /** Exit code of the last run. */
    private Exit exit = Exit.CLUSTER;

    private long idleSince = System.nanoTime();
    /** Whether the agent has reached the end of its {@link Stay}. */
    private boolean stayed;

    /** The use of the agent by a run: its session, the address of its coordinator, and the lease. */
    private record Employment(String session, String coordinator, Lease lease) {
        /** Whether a message came from the coordinator; the session alone is not proof, because all agents know it. */
        boolean isFrom(String from, @Nullable String about) {
            return session.equals(about) && coordinator.equals(from);
        }
    }

    Agent(AgentOptions options, Consumer<Sentence> says) {
        this(options, says, WAITING_NANOS);
    }

    Agent(AgentOptions options, Consumer<Sentence> says, long waitingNanos) {
        this.waitingNanos = waitingNanos;
        this.options = options;
        this.says = says;
        own = Certificates.of(options.credentials(), true);
        check = new OrderCheck(
                new DataDirectory(options.permits().data(), own.secrets()),
                new LoginSettings(options.permits().names()));
        HostInventory inventory = HostInventory.read(options.permits().data().orElse(Path.of(".")));
        networkCard = networkCard(inventory);
        host = hostId();
        idleWarmup = new IdleWarmup(options.selfWarmup());
        calibrations = HostLimits.cache(inventory, options.version()).read(note -> {});
        calibrations.calibrations().stream()
                .filter(c -> c.subject().side().equals(Calibration.PRODUCE))
                .forEach(c -> calibrated.merge(
                        c.subject().engine(),
                        new Calibrated(
                                c.rates().recordsPerSecondAllCores(),
                                c.subject().recordBytes(),
                                limit(calibrations, c.subject().engine())),
                        BinaryOperator.maxBy(Comparator.comparingDouble(Calibrated::recordsPerSecond))));
        certificateEnds = own.token() ? null : own.ends();
        var unused = watch.scheduleAtFixedRate(this::watchLease, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
        if (certificateEnds != null) {
            unused = watch.scheduleAtFixedRate(() -> warnOfEnd(certificateEnds), 0, 1, TimeUnit.DAYS);
        }
    }

    /** The ID of the host: containers of a host have different names, and hosts with the same name have different boot IDs. */
    private static String hostId() {
        String boot = "";
        try {
            boot = Files.readString(LinuxRoot.PATH.resolve("proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            // On systems without a boot ID, the name must suffice.
        }
        return FleetNode.canonical() + " " + boot;
    }

    /** The calibrated limit of producers on all cores; null if not calibrated. */
    static @Nullable CalibratedLimit limit(Calibrations known, String engine) {
        return known.limit(engine, Calibration.PRODUCE, HostLimits.DEFAULT_BATCH_BYTES, Integer.MAX_VALUE);
    }

    static @Nullable String networkCard(HostInventory host) {
        List<HostInventory.Nic> cards =
                host.networks().isKnown() ? host.networks().value() : List.of();
        return cards.stream()
                .filter(n -> n.bitsPerSecond().isKnown())
                .max(Comparator.comparingLong(n -> n.bitsPerSecond().value()))
                .map(n -> n.name() + " " + n.bitsPerSecond().value() / 1_000_000 + " Mbit/s")
                .orElse(null);
    }

    /** Starts listening. Fails with {@link Exit#USAGE} if that is impossible, or if the data directory contains secrets. */
    static Agent start(AgentOptions options, Consumer<Sentence> says) {
        Agent agent = new Agent(options, says);
        FleetNode node = FleetNode.start(options.listen(), agent.own, agent.inbox);
        String place = FleetNode.place(node.self);
        agent.name = options.name() == null ? place : options.name();
        agent.node = node;
        node.join(options.join());
        var unused = agent.watch.scheduleAtFixedRate(
                () -> Optional.ofNullable(node.renew(System.nanoTime())).ifPresent(says), 0, 1, TimeUnit.SECONDS);
        agent.watch.execute(Wire::prepare);
        says.accept(Sentence.of("fleet.listens", place));
        agent.idleWarmup.begin(agent.name, says);
        return agent;
    }

    /** The address at which the agent listens. */
    NodeAddress address() {
        return NodeAddress.parse(FleetNode.place(Objects.requireNonNull(node, "not started").self), "--listen");
    }

    private @Nullable Sentence send(
            String to, @Nullable String about, @Nullable String ofTrial, FleetMessage message) {
        FleetNode from = node;
        return from == null ? null : from.send(to, about, ofTrial, message);
    }

    private synchronized void renew(String from, @Nullable String about, long now) {
        if (work != null && work.isFrom(from, about)) {
            work.lease().renew(now, leaseNanos());
        }
    }

    /** The current lease time in ns. Guarded by this object. */
    private long leaseNanos() {
        return trial != null && trial.loads() ? Crowd.patienceNanos(LEASE_NANOS, trial.crowd()) : waitingNanos;
    }

    private synchronized Info info() {
        return new Info(
                name,
                options.labels(),
                options.build(),
                Runtime.getRuntime().availableProcessors(),
                networkCard,
                calibrated,
                work == null ? null : run,
                certificateEnds == null ? null : certificateEnds.getEpochSecond(),
                host,
                node == null ? List.of() : node.members(),
                warmups().isEmpty() ? Set.of() : Set.of(Engine.DEFAULT));
    }

    private List<SelfWarmup> warmups() {
        return idleWarmup.done().stream().toList();
    }

    /** @return the reason for a refusal; null if the run can use this agent */
    private synchronized @Nullable Sentence claim(String from, String session, Claim claim, long now) {
        if (!claim.version().equals(options.build())) {
            return Sentence.of("fleet.otherVersion", options.build(), claim.version());
        }
        if (work != null && !work.isFrom(from, session)) {
            return Sentence.of("fleet.busy", run, FleetNode.place(work.coordinator()));
        }
        if (work == null && (stayed || (trial != null && !trial.over()))) {
            return Sentence.of("fleet.stillEnding", run);
        }
        if (work == null) {
            work = new Employment(session, from, new Lease(now));
            run = claim.run();
            idleWarmup.stop();
            says.accept(Sentence.of("fleet.worksFor", run, FleetNode.place(from)));
        }
        return null;
    }

    private void prepare(String from, @Nullable String about, Order order) {
        AgentTrial.Post back = message -> send(from, about, order.trial(), message);
        try {
            Order checked = check.checked(order);
            synchronized (this) {
                if (work != null && work.isFrom(from, about) && (trial == null || trial.over())) {
                    trial = new AgentTrial(name, checked, calibrations, warmups(), back);
                    trial.begin();
                    return;
                }
            }
            back.send(new Failed(Exit.INTERNAL, Sentence.of("fleet.busyMeanwhile")));
        } catch (PlimsollException e) {
            says.accept(Sentence.of("fleet.refusedTrial", e.sentence()));
            back.send(new Failed(e.exit(), e.sentence()));
        }
    }

    private synchronized void onTrialMessage(Envelope envelope) {
        if (work == null || !work.isFrom(envelope.from(), envelope.session())) {
            return;
        }
        if (envelope.message() instanceof Release release) {
            boolean lost = release.lost();
            free(Sentence.of(lost ? "fleet.runWithoutIt" : "fleet.runOver", run), lost ? Exit.CLUSTER : Exit.PASSED);
            // A run that another agent refused is tried again, so it does not count.
            runs -= release.refused() ? 1 : 0;
        } else if (trial != null && envelope.message() instanceof Stop stop) {
            trial.stop(stop.atOnce());
        } else if (trial != null && trial.name().equals(envelope.trial())) {
            trial.received(envelope.message());
        }
    }

    /** Ends the current run. Guarded by this object. */
    private void free(Sentence why, Exit how) {
        if (trial != null) {
            trial.stop(false);
        }
        work = null;
        says.accept(why);
        runs++;
        exit = how;
        idleSince = System.nanoTime();
    }

    /** Whether the stay is over. Guarded by this object. */
    private boolean hasStayed() {
        boolean done = stay.runs() > 0 && runs >= stay.runs();
        long limit = stay.idle().toNanos();
        boolean idle = limit > 0 && System.nanoTime() - idleSince > limit;
        if (!stayed && work == null && (done || idle) && (trial == null || trial.over())) {
            stayed = true;
            if (!done) {
                says.accept(Sentence.of("fleet.noRunCame", Units.duration(limit / 1e9)));
            }
        }
        return stayed;
    }

    private void warnOfEnd(Instant ends) {
        Certificates.warning(Sentence.of("fleet.ofThisHost"), ends, Instant.now())
                .ifPresent(says);
    }

    private void watchLease() {
        synchronized (this) {
            if (work != null && work.lease().expired(System.nanoTime(), leaseNanos())) {
                if (trial != null) {
                    trial.stop(true);
                }
                free(Sentence.of("fleet.leaseOver", run, leaseNanos() / 1e9), Exit.CLUSTER);
            }
            if ((ended || hasStayed()) && work == null) {
                over.countDown();
            }
        }
    }

    private final class Listening implements FleetNode.Inbox {
        @Override
        public void received(Envelope envelope) {
            String from = envelope.from();
            String about = envelope.session();
            FleetMessage message = envelope.message();
            long now = System.nanoTime();
            if (message instanceof Beat beat) {
                renew(from, about, now);
                send(from, about, null, new BeatAnswer(beat.sentNanos(), now, System.nanoTime()));
            } else if (message instanceof Ask) {
                send(from, null, null, info());
            } else if (message instanceof Claim claim && about != null) {
                send(from, about, null, new Claimed(claim(from, about, claim, now)));
            } else if (message instanceof Prepare prepare) {
                prepare(from, about, prepare.order());
            } else {
                onTrialMessage(envelope);
            }
        }

        @Override
        public void ended() {
            synchronized (Agent.this) {
                ended = true;
                if (trial != null) {
                    trial.stop(true);
                }
            }
        }

        @Override
        public void refused(Sentence who) {
            says.accept(who);
        }
    }

    /**
     * Waits until the agent's stay is over, or its node has ended.
     * @throws PlimsollException {@link Exit#INTERNAL} if the node stopped listening without {@link #close}
     */
    Exit awaitEnd(Stay stay) throws InterruptedException {
        synchronized (this) {
            this.stay = stay;
        }
        over.await();
        synchronized (this) {
            Exit.INTERNAL.when(ended, "fleet.nodeEnded");
            return exit;
        }
    }

    /** Stops the current run within seconds, then stops the agent. */
    @Override
    public void close() {
        watch.shutdownNow();
        idleWarmup.stop();
        AgentTrial running;
        synchronized (this) {
            running = trial;
        }
        if (running != null) {
            running.stop(false);
            try {
                running.awaitEnd(3000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (node != null) {
            synchronized (this) {
                if (work != null) {
                    send(work.coordinator(), work.session(), null, new Left());
                }
            }
            node.close();
        }
    }
}
