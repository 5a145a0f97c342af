package io.plimsoll.load;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.PreciseWait.SpareCores;
import io.plimsoll.load.Producers.Sender;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.MeterReading;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Arrivals.PoissonArrivals;
import io.plimsoll.pace.Schedules;
import io.plimsoll.pace.Throttle;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.pace.WarmupSchedule;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.testing.Scenarios;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The life of any sender in virtual time: charges after a stall, a stop, a death, and at the end. In every case each
 * scheduled record has exactly one outcome.
 */
public abstract class SenderContract {
    protected static final long WARMUP = SECOND;

    protected final VirtualTime time = new VirtualTime();
    protected final PlantedCluster cluster = new PlantedCluster(time);
    private double busyShare;
    /** Spare cores of a planted host. */
    protected final SpareCores cores = new SpareCores(4, () -> busyShare);

    private final long start = time.nanoTime() + 10 * MILLI;
    private Planted producers;
    private Snapshot last;
    /** The stop has not reached the sender yet. */
    private boolean notReached;

    /** One sender of the kind, which hands its records to the planted cluster. */
    protected abstract PlantedSender sender(ProducerSpec spec, DueTimes times, AckMeter acks, SendMeter sends);

    /** A sender that this thread can run. */
    public interface PlantedSender extends Sender {
        /** Returns when it hands over no more records. */
        void run();

        /** Gives up unacknowledged records. */
        void abandon();
    }

    private final class Planted extends Producers {
        private final PlantedSender sender;

        Planted(ProducerKind.Entry entry) {
            super(entry, time);
            sender = sender(spec, load.dueTimes(0, 1), acks(0, new int[] {1}), sends(0, 1));
        }

        @Override
        public void prepare(Duration timeout) {
            // No connection is needed.
        }

        @Override
        protected List<PlantedSender> senders() {
            return notReached ? List.of() : List.of(sender);
        }

        @Override
        protected int[] partitions() {
            return new int[] {1};
        }

        @Override
        public boolean drain(Duration timeout) throws InterruptedException {
            return waiter.await(() -> cluster.unanswered == 0, timeout);
        }

        @Override
        protected void abandon() {
            sender.abandon();
        }

        @Override
        protected void readClients(MeterReading into) {
            // It reports no client figures.
        }
    }

    private final Throttle throttle = new Throttle(0);

    protected static ProducerSpec spec(String load) {
        String yaml =
                "topics: [{name: t, partitions: 1}]\nproducers: [{topic: t, record: {size: 100}, " + load + "}]\n";
        return Scenarios.producer(yaml);
    }

    /** The life of a trial with two measured seconds after one second of warm-up, as a worker runs it. */
    private Counts live(String load) throws InterruptedException {
        return live(load, WarmupEnd.after(WARMUP), WARMUP);
    }

    /** The same with an adaptive warm-up, announced half a second before its end. */
    private Counts liveUntilTold(String load, long warmupNanos) throws InterruptedException {
        WarmupEnd end = WarmupEnd.later();
        time.at(start + warmupNanos - 500 * MILLI, () -> end.tell(warmupNanos));
        return live(load, end, warmupNanos);
    }

    private Counts live(String load, WarmupEnd end, long warmupNanos) throws InterruptedException {
        LoadContext context = new LoadContext(
                Map.of("bootstrap.servers", "127.0.0.1:1"),
                "test",
                1,
                1,
                text -> {},
                null,
                cores,
                throttle,
                new ClientEvents());
        producers = new Planted(new ProducerKind.Entry(
                context, spec(load), Slice.all(1), "producers-0", end, topics -> new int[] {1}, Set.of()));
        producers.start(new TrialClock(start, end, 2 * SECOND, 0));
        producers.sender.run();
        assertThat(producers.sent()).isTrue();
        assertThat(producers.awaitSent(Duration.ofSeconds(1))).isTrue();
        time.passTo(start + warmupNanos + 2 * SECOND);
        producers.drain(Duration.ofSeconds(1));
        return end();
    }

    private Counts end() {
        producers.close();
        last = MeterCounts.of(producers::read);
        Counts warmup = last.warmup();
        assertThat(warmup.get(Produced.ACKNOWLEDGED)
                        + errors(warmup)
                        + warmup.get(Produced.UNACKNOWLEDGED)
                        + warmup.get(Produced.UNSENT))
                .isEqualTo(warmup.get(Produced.DUE));
        return last.measured();
    }

    private static long errors(Counts counts) {
        return counts.get(Produced.ERRORS).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static void assertEachHasOneOutcome(Counts counts, long schedule) {
        assertThat(counts.get(Produced.ACKNOWLEDGED)
                        + errors(counts)
                        + counts.get(Produced.UNACKNOWLEDGED)
                        + counts.get(Produced.UNSENT))
                .isEqualTo(schedule);
        assertThat(counts.get(Produced.DUE)).isEqualTo(schedule);
        assertThat(counts.get(Produced.RESPONSE_TIME).count()).isEqualTo(schedule - errors(counts));
    }

    @Test
    void responseTimeEqualsClusterTimeWithoutStalls() throws InterruptedException {
        Counts counts = live("rate: 1000/s");
        assertEachHasOneOutcome(counts, 2000);
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isEqualTo(2000);
        assertThat(counts.get(Produced.RESPONSE_TIME).minMicros()).isBetween(1990L, 2010L);
        assertThat(counts.get(Produced.RESPONSE_TIME).maxMicros()).isBetween(1990L, 2010L);
        assertThat(counts.get(Produced.SERVICE_TIME).maxMicros()).isBetween(1990L, 2010L);
        assertThat(counts.get(Produced.SEND_DELAY).maxMicros()).isLessThanOrEqualTo(1);
    }

    private Counts liveWhereSleepIsLong(double busy) throws InterruptedException {
        busyShare = busy;
        time.oversleepNanos = 50_000;
        cores.look(time.nanoTime() - 2 * SECOND);
        cores.look(time.nanoTime() - SECOND);
        for (int second = 0; second < 3; second++) {
            time.at(start + second * SECOND + MILLI / 2, () -> cores.look(time.nanoTime()));
        }
        return live("rate: 1000/s");
    }

    @Test
    void sendsEachRecordOnTimeWithSpareCore() throws InterruptedException {
        Counts counts = liveWhereSleepIsLong(0.5);
        assertEachHasOneOutcome(counts, 2000);
        assertThat(counts.get(Produced.SEND_DELAY).countAtOrAbove(2)).isZero();
        // Spins briefly before each record: at least by the difference between expected and actual wake-up latency.
        assertThat(cores.spunNanos.get()).isBetween(3000 * 1_000L, 3000 * 60_000L);
        assertThat(last.whole().get(GeneratorUse.SPUN_NANOS)).isEqualTo(cores.spunNanos.get());
        assertThat(cores.takeSpunNanos()).as("told once").isZero();
    }

    @Test
    void doesNotSpinWithoutSpareCore() throws InterruptedException {
        Counts counts = liveWhereSleepIsLong(0.95);
        assertThat(counts.get(Produced.SEND_DELAY).countAtOrAbove(49)).isEqualTo(2000);
        assertThat(time.spins).isZero();
        assertThat(cores.spunNanos.get()).isZero();
    }

    @Test
    void countsWakeUpsAndLateOnes() throws InterruptedException {
        cluster.room = 1;
        cluster.stallFrom = start + WARMUP + SECOND;
        cluster.stallTo = cluster.stallFrom + 100 * MILLI;
        live("rate: 100/s");
        // Wake-ups of warm-up and window, except for records overdue after the stall.
        assertThat(last.whole().get(GeneratorUse.TICKS)).isBetween(285L, 295L);
        assertThat(last.whole().get(GeneratorUse.LATE_TICKS)).isZero();
    }

    @Test
    void chargesStallToAllRecordsDueDuringIt() throws InterruptedException {
        cluster.room = 10;
        cluster.stallFrom = start + WARMUP + SECOND;
        cluster.stallTo = cluster.stallFrom + 500 * MILLI;
        Counts counts = live("rate: 1000/s");
        assertEachHasOneOutcome(counts, 2000);
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isEqualTo(2000);
        // After the stall, the cluster takes five records per millisecond, so the i-th record of the stall has waited
        // 500 − 0.8 i ms.
        assertThat(counts.get(Produced.RESPONSE_TIME).countAtOrAbove(300_000)).isBetween(248L, 255L);
        // Only the records in the cluster have such a service time.
        assertThat(counts.get(Produced.SERVICE_TIME).countAtOrAbove(100_000)).isBetween(10L, 11L);
    }

    @Test
    void countsRejectedRecordsByErrorKind() throws InterruptedException {
        cluster.refuseEvery = 10;
        Counts counts = live("rate: 1000/s, config: {linger.ms: 0}");
        Snapshot nothing = MeterCounts.of(producers::read);
        assertThat(nothing.measured().get(Produced.ERRORS)).isEmpty();
        assertThat(counts.get(Produced.ERRORS)).containsOnlyKeys(PlantedCluster.REFUSED);
        assertThat(errors(counts)).isEqualTo(200);
        assertThat(counts.get(Produced.ACKNOWLEDGED) + errors(counts)).isEqualTo(2000);
    }

    @Test
    void stopDuringBlockedSendChargesBacklog() throws InterruptedException {
        cluster.room = 10;
        cluster.stallFrom = start + WARMUP + SECOND;
        time.at(start + WARMUP + 3 * SECOND / 2, () -> producers.stop());
        Counts counts = live("rate: 1000/s");
        assertEachHasOneOutcome(counts, 1500);
        assertThat(counts.get(Produced.UNACKNOWLEDGED)).isBetween(10L, 13L);
        assertThat(counts.get(Produced.UNSENT)).isBetween(485L, 495L);
        // Charged with their waiting time: half of them with 250 ms or more.
        assertThat(counts.get(Produced.RESPONSE_TIME).countAtOrAbove(250_000)).isBetween(245L, 260L);
    }

    @Test
    void deadSenderIsChargedForRestOfSchedule() throws InterruptedException {
        cluster.deadFrom = start + WARMUP + SECOND;
        Counts counts = live("rate: 1000/s");
        assertThat(counts.get(Produced.ACKNOWLEDGED)
                        + errors(counts)
                        + counts.get(Produced.UNACKNOWLEDGED)
                        + counts.get(Produced.UNSENT))
                .isEqualTo(2000);
        assertThat(counts.get(Produced.DUE)).isEqualTo(2000);
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isEqualTo(1000);
        assertThat(counts.get(Produced.UNSENT)).isBetween(998L, 1000L);
    }

    @Test
    void errorDuringSendChargesRestOfSchedule() throws InterruptedException {
        cluster.deadFrom = start + WARMUP + SECOND;
        cluster.error = new OutOfMemoryError("planted");
        Counts counts = live("rate: 1000/s");
        assertEachHasOneOutcome(counts, 2000);
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isEqualTo(1000);
        assertThat(counts.get(Produced.UNACKNOWLEDGED)).isEqualTo(1);
        assertThat(counts.get(Produced.UNSENT)).isEqualTo(999);
    }

    @Test
    void countsRecordSentDuringStopAsScheduled() throws InterruptedException {
        // Sent when due at 1,500 ms; the stopping thread read its clock just before.
        long stopped = start + WARMUP + 3 * SECOND / 2 - MILLI / 2;
        time.at(stopped, () -> {
            notReached = true;
            producers.stop();
        });
        time.at(stopped + MILLI, () -> {
            notReached = false;
            producers.stop();
        });
        Counts counts = live("rate: 1000/s");
        assertEachHasOneOutcome(counts, 1501);
        // Records in flight at that time arrived after the window.
        assertThat(counts.get(Produced.ARRIVED)).isLessThan(counts.get(Produced.ACKNOWLEDGED));
    }

    @Test
    void scheduleEndsAfterLastRecord() throws InterruptedException {
        Counts counts = live("rate: 1000/s, records: 300");
        assertEachHasOneOutcome(counts, 300);
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isEqualTo(300);
    }

    @Test
    void chargesPoissonArrivalsAsDrawn() throws InterruptedException {
        cluster.room = 10;
        cluster.stallFrom = start + WARMUP + SECOND;
        time.at(start + WARMUP + 3 * SECOND / 2, () -> producers.stop());
        Counts counts = live("rate: 1000/s, arrivals: poisson");
        assertEachHasOneOutcome(counts, poisson(WARMUP, WARMUP, WARMUP + 3 * SECOND / 2));
        assertThat(counts.get(Produced.UNSENT)).isGreaterThan(300);
    }

    /** A blocked sender draws no arrival times, and records become due anyway. */
    @Test
    void poissonArrivalsFallDueEvenIfNothingIsSent() throws InterruptedException {
        cluster.room = 10;
        cluster.stallFrom = start + WARMUP + SECOND / 2;
        cluster.stallTo = cluster.stallFrom + SECOND;
        List<Snapshot> readings = new ArrayList<>();
        for (int quarter = 1; quarter <= 12; quarter++) {
            time.at(start + quarter * SECOND / 4, () -> readings.add(MeterCounts.of(producers::read)));
        }
        live("rate: 1000/s, arrivals: poisson");
        assertThat(readings).hasSize(12);
        for (int quarter = 0; quarter < 12; quarter++) {
            long due = poisson(WARMUP, quarter * SECOND / 4, (quarter + 1) * SECOND / 4);
            boolean measured = quarter * SECOND / 4 >= WARMUP;
            assertThat(readings.get(quarter).measured().get(Produced.DUE)).isEqualTo(measured ? due : 0);
            assertThat(readings.get(quarter).warmup().get(Produced.DUE)).isEqualTo(measured ? 0 : due);
        }
        assertThat(readings.get(8).measured().get(Produced.SENT)).isZero();
        assertThat(last.measured().get(Produced.DUE)).isZero();
    }

    /** Number of arrivals with the same seed that are due between two times after the start. */
    private static long poisson(long warmupNanos, long fromNanos, long toNanos) {
        WarmupSchedule schedule = new WarmupSchedule(
                Schedules.of(spec("rate: 1000/s").rate(), 100, 100), WarmupEnd.after(warmupNanos), 0);
        PoissonArrivals arrivals = new PoissonArrivals(schedule, 1, ProducerLoad.seed(1, "producers-0", 0));
        long count = 0;
        for (long due = arrivals.nextDueNanos(); due < toNanos; due = arrivals.nextDueNanos()) {
            count += due >= fromNanos ? 1 : 0;
        }
        return count;
    }

    @Test
    void throttledLoadContinuesAtHalfRate() throws InterruptedException {
        time.at(start + WARMUP + SECOND / 2, () -> throttle.halve(WARMUP + SECOND));
        Counts counts = live("rate: 1000/s");
        assertEachHasOneOutcome(counts, 1500);
        assertThat(counts.get(Produced.SEND_DELAY).maxMicros()).isLessThanOrEqualTo(1);
    }

    @Test
    void throttledClosedLoopRestsHalfTheTime() throws InterruptedException {
        cluster.room = 5;
        throttle.halve(WARMUP + SECOND);
        Counts counts = live("rate: unlimited");
        assertThat(counts.get(Produced.UNSENT)).isZero();
        // Five at a time, each acknowledged after 2 ms: for one second, and for half of the next one.
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isBetween(3_650L, 3_850L);
    }

    @Test
    void adaptiveWarmupEndsWhenSignaled() throws InterruptedException {
        Counts counts = liveUntilTold("rate: 1000/s", 3 * SECOND);
        assertEachHasOneOutcome(counts, 2000);
        assertThat(last.warmup().get(Produced.DUE)).isEqualTo(3000);
        assertThat(counts.get(Produced.SEND_DELAY).maxMicros()).isLessThanOrEqualTo(1);
        assertThat(counts.get(Produced.RESPONSE_TIME).maxMicros()).isBetween(1990L, 2010L);
    }

    /** The next record was due after the end of the warm-up, and is now the first one of the window. */
    @Test
    void endOfWarmupBringsNextRecordForward() throws InterruptedException {
        Counts counts = liveUntilTold("rate: 0.2/s", 2 * SECOND);
        assertThat(last.warmup().get(Produced.DUE)).isEqualTo(1);
        assertEachHasOneOutcome(counts, 1);
        assertThat(counts.get(Produced.SEND_DELAY).maxMicros()).isLessThanOrEqualTo(1);
    }

    @Test
    void rampStartsAtEndOfWarmup() throws InterruptedException {
        Counts counts = liveUntilTold("rate: {ramp: [100/s, 2000/s], over: 2s}", 3 * SECOND);
        assertEachHasOneOutcome(counts, 2100);
        assertThat(last.warmup().get(Produced.DUE)).isEqualTo(300);
    }

    @Test
    void adaptiveWarmupKeepsPoissonArrivals() throws InterruptedException {
        Counts counts = liveUntilTold("rate: 1000/s, arrivals: poisson", 3 * SECOND);
        assertEachHasOneOutcome(counts, poisson(3 * SECOND, 3 * SECOND, 5 * SECOND));
        assertThat(last.warmup().get(Produced.DUE)).isEqualTo(poisson(3 * SECOND, 0, 3 * SECOND));
    }

    @Test
    void sendsRequestedRecordsAfterWarmup() throws InterruptedException {
        Counts counts = liveUntilTold("rate: 1000/s, records: 300", 3 * SECOND);
        assertEachHasOneOutcome(counts, 300);
        assertThat(last.warmup().get(Produced.ACKNOWLEDGED)).isEqualTo(3000);
    }

    @Test
    void closedLoopWarmsUpUntilSignaled() throws InterruptedException {
        cluster.room = 5;
        Counts counts = liveUntilTold("rate: unlimited", 3 * SECOND);
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isBetween(4_900L, 5_100L);
        assertThat(last.warmup().get(Produced.ACKNOWLEDGED)).isBetween(7_400L, 7_600L);
    }

    /** The window's planned end is unknown, and no record was due after it. */
    @Test
    void stopDuringAdaptiveWarmupChargesBacklog() throws InterruptedException {
        cluster.room = 10;
        cluster.stallFrom = start + SECOND;
        time.at(start + 2 * SECOND, () -> producers.stop());
        Counts counts = live("rate: 1000/s", WarmupEnd.later(), 3 * SECOND);
        assertThat(counts).isEqualTo(Counts.NONE);
        assertThat(last.warmup().get(Produced.DUE)).isEqualTo(2000);
        assertThat(last.warmup().get(Produced.UNSENT) + last.warmup().get(Produced.UNACKNOWLEDGED))
                .isBetween(990L, 1010L);
        assertThat(producers.shares()).allSatisfy(s -> assertThat(s.seconds()).isZero());
    }

    @Test
    void closedLoopSendsForWholeWindowWithoutBacklog() throws InterruptedException {
        cluster.room = 5;
        Counts counts = live("rate: unlimited");
        assertThat(counts.get(Produced.UNSENT)).isZero();
        assertThat(counts.get(Produced.UNACKNOWLEDGED)).isZero();
        assertThat(counts.get(Produced.DUE))
                .isEqualTo(counts.get(Produced.SENT))
                .isEqualTo(counts.get(Produced.ACKNOWLEDGED));
        // Five at a time, each acknowledged after 2 ms, for two seconds.
        assertThat(counts.get(Produced.ACKNOWLEDGED)).isBetween(4_900L, 5_100L);
    }
}
