package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.cluster.Topics;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.diagnose.HostBounds;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.AckPulse.AckPulses;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Throttle;
import io.plimsoll.result.CheckWatch;
import io.plimsoll.result.GuardResult;
import io.plimsoll.result.Limits;
import io.plimsoll.result.ObservedSource;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.Note;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.run.faults.FaultInjector;
import io.plimsoll.run.faults.FaultInjector.FaultContext;
import io.plimsoll.run.faults.FaultInjector.StandingFaults;
import io.plimsoll.run.faults.FaultMarks;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioKeys;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** One trial from its topics to its clean-up. */
final class TrialRun implements Worker.Listener {
    private final RunContext run;
    private final Plan.Trial trial;
    /** The trial's, with the ramp that this cluster asks for. */
    private final Scenario scenario;

    private final Topics topics;
    private final Consumer<TimelineEvent> timeline;
    private final Progress progress;
    private final LoadContext context;
    private final Worker worker;
    private final Interruption interruption;
    private final TrialTopics made;
    private final CheckWatch checks;
    /** Null if there is none, or records carry no identities. */
    private final TrialAudit audit;

    /** Zero in trials after the first, whose code has run by then. */
    private final Duration selfWarmup;

    private final TrialEnding ending;
    private final TrialProgress position;

    /** Of the thread that brings snapshots. */
    private final WarmupWatch warmup;

    private volatile TrialClock clock;
    private final FaultMarks marks;
    private final AckPulses pulses = new AckPulses();
    private volatile FaultInjector faults;
    private volatile Sentence unreachableCheck;
    private OptionalDouble roundTrip = OptionalDouble.empty();
    private boolean faultsStay;
    private boolean clockStarted;
    private boolean ended;
    private Double topicsSeconds;

    /** @param index of the trial in its run, from 0 */
    TrialRun(RunContext run, Plan.Trial trial, int index) {
        this.run = run;
        this.trial = trial;
        this.scenario = trial.scenario()
                .with(
                        ScenarioKeys.WARMUP,
                        Optional.of(run.request()
                                .limits()
                                .ramped(trial.scenario(), run.cluster().isOwn())));
        this.topics = run.cluster().topics();
        this.timeline = run.recording().timeline();
        this.progress = run.recording().progress();
        this.interruption = run.interruption();
        this.marks = new FaultMarks(trial.name(), timeline, progress);
        this.made = new TrialTopics(run, trial);
        LoadContext plain = new LoadContext(
                        run.cluster().connection().clientProperties(),
                        RunTopics.tag(run.runId()) + "-" + index,
                        // Trials may use the same topic: each has an identity of its own.
                        new SplittableRandom(run.runId() + index).nextLong() | 1,
                        run.request().seed(),
                        this::warn)
                .with(new Throttle(scenario.effectiveWarmup().rampUp().toNanos()));
        boolean identified = audited(scenario) && Identities.inAll(scenario, plain);
        this.context = identified ? plain.with(new AuditTrail(plain.runId())) : plain;
        this.audit =
                identified ? new TrialAudit(context, topics, run.recording().directory(), index) : null;
        boolean cold = scenario.effectiveWarmup().equals(Warmup.NONE);
        this.selfWarmup = index == 0 && !cold ? run.request().selfWarmup() : Duration.ZERO;
        this.ending = new TrialEnding(
                trial.name(), audited(scenario), audit, topics, interruption, this::warn, new AtomicLong());
        this.position = new TrialProgress(new Plan.Trial(trial.name(), trial.parameters(), scenario), progress);
        this.worker = run.request().workers().worker(topics);
        this.warmup = new WarmupWatch(
                scenario.effectiveWarmup(),
                worker.notice(),
                !scenario.producers().isEmpty(),
                TrialSetup.openLoop(scenario));
        double planned = scenario.boundByRecords() ? 0 : scenario.window().toNanos() / 1e9;
        this.checks = scenario.abortOnFail() ? new CheckWatch(scenario.checks(), planned) : null;
    }

    private static boolean audited(Scenario scenario) {
        return scenario.audit() && !scenario.producers().isEmpty();
    }

    void stop() {
        worker.stop();
        FaultInjector injector = faults;
        if (injector != null) {
            // At once, and not when the worker has ended, which waits for brokers that are held up.
            Daemon.start("plimsoll-fault-end", injector::close);
        }
    }

    /** Halves the rate of a load that goes on. Any thread. */
    void halve(Sentence why) {
        TrialClock running = clock;
        if (running != null) {
            worker.halve(
                    System.nanoTime() - running.startNanos() + worker.notice().toNanos());
            note(trial.name(), why);
        }
    }

    /** Waits no longer than this for what is late at the end of the trial. */
    void limitDrain(Duration limit) {
        worker.limitDrain(limit);
    }

    /** Leaves its faults to the cluster as an {@link Outage}, in place of ending them. */
    void leaveFaults() {
        faultsStay = true;
    }

    /** A warning of what this trial has made on a cluster that is not ours and has not yet removed. */
    Optional<Sentence> leftBehind() {
        return run.cluster().isLab() ? Optional.empty() : made.traces().left();
    }

    private void warn(Sentence text) {
        // Before the trial's first event, a note belongs to the run.
        note(clockStarted ? trial.name() : null, text);
    }

    private void note(String where, Sentence text) {
        timeline.accept(new Note(Instant.now(), where, "warning", text));
    }

    void execute() {
        try {
            topicsSeconds = made.create(scenario);
            Set<String> names = names(scenario);
            progress.phase(trial.name(), selfWarmup.isZero() ? "preparing" : "warming up the load generator", -1, -1);
            LogEnds before = interruption.during(() -> prepare(names));
            position.begin();
            TrialOutcome outcome = runWithFaults(names);
            progress.phase(trial.name(), "auditing", -1, -1);
            TrialEnded end = run.recording().fold().endOf(ending.of(outcome, before, names), scenario.checks());
            timeline.accept(end);
            ended = true;
            diagnose();
        } finally {
            if (audit != null) {
                audit.close();
            }
            made.remove(ended);
        }
    }

    private void diagnose() {
        TrialResult result = run.recording().fold().trial(trial.name());
        if (Diagnosis.wanted(result)) {
            Limits limits = Diagnosis.of(result)
                    .withBounds(HostBounds.of(result, run.host().ground(scenario)));
            timeline.accept(new TimelineEvent.Diagnosed(Instant.now(), trial.name(), limits));
        }
    }

    private TrialOutcome runWithFaults(Set<String> names) {
        FaultContext ground = new FaultContext(
                run.cluster().lab(),
                run.cluster().roles(),
                run.cluster().forResult().brokers(),
                worker::members,
                run.request().seed(),
                run.cluster().isOwn() ? names : made.traces().topics());
        Map<String, Map<Integer, List<Integer>>> copies =
                faultsStay ? topics.copies(made.traces().topics()) : Map.of();
        try (FaultInjector injector = new FaultInjector(scenario.faults(), ground, names, marks)) {
            faults = injector;
            TrialOutcome outcome = observedRun();
            if (faultsStay) {
                ClusterSession cluster = run.cluster();
                StandingFaults happened = injector.leave(interruption::requested);
                cluster.outage(cluster.outage().with(happened, copies, cluster.logDirs()));
            } else if (!scenario.faults().isEmpty()) {
                progress.phase(trial.name(), "recovering", -1, -1);
                injector.loadEnded(() -> !made.isLastTrial() || leaderless(names), interruption::requested);
            }
            return outcome;
        }
    }

    private TrialOutcome observedRun() {
        try {
            return worker.run(this);
        } finally {
            run.observation().end();
            List<GuardResult> guards = run.observation().guards().end();
            if (!guards.isEmpty()) {
                timeline.accept(new TimelineEvent.Guarded(trial.name(), guards));
            }
        }
    }

    @Override
    public void started(TrialClock begun) {
        clock = begun;
        faults.start(begun);
        run.observation().begin(begun.startNanos(), scenario, roundTrip, this::observed, marks::disturbs);
        if (scenario.faults().stream().anyMatch(f -> f.target() instanceof FaultSpec.Target.MemberOf)) {
            Set<String> groups = TrialClients.groupIds(scenario, context);
            run.observation().groups().beginCoordinated(begun.startNanos(), groups, this::observed);
        }
    }

    @Override
    public void observed(Observation seen) {
        timeline.accept(new TimelineEvent.Observed(trial.name(), seen));
    }

    @Override
    public void acknowledged(AckLooks looks) {
        timeline.accept(new TimelineEvent.Acknowledged(trial.name(), pulses.of(looks)));
    }

    @Override
    public void handedOver(List<HandOver> handOvers) {
        if (!handOvers.isEmpty()) {
            timeline.accept(new TimelineEvent.HandedOver(trial.name(), handOvers));
        }
    }

    @Override
    public void workers(List<WorkerResult> workers) {
        timeline.accept(new TimelineEvent.WorkersMeasured(trial.name(), workers));
    }

    /** Whether records cannot be looked at, because no broker that has them is there. */
    private boolean leaderless(Set<String> names) {
        return run.cluster()
                .roles()
                .replicas(names)
                .map(r -> r.leaderless() > 0)
                .orElse(true);
    }

    /** @return how the logs end before the first record */
    private LogEnds prepare(Set<String> names) {
        ClusterFit.checkRights(scenario, run.cluster().rules(), made.traces().topics());
        TrialSetup setup = new TrialSetup(scenario, context, topics);
        EndToEndSource source = setup.endToEndSource();
        if (!run.request().keepGroups()) {
            made.groups(TrialClients.groupIds(scenario, context));
        }
        Map<String, Long> inTopics = setup.recordsBefore(TrialTopics.reused(scenario));
        worker.prepare(new TrialAssignment(trial.name(), scenario, context, source).withSelfWarmup(selfWarmup));
        if (!worker.selfWarmups().isEmpty()) {
            timeline.accept(new TimelineEvent.SelfWarmed(worker.selfWarmups()));
        }
        run.observation().groups().ready(scenario.observe(), interruption::requested, progress::note);
        LogEnds before = LogEnds.of(topics, names);
        List<ObservedSource> sources = run.observation().connect();
        if (!sources.isEmpty()) {
            timeline.accept(new TimelineEvent.SourcesSeen(sources));
        }
        roundTrip = run.observation().roundTripMs(names);
        run.host().learn(names);
        if (audit != null) {
            audit.begin(trial.name(), scenario, run.cluster().description().clusterId(), before.offsets());
        }
        Worker.LoadLimits limits = worker.limits(run.host().calibrations());
        boolean oneHost = run.cluster().isLab() && run.request().workers().local();
        TrialPlan plan =
                setup.plan(source, inTopics, oneHost, topicsSeconds).withLimits(limits.producers(), limits.consumers());
        timeline.accept(new TimelineEvent.TrialStarted(
                trial.name(), Instant.now(), trial.parameters(), plan, setup.settings()));
        clockStarted = true;
        return before;
    }

    static Set<String> names(Scenario scenario) {
        return scenario.topics().stream().map(TopicSpec::name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Override
    public void snapshot(Snapshot snapshot) {
        ending.count(snapshot);
        run.observation().guards().accept(snapshot);
        // At once: the time that it takes is told beforehand.
        Optional<WarmupWatch.End> end = warmup.accept(snapshot, System.nanoTime() - clock.startNanos());
        end.ifPresent(e -> worker.endWarmup(e.nanos()));
        timeline.accept(new TimelineEvent.Measured(snapshot));
        end.ifPresent(e -> timeline.accept(
                new TimelineEvent.WarmupEnded(Instant.now(), trial.name(), e.nanos() / 1e9, e.ended(), e.moving())));
        position.accept(snapshot, clock.warmup());
        if (checks != null && unreachableCheck == null) {
            checks.accept(snapshot).ifPresent(check -> {
                unreachableCheck = check;
                stop();
            });
        }
    }

    /** The check that could not be met any more, so that the trial was ended; empty if it was not. */
    Optional<Sentence> unreachableCheck() {
        return Optional.ofNullable(unreachableCheck);
    }
}
