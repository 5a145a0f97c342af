package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.FleetMessage.Ask;
import io.plimsoll.fleet.FleetMessage.Beat;
import io.plimsoll.fleet.FleetMessage.BeatAnswer;
import io.plimsoll.fleet.FleetMessage.Claim;
import io.plimsoll.fleet.FleetMessage.Claimed;
import io.plimsoll.fleet.FleetMessage.Failed;
import io.plimsoll.fleet.FleetMessage.Info;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.fleet.FleetMessage.Prepare;
import io.plimsoll.fleet.FleetMessage.Release;
import io.plimsoll.fleet.FleetMessage.Stop;
import io.plimsoll.fleet.plan.Lease;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The server of an agent. It executes one run at a time while the coordinator renews the lease; without a renewal for
 * {@link #LEASE_NANOS}, the load stops and the agent is idle again. Thread-safe.
 */
final class AgentServer implements FleetNode.Inbox, AutoCloseable {
    /** Producers end within a second of it, on a host without a core to spare: together less than five seconds. */
    static final long LEASE_NANOS = 3_000_000_000L;

    private static final long WATCH_MILLIS = 100;

    private final Agent.Options options;
    private final HostFacts facts;
    private final OrderCheck check;
    private final Consumer<Sentence> says;
    private final Set<String> join;
    /** Null if it has no more than a token. */
    private final Instant certificateEnds;

    private final ScheduledExecutorService watch = FleetNode.scheduler("plimsoll-lease");
    private final CountDownLatch apart = new CountDownLatch(1);
    private volatile String name;
    private volatile Post post = (to, about, trial, message) -> {};

    // Guarded by this object.
    private final Set<String> joined = new HashSet<>();
    private boolean outside;
    private boolean ended;
    // Null while idle:
    private String session;
    private String run;
    private String coordinator;
    private Lease lease;
    private AgentTrial trial;

    /** @param says receives messages for the owner of the agent */
    AgentServer(Agent.Options options, HostFacts facts, OrderCheck check, Consumer<Sentence> says) {
        this.options = options;
        this.facts = facts;
        this.check = check;
        this.says = says;
        this.join = options.join().stream()
                // All agents may share one list: its first agent starts the fleet.
                .filter(other -> !other.equals(options.listen()))
                .map(NodeAddress::toString)
                .collect(Collectors.toSet());
        Certificates own = options.certificates();
        this.certificateEnds = own.token() ? null : own.ends();
        var unused = watch.scheduleAtFixedRate(this::watchLease, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
        if (certificateEnds != null) {
            unused = watch.scheduleAtFixedRate(this::warnOfEnd, 0, 1, TimeUnit.DAYS);
        }
    }

    /** Sends a message without waiting, as {@link FleetNode#send} does. */
    interface Post {
        void send(String to, String session, String trial, FleetMessage message);
    }

    /** Before the node joins a cluster, and so before anybody asks for anything. */
    void connect(String ownName, Post sender) {
        name = ownName;
        post = sender;
    }

    @Override
    public void received(Envelope envelope) {
        String from = envelope.from();
        String about = envelope.session();
        FleetMessage message = envelope.message();
        long now = System.nanoTime();
        if (message instanceof Beat beat) {
            renew(from, about, now);
            post.send(from, about, null, new BeatAnswer(beat.sentNanos(), now, System.nanoTime()));
        } else if (message instanceof Ask) {
            post.send(from, null, null, info());
        } else if (message instanceof Claim claim) {
            post.send(from, about, null, new Claimed(claim(from, about, claim, now)));
        } else if (message instanceof Prepare prepare) {
            prepare(from, about, prepare.order());
        } else {
            onTrialMessage(envelope);
        }
    }

    /** Guarded by this object. The session alone proves nothing: all agents of the run know it. */
    private boolean isCoordinator(String from, String about) {
        return session != null && session.equals(about) && coordinator.equals(from);
    }

    private synchronized void renew(String from, String about, long now) {
        if (isCoordinator(from, about)) {
            lease.renew(now);
        }
    }

    private synchronized Info info() {
        return new Info(
                name,
                options.labels(),
                options.build(),
                Runtime.getRuntime().availableProcessors(),
                facts.networkCard(),
                facts.calibrated(),
                session == null ? null : run,
                certificateEnds == null ? null : certificateEnds.getEpochSecond());
    }

    /** @return why not; null if the run may have this agent */
    private synchronized Sentence claim(String from, String wanted, Claim claim, long now) {
        if (!claim.version().equals(options.build())) {
            return Sentence.of("fleet.otherVersion", options.build(), claim.version());
        }
        if (session != null && !isCoordinator(from, wanted)) {
            return Sentence.of("fleet.busy", run, FleetNode.place(coordinator));
        }
        if (session == null && trial != null && !trial.over()) {
            return Sentence.of("fleet.stillEnding", run);
        }
        if (session == null) {
            session = wanted;
            run = claim.run();
            coordinator = from;
            lease = new Lease(LEASE_NANOS, now);
            says.accept(Sentence.of("fleet.worksFor", run, FleetNode.place(from)));
        }
        return null;
    }

    private void prepare(String from, String about, Order order) {
        Consumer<FleetMessage> back = message -> post.send(from, about, order.trial(), message);
        try {
            Order checked = check.checked(order);
            synchronized (this) {
                if (isCoordinator(from, about) && (trial == null || trial.over())) {
                    trial = new AgentTrial(name, checked, facts.calibrations(), back);
                    trial.begin();
                    return;
                }
            }
            back.accept(new Failed(Exit.INTERNAL, Sentence.of("fleet.busyMeanwhile")));
        } catch (PlimsollException e) {
            says.accept(Sentence.of("fleet.refusedTrial", e.sentence()));
            back.accept(new Failed(e.exit(), e.sentence()));
        }
    }

    private synchronized void onTrialMessage(Envelope envelope) {
        if (!isCoordinator(envelope.from(), envelope.session())) {
            return;
        }
        if (envelope.message() instanceof Release) {
            free(Sentence.of("fleet.runOver", run));
        } else if (trial != null && envelope.message() instanceof Stop stop) {
            trial.stop(stop.atOnce());
        } else if (trial != null && trial.name().equals(envelope.trial())) {
            trial.received(envelope.message());
        }
    }

    /** Guarded by this object. */
    private void free(Sentence why) {
        if (trial != null) {
            trial.stop(false);
        }
        session = null;
        lease = null;
        says.accept(why);
    }

    private void warnOfEnd() {
        Certificates.warning(Sentence.of("fleet.ofThisHost"), certificateEnds, Instant.now())
                .ifPresent(says);
    }

    private void watchLease() {
        synchronized (this) {
            if (lease != null && lease.expired(System.nanoTime())) {
                if (trial != null) {
                    trial.stop(true);
                }
                free(Sentence.of("fleet.leaseOver", run, LEASE_NANOS / 100_000_000 / 10.0));
            }
            // Not before the run is over: coming back would end it.
            if ((outside || ended) && session == null) {
                apart.countDown();
            }
        }
    }

    @Override
    public synchronized void agentUp(String address) {
        if (join.contains(FleetNode.place(address))) {
            joined.add(address);
        }
    }

    @Override
    public synchronized void agentLeft(String address) {
        outside |= joined.remove(address) && joined.isEmpty();
    }

    @Override
    public synchronized void removed() {
        outside = true;
    }

    @Override
    public synchronized void ended() {
        ended = true;
        if (trial != null) {
            trial.stop(true);
        }
    }

    @Override
    public void refused(Sentence who) {
        says.accept(who);
    }

    /**
     * Waits until this agent is separated from its fleet and has no run.
     *
     * @throws PlimsollException {@link Exit#INTERNAL} if it stopped listening
     */
    void awaitApart() throws InterruptedException {
        apart.await();
        synchronized (this) {
            Exit.INTERNAL.when(ended, "fleet.nodeEnded");
        }
    }

    /** Stops the current run within seconds. */
    @Override
    public void close() {
        watch.shutdownNow();
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
    }
}
