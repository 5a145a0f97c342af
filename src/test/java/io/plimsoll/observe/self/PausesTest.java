package io.plimsoll.observe.self;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Incident;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.self.SelfObserver.Pauses;
import io.plimsoll.observe.self.SelfObserver.Standstills;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Pauses of the load generator are reported with their cause and exact times, and each one once. */
class PausesTest {
    private static final long MILLI = 1_000_000;

    private final Pauses pauses = new Pauses();
    private final IncidentSink sink = new IncidentSink(0);

    /** The garbage collection has a witness: a thread that notes the gaps in which it did not run. */
    @Test
    void reportsActualTimesOfCollection() throws InterruptedException {
        List<byte[]> live = new ArrayList<>();
        for (int i = 0; i < 400_000; i++) {
            live.add(new byte[64]);
        }
        try (SelfObserver observer = new SelfObserver(1)) {
            Gaps gaps = new Gaps();
            gaps.begin();
            long millisBefore = ofCollectors(GarbageCollectorMXBean::getCollectionTime);
            long countBefore = ofCollectors(GarbageCollectorMXBean::getCollectionCount);
            long before = System.nanoTime();
            System.gc();
            long after = System.nanoTime();
            long millis = ofCollectors(GarbageCollectorMXBean::getCollectionTime) - millisBefore;
            long count = ofCollectors(GarbageCollectorMXBean::getCollectionCount) - countBefore;
            gaps.end();
            assertThat(live).isNotEmpty();
            List<Incident> found = new ArrayList<>();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (found.isEmpty() && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(20);
                observer.incidents(sink, true);
                found = sink.take().stream()
                        .filter(i -> i.kind() == Incident.Kind.GC && i.fromNanos() < after && i.toNanos() > before)
                        .toList();
            }
            // A collection of less than ten milliseconds is not reported.
            assertThat(found.isEmpty() && millis > 30 * count).isFalse();
            for (Incident gc : found) {
                assertThat(gc.where()).isEqualTo("generator");
                assertThat(gaps.within(gc.fromNanos(), gc.toNanos()))
                        .isGreaterThan((gc.toNanos() - gc.fromNanos()) / 2);
            }
        }
    }

    private static long ofCollectors(ToLongFunction<GarbageCollectorMXBean> figure) {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(figure)
                .sum();
    }

    private static final class Gaps extends Thread {
        private final List<long[]> seen = new ArrayList<>();
        private final CountDownLatch watching = new CountDownLatch(1);
        private volatile boolean ended;

        /** Returns when the thread runs: a pause before its first look would leave no gap. */
        void begin() throws InterruptedException {
            start();
            watching.await();
        }

        @Override
        public void run() {
            long last = System.nanoTime();
            watching.countDown();
            boolean over;
            do {
                // Once more after the end: the thread may not have run since the pause.
                over = ended;
                long now = System.nanoTime();
                if (now - last > 5 * MILLI) {
                    seen.add(new long[] {last, now});
                }
                last = now;
            } while (!over);
        }

        /** The longest part of a gap within this time. */
        long within(long from, long to) {
            return seen.stream()
                    .mapToLong(gap -> Math.min(to, gap[1]) - Math.max(from, gap[0]))
                    .max()
                    .orElse(0);
        }

        void end() throws InterruptedException {
            ended = true;
            join();
        }
    }

    @Test
    void standstillIsProcessPauseUnlessCollectionExplainsIt() {
        Standstills witness = new Standstills(0, Standstills.EVERY_NANOS, pauses);
        witness.awake(5 * MILLI, 0);
        witness.awake(310 * MILLI, 0);
        pauses.take(320 * MILLI, false, sink);
        assertThat(sink.take()).as("a collection can still be reported").isEmpty();
        pauses.take(900 * MILLI, false, sink);
        assertThat(sink.take())
                .containsExactly(new Incident(
                        Incident.Kind.PROCESS_PAUSE, "generator", 10 * MILLI, 310 * MILLI, 5 * MILLI, null));

        pauses.collected(1_000 * MILLI, 400, 600, "G1 Young Generation");
        pauses.stood(795 * MILLI, 1_005 * MILLI, 5 * MILLI);
        pauses.take(1_100 * MILLI, true, sink);
        assertThat(sink.take())
                .containsExactly(new Incident(
                        Incident.Kind.GC, "generator", 800 * MILLI, 1_000 * MILLI, MILLI, "G1 Young Generation"));
    }

    @Test
    void uncertaintyFollowsWakeupInterval() {
        Standstills witness = new Standstills(0, 40 * MILLI, pauses);
        witness.awake(40 * MILLI, 0);
        witness.awake(80 * MILLI, 0);
        witness.awake(420 * MILLI, 0);
        pauses.take(430 * MILLI, true, sink);
        assertThat(sink.take())
                .containsExactly(new Incident(
                        Incident.Kind.PROCESS_PAUSE, "generator", 120 * MILLI, 420 * MILLI, 40 * MILLI, null));
    }

    @Test
    void shortPausesAreNotReported() {
        pauses.stood(0, 19 * MILLI, 5 * MILLI);
        pauses.collected(500 * MILLI, 100, 109, "G1 Young Generation");
        pauses.take(0, true, sink);
        assertThat(sink.take()).isEmpty();
    }
}
