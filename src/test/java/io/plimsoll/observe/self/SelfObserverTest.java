package io.plimsoll.observe.self;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.observe.self.SelfObserver.BusiestThread;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** CPU time, threads and collections of this process match the JVM's figures. */
@Timeout(120)
class SelfObserverTest {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final List<Thread> planted = new ArrayList<>();
    private volatile boolean over;
    private volatile Object sink;

    @AfterEach
    void endPlantedThreads() throws InterruptedException {
        over = true;
        for (Thread thread : planted) {
            thread.interrupt();
            thread.join();
        }
    }

    private void plant(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        planted.add(thread);
        thread.start();
    }

    private void spin() {
        while (!over) {
            Thread.onSpinWait();
        }
    }

    @Test
    void namesSpinningThreadWithShareOfCore() throws InterruptedException {
        SelfObserver observer = new SelfObserver(1);
        plant("planted-spinner", this::spin);
        long id = planted.get(0).getId();
        Snapshot sample;
        long least;
        long most;
        do {
            long beforeFirst = THREADS.getThreadCpuTime(id);
            MeterCounts.of(observer::read);
            long afterFirst = THREADS.getThreadCpuTime(id);
            Thread.sleep(200);
            long beforeSecond = THREADS.getThreadCpuTime(id);
            sample = MeterCounts.of(observer::read);
            least = beforeSecond - afterFirst;
            most = THREADS.getThreadCpuTime(id) - beforeFirst;
        } while (!sample.busiest().thread().equals("planted-spinner"));
        // Near 1 on an idle machine; on a busy one the share of a core that the thread received.
        double elapsed = sample.whole().get(GeneratorUse.ELAPSED_NANOS);
        assertThat(sample.busiest().share())
                .isBetween(Math.min(1, least / elapsed) - 1e-9, Math.min(1, most / elapsed) + 1e-9)
                .isPositive();
        assertThat(sample.whole().get(GeneratorUse.CPU_NANOS)).isPositive();
        assertThat(sample.whole().get(GeneratorUse.ELAPSED_NANOS)).isPositive();
        assertThat(sample.whole().get(GeneratorUse.TICKS)).isZero();
        assertThat(sample.whole().get(GeneratorUse.LATE_TICKS)).isZero();
    }

    @Test
    void allocationStormShowsAsGcTimeAndLiveHeap() {
        SelfObserver observer = new SelfObserver(1);
        byte[] kept = new byte[20_000_000];
        Counts sum = Counts.NONE;
        while (sum.get(GeneratorUse.GC_NANOS) == 0 || sum.get(GeneratorUse.HEAP_USED_BYTES) < kept.length) {
            for (int i = 0; i < 20_000; i++) {
                sink = new byte[10_000];
            }
            sum = sum.plus(MeterCounts.of(observer::read).whole());
        }
        assertThat(sink).isNotNull();
        assertThat(sum.get(GeneratorUse.GC_NANOS)).isBetween(1L, sum.get(GeneratorUse.ELAPSED_NANOS));
        assertThat(sum.get(GeneratorUse.HEAP_USED_BYTES))
                .isBetween((long) kept.length, Runtime.getRuntime().maxMemory());
    }

    @Test
    void eachSampleCoversOnlyTimeSincePreviousOne() {
        SelfObserver observer = new SelfObserver(1);
        long start = System.nanoTime();
        Counts first = MeterCounts.of(observer::read).whole();
        Counts second = MeterCounts.of(observer::read).whole();
        long whole = System.nanoTime() - start;
        assertThat(second.get(GeneratorUse.ELAPSED_NANOS)).isPositive().isLessThan(whole);
        assertThat(first.plus(second).get(GeneratorUse.ELAPSED_NANOS))
                .isGreaterThan(second.get(GeneratorUse.ELAPSED_NANOS));
    }

    @Test
    void findsSpinnerAmongMoreThreadsThanSampled() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 2 * BusiestThread.HOT; i++) {
            plant("planted-idle-" + i, () -> {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        BusiestThread threads = new BusiestThread(BusiestThread.HOT);
        plant("planted-late-spinner", this::spin);
        do {
            Thread.sleep(20);
            threads.observe(System.nanoTime());
        } while (!threads.name().equals("planted-late-spinner"));
        assertThat(threads.share()).isPositive();
        // The thread is busy now, so it is found twice in a row although one poll skips most threads, unless another
        // test is busier.
        int running = 0;
        for (int i = 0; running < 2 && i < 50 * BusiestThread.ALL_EVERY; i++) {
            Thread.sleep(20);
            threads.observe(System.nanoTime());
            running = threads.name().equals("planted-late-spinner") ? running + 1 : 0;
        }
        assertThat(running).isEqualTo(2);
    }
}
