package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.RunEnded;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.TopicSpec;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The life of a run: preflight, then trial after trial, then the verdict. Everything that happens is appended to the
 * run directory as it happens; the result is a fold over that. One thread calls {@link #execute()}; {@link #interrupt()}
 * may come from any.
 */
public final class Run {
    private final RunRequest request;
    private final Progress progress;
    private final Fold fold = new Fold();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile boolean interrupted;
    private volatile TrialRun current;
    private RunDirectory directory;

    public Run(RunRequest request, Progress progress) {
        this.request = request;
        this.progress = progress;
    }

    /**
     * @param directory that holds everything of the run
     * @param failure what ended the run early; null if nothing did
     */
    public record Finished(RunResult result, Path directory, PlimsollException failure) {}

    /**
     * Runs the plan.
     *
     * @throws PlimsollException if the run cannot begin: the plan does not fit the clients or the cluster, the cluster
     *     is not there, the run directory cannot be written
     */
    public Finished execute() {
        try {
            PlanCheck.check(request.plan(), request.seed());
            directory = RunDirectory.create(request.out(), request.plan().name(), Instant.now());
            directory.writeScenario(request.plan().source());
            try {
                return inDirectory();
            } finally {
                directory.close();
            }
        } finally {
            over.countDown();
        }
    }

    private Finished inDirectory() {
        progress.phase(null, request.cluster().isPresent() ? "connecting" : "starting brokers", -1, -1);
        try (ClusterSession cluster = openCluster()) {
            try {
                ClusterFit.check(request.plan(), cluster.description(), cluster.topics());
                append(started(cluster));
                return trials(cluster);
            } catch (RuntimeException e) {
                cluster.keepLogs(directory.path().resolve("broker-logs"));
                throw e;
            }
        } catch (RuntimeException e) {
            directory.discardIfUnused();
            throw e;
        }
    }

    private ClusterSession openCluster() {
        int replication = request.plan().trials().stream()
                .flatMap(t -> t.scenario().topics().stream())
                .mapToInt(TopicSpec::replication)
                .max()
                .orElse(1);
        return ClusterSession.open(request, request.brokers().orElse(Math.max(1, Math.min(9, replication))));
    }

    private TimelineEvent.RunStarted started(ClusterSession cluster) {
        Map<String, Object> host = HostInventory.read(request.out()).toMap();
        return new TimelineEvent.RunStarted(
                request.plan().name(),
                Instant.now(),
                request.command(),
                request.tool(),
                new RunResult.Environment(host, cluster.forResult()),
                request.plan().asMap(),
                request.seed());
    }

    private Finished trials(ClusterSession cluster) {
        long runId = new SplittableRandom(System.nanoTime() ^ request.seed()).nextLong();
        PlimsollException failure = null;
        try {
            int index = 0;
            for (Plan.Trial trial : request.plan().trials()) {
                if (interrupted) {
                    break;
                }
                TrialRun run = new TrialRun(request, trial, index++, runId, cluster, fold, this::append, progress);
                current = run;
                if (interrupted) {
                    run.stop();
                }
                run.execute();
            }
        } catch (PlimsollException e) {
            failure = e;
        } finally {
            current = null;
        }
        RunEnded end = end(failure);
        append(end);
        RunResult result = fold.result();
        directory.writeResult(result);
        if (failure != null || !result.verdict().passed()) {
            cluster.keepLogs(directory.path().resolve("broker-logs"));
        }
        return new Finished(result, directory.path(), failure);
    }

    private RunEnded end(PlimsollException failure) {
        if (interrupted) {
            return fold.end(Instant.now(), Exit.INTERRUPTED, "Interrupted");
        }
        if (failure != null) {
            return fold.end(Instant.now(), failure.exit(), "The run ended early (" + failure.getMessage() + ")");
        }
        return fold.end(Instant.now());
    }

    private synchronized void append(TimelineEvent event) {
        directory.append(event);
        fold.accept(event);
        if (event instanceof TimelineEvent.Measured measured) {
            progress.snapshot(measured.snapshot());
        } else if (event instanceof TimelineEvent.Note note) {
            progress.note(note.text());
        }
    }

    /** Ends the run as soon as possible with a partial result; {@link #execute()} returns within a few seconds. */
    public void interrupt() {
        interrupted = true;
        TrialRun running = current;
        if (running != null) {
            running.stop();
        }
    }

    /** Waits until {@link #execute()} has ended. */
    public boolean awaitEnd(long millis) throws InterruptedException {
        return over.await(millis, TimeUnit.MILLISECONDS);
    }
}
