package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.Note;
import io.plimsoll.result.TimelineEvent.RunEnded;
import io.plimsoll.result.Verdicts;
import io.plimsoll.run.guards.GuardWatch;
import io.plimsoll.scenario.CrossCheck;
import io.plimsoll.scenario.Plan;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of a run: preflight, trials, verdict. Every event is appended to the run directory when it happens; the
 * result is a fold over these events. One thread calls {@link #execute()}; {@link #interrupt()} and {@link #giveUp()}
 * are safe from any thread.
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

    private static final String BROKER_LOGS = "broker-logs";

    private final RunRequest request;
    private final Optional<CeilingRequest> ceiling;
    private final Progress progress;
    private final Fold fold = new Fold();
    private final Interruption interruption = new Interruption();
    private volatile TrialRun current;
    /** Reason for an early end; null if none. */
    private volatile Sentence abort;

    private volatile Map<String, Object> host = Map.of();
    private HostInventory inventory;
    // Guarded by this object.
    private RunDirectory directory;
    private boolean started;
    private Finished finished;

    public Run(RunRequest request, Progress progress) {
        this(request, progress, Optional.empty());
    }

    /**
     * @param ceiling search for the highest load instead of the plan's trials
     * @throws PlimsollException ({@link Exit#USAGE}) if a client property refers to a missing value
     */
    public Run(RunRequest request, Progress progress, Optional<CeilingRequest> ceiling) {
        this.request = request.lookedUp();
        this.ceiling = ceiling;
        this.progress = progress;
    }

    /**
     * @param directory the run directory
     * @param failure reason for an early end; null if none or if the user ended the run
     */
    public record Finished(RunResult result, Path directory, PlimsollException failure) {}

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
        RunDirectory made = RunDirectory.create(request.out(), request.plan().name(), Instant.now());
        synchronized (this) {
            directory = made;
        }
        try (made;
                RunLog log = new RunLog(made.path().resolve(RunDirectory.LOG))) {
            return inDirectory(made, warnings);
        } catch (RuntimeException e) {
            // Only after the log is closed: a client warning would recreate the file.
            made.discardIfUnused();
            throw e;
        }
    }

    private Finished inDirectory(RunDirectory made, List<Sentence> warnings) {
        try {
            made.writeScenario(request.plan().source());
            inventory = HostInventory.read(request.out());
            host = inventory.toMap();
            progress.phase(null, request.cluster().isPresent() ? "connecting" : "starting brokers", -1, -1);
            try (ClusterSession cluster = ClusterSession.open(request, interruption)) {
                return onCluster(cluster, warnings);
            }
        } catch (RuntimeException e) {
            synchronized (this) {
                if (finished != null && e instanceof PlimsollException left && left.exit() != Exit.INTERRUPTED) {
                    // Report leftovers of a fault or lab after everything else is written.
                    progress.note(left.sentence());
                }
                if (finished != null || interruption.requested()) {
                    return conclude(null);
                }
            }
            throw e;
        }
    }

    private Finished onCluster(ClusterSession cluster, List<Sentence> warnings) {
        try {
            interruption.during(() -> ClusterFit.check(cluster.plan(), cluster));
            ceiling.flatMap(c -> c.extras().without())
                    .ifPresent(w -> interruption.during(() -> OutagePlan.of(w, cluster)));
            interruption
                    .during(() -> RunPreview.findings(request, cluster, ceiling))
                    .enforce(request.limits().consent());
            List<Sentence> deleted = interruption.during(this::deleteOldTopics);
            start(cluster.forResult());
            warnings.forEach(this::warn);
            deleted.forEach(this::warn);
            cluster.warnings().forEach(this::warn);
            PlimsollException failure = trials(cluster);
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

    /** Keeps the logs if possible; a failure here must not hide the original error, such as a full disk. */
    private void keepLogs(ClusterSession cluster) {
        try {
            cluster.keepLogs(files().path().resolve(BROKER_LOGS));
        } catch (PlimsollException e) {
            progress.note(e.sentence());
        }
    }

    private synchronized RunDirectory files() {
        return directory;
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

    private void warn(Sentence text) {
        append(new Note(Instant.now(), null, "warning", text));
    }

    /** @return reason for an early end; null if none */
    private PlimsollException trials(ClusterSession cluster) {
        long runId = new SplittableRandom(System.nanoTime() ^ request.seed()).nextLong();
        CalibrationCache cache = HostLimits.cache(inventory, request.tool().version());
        KnownHost known =
                new KnownHost(inventory, cache, cluster, request.workers().local(), this::warn);
        AtomicReference<Set<String>> kept = new AtomicReference<>(Set.of());
        RunContext.Recording recording = new RunContext.Recording(files(), fold, this::append, progress);
        CreatedResources ofGuards = new CreatedResources(cluster.topics(), cluster.groups(), cluster.made);
        RunTopics topics = RunTopics.of(request, cluster, runId, this::append);
        try (GuardWatch guards = RunGuards.of(request, cluster, topics, ofGuards::topics, new LoadBrake());
                TrialObservation observation = new TrialObservation(request, cluster, this::warn, guards)) {
            progress.phase(null, "looking at the cluster", -1, -1);
            interruption.during(guards::prepare);
            RunContext context =
                    new RunContext(request, runId, cluster, kept, known, observation, interruption, recording);
            if (ceiling.isPresent()) {
                search(ceiling.get(), context);
                return null;
            }
            int index = 0;
            for (Plan.Trial trial : request.plan().trials()) {
                move(context, trial);
                TrialRun run = trialRun(context, trial, index++);
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
            ofGuards.topics(kept.getAndSet(Set.of()));
            remove(ofGuards, cluster);
        }
    }

    /** Reduces or stops the running load; a stop ends the run. */
    private final class LoadBrake implements GuardWatch.Brake {
        @Override
        public void halve(Sentence why, Sentence verdict) {
            abort = verdict;
            current.halve(why);
        }

        @Override
        public void stop(Sentence why) {
            abort = why;
            current.stop();
        }
    }

    /** Whether the run ends here because a check can no longer pass. */
    private boolean hasUnreachableCheck(Plan.Trial trial, TrialRun run) {
        if (!trial.scenario().abortOnFail()) {
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

    /** Removes topics of the guards and topics kept for a trial that never started. */
    private void remove(CreatedResources left, ClusterSession cluster) {
        if (!left.topics().isEmpty() && !cluster.isLab()) {
            left.remove().ifPresent(this::warn);
        }
    }

    private void move(RunContext run, Plan.Trial trial) {
        Runnable starting = () -> progress.phase(trial.name(), "starting brokers", -1, -1);
        if (run.cluster().moveTo(trial.scenario(), starting)) {
            run.observation().moved();
            // Topics disappeared with the lab.
            run.kept().set(Set.of());
            run.cluster().warnings().forEach(this::warn);
            interruption.during(() -> ClusterFit.check(run.cluster().plan(), run.cluster()));
        }
    }

    private TrialRun trialRun(RunContext context, Plan.Trial trial, int index) {
        TrialRun run = new TrialRun(context, trial, index);
        current = run;
        return run;
    }

    private void search(CeilingRequest wanted, RunContext run) {
        run.host()
                .measureIfUnknown(
                        request.out(), () -> progress.phase(null, "measuring what this host carries", -1, -1));
        AtomicInteger index = new AtomicInteger();
        CeilingRun.Trials trials = (trial, faultsStay) -> {
            move(run, trial);
            TrialRun step = trialRun(run, trial, index.getAndIncrement());
            step.limitDrain(CeilingRun.DRAIN_LIMIT);
            if (faultsStay) {
                step.leaveFaults();
            }
            step.execute();
            if (faultsStay && run.cluster().isLab()) {
                run.observation().moved();
            }
            if (abort != null) {
                throw new PlimsollException(Exit.CHECK_FAILED, abort);
            }
            return fold.trial(trial.name());
        };
        CeilingRun.execute(new CeilingRun.SearchContext(wanted, trials, run), request.plan());
    }

    /** Writes the end of the run once; later callers get the same result. */
    private synchronized Finished conclude(PlimsollException reason) {
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
            directory.writeResult(fold.result());
        } catch (PlimsollException e) {
            // Full disk: the results are still in memory and can be shown.
            failure = failure == null ? e : failure;
            fold.accept(end(failure));
        }
        finished = new Finished(fold.result(), directory.path(), failure);
        return finished;
    }

    private RunEnded end(PlimsollException failure) {
        if (failure != null) {
            return fold.end(Instant.now(), failure.exit(), Sentence.of("run.endedEarly", failure.sentence()));
        }
        if (interruption.requested()) {
            return fold.end(Instant.now(), Exit.INTERRUPTED, Sentence.of("run.interrupted"));
        }
        return abort == null ? fold.end(Instant.now()) : fold.end(Instant.now(), Exit.CHECK_FAILED, abort);
    }

    private synchronized void append(TimelineEvent event) {
        if (finished != null) {
            return;
        }
        directory.append(event);
        log(event);
        fold.accept(event);
        progress.event(event);
        if (event instanceof TimelineEvent.Measured measured) {
            progress.snapshot(measured.snapshot());
        } else if (event instanceof Note note) {
            progress.note(note.text());
        }
    }

    /** Logs rare events, without the figures of each second. */
    private static void log(TimelineEvent event) {
        if (LOGGED.contains(event.getClass())) {
            LOG.debug("{} {}", event.getClass().getSimpleName(), Json.line(event));
        }
    }

    /** Ends the run with a partial result; {@link #execute()} returns within a few seconds. */
    public void interrupt() {
        progress.phase(null, "stopping", -1, -1);
        interruption.request();
        TrialRun running = current;
        if (running != null) {
            running.stop();
        }
    }

    /**
     * Finishes the record of an interrupted run that hangs, for example on an unresponsive cluster. Later events are
     * not recorded.
     *
     * @return empty if nothing was measured yet
     */
    public synchronized Optional<Finished> giveUp() {
        if (directory == null) {
            return Optional.empty();
        }
        TrialRun running = current;
        if (started && running != null) {
            running.leftBehind().ifPresent(this::warn);
        }
        return Optional.of(conclude(null));
    }
}
