package io.plimsoll.run.faults;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles.Replicas;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Injects the faults of one trial, with one thread per scenario entry. The trial's thread calls {@link #start}, {@link
 * #loadEnded}, {@link #close} in this order; it can call close earlier. After close, all faults that end quickly have
 * ended; stopped brokers can stay down.
 */
public final class FaultInjector implements AutoCloseable {
    private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(100);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final long SLICE_MILLIS = 50;
    private static final long LOOK_NANOS = 200_000_000;

    private final List<FaultSpec> specs;
    private final String trial;
    private final Consumer<TimelineEvent> timeline;
    private final Progress progress;
    private final Victims victims;
    private final Consumer<Integer> disturbing;
    private final List<String> topics;
    /** Task that polls the state of replicas several times a second. */
    private @Nullable PeriodicTask watch;

    private Replicas replicas = new Replicas(0, 0);
    /** Time of the request that returned {@link #replicas}. */
    private long seenNanos = System.nanoTime();

    private final CountDownLatch ending = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final List<Happening> active = new CopyOnWriteArrayList<>();

    /** Guards the numbers and marks of faults and the state of replicas; never locked while waiting. */
    private final Object marking = new Object();

    private final Map<Integer, Sentence> inEffect = new LinkedHashMap<>();
    private final Map<Integer, Integer> disturbed = new ConcurrentHashMap<>();
    private volatile long startNanos;
    private int next;

    private static final class Happening {
        private final int number;
        private final FaultSpec spec;
        private Fault.@Nullable Effect<?> effect;
        private Sentence what;
        private @Nullable Integer broker;

        private Happening(int number, FaultSpec spec) {
            this.number = number;
            this.spec = spec;
            this.what = spec.planned();
        }

        /** The effect of a fault that has begun. */
        private Fault.Effect<?> effect() {
            return Objects.requireNonNull(effect);
        }
    }

    /**
     * @param disturbing receives the ID of each broker before a fault affects it
     * @param topics topics for which replicas are polled
     */
    public FaultInjector(
            List<FaultSpec> specs,
            Victims victims,
            Consumer<Integer> disturbing,
            Collection<String> topics,
            String trial,
            Consumer<TimelineEvent> timeline,
            Progress progress) {
        this.specs = List.copyOf(specs);
        this.victims = victims;
        this.disturbing = disturbing;
        this.topics = List.copyOf(topics);
        this.trial = trial;
        this.timeline = timeline;
        this.progress = progress;
    }

    public synchronized void start(TrialClock clock) {
        if (specs.isEmpty() || ending.getCount() == 0) {
            return;
        }
        startNanos = clock.startNanos();
        watch = PeriodicTask.each("plimsoll-replicas", System.nanoTime(), LOOK_NANOS, 0, () -> {
            var unused = look();
        });
        for (FaultSpec spec : specs) {
            threads.add(Daemon.thread("plimsoll-fault-" + threads.size(), () -> run(spec, clock)));
        }
        threads.forEach(Thread::start);
    }

    /** Polls the state of replicas; empty without a response. */
    private Optional<Replicas> look() {
        long asked = System.nanoTime();
        Optional<Replicas> now = victims.roles().replicas(topics);
        synchronized (marking) {
            if (now.isPresent() && asked - seenNanos >= 0) {
                seenNanos = asked;
                if (!now.get().equals(replicas)) {
                    replicas = now.get();
                    report(replicas);
                }
            }
        }
        return now;
    }

    private void report(Replicas now) {
        try {
            timeline.accept(new TimelineEvent.Replicas(
                    Instant.now(), trial, sinceStart(), now.underReplicated(), now.leaderless()));
        } catch (PlimsollException e) {
            // The timeline cannot be written; the next snapshot reports this error.
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
                    note(Sentence.of("run.notAllBrokers", spec.planned(), left));
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
                note(Sentence.of("run.notDue", spec.planned()));
            }
        } catch (InterruptedException e) {
            // The injector was closed.
        } catch (PlimsollException e) {
            // The timeline cannot be written; the next snapshot reports this error.
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
        List<Target> all =
                victims.ids().stream().map(id -> (Target) new Target.Broker(id)).toList();
        return spec.every().isEmpty() ? all : List.of(all.get(round % all.size()));
    }

    /** @return false if the load ended before the fault */
    private boolean happen(FaultSpec spec, Target target) throws InterruptedException {
        boolean rolling = spec.target() instanceof Target.Each && spec.every().isEmpty();
        if (ending.getCount() == 0) {
            return false;
        }
        Happening happening = asked(spec);
        if (begin(happening, target) && spec.lasting().isPresent()) {
            sleepUntil(System.nanoTime() + spec.lasting().get().toNanos());
            end(happening);
            if (rolling) {
                awaitReplicas(() -> ending.getCount() == 0);
            }
        }
        return true;
    }

    /** @return false if the fault could not begin */
    private boolean begin(Happening happening, Target target) throws InterruptedException {
        try {
            Fault.Effect<?> effect = Fault.of(happening.spec).on(target, happening.spec, victims);
            happening.effect = effect;
            happening.what = effect.what();
            happening.broker = effect.victim().broker();
            if (happening.broker != null) {
                disturbed.put(happening.number, happening.broker);
                disturbing.accept(happening.broker);
            }
            // Register first, because a fault that is interrupted during its start must also be repaired.
            active.add(happening);
            try {
                effect.begin();
            } catch (Fault.Impossible e) {
                active.remove(happening);
                throw e;
            } catch (RuntimeException e) {
                throwIfInterrupted(e);
                Sentence reason = undone(effect, reason(e));
                active.remove(happening);
                failed(happening, reason);
                return false;
            }
            mark(happening, FaultState.IN_EFFECT, null);
            return true;
        } catch (Fault.Impossible e) {
            mark(happening, FaultState.SKIPPED, e.sentence());
            note(Sentence.of("run.faultSkipped", happening.what, e.sentence()));
        } catch (RuntimeException e) {
            throwIfInterrupted(e);
            failed(happening, reason(e));
        }
        return false;
    }

    /** @return the failure, including the failure of an undo */
    private static Sentence undone(Fault.Effect<?> effect, Sentence failed) throws InterruptedException {
        try {
            if (effect.kind().has(Trait.ENDS_AFTER_FAILURE)) {
                effect.end();
            }
            return failed;
        } catch (RuntimeException e) {
            throwIfInterrupted(e);
            return Sentence.of("run.notUndone", failed, reason(e));
        }
    }

    /** Ends a fault once; concurrent callers wait for the end. */
    private void end(Happening happening) throws InterruptedException {
        synchronized (happening) {
            if (!active.contains(happening)) {
                return;
            }
            try {
                happening.effect().end();
                active.remove(happening);
                mark(happening, FaultState.OVER, null);
            } catch (RuntimeException e) {
                throwIfInterrupted(e);
                active.remove(happening);
                failed(happening, Sentence.of("run.notPutRight", reason(e)));
            }
        }
    }

    private static void throwIfInterrupted(RuntimeException e) throws InterruptedException {
        if (e instanceof PlimsollException known && known.exit() == Exit.INTERRUPTED) {
            throw new InterruptedException(e.getMessage());
        }
    }

    /** The reason for a failure. A defect, such as a rejected argument, must not end the thread without a mark. */
    private static Sentence reason(RuntimeException e) {
        return e instanceof PlimsollException known ? known.sentence() : Sentence.verbatim(e.toString());
    }

    /**
     * Ends the schedule and the active faults, and waits until the cluster has recovered or {@code hurry} returns
     * true.
     *
     * @param restart returns whether permanently stopped brokers are needed again
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
                        switch (Fault.of(happening.spec).afterLoad()) {
                            case END -> true;
                            case END_IF_NEEDED -> restart.getAsBoolean();
                            case LEAVE -> false;
                        };
                if (ends) {
                    end(happening);
                } else {
                    complete &= Fault.of(happening.spec).afterLoad() == Fault.AfterLoad.LEAVE;
                }
            }
            if (complete) {
                awaitReplicas(hurry);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitBegun(BooleanSupplier hurry) throws InterruptedException {
        ending.countDown();
        long deadline = System.nanoTime() + RECOVERY_LIMIT.toNanos();
        while (threads.stream().anyMatch(Thread::isAlive) && System.nanoTime() < deadline && !hurry.getAsBoolean()) {
            Thread.sleep(SLICE_MILLIS);
        }
    }

    /** Alternative to {@link #loadEnded}: ends the schedule but keeps active faults, even after {@link #close}. */
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

    /**
     * Waits until all replicas are in sync. Polls them itself, because the state can be older than the last fault, and
     * {@link #close} ends the other polls.
     */
    private void awaitReplicas(BooleanSupplier giveUp) throws InterruptedException {
        long deadline = System.nanoTime() + RECOVERY_LIMIT.toNanos();
        while (!giveUp.getAsBoolean() && System.nanoTime() < deadline) {
            try {
                if (look().filter(Replicas::allInSync).isPresent()) {
                    return;
                }
            } catch (PlimsollException e) {
                throwIfInterrupted(e);
            }
            Thread.sleep(SLICE_MILLIS);
        }
    }

    /** Ends all faults that end quickly, even in an interrupted thread. Idempotent; usable by any thread. */
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

    /** Whether a fault currently affects this target, such as {@code broker 2}. Usable by any thread. */
    public boolean disturbs(String what) {
        return disturbed.values().stream().anyMatch(id -> what.equals("broker " + id));
    }

    private Happening asked(FaultSpec spec) {
        synchronized (marking) {
            Happening happening = new Happening(next++, spec);
            mark(happening, FaultState.ASKED, null);
            return happening;
        }
    }

    private void failed(Happening happening, Sentence reason) {
        mark(happening, FaultState.FAILED, reason);
        note(Sentence.of("run.faultFailed", happening.what, reason));
    }

    private void note(Sentence text) {
        timeline.accept(new TimelineEvent.Note(Instant.now(), trial, "warning", text));
    }

    private void mark(Happening of, FaultState state, @Nullable Sentence detail) {
        synchronized (marking) {
            timeline.accept(new FaultMark(
                    Instant.now(),
                    trial,
                    sinceStart(),
                    new TimelineEvent.Deed(of.number, of.spec.kind().name(), of.what, of.broker),
                    state,
                    detail));
            if (state == FaultState.IN_EFFECT) {
                inEffect.put(of.number, of.what);
            } else {
                inEffect.remove(of.number);
            }
            if (state == FaultState.OVER || state == FaultState.FAILED || state == FaultState.SKIPPED) {
                disturbed.remove(of.number);
            }
            progress.fault(inEffect.isEmpty() ? null : Sentence.of("run.faultsNow", List.copyOf(inEffect.values())));
        }
    }

    private long sinceStart() {
        return System.nanoTime() - startNanos;
    }

    /** Faults that outlast their trial. Used by one thread. */
    public static final class StandingFaults {
        public static final StandingFaults NONE = new StandingFaults(List.of());

        private final List<Fault.Effect<?>> effects;

        StandingFaults(List<Fault.Effect<?>> effects) {
            this.effects = new ArrayList<>(effects);
        }

        public List<Integer> brokers() {
            return effects.stream()
                    .map(effect -> effect.victim().broker())
                    .filter(Objects::nonNull)
                    .sorted()
                    .toList();
        }

        /** Ends the faults. If one cannot be ended, ends the other faults and then throws {@link PlimsollException}. */
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
