package io.plimsoll.fleet;

import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.FleetMessage.AllProduced;
import io.plimsoll.fleet.FleetMessage.Ask;
import io.plimsoll.fleet.FleetMessage.Beat;
import io.plimsoll.fleet.FleetMessage.BeatAnswer;
import io.plimsoll.fleet.FleetMessage.Claim;
import io.plimsoll.fleet.FleetMessage.Claimed;
import io.plimsoll.fleet.FleetMessage.Failed;
import io.plimsoll.fleet.FleetMessage.GroupsElsewhere;
import io.plimsoll.fleet.FleetMessage.Info;
import io.plimsoll.fleet.FleetMessage.MemberOrder;
import io.plimsoll.fleet.FleetMessage.OpenGate;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.fleet.FleetMessage.Prepare;
import io.plimsoll.fleet.FleetMessage.Release;
import io.plimsoll.fleet.FleetMessage.StartAt;
import io.plimsoll.fleet.FleetMessage.Stop;
import io.plimsoll.fleet.plan.Lease;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Answers for an agent. It belongs to one run at a time, for as long as the coordinator renews the lease; when nothing
 * is heard for {@link #LEASE_NANOS}, load ends and the agent is free again, whatever has become of the coordinator.
 * Thread-safe.
 */
final class AgentServer implements FleetNode.Inbox, AutoCloseable {
    /** Producers end within a second of it, on a host without a core to spare: together less than five seconds. */
    static final long LEASE_NANOS = 3_000_000_000L;

    private static final long WATCH_MILLIS = 100;

    private final String build;
    private final Map<String, String> labels;
    private final HostFacts facts;
    private final OrderCheck check;
    private final Consumer<String> says;
    private final Set<String> join;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "plimsoll-lease");
        thread.setDaemon(true);
        return thread;
    });
    private final CountDownLatch apart = new CountDownLatch(1);
    private volatile String name;
    private volatile BiConsumer<String, FleetMessage> send = (to, message) -> {};

    // Guarded by this object.
    private final Set<String> joined = new HashSet<>();
    private boolean outside;
    // Null while idle:
    private String session;
    private String run;
    private String coordinator;
    private Lease lease;
    private AgentTrial trial;

    /**
     * @param join {@code host:port} of the agents that it joins
     * @param says takes what the agent's owner may want to know
     */
    AgentServer(
            String build,
            Map<String, String> labels,
            HostFacts facts,
            OrderCheck check,
            Set<String> join,
            Consumer<String> says) {
        this.build = build;
        this.labels = Map.copyOf(labels);
        this.facts = facts;
        this.check = check;
        this.says = says;
        this.join = Set.copyOf(join);
        var unused = watch.scheduleAtFixedRate(this::watchLease, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Before the node joins a cluster, and so before anybody asks for anything. */
    void connect(String ownName, BiConsumer<String, FleetMessage> sender) {
        name = ownName;
        send = sender;
    }

    @Override
    public void received(String from, FleetMessage message) {
        long now = System.nanoTime();
        if (message instanceof Beat beat) {
            beat(from, beat, now);
        } else if (message instanceof Ask) {
            send.accept(from, info());
        } else if (message instanceof Claim claim) {
            send.accept(from, new Claimed(claim.session(), claim(from, claim, now)));
        } else if (message instanceof Prepare prepare) {
            prepare(from, prepare);
        } else {
            ofTrial(message);
        }
    }

    private void beat(String from, Beat beat, long now) {
        synchronized (this) {
            if (beat.session().equals(session)) {
                lease.renew(now);
            }
        }
        send.accept(from, new BeatAnswer(beat.session(), beat.sentNanos(), now, System.nanoTime()));
    }

    private synchronized Info info() {
        return new Info(
                name,
                labels,
                build,
                Runtime.getRuntime().availableProcessors(),
                facts.networkCard(),
                facts.calibrated(),
                session == null ? null : run);
    }

    /** @return why not; null if the run may have this agent */
    private synchronized String claim(String from, Claim claim, long now) {
        if (!claim.version().equals(build)) {
            return "it is plimsoll " + build + ", and the run is of plimsoll " + claim.version()
                    + "; use the same version on both";
        }
        if (session != null && !session.equals(claim.session())) {
            return "it is busy with run " + run + " of " + FleetNode.place(coordinator)
                    + "; a fleet has one run at a time";
        }
        if (session == null && trial != null && !trial.over()) {
            return "it is still ending run " + run;
        }
        if (session == null) {
            session = claim.session();
            run = claim.run();
            coordinator = from;
            lease = new Lease(LEASE_NANOS, now);
            says.accept("works for run " + run + " of " + FleetNode.place(from));
        }
        return null;
    }

    private void prepare(String from, Prepare prepare) {
        Order order = prepare.order();
        Consumer<FleetMessage> back = message -> send.accept(from, message);
        try {
            Order checked = check.checked(order);
            synchronized (this) {
                if (prepare.session().equals(session) && (trial == null || trial.over())) {
                    trial = new AgentTrial(name, session, checked, facts.calibrations(), back);
                    trial.begin();
                    return;
                }
            }
            back.accept(new Failed(
                    prepare.session(), order.trial(), "INTERNAL", "it is busy with something else meanwhile"));
        } catch (PlimsollException e) {
            says.accept("refused a trial: " + e.getMessage());
            back.accept(new Failed(prepare.session(), order.trial(), e.exit().name(), e.getMessage()));
        }
    }

    private synchronized void ofTrial(FleetMessage message) {
        if (message instanceof StartAt at && at.session().equals(session) && trial != null) {
            trial.startAt(at);
        } else if (message instanceof AllProduced all && all.session().equals(session) && trial != null) {
            trial.allProduced(all);
        } else if (message instanceof GroupsElsewhere rest && rest.session().equals(session) && trial != null) {
            trial.takeRemoteParts(rest);
        } else if (message instanceof MemberOrder order && order.session().equals(session) && trial != null) {
            trial.execute(order);
        } else if (message instanceof OpenGate open && open.session().equals(session) && trial != null) {
            trial.openGate(open);
        } else if (message instanceof Stop stop && stop.session().equals(session) && trial != null) {
            if (stop.atOnce()) {
                trial.abandon();
            } else {
                trial.stop();
            }
        } else if (message instanceof Release release && release.session().equals(session)) {
            free("run " + run + " is over");
        }
    }

    /** Guarded by this object. */
    private void free(String why) {
        if (trial != null) {
            trial.stop();
        }
        session = null;
        lease = null;
        says.accept(why);
    }

    private void watchLease() {
        synchronized (this) {
            if (lease != null && lease.expired(System.nanoTime())) {
                if (trial != null) {
                    trial.abandon();
                }
                free("nothing was heard of the coordinator of run " + run + " for " + LEASE_NANOS / 100_000_000 / 10.0
                        + " s: load is stopped");
            }
            // Not before the run is over: coming back would end it.
            if (outside && session == null) {
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

    /** Waits until this agent has lost those whom it had joined, or they have gone on without it, and it has no run. */
    void awaitApart() throws InterruptedException {
        apart.await();
    }

    /** Ends what runs, within seconds. */
    @Override
    public void close() {
        watch.shutdownNow();
        AgentTrial running;
        synchronized (this) {
            running = trial;
        }
        if (running != null) {
            running.stop();
            try {
                running.awaitEnd(3000);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
