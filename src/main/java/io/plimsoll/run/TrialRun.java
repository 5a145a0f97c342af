package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.Lifecycle;
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
import io.plimsoll.measure.Phase;
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
import io.plimsoll.result.TimelineEvent.TrialStarted;
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
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One trial from topic creation to clean-up; {@link #execute} shows its life from top to bottom. During the load, the
 * worker calls the methods of {@link Worker.Listener}.
 */
final class TrialRun implements Worker.Listener {
    private enum TrialPhase {
        /** Topics, groups, and clients are created. The timeline has no trial yet; warnings belong to the run. */
        PREPARE,
        /** The trial is in the timeline and waits for the clock. */
        READY,
        WARM_UP,
        MEASURE,
        /** No record is due; late acknowledgements and unread records are awaited. */
        DRAIN,
        AUDIT,
        /** The end of the trial is in the timeline. */
        VERDICT,
        CLEAN_UP;

        /** Short trials can skip windows; a failure goes to clean-up directly. */
        private static Lifecycle<TrialPhase> begin() {
            return new Lifecycle<>(
                    PREPARE,
                    Map.of(
                            PREPARE, EnumSet.of(READY, CLEAN_UP),
                            READY, EnumSet.of(WARM_UP, CLEAN_UP),
                            WARM_UP, EnumSet.of(MEASURE, DRAIN, AUDIT, CLEAN_UP),
                            MEASURE, EnumSet.of(DRAIN, AUDIT, CLEAN_UP),
                            DRAIN, EnumSet.of(AUDIT, CLEAN_UP),
                            AUDIT, EnumSet.of(VERDICT, CLEAN_UP),
                            VERDICT, EnumSet.of(CLEAN_UP)));
        }
    }

    // Shared: guards and Ctrl-C stop or halve the load and warn; the ticker brings snapshots. The trial's thread writes
    // all of it, except that the ticker, within the load, enters the load's phases and finds the unreachable check. All
    // fields are volatile; faults are set before READY is left, the clock before WARM_UP is entered.
    private final Lifecycle<TrialPhase> life = TrialPhase.begin();
    private volatile FaultInjector faults;
    private volatile TrialClock clock;
    private volatile Sentence unreachableCheck;

    // Confined to the trial's thread.
    private final RunContext run;
    private final Plan.Trial trial;
    /** The trial's scenario with the ramp required on this cluster. */
    private final Scenario scenario;

    private final Topics topics;
    private final Consumer<TimelineEvent> timeline;
    private final Progress progress;
    private final LoadContext context;
    private final Worker worker;
    private final Interruption interruption;
    private final TrialTopics made;
    private final TrialAudit audit;
    private final FaultMarks marks;
    /** Zero after the first trial, because the code is warm by then. */
    private final Duration selfWarmup;

    private OptionalDouble roundTrip = OptionalDouble.empty();
    private boolean faultsStay;

    // Confined to the snapshot thread.
    private final CheckWatch checks;
    private final TrialProgress position;
    private final WarmupWatch warmup;
    private final AckPulses pulses = new AckPulses();

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
                        // Trials can share a topic, so each has its own identity.
                        new SplittableRandom(run.runId() + index).nextLong() | 1,
                        run.request().seed(),
                        this::warn)
                .with(new Throttle(scenario.effectiveWarmup().rampUp().toNanos()));
        boolean identified = TrialAudit.wanted(scenario) && Identities.inAll(scenario, plain);
        this.context = identified ? plain.with(new AuditTrail(plain.runId())) : plain;
        IdentityAudit identities =
                identified ? new IdentityAudit(context, topics, run.recording().directory(), index) : null;
        this.audit = new TrialAudit(trial.name(), scenario, topics, identities, interruption, this::warn);
        boolean cold = scenario.effectiveWarmup().equals(Warmup.NONE);
        this.selfWarmup = index == 0 && !cold ? run.request().selfWarmup() : Duration.ZERO;
        this.position = new TrialProgress(trial.name(), scenario, progress);
        this.worker = run.request().workers().worker(topics);
        this.warmup = new WarmupWatch(
                scenario.effectiveWarmup(),
                worker.notice(),
                !scenario.producers().isEmpty(),
                TrialSetup.openLoop(scenario));
        this.checks = new CheckWatch(scenario.checks(), TrialSetup.plannedSeconds(scenario));
    }

    /** Ends the load as soon as possible. Any thread. */
    void stop() {
        worker.stop();
        FaultInjector injector = faults;
        if (injector != null) {
            // End faults now; the worker's end can wait for paused brokers.
            Daemon.start("plimsoll-fault-end", injector::close);
        }
    }

    /** Halves the rate of a running load. Any thread. */
    void halve(Sentence why) {
        TrialClock running = clock;
        if (running != null) {
            worker.halve(
                    System.nanoTime() - running.startNanos() + worker.notice().toNanos());
            note(trial.name(), why);
        }
    }

    /** Limits the wait for late records at the end of the trial. */
    void limitDrain(Duration limit) {
        worker.limitDrain(limit);
    }

    /** Keeps its faults in effect as an {@link Outage} instead of ending them. */
    void leaveFaults() {
        faultsStay = true;
    }

    /** A warning on resources still present on a cluster that is not a lab. */
    Optional<Sentence> leftBehind() {
        return run.cluster().isLab() ? Optional.empty() : made.traces.left();
    }

    private void warn(Sentence text) {
        note(life.reached(TrialPhase.READY) ? trial.name() : null, text);
    }

    private void note(String where, Sentence text) {
        timeline.accept(new Note(Instant.now(), where, "warning", text));
    }

    private void announce(String what) {
        progress.phase(trial.name(), what, -1, -1);
    }

    /** Runs the trial. Call it once. */
    void execute() {
        try {
            Double topicsSeconds = made.create(scenario);
            announce(selfWarmup.isZero() ? "preparing" : "warming up the load generator");
            TrialStarted prepared = interruption.during(() -> prepare(topicsSeconds));

            timeline.accept(prepared);
            life.enter(TrialPhase.READY);
            position.begin();
            Map<String, Map<Integer, List<Integer>>> copies =
                    faultsStay ? topics.copies(made.traces.topics()) : Map.of();
            TrialOutcome outcome;
            try (FaultInjector injector = injector()) {
                faults = injector;
                // WARM_UP starts in started(); MEASURE and DRAIN follow the snapshots.
                outcome = load();
                endFaults(injector, copies);
            }

            life.enter(TrialPhase.AUDIT);
            announce("auditing");
            TrialEnded end = run.recording().fold().endOf(audit.end(outcome), scenario.checks());

            timeline.accept(end);
            life.enter(TrialPhase.VERDICT);
            diagnose();
        } finally {
            boolean ended = life.reached(TrialPhase.VERDICT);
            life.enter(TrialPhase.CLEAN_UP);
            audit.close();
            made.remove(ended);
        }
    }

    /** Creates the trial's resources and reads the state before the first record. */
    private TrialStarted prepare(Double topicsSeconds) {
        Set<String> names = names(scenario);
        ClusterFit.checkRights(scenario, run.cluster().topics(), made.traces.topics());
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
        TrialObservation observation = run.observation();
        observation.groups.ready(scenario.observe(), interruption::requested, progress::note);
        List<ObservedSource> sources = observation.connect();
        if (!sources.isEmpty()) {
            timeline.accept(new TimelineEvent.SourcesSeen(sources));
        }
        roundTrip = observation.roundTripMs(names);
        run.host().learn(names);
        audit.begin(run.cluster().description().clusterId());
        Worker.LoadLimits limits = worker.limits(run.host().calibrations());
        boolean oneHost = run.cluster().isLab() && run.request().workers().local();
        TrialPlan plan =
                setup.plan(source, inTopics, oneHost, topicsSeconds).withLimits(limits.producers(), limits.consumers());
        return new TrialStarted(trial.name(), Instant.now(), trial.parameters(), plan, setup.settings());
    }

    private FaultInjector injector() {
        Set<String> names = names(scenario);
        FaultContext ground = new FaultContext(
                run.cluster().lab(),
                run.cluster().roles(),
                run.cluster().forResult().brokers(),
                worker::members,
                run.request().seed(),
                run.cluster().isOwn() ? names : made.traces.topics());
        return new FaultInjector(scenario.faults(), ground, names, marks);
    }

    private TrialOutcome load() {
        try {
            return worker.run(this);
        } finally {
            run.observation().end();
            List<GuardResult> guards = run.observation().guards.end();
            if (!guards.isEmpty()) {
                timeline.accept(new TimelineEvent.Guarded(trial.name(), guards));
            }
        }
    }

    /** @param copies replica placement before the load, if its faults stay */
    private void endFaults(FaultInjector injector, Map<String, Map<Integer, List<Integer>>> copies) {
        if (faultsStay) {
            ClusterSession cluster = run.cluster();
            StandingFaults happened = injector.leave(interruption::requested);
            cluster.outage(cluster.outage().with(happened, copies, cluster.logDirs()));
        } else if (!scenario.faults().isEmpty()) {
            announce("recovering");
            injector.loadEnded(() -> !made.isLastTrial() || leaderless(), interruption::requested);
        }
    }

    /** Whether records are unreadable because none of their brokers is up. */
    private boolean leaderless() {
        return run.cluster()
                .roles()
                .replicas(names(scenario))
                .map(r -> r.leaderless() > 0)
                .orElse(true);
    }

    private void diagnose() {
        TrialResult result = run.recording().fold().trial(trial.name());
        if (Diagnosis.wanted(result)) {
            Limits limits = Diagnosis.of(result)
                    .withBounds(HostBounds.of(result, run.host().ground(scenario)));
            timeline.accept(new TimelineEvent.Diagnosed(Instant.now(), trial.name(), limits));
        }
    }

    @Override
    public void started(TrialClock begun) {
        clock = begun;
        life.enter(TrialPhase.WARM_UP);
        faults.start(begun);
        run.observation().begin(begun.startNanos(), scenario, roundTrip, this::observed, marks::disturbs);
        if (scenario.faults().stream().anyMatch(f -> f.target() instanceof FaultSpec.Target.MemberOf)) {
            Set<String> groups = TrialClients.groupIds(scenario, context);
            run.observation().groups.beginCoordinated(begun.startNanos(), groups, this::observed);
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

    static Set<String> names(Scenario scenario) {
        return scenario.topics().stream().map(TopicSpec::name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Override
    public void snapshot(Snapshot snapshot) {
        follow(snapshot.phase());
        audit.count(snapshot);
        run.observation().guards.accept(snapshot);
        // Immediately: the end of the warm-up needs lead time.
        Optional<WarmupWatch.End> end = warmup.accept(snapshot, System.nanoTime() - clock.startNanos());
        end.ifPresent(e -> worker.endWarmup(e.nanos()));
        timeline.accept(new TimelineEvent.Measured(snapshot));
        end.ifPresent(e -> timeline.accept(
                new TimelineEvent.WarmupEnded(Instant.now(), trial.name(), e.nanos() / 1e9, e.ended(), e.moving())));
        position.accept(snapshot, clock.warmup());
        Optional<Sentence> broken = checks.accept(snapshot);
        if (!scenario.checks().isEmpty()) {
            checks.report(progress);
        }
        if (scenario.abortOnFail() && unreachableCheck == null && broken.isPresent()) {
            unreachableCheck = broken.get();
            stop();
        }
    }

    /** With several workers a late snapshot can belong to a finished phase. */
    private void follow(Phase ofLoad) {
        TrialPhase next =
                switch (ofLoad) {
                    case WARMUP -> TrialPhase.WARM_UP;
                    case MEASURE -> TrialPhase.MEASURE;
                    case DRAIN -> TrialPhase.DRAIN;
                };
        if (!life.reached(next)) {
            life.enter(next);
        }
    }

    /** The failed check that ended the trial; empty if none. */
    Optional<Sentence> unreachableCheck() {
        return Optional.ofNullable(unreachableCheck);
    }
}
