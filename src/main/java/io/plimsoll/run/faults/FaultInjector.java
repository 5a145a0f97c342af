package io.plimsoll.run.faults;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.BrokerRoles.Replicas;
import io.plimsoll.lab.Lab;
import io.plimsoll.load.GroupMember;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Injects the faults of one trial, one thread per scenario entry. The trial's thread calls {@link #start}, {@link
 * #loadEnded}, {@link #close} in this order; close can come earlier. After close, every repairable fault is repaired;
 * dead brokers can stay dead.
 */
public final class FaultInjector implements AutoCloseable {
    /** Maximum time for a broker restart and replica catch-up. */
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(100);

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final long SLICE_MILLIS = 50;
    private static final long LOOK_NANOS = 200_000_000;

    private final List<FaultSpec> specs;
    private final FaultMarks marks;
    private final Victims victims;
    private final FaultContext ground;
    private final List<String> topics;
    /** Polls replica state several times a second; null before the start. */
    private PeriodicTask watch;

    private volatile Replicas replicas = new Replicas(0, 0);
    private final CountDownLatch ending = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Happening> active = new CopyOnWriteArrayList<>();

    private record Happening(FaultSpec spec, Fault.Effect<?> effect, FaultMarks.Marked marked) {}

    /** @param topics their replicas are polled */
    public FaultInjector(List<FaultSpec> specs, FaultContext ground, Collection<String> topics, FaultMarks marks) {
        this.specs = List.copyOf(specs);
        this.marks = marks;
        this.victims = new Victims(ground);
        this.ground = ground;
        this.topics = List.copyOf(topics);
    }

    /** Starts the schedule of faults. */
    public synchronized void start(TrialClock clock) {
        if (specs.isEmpty() || ending.getCount() == 0) {
            return;
        }
        marks.start(clock.startNanos());
        watch = PeriodicTask.each("plimsoll-replicas", System.nanoTime(), LOOK_NANOS, 0, this::look);
        for (FaultSpec spec : specs) {
            threads.add(Daemon.thread("plimsoll-fault-" + threads.size(), () -> run(spec, clock)));
        }
        threads.forEach(Thread::start);
    }

    private void look() {
        Optional<Replicas> now = ground.roles().replicas(topics);
        if (now.isPresent() && !now.get().equals(replicas)) {
            replicas = now.get();
            try {
                marks.replicas(replicas);
            } catch (PlimsollException e) {
                // The timeline cannot be written; the next snapshot reports the error.
            }
        }
    }

    private void run(FaultSpec spec, TrialClock clock) {
        try {
            long due = awaitWarmupEnd(clock)
                    ? clock.measureStartNanos() + spec.at().toNanos()
                    : Long.MAX_VALUE;
            int round = 0;
            for (; sleepUntil(due) && due < clock.measureEndNanos(); round++) {
                int left = 0;
                for (Target target : targets(spec, round)) {
                    left += happen(spec, target) ? 0 : 1;
                }
                if (left > 0) {
                    marks.note(Sentence.of("run.notAllBrokers", spec.planned(), left));
                }
                if (spec.every().isEmpty()) {
                    return;
                }
                // A fault that ran longer than its period skips the missed occurrences.
                do {
                    due += spec.every().get().toNanos();
                } while (due - System.nanoTime() < 0);
            }
            if (round == 0) {
                marks.note(Sentence.of("run.notDue", spec.planned()));
            }
        } catch (InterruptedException e) {
            // Closed.
        } catch (PlimsollException e) {
            // The timeline cannot be written; the next snapshot reports the error.
        }
    }

    /** @return false if the load ended before the warm-up */
    private boolean awaitWarmupEnd(TrialClock clock) throws InterruptedException {
        while (!clock.warmup().known() && sleepUntil(System.nanoTime() + SLICE_MILLIS * 1_000_000)) {
            // The load is not steady yet.
        }
        return clock.warmup().known();
    }

    /** @return false if the load has ended */
    private boolean sleepUntil(long nanoTime) throws InterruptedException {
        return !ending.await(Math.max(0, nanoTime - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    private List<Target> targets(FaultSpec spec, int round) {
        if (!(spec.target() instanceof Target.Each)) {
            return List.of(spec.target());
        }
        List<Target> all = victims.brokers().stream()
                .map(id -> (Target) new Target.Broker(id))
                .toList();
        return spec.every().isEmpty() ? all : List.of(all.get(round % all.size()));
    }

    /** @return false if the load ended before the fault */
    private boolean happen(FaultSpec spec, Target target) throws InterruptedException {
        boolean rolling = spec.target() instanceof Target.Each && spec.every().isEmpty();
        if (ending.getCount() == 0) {
            return false;
        }
        FaultMarks.Marked marked = marks.asked(spec);
        Happening happening = begin(spec, target, marked);
        if (happening != null && spec.lasting().isPresent()) {
            sleepUntil(System.nanoTime() + spec.lasting().get().toNanos());
            end(happening);
            if (rolling) {
                awaitReplicas(() -> ending.getCount() == 0);
            }
        }
        return true;
    }

    /** @return null if the fault could not begin */
    private Happening begin(FaultSpec spec, Target target, FaultMarks.Marked marked) throws InterruptedException {
        try {
            Fault.Effect<?> effect = Fault.of(spec).on(target, spec, victims);
            marked.found(effect);
            Happening happening = new Happening(spec, effect, marked);
            // Register first: a fault interrupted during its start must be repaired too.
            active.add(happening);
            try {
                effect.begin();
            } catch (PlimsollException e) {
                throwIfInterrupted(e);
                Sentence reason = undone(effect, e.sentence());
                active.remove(happening);
                marked.failed(reason);
                return null;
            }
            marked.inEffect();
            return happening;
        } catch (Fault.Impossible e) {
            marked.skipped(e.sentence());
        } catch (PlimsollException e) {
            throwIfInterrupted(e);
            marked.failed(e.sentence());
        }
        return null;
    }

    /** @return the failure, including a failed undo */
    private static Sentence undone(Fault.Effect<?> effect, Sentence failed) throws InterruptedException {
        try {
            if (effect.kind().has(Trait.ENDS_AFTER_FAILURE)) {
                effect.end();
            }
            return failed;
        } catch (PlimsollException e) {
            throwIfInterrupted(e);
            return Sentence.of("run.notUndone", failed, e.sentence());
        }
    }

    /** Ends a fault once; concurrent callers wait. */
    private void end(Happening happening) throws InterruptedException {
        synchronized (happening) {
            if (!active.contains(happening)) {
                return;
            }
            try {
                happening.effect().end();
                active.remove(happening);
                happening.marked().over();
            } catch (PlimsollException e) {
                throwIfInterrupted(e);
                active.remove(happening);
                happening.marked().failed(Sentence.of("run.notPutRight", e.sentence()));
            }
        }
    }

    private static void throwIfInterrupted(PlimsollException e) throws InterruptedException {
        if (e.exit() == Exit.INTERRUPTED) {
            throw new InterruptedException(e.getMessage());
        }
    }

    /**
     * Ends the schedule and active faults and waits for recovery of the cluster.
     *
     * @param restart whether permanently stopped brokers are needed again
     * @param hurry whether to stop waiting
     */
    public void loadEnded(BooleanSupplier restart, BooleanSupplier hurry) {
        try {
            awaitBegun(hurry);
            boolean complete = true;
            for (Happening happening : List.copyOf(active)) {
                if (hurry.getAsBoolean()) {
                    return;
                }
                boolean ends =
                        switch (Fault.of(happening.spec()).afterLoad()) {
                            case END -> true;
                            case END_IF_NEEDED -> restart.getAsBoolean();
                            case LEAVE -> false;
                        };
                if (ends) {
                    end(happening);
                } else {
                    complete &= Fault.of(happening.spec()).afterLoad() == Fault.AfterLoad.LEAVE;
                }
            }
            if (complete) {
                awaitReplicas(hurry);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until no fault is about to begin. */
    private void awaitBegun(BooleanSupplier hurry) throws InterruptedException {
        ending.countDown();
        long deadline = System.nanoTime() + RECOVERY_LIMIT.toNanos();
        while (threads.stream().anyMatch(Thread::isAlive) && System.nanoTime() < deadline && !hurry.getAsBoolean()) {
            Thread.sleep(SLICE_MILLIS);
        }
    }

    /** Alternative to {@link #loadEnded}: ends the schedule but keeps active faults, also through {@link #close}. */
    public StandingFaults leave(BooleanSupplier hurry) {
        try {
            awaitBegun(hurry);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            List<Happening> left = List.copyOf(active);
            active.removeAll(left);
            return new StandingFaults(
                    left.stream().<Fault.Effect<?>>map(Happening::effect).toList());
        }
    }

    private void awaitReplicas(BooleanSupplier giveUp) throws InterruptedException {
        long deadline = System.nanoTime() + RECOVERY_LIMIT.toNanos();
        while (!replicas.allInSync() && System.nanoTime() < deadline && !giveUp.getAsBoolean()) {
            Thread.sleep(SLICE_MILLIS);
        }
    }

    /** Ends all faults that end quickly, even in an interrupted thread. Idempotent; any thread. */
    @Override
    public synchronized void close() {
        ending.countDown();
        boolean interrupted = Thread.interrupted();
        active.forEach(happening -> happening.effect().hasten());
        threads.forEach(Thread::interrupt);
        long deadline = System.nanoTime() + CLOSE_LIMIT.toNanos();
        try {
            for (Thread thread : threads) {
                TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
            }
            for (Happening happening : List.copyOf(active)) {
                if (happening.effect().kind().has(Trait.ENDS_QUICKLY)) {
                    end(happening);
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (watch != null) {
                watch.end(1);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The environment of faults.
     *
     * @param lab empty for a given cluster, which only user commands can affect
     * @param brokers brokers at the start of the run
     * @param members group members of an entry of {@code consumers}, or of all
     * @param seed of random choices
     * @param topics topics that faults may change; on a shared cluster only the run's own
     */
    public record FaultContext(
            Optional<Lab> lab,
            BrokerRoles roles,
            List<RunResult.Broker> brokers,
            Function<OptionalInt, List<GroupMember>> members,
            long seed,
            Set<String> topics) {}

    /** Faults that outlast their trial. Confined to one thread. */
    public static final class StandingFaults {
        public static final StandingFaults NONE = new StandingFaults(List.of());

        private final List<Fault.Effect<?>> effects;

        StandingFaults(List<Fault.Effect<?>> effects) {
            this.effects = new ArrayList<>(effects);
        }

        /** Ids of the affected brokers. */
        public List<Integer> brokers() {
            return effects.stream()
                    .map(effect -> effect.victim().broker())
                    .filter(Objects::nonNull)
                    .sorted()
                    .toList();
        }

        /**
         * Ends them: restarts brokers and undoes commands. Idempotent.
         *
         * @throws PlimsollException if one could not be ended; the rest are ended
         */
        public void end() {
            PlimsollException failure = null;
            for (Fault.Effect<?> effect : List.copyOf(effects)) {
                effects.remove(effect);
                try {
                    effect.end();
                } catch (PlimsollException e) {
                    failure = new PlimsollException(e.exit(), Sentence.of("run.notPutRight", e.sentence()));
                } catch (InterruptedException e) {
                    throw Exit.interrupted(e, "run.interruptedSearch");
                }
            }
            if (failure != null) {
                throw failure;
            }
        }
    }
}
