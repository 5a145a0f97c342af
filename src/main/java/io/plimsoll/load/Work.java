package io.plimsoll.load;

import io.plimsoll.Daemon;
import io.plimsoll.scenario.WorkSpec;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The simulated work of one member on its records. Work is scheduled from the return of a poll, so that late wake-ups
 * do not add up. Records finish in order. Used by the member's thread; the threads of this object use the CPU.
 */
public final class Work implements AutoCloseable {
    /** Maximum time in ns until a member notices that it must end. */
    private static final long SLICE_NANOS = 20_000_000;

    private static final long LOOK_NANOS = 200_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final WorkSpec spec;
    private final SplittableRandom random;
    private final Waiter waiter;
    private final BooleanSupplier over;
    private final long[] freeNanos;
    private final List<Future<?>> burning = new ArrayList<>();
    private @Nullable ExecutorService burners;
    private LongConsumer pause;
    private int taken;

    /** @param over returns true when the member must end */
    public Work(WorkSpec spec, long seed, Waiter waiter, BooleanSupplier over) {
        this.spec = spec;
        this.random = new SplittableRandom(seed);
        this.waiter = waiter;
        this.over = over;
        this.freeNanos = new long[spec.threads()];
        this.pause = waiter::park;
    }

    public WorkSpec spec() {
        return spec;
    }

    /** Sets how to wait: {@code otherwise} waits for at most the given nanoseconds, for example by polling. */
    public void pause(LongConsumer otherwise) {
        pause = otherwise;
    }

    /** Starts the work on this number of records, with all work threads idle. */
    public void begin(int records) {
        taken = 0;
        Arrays.fill(freeNanos, waiter.nanoTime());
        burning.clear();
        if (spec.cpu()) {
            ExecutorService threads = burners;
            if (threads == null) {
                threads = Executors.newFixedThreadPool(
                        spec.threads(), Daemon.factory(Thread.currentThread().getName() + "-work"));
                burners = threads;
            }
            for (int i = 0; i < records; i++) {
                long nanos = nanosOf(i);
                burning.add(threads.submit(() -> burn(nanos)));
            }
        }
    }

    /**
     * Waits until the next record is done.
     * @return false if interrupted
     */
    public boolean next() {
        int record = taken++;
        if (spec.cpu()) {
            Future<?> task = burning.get(record);
            while (!task.isDone()) {
                if (over.getAsBoolean()) {
                    burning.forEach(left -> left.cancel(true));
                    return false;
                }
                pause.accept(LOOK_NANOS);
            }
            return true;
        }
        int first = 0;
        for (int t = 1; t < freeNanos.length; t++) {
            first = freeNanos[t] < freeNanos[first] ? t : first;
        }
        freeNanos[first] += nanosOf(record);
        return await(freeNanos[first]);
    }

    /** Draws at random whether the work on the last record failed. Call once per record. */
    public boolean failed() {
        return spec.failures() > 0 && random.nextDouble() < spec.failures();
    }

    /** @return false if interrupted before this time */
    public boolean await(long untilNanos) {
        while (!over.getAsBoolean()) {
            long left = untilNanos - waiter.nanoTime();
            if (left <= 0) {
                return true;
            }
            pause.accept(Math.min(left, SLICE_NANOS));
        }
        return false;
    }

    private long nanosOf(int record) {
        long nanos = spec.time().toNanos();
        return switch (spec.shape()) {
            case EACH -> nanos;
            case EXPONENTIAL -> Math.round(-Math.log(1 - random.nextDouble()) * nanos);
            case PER_BATCH -> record == 0 ? nanos : 0;
        };
    }

    private static void burn(long nanos) {
        long end = THREADS.getCurrentThreadCpuTime() + nanos;
        while (THREADS.getCurrentThreadCpuTime() < end
                && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        if (burners != null) {
            burners.shutdownNow();
        }
    }
}
