package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Probe;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.Note;
import io.plimsoll.result.TimelineEvent.RunEnded;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Verdicts;
import io.plimsoll.run.guards.Guard;
import io.plimsoll.run.guards.Guard.DiskGuard;
import io.plimsoll.run.guards.Guard.FigureGuard;
import io.plimsoll.run.guards.Guard.ProbeGuard;
import io.plimsoll.run.guards.Guard.ReplicaGuard;
import io.plimsoll.run.guards.Guard.ThrottleGuard;
import io.plimsoll.run.guards.GuardWatch;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.CrossCheck;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes a run: preflight, trials, verdict. Every event is appended to the run directory when it happens; the result
 * is a fold over these events. One thread calls {@link #execute()}; {@link #interrupt()} and {@link #giveUp()} are safe
 * from any thread.
 */
public final class Run {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);
    private static final Set<Class<?>> LOGGED = Set.of(
            TimelineEvent.RunStarted.class,
            TimelineEvent.TrialStarted.class,
            TimelineEvent.FaultMark.class,
            Note.class,
            TimelineEvent.TrialEnded.class,
            RunEnded.class);

    /** Drain limit in a search, short because every record is late beyond the ceiling. */
    private static final Duration SEARCH_DRAIN_LIMIT = Duration.ofSeconds(4);

    private static final int MOST_PROBE_PARTITIONS = 12;
    private static final int MOST_PROBE_REPLICAS = 3;
    private static final String PROBE_RETENTION_MILLIS = "600000";
    private static final Check IDLE = CheckParser.parse("broker.handlerIdle > 10%");

    final RunRequest request;
    private final Optional<CeilingRequest> ceiling;
    final Progress progress;
    final Fold fold = new Fold();
    final Interruption interruption = new Interruption();
    /** Random number that is part of record identities. */
    final long runId;
    // Set before the first trial.
    private @Nullable ClusterSession cluster;
    private @Nullable KnownHost known;
    private @Nullable TrialObservation observation;
    /** Topics that one trial leaves for the next trial, which must pass them on or delete them. */
    Set<String> kept = Set.of();

    private volatile @Nullable TrialRun current;
    /** Reason for an early end. */
    private volatile @Nullable Sentence abort;

    private volatile Map<String, Object> host = Map.of();
    private int trials;
    // Guarded by this object.
    private @Nullable RunDirectory directory;
    private boolean started;
    private @Nullable Finished finished;

    public Run(RunRequest request, Progress progress) {
        this(request, progress, Optional.empty());
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if a client property refers to a missing value */
    public Run(RunRequest request, Progress progress, Optional<CeilingRequest> ceiling) {
        this.request = request.lookedUp();
        this.ceiling = ceiling;
        this.progress = progress;
        this.runId = new SplittableRandom(System.nanoTime() ^ request.seed()).nextLong();
    }

    /**
     * @param directory the run directory
     * @param failure reason for an early end; null if none or if the user ended the run
     */
    public record Finished(
            RunResult result, Path directory, @Nullable PlimsollException failure) {}

    /**
     * Runs the plan.
     *
     * @throws PlimsollException if the run cannot start: the plan does not fit the clients or the cluster, the cluster
     *     is unreachable, or the run directory is not writable
     */
    public Finished execute() {
        ceiling.ifPresent(c -> SearchTrials.cells(request.plan()));
        request.plan().trials().forEach(t -> fold.expect(t.scenario().checks()));
        ceiling.flatMap(CeilingRequest::slo).ifPresent(fold::expect);
        List<Sentence> warnings = RunPreview.warnings(request, ceiling);
        if (request.cluster().isEmpty()) {
            // A download during the load would disturb the measurement.
            request.releases().forEach(LabOptions::fetch);
        }
        RunDirectory made = RunDirectory.create(request.out(), request.plan().name(), Instant.now());
        synchronized (this) {
            directory = made;
        }
        try (made;
                RunLog log = new RunLog(made.path().resolve(RunDirectory.LOG))) {
            return inDirectory(made, warnings);
        } catch (RuntimeException e) {
            // Only after the log is closed, because a client warning would recreate the file.
            made.discardIfUnused();
            throw e;
        }
    }

    private Finished inDirectory(RunDirectory made, List<Sentence> warnings) {
        try {
            made.writeScenario(request.plan().source());
            HostInventory inventory = HostInventory.read(request.out());
            host = inventory.toMap();
            progress.phase(null, request.cluster().isPresent() ? "connecting" : "starting brokers", -1, -1);
            try (ClusterSession opened = new ClusterSession(request, interruption)) {
                cluster = opened;
                return onCluster(opened, inventory, warnings);
            }
        } catch (RuntimeException e) {
            synchronized (this) {
                if (finished != null && e instanceof PlimsollException left && left.exit() != Exit.INTERRUPTED) {
                    // Report leftovers of a fault or lab after all other output is written.
                    progress.note(left.sentence());
                }
                if (finished != null || interruption.requested()) {
                    return conclude(null);
                }
            }
            throw e;
        }
    }

    private Finished onCluster(ClusterSession cluster, HostInventory inventory, List<Sentence> warnings) {
        try {
            interruption.during(() -> PlanCheck.ClusterFit.check(cluster.plan(), cluster));
            ceiling.flatMap(c -> c.extras().without())
                    .ifPresent(w -> interruption.during(() -> OutageSearch.OutagePlan.of(w, cluster)));
            interruption
                    .during(() -> RunPreview.findings(request, cluster, ceiling))
                    .enforce(request.limits().consent());
            SchemaSupport.toRegister(request.plan())
                    .forEach(spec -> SchemaSupport.get().register(spec));
            List<Sentence> deleted = interruption.during(this::deleteOldTopics);
            start(cluster.forResult());
            warnings.forEach(this::warn);
            deleted.forEach(this::warn);
            cluster.warnings().forEach(this::warn);
            PlimsollException failure = trials(cluster, inventory);
            Finished end = conclude(failure);
            if (failure != null || !end.result().verdict().passed()) {
                keepLogs(cluster);
            }
            return end;
        } catch (RuntimeException e) {
            boolean usersMistake = e instanceof PlimsollException known && known.exit() == Exit.USAGE;
            if (!usersMistake && !interruption.requested()) {
                keepLogs(cluster);
            }
            throw e;
        }
    }

    private List<Sentence> deleteOldTopics() {
        return request.chosen()
                .oldTopics
                .map(old -> CleanUp.deleteOwnTopics(
                        request.cluster().orElseThrow(),
                        old.prefix(),
                        old.asked(),
                        request.limits().consent()))
                .orElse(List.of());
    }

    /** Keeps the broker logs. A failure here must not hide the original error, such as a full disk. */
    private void keepLogs(ClusterSession cluster) {
        try {
            cluster.keepLogs(files().path().resolve("broker-logs"));
        } catch (PlimsollException e) {
            progress.note(e.sentence());
        }
    }

    synchronized RunDirectory files() {
        return Objects.requireNonNull(directory, "no directory");
    }

    ClusterSession cluster() {
        return Objects.requireNonNull(cluster, "no cluster");
    }

    KnownHost known() {
        return Objects.requireNonNull(known, "no trial");
    }

    TrialObservation observation() {
        return Objects.requireNonNull(observation, "no trial");
    }

    private Optional<TrialRun> current() {
        return Optional.ofNullable(current);
    }

    private synchronized void start(RunResult.Cluster cluster) {
        append(new TimelineEvent.RunStarted(
                request.plan().name(),
                Instant.now(),
                request.command(),
                request.tool(),
                new RunResult.Environment(host, cluster),
                request.plan().asMap(),
                request.seed(),
                request.plan().scale(),
                request.plan().reference().orElse(null),
                request.plan().comparisons().stream().map(CrossCheck::text).toList()));
        started = true;
    }

    void warn(Sentence text) {
        append(new Note(Instant.now(), null, "warning", text));
    }

    /** @return the reason for an early end */
    private @Nullable PlimsollException trials(ClusterSession cluster, HostInventory inventory) {
        known = new KnownHost(
                inventory,
                HostLimits.cache(inventory, request.tool().version()),
                cluster,
                request.workers().local(),
                this::warn);
        RunTopics ofGuards = new RunTopics(this);
        try (GuardWatch guards = new GuardWatch(guards(cluster, ofGuards), request.limits(), new LoadBrake());
                TrialObservation opened = new TrialObservation(request, cluster, this::warn, guards)) {
            observation = opened;
            progress.phase(null, "looking at the cluster", -1, -1);
            interruption.during(guards::prepare);
            if (ceiling.isPresent()) {
                search(ceiling.get());
                return null;
            }
            for (Plan.Trial trial : request.plan().trials()) {
                TrialRun run = next(trial);
                if (interruption.requested() || abort != null) {
                    break;
                }
                run.execute();
                if (abort != null || hasUnreachableCheck(trial, run)) {
                    break;
                }
            }
            return null;
        } catch (PlimsollException e) {
            return e;
        } finally {
            // Delete topics of the guards, and topics kept for a trial that never started.
            ofGuards.adopt(kept);
            if (!ofGuards.topics().isEmpty() && !cluster.isLab()) {
                ofGuards.remove().ifPresent(this::warn);
            }
        }
    }

    /** The guards of the run, not yet started: the default guards for shared clusters, and the requested guards. */
    private List<Guard> guards(ClusterSession cluster, RunTopics topics) {
        List<Guard> guards = new ArrayList<>();
        List<Check> asked = new ArrayList<>(request.limits().guards());
        asked.addAll(request.plan().trials().get(0).scenario().get(Scenario.GUARDS));
        if (!cluster.isOwn()) {
            guards.add(new DiskGuard(cluster.logDirs(), request.limits().diskReserve()));
            guards.add(new ReplicaGuard(cluster.roles(), () -> cluster.topics().names(true), cluster::isDisturbed));
            if (!request.sources().isEmpty()) {
                guards.add(new ThrottleGuard());
                if (asked.stream().noneMatch(c -> c.figure().equals(IDLE.figure()))) {
                    guards.add(new FigureGuard(IDLE));
                }
            }
        }
        Predicate<Check> probing = c -> c.figure().startsWith(ProbeGuard.PREFIX);
        asked.stream().filter(probing.negate()).forEach(c -> guards.add(new FigureGuard(c)));
        List<Check> probed = asked.stream().filter(probing).toList();
        if (!probed.isEmpty()) {
            guards.add(new ProbeGuard(probed, () -> probe(cluster, topics)));
        }
        return guards;
    }

    private Probe probe(ClusterSession cluster, RunTopics topics) {
        int brokers = cluster.brokerIds().size();
        int partitions = Math.min(MOST_PROBE_PARTITIONS, brokers);
        String name = RunTopics.tag(runId) + "-probe";
        topics.create(
                null,
                List.of(new NewTopic(name, partitions, (short) Math.min(MOST_PROBE_REPLICAS, brokers))
                        .configs(Map.of(TopicConfig.RETENTION_MS_CONFIG, PROBE_RETENTION_MILLIS))));
        return new Probe(cluster.connection(), name, partitions);
    }

    /** Reduces or stops the running load; a stop ends the run. */
    private final class LoadBrake implements GuardWatch.Brake {
        @Override
        public boolean halve(Sentence why, Sentence verdict) {
            Optional<TrialRun> slowed = current().filter(TrialRun::canSlow);
            slowed.ifPresent(trial -> {
                abort = verdict;
                trial.halve(why);
            });
            return slowed.isPresent();
        }

        @Override
        public void stop(Sentence why) {
            abort = why;
            current().ifPresent(TrialRun::stop);
        }
    }

    /** Whether the run ends after this trial because a check can no longer pass. */
    private boolean hasUnreachableCheck(Plan.Trial trial, TrialRun run) {
        if (!trial.scenario().get(Scenario.ABORT_ON_FAIL)) {
            return false;
        }
        List<Plan.Trial> all = request.plan().trials();
        boolean last = all.get(all.size() - 1).equals(trial);
        Sentence in = all.size() == 1 ? Sentence.NONE : Sentence.of("run.inTrial", trial.name());
        if (run.unreachableCheck().isPresent()) {
            abort = Sentence.of("run.unreachable", run.unreachableCheck().get(), in);
        } else if (!last && Verdicts.failed(fold.trial(trial.name()))) {
            abort = Sentence.of("run.endedAfter", trial.name());
        }
        return abort != null;
    }

    private TrialRun next(Plan.Trial trial) {
        Runnable starting = () -> progress.phase(trial.name(), "starting brokers", -1, -1);
        ClusterSession cluster = cluster();
        if (cluster.moveTo(trial.scenario(), starting)) {
            observation().moved();
            // The topics were removed with the lab.
            kept = Set.of();
            cluster.warnings().forEach(this::warn);
            interruption.during(() -> PlanCheck.ClusterFit.check(cluster.plan(), cluster));
            // The probe ended with the lab.
            interruption.during(observation().guards::prepare);
        }
        TrialRun next = new TrialRun(this, trial, trials++);
        current = next;
        return next;
    }

    private void search(CeilingRequest wanted) {
        known().measureIfUnknown(request.out(), () -> progress.phase(null, "measuring what this host carries", -1, -1));
        long startNanos = System.nanoTime();
        SearchTrials.Cells found = SearchTrials.cells(request.plan());
        found.leftOut().forEach(this::warn);
        List<Plan.Trial> cells = found.cells();
        for (int i = 0; i < cells.size() && !interruption.requested(); i++) {
            double left = wanted.maxDuration()
                    .map(most -> (most.toNanos() - (System.nanoTime() - startNanos)) / 1e9)
                    .orElse(Double.POSITIVE_INFINITY);
            double seconds = left / (cells.size() - i);
            if (wanted.extras().without().isPresent()) {
                new OutageSearch(this, wanted, cells.get(i)).execute(seconds);
            } else {
                new CellSearch(this, wanted, cells.get(i), cells.size() > 1, null, seconds).execute();
            }
        }
    }

    /** @param faultsStay whether the trial's faults stay in effect after its end */
    TrialResult searchTrial(Plan.Trial trial, boolean faultsStay) {
        TrialRun step = next(trial);
        step.limitDrain(SEARCH_DRAIN_LIMIT);
        if (faultsStay) {
            step.leaveFaults();
        }
        step.execute();
        if (faultsStay && cluster().isLab()) {
            observation().moved();
        }
        if (abort != null) {
            throw new PlimsollException(Exit.CHECK_FAILED, abort);
        }
        return fold.trial(trial.name());
    }

    /** Writes the end of the run once; later callers receive the same result. */
    private synchronized Finished conclude(@Nullable PlimsollException reason) {
        if (finished != null) {
            return finished;
        }
        PlimsollException failure = interruption.requested() ? null : reason;
        try {
            if (!started) {
                start(new RunResult.Cluster(
                        null, null, List.of(), request.cluster().isEmpty()));
            }
            append(end(failure));
            files().writeResult(fold.result());
        } catch (PlimsollException e) {
            // The disk is full, but the results are in memory and can be shown.
            failure = failure == null ? e : failure;
            fold.accept(end(failure));
        }
        finished = new Finished(fold.result(), files().path(), failure);
        return finished;
    }

    private RunEnded end(@Nullable PlimsollException failure) {
        if (failure != null) {
            return fold.end(Instant.now(), failure.exit(), Sentence.of("run.endedEarly", failure.sentence()));
        }
        if (interruption.requested()) {
            return fold.end(Instant.now(), Exit.INTERRUPTED, Sentence.of("run.interrupted"));
        }
        return abort == null ? fold.end(Instant.now()) : fold.end(Instant.now(), Exit.CHECK_FAILED, abort);
    }

    synchronized void append(TimelineEvent event) {
        if (finished != null) {
            return;
        }
        files().append(event);
        log(event);
        fold.accept(event);
        progress.event(event);
        if (event instanceof TimelineEvent.Measured measured) {
            progress.snapshot(measured.snapshot());
        } else if (event instanceof Note note) {
            progress.note(note.text());
        }
    }

    private static void log(TimelineEvent event) {
        if (LOGGED.contains(event.getClass())) {
            LOG.debug("{} {}", event.getClass().getSimpleName(), Json.line(event));
        }
    }

    /** Ends the run with a partial result; {@link #execute()} returns within a few seconds. */
    public void interrupt() {
        progress.phase(null, "stopping", -1, -1);
        interruption.request();
        current().ifPresent(TrialRun::stop);
    }

    /**
     * Finishes the record of an interrupted run that hangs, for example on an unresponsive cluster. Later events are
     * not recorded.
     *
     * @return empty if the run has no directory yet
     */
    public synchronized Optional<Finished> giveUp() {
        if (directory == null) {
            return Optional.empty();
        }
        if (started) {
            current().flatMap(TrialRun::leftBehind).ifPresent(this::warn);
        }
        return Optional.of(conclude(null));
    }
}
