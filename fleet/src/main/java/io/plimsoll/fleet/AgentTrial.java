package io.plimsoll.fleet;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.audit.JournalWriter;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.cluster.ClusterConnection;
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
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.fleet.FleetMessage.PiledUp;
import io.plimsoll.fleet.FleetMessage.Prepared;
import io.plimsoll.fleet.FleetMessage.ProducedHere;
import io.plimsoll.fleet.FleetMessage.SnapshotTaken;
import io.plimsoll.fleet.FleetMessage.StartAt;
import io.plimsoll.fleet.plan.WarmupTurn;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.GroupMember;
import io.plimsoll.load.GroupPart;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.observe.host.HostStalls;
import io.plimsoll.observe.host.HostWatch;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentWatch;
import io.plimsoll.pace.Throttle;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.run.LocalWorker;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.Worker;
import io.plimsoll.run.WorkerBarrier;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One trial on an agent: a worker in a separate thread, which reports to the coordinator. */
final class AgentTrial {
    /** A wait for the coordinator detects the end of the trial within this time in ms. */
    private static final int SLICE_MILLIS = 50;

    private static final Logger LOG = LoggerFactory.getLogger(AgentTrial.class);

    private final String agent;
    private final LoginFiles logins = new LoginFiles();
    private final Order order;
    private final Post coordinator;
    private final CompletableFuture<StartAt> start = new CompletableFuture<>();
    private final CompletableFuture<WorkerBarrier.Produced> produced = new CompletableFuture<>();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable LocalWorker worker;
    private volatile boolean prepared;
    private volatile boolean over;
    private final Calibrations calibrations;
    /** Warm-ups of the agent before its first run. */
    private final List<SelfWarmup> earlier;
    private @Nullable GroupExchange groups;
    /** Null unless the agent reads a sample of its own records. */
    private volatile @Nullable OwnRecords own;

    /** Sends messages to the coordinator without waiting. */
    interface Post {
        /** @return the reason why the message is too large to be sent; null otherwise */
        @Nullable
        Sentence send(FleetMessage message);
    }

    AgentTrial(String agent, Order order, Calibrations calibrations, List<SelfWarmup> earlier, Post coordinator) {
        this.earlier = earlier;
        this.calibrations = calibrations;
        this.agent = agent;
        this.order = order;
        this.coordinator = coordinator;
        this.thread = Daemon.thread("plimsoll-agent-trial", this::run);
    }

    void begin() {
        thread.start();
    }

    boolean over() {
        return over;
    }

    /** Whether the start of the trial was ordered and its end is not yet reported. */
    boolean loads() {
        return start.isDone() && !over;
    }

    /** Number of agents per core of this host, at least 1. */
    int crowd() {
        return order.share().crowd();
    }

    /** Reports to the coordinator; ends the trial if the report is too large. Usable by any thread. */
    private void report(FleetMessage message) {
        Sentence refusal = coordinator.send(message);
        if (refusal != null) {
            coordinator.send(new Failed(Exit.INTERNAL, refusal));
            stop(true);
        }
    }

    /** Handles a message from the coordinator about this trial. Usable by any thread. */
    void received(FleetMessage message) {
        LocalWorker running = worker;
        if (message instanceof StartAt at) {
            start.complete(at);
        } else if (running != null && message instanceof ClockIs clock) {
            running.correctClock(clock.epochOffsetNanos());
        } else if (message instanceof AllProduced all) {
            produced.complete(all.produced());
        } else if (running != null && message instanceof GroupsElsewhere rest) {
            rest.groups().forEach(running::takeRemotePart);
        } else if (running != null && message instanceof EndWarmup end) {
            endWarmup(running, end.nanos());
        } else if (running != null && message instanceof Halve order) {
            running.halve(order.nanos());
        } else if (running != null && message instanceof OpenGate open) {
            running.openGate(open.entry());
        } else if (running != null && message instanceof MemberOrder toMember) {
            Daemon.start(
                    "plimsoll-agent-fault",
                    () -> report(new MemberAnswer(toMember.number(), failure(running, toMember))));
        }
    }

    /** Performs an order on a member of a consumer group; returns the reason for a failure, null on success. */
    private static @Nullable Sentence failure(LocalWorker running, MemberOrder order) {
        // A replaced member has the same name as its successor, and precedes it in the list.
        GroupMember member = running.members(OptionalInt.empty()).stream()
                .filter(m -> m.name().equals(order.member()))
                .reduce((before, after) -> after)
                .orElse(null);
        if (member == null) {
            return Sentence.of("fleet.noSuchMember", order.member());
        }
        boolean fails = order.fate() == MemberFate.KILL || order.fate() == MemberFate.PAUSE;
        if (fails && !member.alive()) {
            return Sentence.of("fleet.memberEnded", order.member());
        }
        switch (order.fate()) {
            case KILL -> member.kill();
            case PAUSE -> member.pause();
            case RESUME -> member.resume();
            case REPLACE -> member.replace();
        }
        return null;
    }

    /**
     * Ends the warm-up at this time. Fails if the time is past, because records already sent would be in the wrong
     * window.
     */
    private void endWarmup(LocalWorker running, long nanos) {
        running.endWarmup(nanos);
        if (running.isPast(nanos)) {
            report(new Failed(Exit.INVALID_MEASUREMENT, Sentence.of("fleet.toldTooLate")));
            stop(true);
        }
    }

    /** Stops the trial in any state; {@code atOnce} without waiting for records in flight. Usable by any thread. */
    void stop(boolean atOnce) {
        LocalWorker running = worker;
        if (atOnce && running != null) {
            running.abandon();
        }
        stopped.countDown();
        if (running != null) {
            running.stop();
        }
        if (!prepared) {
            thread.interrupt();
        }
    }

    String name() {
        return order.trial();
    }

    boolean awaitEnd(long millis) throws InterruptedException {
        thread.join(millis);
        return over();
    }

    private void run() {
        FleetMessage end = toItsEnd();
        // Set before the report, because the next trial can be ordered immediately.
        over = true;
        report(end);
    }

    private FleetMessage toItsEnd() {
        try {
            ClusterConnection connection = connection();
            try (Admin admin = connection.admin()) {
                return work(connection, admin);
            }
        } catch (PlimsollException e) {
            return new Failed(e.exit(), e.sentence());
        } catch (RuntimeException | Error e) {
            // Also for errors; otherwise the coordinator would wait for an end report that never arrives.
            return new Failed(Exit.INTERNAL, Sentence.of("fleet.internalError", e));
        } finally {
            if (own != null) {
                own.close();
            }
            if (groups != null) {
                groups.close();
            }
            logins.close();
        }
    }

    private ClusterConnection connection() {
        Map<String, String> properties = logins.write(order.clientProperties());
        String servers = properties.remove(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
        return new ClusterConnection(servers, properties);
    }

    private Ended work(ClusterConnection connection, Admin admin) {
        Topics topics = new Topics(admin);
        LocalWorker made = new LocalWorker(agent, topics, new Others(), crowd());
        worker = made;
        if (order.drainLimit() != null) {
            made.limitDrain(order.drainLimit());
        }
        if (order.faults()) {
            made.reportAcknowledgments();
        }
        Scenario scenario = order.scenario();
        Order.RunKey run = order.run();
        Integer first = order.share().firstProducer();
        AuditTrail trail = first == null ? null : AuditTrail.ofWorker(run.id(), first);
        LoadContext context = new LoadContext(
                        connection.clientProperties(),
                        run.tag(),
                        run.id(),
                        run.seed(),
                        text -> report(new Noted(text)))
                .with(new Throttle(scenario.effectiveWarmup().rampUp().toNanos()))
                .with(trail);
        GroupExchange exchange = new GroupExchange(made);
        groups = exchange;
        if (order.exchanges()) {
            exchange.start();
        }
        WarmupTurn turn = order.load().selfWarmup();
        awaitTurn(turn);
        Order.Share share = order.share();
        made.prepare(new TrialAssignment(
                order.trial(),
                scenario,
                context,
                order.endToEnd(),
                share.producers(),
                share.consumers(),
                share.connections(),
                turn.limit()));
        Map<TopicPartition, Long> ends;
        try {
            ends = trail == null ? Map.of() : topics.endOffsets(scenario.producedTopics());
        } catch (RuntimeException e) {
            made.discard();
            throw e;
        }
        if (trail != null) {
            trail.begin(ends);
        }
        prepared = true;
        List<ProducerProfile> profiles = trail == null ? List.of() : trail.profiles();
        report(new Prepared(
                profiles, made.limits(calibrations), turn.limit().isZero() ? earlier : made.selfWarmups()));
        boolean sampled = order.share().readsOwn() && !profiles.isEmpty();
        AgentReports reports = new AgentReports(trail, scenario.producedTopics(), clock -> {
            own = sampled ? new OwnRecords(context, profiles, ends.keySet(), clock) : null;
        });
        TrialOutcome outcome;
        try (reports) {
            outcome = made.run(reports);
        }
        Latencies seen = own == null ? Latencies.EMPTY : own.seen();
        exchange.tell(outcome.deliveries());
        return new Ended(outcome.withDeliveries(List.of()), reports.snapshots, reports.journals, seen);
    }

    private void awaitTurn(WarmupTurn turn) {
        try {
            Exit.INTERRUPTED.when(
                    stopped.await(turn.after().toMillis(), TimeUnit.MILLISECONDS), "fleet.stoppedBeforeStart");
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "fleet.stoppedBeforeStart");
        }
    }

    /** The other agents of the trial, reached through the coordinator. */
    private final class Others implements WorkerBarrier {
        @Override
        public Start start() throws InterruptedException {
            StartAt at = await(start, () -> stopped.getCount() == 0);
            if (at == null) {
                throw Exit.INTERRUPTED.because("fleet.stoppedBeforeStart");
            }
            return new Start(at.startNanos(), at.epochOffsetNanos());
        }

        @Override
        public Produced produced(Produced own, BooleanSupplier ended) throws InterruptedException {
            report(new ProducedHere(own));
            Produced all = await(AgentTrial.this.produced, ended);
            return all == null ? own : all;
        }

        /** The answer; null if the trial ended during the wait. The lease limits the wait. */
        private <T> @Nullable T await(CompletableFuture<T> answer, BooleanSupplier ended) throws InterruptedException {
            while (!ended.getAsBoolean()) {
                try {
                    return answer.get(SLICE_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException | ExecutionException e) {
                    // Not answered yet. An answer never completes with an exception.
                }
            }
            return answer.getNow(null);
        }
    }

    /** Reports measurements, record outcomes, and metrics and events of the host every second. */
    private final class AgentReports implements Worker.Listener, AutoCloseable {
        /** Maximum size of a journal block, much smaller than the maximum size of a message. */
        private static final int BLOCK_BYTES = 256 * 1024;

        private static final long LOOK_PATIENCE_MILLIS = 1_000;
        /** Seconds between two reports on a crowded host, where other agents report the same. */
        private static final int HOST_EVERY = 5;

        /** Null if records carry no identities. */
        private final @Nullable AuditTrail trail;

        private final JournalWriter writer;
        private final HostWatch host = new HostWatch();
        private final Consumer<TrialClock> begun;
        private final List<Incident> incidents = new ArrayList<>();
        private final HostStalls stalls = new HostStalls(Map::of);
        /** Null before the start. */
        private @Nullable PeriodicTask looking;

        private IncidentSink stalled = new IncidentSink(0);
        private long startNanos;
        private long snapshots;
        private long journals;

        AgentReports(@Nullable AuditTrail trail, List<String> topics, Consumer<TrialClock> begun) {
            this.trail = trail;
            this.writer = new JournalWriter(topics, BLOCK_BYTES, this::send);
            this.begun = begun;
        }

        @Override
        public void started(TrialClock clock) {
            startNanos = clock.startNanos();
            host.begin(System.nanoTime());
            stalled = new IncidentSink(startNanos);
            long every = IncidentWatch.EVERY_NANOS * stalls.every() * crowd();
            looking = PeriodicTask.each("plimsoll-incidents", System.nanoTime(), every, 0, this::lookAtHost);
            begun.accept(clock);
        }

        /** Polls the stalls of the host. After a file with an unexpected format, the next poll tries again. */
        private void lookAtHost() {
            try {
                stalls.look(System.nanoTime(), stalled);
            } catch (RuntimeException e) {
                LOG.debug("The host could not be looked at", e);
            }
        }

        @Override
        public void snapshot(Snapshot snapshot) {
            if (trail != null) {
                writer.begin(System.currentTimeMillis());
                trail.drain(writer);
                if (!writer.empty()) {
                    send(writer.end());
                }
            }
            report(new SnapshotTaken(snapshot));
            if (snapshots++ % Math.min(HOST_EVERY, crowd()) == 0) {
                observed();
            }
        }

        private void observed() {
            List<Incident> found;
            synchronized (incidents) {
                found = new ArrayList<>(incidents);
                incidents.clear();
            }
            found.addAll(stalled.take());
            report(new HostObserved(host.since(System.nanoTime(), startNanos), found));
        }

        @Override
        public void happened(List<Incident> more) {
            synchronized (incidents) {
                incidents.addAll(more);
            }
        }

        @Override
        public void close() {
            if (looking != null) {
                looking.end(LOOK_PATIENCE_MILLIS);
                lookAtHost();
                stalls.end(System.nanoTime(), stalled);
                observed();
            }
        }

        private void send(ByteBuffer block) {
            journals++;
            int from = block.arrayOffset();
            report(new Journalled(Arrays.copyOfRange(block.array(), from, from + block.limit())));
        }

        /** Reports acknowledgment progress. Called by a separate thread. */
        @Override
        public void acknowledged(AckLooks looks) {
            report(new AckTimes(looks));
        }
    }

    /** Reports groups that also have members on other agents, and backlogs that groups wait for. Runs in a separate thread. */
    private final class GroupExchange implements AutoCloseable {
        private static final long EVERY_NANOS = 30_000_000;
        /** Interval of progress reports; other changes are reported immediately. */
        private static final long PROGRESS_NANOS = 250_000_000L;
        /** Maximum number of values in a message with ranges, which is then much smaller than the maximum size. */
        private static final int VALUES_IN_A_MESSAGE = 50_000;
        /** Size of a delivery without ranges, including names, as a number of values. */
        private static final int VALUES_OF_A_DELIVERY = 100;

        private final LocalWorker worker;
        private final Map<String, GroupPart> sent = new HashMap<>();
        private long progressNanos;
        private List<Long> reportedBytes = List.of();
        /** Task that sends reports; null before it starts. */
        private @Nullable PeriodicTask reports;

        GroupExchange(LocalWorker worker) {
            this.worker = worker;
        }

        void start() {
            reports = new PeriodicTask("plimsoll-groups", System.nanoTime(), EVERY_NANOS, 0, this::sendNews);
        }

        private int sendNews() {
            long now = System.nanoTime();
            boolean withProgress = now - progressNanos > PROGRESS_NANOS;
            List<GroupPart> news = new ArrayList<>();
            for (GroupPart part : worker.groupParts()) {
                GroupPart last = sent.get(part.key());
                if (last == null || (withProgress ? !part.equals(last) : !part.differsOnlyInTaken(last))) {
                    sent.put(part.key(), part);
                    news.add(part);
                }
            }
            if (!news.isEmpty()) {
                progressNanos = now;
                report(new GroupsHere(news));
            }
            List<Long> bytes = worker.piledUp();
            if (!bytes.equals(reportedBytes)) {
                reportedBytes = bytes;
                report(new PiledUp(bytes));
            }
            return 1;
        }

        /** Reports deliveries, in messages of limited size. */
        void tell(List<GroupDelivery> deliveries) {
            List<GroupDelivery> batch = new ArrayList<>();
            int values = 0;
            for (GroupDelivery d : deliveries) {
                for (GroupDelivery part : parts(d)) {
                    int more = VALUES_OF_A_DELIVERY + (part.ranges() == null ? 0 : part.ranges().size());
                    if (!batch.isEmpty() && values + more > VALUES_IN_A_MESSAGE) {
                        report(new Delivered(List.copyOf(batch)));
                        batch.clear();
                        values = 0;
                    }
                    batch.add(part);
                    values += more;
                }
            }
            if (!batch.isEmpty()) {
                report(new Delivered(batch));
            }
        }

        /** The delivery in parts with few ranges each; a group with all members on this agent has no ranges. */
        private List<GroupDelivery> parts(GroupDelivery d) {
            if (d.ranges() == null) {
                return List.of(d);
            }
            List<GroupDelivery> parts = new ArrayList<>();
            for (int from = 0; from == 0 || from < d.ranges().size(); from += VALUES_IN_A_MESSAGE) {
                List<Long> some =
                        d.ranges().subList(from, Math.min(d.ranges().size(), from + VALUES_IN_A_MESSAGE));
                parts.add(new GroupDelivery(
                        d.group(), d.topic(), d.partition(), from == 0 ? d.again() : 0, 0, d.position(), some, null));
            }
            return parts;
        }

        @Override
        public void close() {
            if (reports != null) {
                reports.end();
            }
        }
    }
}
