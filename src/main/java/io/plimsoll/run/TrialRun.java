package io.plimsoll.run;

import io.plimsoll.Daemon;
import io.plimsoll.Lifecycle;
import io.plimsoll.diagnose.Diagnosis;
import io.plimsoll.diagnose.HostBounds;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.AckPulse.AckPulses;
import io.plimsoll.measure.HandOver;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.SteadyLoad;
import io.plimsoll.measure.SteadyLoad.Second;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Throttle;
import io.plimsoll.pace.WarmupEnd;
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
import io.plimsoll.result.WarmupResult;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.run.faults.FaultInjector;
import io.plimsoll.run.faults.FaultInjector.StandingFaults;
import io.plimsoll.run.faults.Victims;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One trial from topic creation to clean-up; {@link #execute} contains its steps from top to bottom. During the load,
 * the worker calls the methods of {@link Worker.Listener}.
 */
final class TrialRun implements Worker.Listener {
    private enum TrialPhase {
        /** Topics, groups, and clients are created. The trial is not yet in the timeline, so warnings belong to the run. */
        PREPARE,
        /** The trial is in the timeline and waits for the start of the clock. */
        READY,
        WARM_UP,
        MEASURE,
        /** No more records are due; the trial waits for late acknowledgments and unread records. */
        DRAIN,
        AUDIT,
        /** The end of the trial is in the timeline. */
        VERDICT,
        CLEAN_UP;

        /** Creates the lifecycle. Short trials can skip windows; a failure leads directly to clean-up. */
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

    // Shared fields: guards and Ctrl-C stop or halve the load and add warnings; the ticker delivers snapshots. The
    // trial's thread writes all of them, except that during the load the ticker enters the load's phases and detects a
    // check that can no longer pass. All fields are volatile; faults are set before READY is left, the clock before
    // WARM_UP is entered.
    private final Lifecycle<TrialPhase> life = TrialPhase.begin();
    private volatile @Nullable FaultInjector faults;
    private volatile @Nullable TrialClock clock;
    private volatile @Nullable Sentence unreachableCheck;

    // Used only by the trial's thread.
    private @Nullable TrialStarted prepared;
    private final Run run;
    private final Plan.Trial trial;
    /** The trial's scenario with the ramp-up that is required on this cluster. */
    private final Scenario scenario;

    private final LoadContext context;
    private final Worker worker;
    private final RunTopics made;
    private final TrialAudit audit;
    /** Zero after the first trial, because the code is then already compiled, and for a cold start. */
    private final Duration selfWarmup;

    private OptionalDouble roundTrip = OptionalDouble.empty();
    private boolean faultsStay;

    // Used only by the snapshot thread.
    private final CheckWatch checks;
    private final TrialProgress position;
    private final WarmupWatch warmup;
    private final AckPulses pulses = new AckPulses();
    /** Schemas with a pending change. */
    private final List<SchemaSpec> evolving;

    /** @param index of the trial in its run, from 0 */
    TrialRun(Run run, Plan.Trial trial, int index) {
        this.run = run;
        this.trial = trial;
        ClusterSession cluster = run.cluster();
        this.scenario = trial.scenario()
                .with(Scenario.WARMUP, Optional.of(run.request.limits().ramped(trial.scenario(), cluster.isOwn())));
        this.made = new RunTopics(run);
        LoadContext plain = new LoadContext(
                        cluster.connection().clientProperties(),
                        RunTopics.tag(run.runId) + "-" + index,
                        // Trials can share a topic, so each trial has its own run ID in identities.
                        new SplittableRandom(run.runId + index).nextLong() | 1,
                        run.request.seed(),
                        this::warn)
                .with(new Throttle(scenario.effectiveWarmup().rampUp().toNanos()));
        this.context = TrialAudit.identifies(scenario, plain) ? plain.with(new AuditTrail(plain.runId())) : plain;
        this.audit = new TrialAudit(run, trial.name(), scenario, context, index);
        boolean cold = scenario.effectiveWarmup().equals(Warmup.NONE) || scenario.onlyConnects();
        this.selfWarmup = index == 0 && !cold ? run.request.chosen().selfWarmup : Duration.ZERO;
        this.position = new TrialProgress(trial.name(), scenario, run.progress);
        this.worker = run.request.workers().worker(cluster.topics());
        this.warmup = new WarmupWatch(
                scenario.effectiveWarmup(),
                worker.notice(),
                !scenario.producers().isEmpty(),
                TrialSetup.openLoop(scenario));
        this.evolving = scenario.producers().stream()
                .flatMap(p -> p.record().schema().stream())
                .filter(schema -> schema.evolve().isPresent())
                .collect(Collectors.toCollection(ArrayList::new));
        this.checks = new CheckWatch(scenario.checks(), TrialSetup.plannedSeconds(scenario));
    }

    /** Ends the load as soon as possible. Usable by any thread. */
    void stop() {
        worker.stop();
        FaultInjector injector = faults;
        if (injector != null) {
            // End faults now, because the worker may wait for paused brokers before it ends.
            Daemon.start("plimsoll-fault-end", injector::close);
        }
    }

    /**
     * Whether {@link #halve} slows the load: consumers have no rate of their own, so a pipeline slows down only if this
     * trial produces its input.
     */
    boolean canSlow() {
        Set<String> written = Stream.concat(
                        scenario.producers().stream().flatMap(p -> p.topics().stream()),
                        scenario.consumers().stream().flatMap(c -> c.writes().stream()))
                .collect(Collectors.toSet());
        boolean rated =
                !scenario.producers().isEmpty() || !scenario.connections().isEmpty();
        return rated
                && scenario.consumers().stream().allMatch(c -> c.writes().isEmpty() || written.containsAll(c.topics()));
    }

    /** Halves the rate of a running load. Usable by any thread. */
    void halve(Sentence why) {
        TrialClock running = clock;
        if (running != null) {
            worker.halve(
                    System.nanoTime() - running.startNanos() + worker.notice().toNanos());
            note(trial.name(), why);
        }
    }

    void limitDrain(Duration limit) {
        worker.limitDrain(limit);
    }

    /** Keeps the trial's faults in effect as a {@link ClusterSession.Outage} instead of ending them. */
    void leaveFaults() {
        faultsStay = true;
    }

    /** A warning about remaining resources on a cluster that is not a lab. */
    Optional<Sentence> leftBehind() {
        return run.cluster().isLab() ? Optional.empty() : made.left();
    }

    private void warn(Sentence text) {
        note(life.reached(TrialPhase.READY) ? trial.name() : null, text);
    }

    private void note(@Nullable String where, Sentence text) {
        run.append(new Note(Instant.now(), where, "warning", text));
    }

    private void announce(String what) {
        run.progress.phase(trial.name(), what, -1, -1);
    }

    /** Runs the trial. Call it once. */
    void execute() {
        try {
            Double topicsSeconds = createTopics();
            announce(selfWarmup.isZero() ? "preparing" : "warming up the load generator");
            TrialStarted ready = run.interruption.during(() -> prepare(topicsSeconds));
            prepared = ready;

            life.enter(TrialPhase.READY);
            position.begin();
            Map<String, Map<Integer, List<Integer>>> copies =
                    faultsStay ? run.cluster().topics().copies(made.topics()) : Map.of();
            TrialOutcome outcome;
            try (FaultInjector injector = injector()) {
                faults = injector;
                // started() enters WARM_UP; snapshots lead to MEASURE and DRAIN.
                outcome = load(ready);
                endFaults(injector, copies);
            }

            life.enter(TrialPhase.AUDIT);
            announce("auditing");
            TrialEnded audited = audit.end(outcome);
            run.observation().settle(run.interruption::requested);
            TrialEnded end = run.fold.endOf(audited, scenario.checks());

            run.append(end);
            life.enter(TrialPhase.VERDICT);
            diagnose();
        } finally {
            boolean ended = life.reached(TrialPhase.VERDICT);
            life.enter(TrialPhase.CLEAN_UP);
            run.observation().settle(() -> true);
            audit.close();
            cleanUp(ended);
        }
    }

    /** Creates missing topics; returns the duration in seconds, or null if no topic was missing. */
    private @Nullable Double createTopics() {
        made.adopt(run.kept);
        run.kept = Set.of();
        List<TopicSpec> wanted = scenario.topics().stream()
                .filter(t -> !t.existing() && !made.topics().contains(t.name()))
                .toList();
        if (wanted.isEmpty()) {
            return null;
        }
        announce("creating topics");
        long before = System.nanoTime();
        run.interruption.during(() -> run.cluster().create(wanted, topics -> made.create(trial.name(), topics)));
        return (System.nanoTime() - before) / 1e9;
    }

    /** Removes the trial's resources, unless a lab with no further trials is about to be removed as a whole. */
    private void cleanUp(boolean ended) {
        List<Plan.Trial> later = laterTrials();
        boolean interrupted = run.interruption.requested();
        if (ended && !interrupted && isPlanned()) {
            run.kept = made.leave(
                    later.stream().flatMap(t -> reused(t.scenario()).stream()).collect(Collectors.toSet()));
        }
        if (!run.cluster().isLab() || !(later.isEmpty() || interrupted)) {
            announce("cleaning up");
            made.remove().ifPresent(run::warn);
        }
    }

    /** Topics that intentionally hold records from before the trial. */
    private static Set<String> reused(Scenario scenario) {
        return scenario.topics().stream()
                .filter(TopicSpec::keep)
                .map(TopicSpec::name)
                .collect(Collectors.toSet());
    }

    /** Whether the trial is in the plan. The trials of a search are not, and each one has its own topics. */
    private boolean isPlanned() {
        return run.request.plan().trials().contains(trial);
    }

    private List<Plan.Trial> laterTrials() {
        List<Plan.Trial> all = run.request.plan().trials();
        return all.subList(all.indexOf(trial) + 1, all.size());
    }

    /** Creates the trial's resources and reads the state before the first record. */
    private TrialStarted prepare(@Nullable Double topicsSeconds) {
        Set<String> names = names(scenario);
        PlanCheck.ClusterFit.checkRights(scenario, run.cluster().topics(), made.topics());
        TrialSetup setup = new TrialSetup(scenario, context, run.cluster().topics());
        EndToEndSource source = setup.endToEndSource();
        if (!run.request.chosen().keepGroups) {
            made.groups(trial.name(), TrialClients.groupIds(scenario, context));
        }
        Map<String, Long> inTopics = setup.recordsBefore(reused(scenario));
        worker.prepare(new TrialAssignment(trial.name(), scenario, context, source).withSelfWarmup(selfWarmup));
        if (!worker.selfWarmups().isEmpty()) {
            run.append(new TimelineEvent.SelfWarmed(worker.selfWarmups()));
        }
        TrialObservation observation = run.observation();
        observation.groups.ready(scenario.get(Scenario.OBSERVE), run.interruption::requested, run.progress::note);
        List<ObservedSource> sources = observation.connect();
        if (!sources.isEmpty()) {
            run.append(new TimelineEvent.SourcesSeen(sources));
        }
        roundTrip = observation.roundTripMs(names);
        run.known().learn(names);
        audit.begin();
        Worker.LoadLimits limits = worker.limits(run.known().calibrations());
        boolean oneHost = run.cluster().isLab() && run.request.workers().local();
        TrialPlan plan =
                setup.plan(source, inTopics, oneHost, topicsSeconds).withLimits(limits.producers(), limits.consumers());
        return new TrialStarted(trial.name(), Instant.now(), trial.parameters(), plan, setup.settings());
    }

    private FaultInjector injector() {
        Set<String> names = names(scenario);
        Victims victims = new Victims(
                run.cluster().lab(),
                run.cluster().roles(),
                run.cluster().forResult().brokers(),
                worker::members,
                new SplittableRandom(run.request.seed()),
                run.cluster().isOwn() ? names : made.topics());
        return new FaultInjector(
                scenario.faults(),
                victims,
                run.cluster().disturbed::add,
                names,
                trial.name(),
                run::append,
                run.progress);
    }

    private TrialOutcome load(TrialStarted ready) {
        try {
            return worker.run(this);
        } finally {
            if (!life.reached(TrialPhase.WARM_UP)) {
                run.append(ready);
            }
            run.observation().end();
            List<GuardResult> guards = run.observation().guards.end();
            if (!guards.isEmpty()) {
                run.append(new TimelineEvent.Guarded(trial.name(), guards));
            }
        }
    }

    /** @param copies replica placement before the load, if the trial's faults stay in effect */
    private void endFaults(FaultInjector injector, Map<String, Map<Integer, List<Integer>>> copies) {
        if (faultsStay) {
            ClusterSession cluster = run.cluster();
            StandingFaults happened = injector.leave(run.interruption::requested);
            cluster.outage(cluster.outage().with(happened, copies, cluster.logDirs()));
        } else if (!scenario.faults().isEmpty()) {
            announce("recovering");
            injector.loadEnded(() -> !laterTrials().isEmpty() || leaderless(), run.interruption::requested);
        }
    }

    /** Whether records are unreadable because a partition has no leader; true if the brokers do not respond. */
    private boolean leaderless() {
        return run.cluster()
                .roles()
                .replicas(names(scenario))
                .map(r -> r.leaderless() > 0)
                .orElse(true);
    }

    private void diagnose() {
        TrialResult result = run.fold.trial(trial.name());
        if (Diagnosis.wanted(result)) {
            Limits limits = Diagnosis.of(result)
                    .withBounds(HostBounds.of(result, run.known().ground(scenario)));
            run.append(new TimelineEvent.Diagnosed(Instant.now(), trial.name(), limits));
        }
    }

    @Override
    public void started(TrialClock begun) {
        clock = begun;
        // The origin of all times in the trial: clients start together, some time after they are ready.
        TrialStarted ready = Objects.requireNonNull(prepared, "not prepared");
        FaultInjector injector = Objects.requireNonNull(faults, "not prepared");
        run.append(ready.startedAt(Instant.EPOCH.plusNanos(begun.toEpochNanos(begun.startNanos()))));
        life.enter(TrialPhase.WARM_UP);
        injector.start(begun);
        run.observation()
                .begin(begun.startNanos(), scenario, roundTrip, this::observed, this::happened, injector::disturbs);
        if (scenario.faults().stream().anyMatch(f -> f.target() instanceof FaultSpec.Target.MemberOf)) {
            Set<String> groups = TrialClients.groupIds(scenario, context);
            run.observation().groups.beginCoordinated(begun.startNanos(), groups, this::observed);
        }
    }

    private TrialClock clock() {
        return Objects.requireNonNull(clock, "not started");
    }

    @Override
    public void observed(Observation seen) {
        run.append(new TimelineEvent.Observed(trial.name(), seen));
    }

    @Override
    public void acknowledged(AckLooks looks) {
        run.append(new TimelineEvent.Acknowledged(trial.name(), pulses.of(looks)));
    }

    @Override
    public void handedOver(List<HandOver> handOvers) {
        if (!handOvers.isEmpty()) {
            run.append(new TimelineEvent.HandedOver(trial.name(), handOvers));
        }
    }

    @Override
    public void happened(List<Incident> incidents) {
        run.append(new TimelineEvent.Incidents(trial.name(), incidents));
    }

    @Override
    public void workers(List<WorkerResult> workers) {
        run.append(new TimelineEvent.WorkersMeasured(trial.name(), workers));
    }

    static Set<String> names(Scenario scenario) {
        return scenario.topics().stream().map(TopicSpec::name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    @Override
    public void snapshot(Snapshot snapshot) {
        follow(snapshot.phase());
        audit.count(snapshot);
        run.observation().guards.accept(snapshot);
        // Immediately, because the end of the warm-up needs lead time.
        Optional<WarmupWatch.End> end = warmup.accept(snapshot, System.nanoTime() - clock().startNanos());
        end.ifPresent(e -> worker.endWarmup(e.nanos()));
        run.append(new TimelineEvent.Measured(snapshot));
        end.ifPresent(e -> run.append(
                new TimelineEvent.WarmupEnded(Instant.now(), trial.name(), e.nanos() / 1e9, e.ended(), e.moving())));
        if (snapshot.phase() == Phase.MEASURE) {
            evolving.removeIf(this::evolved);
        }
        position.accept(snapshot, clock().warmup());
        Optional<Sentence> broken = checks.accept(snapshot);
        if (!scenario.checks().isEmpty()) {
            checks.report(run.progress);
        }
        if (scenario.get(Scenario.ABORT_ON_FAIL) && unreachableCheck == null && broken.isPresent()) {
            unreachableCheck = broken.get();
            stop();
        }
    }

    /** Whether records now have the next version of this schema; if so, notes the time of the change. */
    private boolean evolved(SchemaSpec schema) {
        SchemaSpec.Evolution next = schema.evolve().orElseThrow();
        long from = clock().measureStartNanos() + next.at().toNanos();
        boolean over = System.nanoTime() >= from;
        if (over) {
            Sentence change =
                    Sentence.of("run.schemaChanged", schema.label(), next.to().label());
            run.append(new Note(Instant.EPOCH.plusNanos(clock().toEpochNanos(from)), trial.name(), "info", change));
        }
        return over;
    }

    /** Enters the phase of a snapshot. With several workers, a late snapshot can belong to an earlier phase. */
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

    Optional<Sentence> unreachableCheck() {
        return Optional.ofNullable(unreachableCheck);
    }

    static final class TrialProgress {
        private static final String UNTIL_STEADY = "warm-up until steady";

        private final String trial;
        private final Scenario scenario;
        private final Progress progress;
        private long sentSoFar;

        TrialProgress(String trial, Scenario scenario, Progress progress) {
            this.trial = trial;
            this.scenario = scenario;
            this.progress = progress;
        }

        /** Reports the start immediately, because the first snapshot arrives a second later. */
        void begin() {
            Warmup warmup = scenario.effectiveWarmup();
            if (warmup.steady()) {
                progress.phase(trial, UNTIL_STEADY, -1, -1);
            } else if (!warmup.atMost().isZero()) {
                progress.phase(trial, "warm-up", 0, warmup.atMost().toNanos() / 1e9);
            } else {
                progress.phase(trial, "measuring", scenario.boundByRecords() ? -1 : 0, -1);
            }
        }

        /** @param end of the warm-up, if known */
        void accept(Snapshot snapshot, WarmupEnd end) {
            double at = snapshot.toNanos() / 1e9;
            double warmup = end.nanos() / 1e9;
            double planned = scenario.window().toNanos() / 1e9;
            switch (snapshot.phase()) {
                case WARMUP -> {
                    if (end.known()) {
                        of("warm-up", at, warmup);
                    } else {
                        progress.phase(trial, UNTIL_STEADY, -1, -1);
                    }
                }
                case MEASURE -> {
                    if (!scenario.boundByRecords()) {
                        of("measuring", at - warmup, planned);
                    } else {
                        sentSoFar += snapshot.measured().get(Produced.ACKNOWLEDGED);
                        double asked = scenario.producers().stream()
                                .mapToLong(p -> p.records().orElse(0))
                                .sum();
                        double done = asked > 0 ? Math.min(1, sentSoFar / asked) : -1;
                        progress.phase(trial, "measuring", done, done > 0 ? (at - warmup) * (1 / done - 1) : -1);
                    }
                }
                case DRAIN -> progress.phase(trial, "draining", -1, -1);
            }
        }

        /** Limits the values, because the last snapshot of a phase can extend beyond the end of the phase. */
        private void of(String phase, double seconds, double planned) {
            progress.phase(trial, phase, Math.min(1, seconds / planned), Math.max(0, planned - seconds));
        }
    }

    /**
     * Finds the end of an adaptive warm-up. The end is set in the future so that all load processes learn of it in
     * time, and on a whole second so that no snapshot spans both windows. Used by one thread.
     */
    static final class WarmupWatch {
        private static final long SECOND = 1_000_000_000L;
        private static final long SHORTEST_NANOS = SECOND / 2;

        private final Warmup asked;
        private final long noticeNanos;
        private final boolean produces;
        private final boolean openLoop;
        private final List<Second> seconds = new ArrayList<>();
        private boolean found;

        /** @param notice lead time to inform all load processes */
        WarmupWatch(Warmup asked, Duration notice, boolean produces, boolean openLoop) {
            this.asked = asked;
            this.noticeNanos = notice.toNanos();
            this.produces = produces;
            this.openLoop = openLoop;
            this.found = !asked.steady();
        }

        /** @param moving figures that were not steady */
        record End(long nanos, String ended, List<String> moving) {}

        /** @param nowNanos time since the trial's start */
        Optional<End> accept(Snapshot snapshot, long nowNanos) {
            boolean whole = snapshot.toNanos() - snapshot.fromNanos() >= SHORTEST_NANOS;
            if (found || !whole || snapshot.phase() != Phase.WARMUP) {
                return Optional.empty();
            }
            seconds.add(Second.of(snapshot, produces, openLoop));
            long soonest = nowNanos + noticeNanos;
            long at = (soonest + SECOND - 1) / SECOND * SECOND;
            long most = asked.atMost().toNanos();
            boolean last = at + SECOND > most;
            if (!last && (at < asked.atLeast().toNanos() || !SteadyLoad.canTell(seconds))) {
                return Optional.empty();
            }
            List<String> moving = SteadyLoad.canTell(seconds)
                    ? SteadyLoad.moving(seconds).stream()
                            .map(SteadyLoad.Figure::word)
                            .toList()
                    : List.of(SteadyLoad.Figure.THROUGHPUT.word());
            if (!moving.isEmpty() && !last) {
                return Optional.empty();
            }
            found = true;
            boolean steady = moving.isEmpty();
            return Optional.of(new End(
                    steady && at <= most ? at : Math.max(most, soonest),
                    steady ? WarmupResult.STEADY : WarmupResult.AT_MOST,
                    moving));
        }
    }
}
