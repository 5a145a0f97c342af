package io.plimsoll.fleet;

import io.plimsoll.Daemon;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.Units;
import io.plimsoll.run.SelfWarming;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warms up an agent's own code while it waits for its first run, which can then begin sooner. On a host, at most one
 * agent per core warms up at a time. Thread-safe.
 */
final class IdleWarmup {
    private static final String NAME = "self-warmup";
    /** The load of the warm-up: producers and a group of the default engine, with records of the default size. */
    private static final Scenario USUAL = Scenario.of(NAME)
            .with(Scenario.TOPICS, List.of(TopicSpec.of(NAME)))
            .with(Scenario.PRODUCERS, List.of(new ProducerSpec(Settings.NONE.with(ProducerSpec.TOPIC, List.of(NAME)))))
            .with(Scenario.CONSUMERS, List.of(ConsumerSpec.of(List.of(NAME))));

    private static final Logger LOG = LoggerFactory.getLogger(IdleWarmup.class);

    /**
     * Maximum number of warm-ups: a host that starts many agents at once can be too busy to deliver a record within the
     * limit.
     */
    private static final int ATTEMPTS = 3;

    private final Duration limit;
    private final int cores;
    private final Path locks;
    private volatile boolean stopped;
    /** The result; null before the warm-up is over. */
    private volatile @Nullable SelfWarmup done;

    private @Nullable Thread thread;

    /** @param limit maximum length; zero for no warm-up */
    IdleWarmup(Duration limit) {
        this(limit, Runtime.getRuntime().availableProcessors(), CalibrationCache.directory(System.getenv()));
    }

    /** @param locks directory with the files that agents of this host lock in turn */
    IdleWarmup(Duration limit, int cores, Path locks) {
        this.limit = limit;
        this.cores = cores;
        this.locks = locks;
    }

    /**
     * Begins the warm-up.
     * @param agent name of the agent's process in the result
     * @param says receives a sentence in a separate thread when the warm-up is over
     */
    synchronized void begin(String agent, Consumer<Sentence> says) {
        if (limit.isZero() || stopped) {
            return;
        }
        thread = Daemon.start("plimsoll-idle-warmup", () -> {
            for (int i = 0; i < ATTEMPTS && !stopped && done().isEmpty(); i++) {
                inTurn(agent);
            }
            Sentence end = done().map(warm -> Sentence.of("fleet.warm", Units.decimals(warm.seconds(), 1)))
                    .orElse(Sentence.of("fleet.cold"));
            if (!stopped) {
                says.accept(end);
            }
        });
    }

    /** Waits for its turn, warms up, and then allows the next agent to begin. */
    private void inTurn(String agent) {
        try (FileChannel file = turn()) {
            if (!stopped) {
                warmUp(agent);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("The agent could not warm up while it waited", e);
        }
    }

    /** An open, locked file; null if no file can be locked, for example in a read-only directory. */
    private @Nullable FileChannel turn() throws IOException {
        // Process IDs of agents that are started one after the other can all be even.
        long mixed = (ProcessHandle.current().pid() * 0x9E3779B97F4A7C15L) >>> Integer.SIZE;
        FileChannel file = null;
        try {
            Files.createDirectories(locks);
            file = FileChannel.open(
                    locks.resolve("agent-%d.lock".formatted(mixed % cores)),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            file.lock();
            return file;
        } catch (IOException | OverlappingFileLockException e) {
            LOG.debug("Without a turn among the agents of this host", e);
            if (file != null) {
                file.close();
            }
            return null;
        }
    }

    private void warmUp(String agent) {
        Wire.warmUp();
        long id = System.nanoTime() | 1;
        LoadContext context =
                new LoadContext(Map.of(), "idle", id, id, note -> {}).with(AuditTrail.ofWorker(id, 0));
        TrialAssignment usual =
                new TrialAssignment(NAME, USUAL, context, EndToEndSource.STAMP).withSelfWarmup(limit);
        SelfWarmup end = SelfWarming.of(agent, usual, () -> stopped).get(0);
        done = stopped ? null : end;
    }

    /** The result; empty if the warm-up never began, is not over, was stopped, or failed. */
    Optional<SelfWarmup> done() {
        return Optional.ofNullable(done).filter(end -> end.records() > 0 && !end.end().equals(SelfWarmup.FAILED));
    }

    /** Waits for the warm-up to end, if it has begun. */
    void awaitEnd() throws InterruptedException {
        Thread begun;
        synchronized (this) {
            begun = thread;
        }
        if (begun != null) {
            begun.join();
        }
    }

    /** Ends the warm-up within a second, or prevents its start. */
    synchronized void stop() {
        stopped = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
