package io.plimsoll.run.guards;

import io.plimsoll.measure.Observation;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.pace.Throttle;
import io.plimsoll.result.GuardResult;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the guards once a second during a load, and reduces or stops the load on a violation. One thread at a time
 * calls {@link #prepare}, {@link #begin}, {@link #end} and {@link #close}.
 */
public final class GuardWatch implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;

    /** Reduces or stops the load; called by a thread of the watch. */
    public interface Brake {
        /**
         * Halves the rate. {@code verdict}: verdict of a run with a reduced load.
         *
         * @return false if the load cannot be slowed; it is then unchanged
         */
        boolean halve(Sentence why, Sentence verdict);

        /** Ends the load and the run. */
        void stop(Sentence why);
    }

    private final List<Guard> guards;
    private final long askEvery;
    private final Brake brake;
    private final List<PeriodicTask> tasks = new ArrayList<>();
    private BackOff policy = new BackOff();
    private long startNanos;
    private volatile boolean stopped;
    /** Actions of each guard that acted; guarded by this object. */
    private final Map<Guard, Actions> actions = new HashMap<>();

    /** The last problem that a guard acted on, and the times of its first reduction and its stop. */
    private record Actions(
            @Nullable Sentence found,
            @Nullable Double halvedSeconds,
            @Nullable Double stoppedSeconds) {
        static final Actions NONE = new Actions(null, null, null);

        Actions halved(@Nullable Sentence problem, double seconds) {
            return new Actions(problem, halvedSeconds == null ? Double.valueOf(seconds) : halvedSeconds, null);
        }

        Actions stopped(@Nullable Sentence problem, double seconds) {
            return new Actions(problem, halvedSeconds, seconds);
        }
    }

    public GuardWatch(List<Guard> guards, LoadLimits limits, Brake brake) {
        this.guards = List.copyOf(guards);
        this.askEvery = limits.lookEvery().toNanos();
        this.brake = brake;
    }

    /** Prepares the guards before the first load on a cluster, see {@link Guard#prepare}. */
    public void prepare() {
        guards.forEach(Guard::prepare);
    }

    public void begin(long loadStartNanos) {
        stopTasks();
        startNanos = loadStartNanos;
        policy = new BackOff();
        guards.forEach(Guard::begin);
        if (!guards.isEmpty()) {
            tasks.add(PeriodicTask.each(
                    "plimsoll-guards-ask", loadStartNanos, askEvery, 1, () -> guards.forEach(Guard::ask)));
            // Evaluated halfway between observations, so that the latest observation is used.
            tasks.add(PeriodicTask.each(
                    "plimsoll-guards", loadStartNanos + SECOND / 2, SECOND, 0, () -> judge(System.nanoTime())));
        }
    }

    /** Receives an observation of brokers. Usable by any thread. */
    public void accept(Observation seen) {
        guards.forEach(guard -> guard.accept(seen));
    }

    /** Receives a snapshot of the run's own clients. Usable by any thread. */
    public void accept(Snapshot own) {
        guards.forEach(guard -> guard.accept(own));
    }

    synchronized void judge(long nowNanos) {
        if (stopped) {
            return;
        }
        Guard violated = null;
        Sentence how = null;
        for (Guard guard : guards) {
            Optional<Sentence> now = guard.judge();
            if (now.isPresent() && (violated == null || guard.stopsAtOnce())) {
                violated = guard;
                how = now.get();
            }
        }
        BackOff.Reaction reaction = violated != null && violated.stopsAtOnce()
                ? BackOff.Reaction.STOP
                : policy.judge(nowNanos, violated != null);
        if (reaction == BackOff.Reaction.NOTHING || violated == null) {
            return;
        }
        Actions before = actions.getOrDefault(violated, Actions.NONE);
        double at = (nowNanos - startNanos) / 1e9;
        boolean halves = reaction == BackOff.Reaction.HALVE;
        boolean halved = halves
                && brake.halve(
                        Sentence.of("guards.halved", violated.name(), how, share(), BackOff.PATIENCE.toSeconds()),
                        Sentence.of("guards.heldBack", violated.name(), how, share()));
        if (halved) {
            actions.put(violated, before.halved(how, at));
        } else {
            stopped = true;
            actions.put(violated, before.stopped(how, at));
            brake.stop(
                    halves || violated.stopsAtOnce()
                            ? Sentence.of("guards.stoppedAtOnce", violated.name(), how)
                            : Sentence.of("guards.stopped", violated.name(), how, share()));
        }
    }

    private String share() {
        return "1/" + (1 << policy.halvings());
    }

    /** Called when the load has ended. Returns the guards' findings during the load. */
    public List<GuardResult> end() {
        stopTasks();
        synchronized (this) {
            List<GuardResult> results = guards.stream()
                    .map(guard -> {
                        Actions its = actions.getOrDefault(guard, Actions.NONE);
                        return new GuardResult(
                                guard.name(),
                                guard.watches(),
                                its.found(),
                                its.halvedSeconds(),
                                its.stoppedSeconds(),
                                guard.latency());
                    })
                    .toList();
            actions.clear();
            return results;
        }
    }

    /** Abandons pending requests. */
    private void stopTasks() {
        PeriodicTask.endAll(tasks, 1);
    }

    @Override
    public void close() {
        stopTasks();
        guards.forEach(Guard::close);
    }

    /** Decides how to react to a violation: halve the rate at once, and end the load if that does not help. */
    private static final class BackOff {
        /** Time for followers and probe windows to recover before the next action. */
        static final Duration PATIENCE = Duration.ofSeconds(15);

        /** The action to take. */
        enum Reaction {
            NOTHING,
            HALVE,
            STOP
        }

        private int halvings;
        private long sinceNanos;
        private boolean suffering;

        Reaction judge(long nowNanos, boolean violated) {
            if (!violated) {
                suffering = false;
                return Reaction.NOTHING;
            }
            if (suffering) {
                return nowNanos - sinceNanos >= PATIENCE.toNanos() ? Reaction.STOP : Reaction.NOTHING;
            }
            suffering = true;
            sinceNanos = nowNanos;
            return halvings++ < Throttle.MOST ? Reaction.HALVE : Reaction.STOP;
        }

        int halvings() {
            return Math.min(halvings, Throttle.MOST);
        }
    }
}
