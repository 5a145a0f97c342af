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
 * Lets the faults of one trial happen, a thread for each entry of the scenario. The calls come from the trial's thread
 * in the order {@link #start}, {@link #loadEnded}, {@link #close}, the last one perhaps earlier; after it nothing that can be put right is wrong
 * any more, except brokers that are dead.
 */
public final class FaultInjector implements AutoCloseable {
    /** How long a broker may take to come back, and replicas to get in sync. */
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(100);

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final long SLICE_MILLIS = 50;
    private static final long LOOK_NANOS = 200_000_000;

    private final List<FaultSpec> specs;
    private final FaultMarks marks;
    private final Victims victims;
    private final FaultContext ground;
    private final List<String> topics;
    /** How they are, looked at several times a second; null before that. */
    private PeriodicTask watch;

    private volatile Replicas replicas = new Replicas(0, 0);
    private final CountDownLatch ending = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Happening> active = new CopyOnWriteArrayList<>();

    private record Happening(FaultSpec spec, Fault.Effect<?> effect, FaultMarks.Marked marked) {}

    /** @param topics whose replicas are watched */
    public FaultInjector(List<FaultSpec> specs, FaultContext ground, Collection<String> topics, FaultMarks marks) {
        this.specs = List.copyOf(specs);
        this.marks = marks;
        this.victims = new Victims(ground);
        this.ground = ground;
        this.topics = List.copyOf(topics);
    }

    /** Faults happen from now on, when they are due. */
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
                // The timeline cannot be written: whoever writes a snapshot next will say so.
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
                // One that took longer than planned leaves out those that were due meanwhile.
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
            // The timeline cannot be written: whoever writes a snapshot next will say so.
        }
    }

    /** @return false if the load has ended before the end of the warm-up was told */
    private boolean awaitWarmupEnd(TrialClock clock) throws InterruptedException {
        while (!clock.warmup().known() && sleepUntil(System.nanoTime() + SLICE_MILLIS * 1_000_000)) {
            // The load goes on, and is not yet steady.
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

    /** @return false if the load has ended before */
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

    /** @return null if it could not be done */
    private Happening begin(FaultSpec spec, Target target, FaultMarks.Marked marked) throws InterruptedException {
        try {
            Fault.Effect<?> effect = Fault.of(spec).on(target, spec, victims);
            marked.found(effect);
            Happening happening = new Happening(spec, effect, marked);
            // Before it begins: one that is interrupted half-way must be put right as well.
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

    /** @return what failed, and also that it could not be undone if so */
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

    /** Does nothing if it has been ended; waits for whoever is at it. */
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
     * No more faults happen; those that last are ended, and the cluster gets time to recover.
     *
     * @param restart whether brokers that were to stay dead are needed again
     * @param hurry whether nobody wants to wait any more
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

    /** No more faults happen, and none is just about to. */
    private void awaitBegun(BooleanSupplier hurry) throws InterruptedException {
        ending.countDown();
        long deadline = System.nanoTime() + RECOVERY_LIMIT.toNanos();
        while (threads.stream().anyMatch(Thread::isAlive) && System.nanoTime() < deadline && !hurry.getAsBoolean()) {
            Thread.sleep(SLICE_MILLIS);
        }
    }

    /**
     * In place of {@link #loadEnded}: no more faults happen, and those that are in effect stay so; {@link #close} does not end
     * them any more.
     */
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

    /** Ends what can be ended quickly, even in a thread that is interrupted. May be called by any thread, and again. */
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
     * The surroundings in which faults happen.
     *
     * @param lab empty: the brokers are somebody else's, and only commands of the user reach them
     * @param brokers as they were at the beginning of the run
     * @param members of the groups of an entry of {@code consumers}, or of all
     * @param seed of what is left to chance
     * @param topics that faults may change: on a cluster of others, those that the run has made
     */
    public record FaultContext(
            Optional<Lab> lab,
            BrokerRoles roles,
            List<RunResult.Broker> brokers,
            Function<OptionalInt, List<GroupMember>> members,
            long seed,
            Set<String> topics) {}

    /** Faults that stay in effect beyond the trial in which they happened. Used by one thread. */
    public static final class StandingFaults {
        public static final StandingFaults NONE = new StandingFaults(List.of());

        private final List<Fault.Effect<?>> effects;

        StandingFaults(List<Fault.Effect<?>> effects) {
            this.effects = new ArrayList<>(effects);
        }

        /** The ids of the brokers that they happened to. */
        public List<Integer> brokers() {
            return effects.stream()
                    .map(effect -> effect.victim().broker())
                    .filter(Objects::nonNull)
                    .sorted()
                    .toList();
        }

        /**
         * Ends them: brokers are started again, and commands undone. Does nothing the second time.
         *
         * @throws PlimsollException if one could not be ended; all others are
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
