package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.TimelineEvent.TrialIntent;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where figures would mislead, a result says so; where they would not, it is silent. */
class MisreadingsTest {
    private static List<String> of(TrialPlan plan, List<Second> seconds) {
        return Timelines.oneTrial(plan, seconds, Timelines.trialEnded("one", seconds.size(), 1000, 0))
                .trials()
                .get(0)
                .judgement()
                .warnings()
                .stream()
                .map(Sentence::english)
                .toList();
    }

    private static TrialPlan plan(boolean openLoop, int producers, TrialIntent intent) {
        return new TrialPlan(
                new TimelineEvent.Course(openLoop, 2, 10, null, null),
                new TimelineEvent.Producing(Timelines.RECORD_BYTES, 0, "client", producers, null),
                new TimelineEvent.Consuming("client", 1, "intended time", null, false, null),
                intent);
    }

    private static List<Second> seconds(int count, long records, long micros) {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seconds.add(new Second(records, Timelines.latencies(records, micros)));
        }
        return seconds;
    }

    /** The timelines' batches have 20 records: at 4 records/s each they take 19 ÷ 4 s, so that a record waits 2.4 s. */
    @Test
    void latencyThatIsTheTimeABatchTakesToFill() {
        TrialIntent intent = new TrialIntent(null, null, Map.of(), 250, 30_000, true, Map.of(), false);
        assertThat(of(plan(true, 1, intent), seconds(10, 1000, 2_300_000)))
                .containsExactly(
                        "Average service time 2.30 s is the time records wait for their batch to be full, not Kafka: 20"
                                + " records a batch at 4 records/s for each of 250 open batches take 4.75 s (linger.ms is"
                                + " 30,000); lower linger.ms to measure latency.");
        assertThat(of(plan(true, 1, intent), seconds(10, 1000, 900_000))).isEmpty();
        TrialIntent shortLinger = new TrialIntent(null, null, Map.of(), 250, 5, true, Map.of(), false);
        assertThat(of(plan(true, 1, shortLinger), seconds(10, 1000, 2_300_000))).isEmpty();
    }

    @Test
    void lingeringOfSynchronousSends() {
        TrialIntent waits = new TrialIntent(null, null, Map.of(), 1, 10, false, Map.of(), true);
        assertThat(of(plan(false, 1, waits), seconds(10, 1000, 11_500)))
                .containsExactly(
                        "Of the average 11.5 ms that a synchronous send takes, 10 ms are linger.ms, not Kafka; set"
                                + " it to 0 where each record is waited for.");
        assertThat(of(plan(false, 1, waits), seconds(10, 1000, 50_000))).isEmpty();
        TrialIntent asynchronous = new TrialIntent(null, null, Map.of(), 1, 10, false, Map.of(), false);
        assertThat(of(plan(false, 1, asynchronous), seconds(10, 1000, 11_500))).isEmpty();
    }

    @Test
    void aTopicThatWasNotEmpty() {
        TrialIntent intent = new TrialIntent(null, null, Map.of(), 0, 0, false, Map.of("events", 40_000L), false);
        assertThat(of(plan(true, 1, intent), seconds(10, 1000, 1000)))
                .containsExactly(
                        "Topic events was not empty: it held 40,000 records before the trial, which consumers that"
                                + " start at the beginning read, too.");
    }

    @Test
    void oneSecondThatStalled() {
        List<Second> seconds = seconds(12, 140_000, 100_000);
        seconds.set(6, new Second(52_505, Timelines.latencies(52_505, 900_000)));
        assertThat(of(plan(false, 1, TrialIntent.NONE), seconds))
                .contains(
                        "A stall: in second 7 only 52,505 records/s, where 140,000 are usual; the slowest response then"
                                + " was 900 ms.");
        seconds.set(9, new Second(20_000, Timelines.latencies(20_000, 900_000)));
        assertThat(of(plan(false, 1, TrialIntent.NONE), seconds))
                .contains(
                        "2 stalls of 10 seconds, the worst in second 10: 20,000 records/s, where 140,000 are usual; the"
                                + " slowest response then was 900 ms.");
        // What happens all the time is no stall.
        assertThat(of(plan(false, 1, TrialIntent.NONE), seconds(12, 140_000, 1000)))
                .noneMatch(w -> w.contains("stall"));
    }

    /** A generator without CPU sends next to nothing in half of the seconds, and all of it in the others. */
    private static List<Second> starved(int count, long records) {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seconds.add(new Second(records, Timelines.latencies(records, 20_000))
                    .acknowledged(i % 2 == 0 ? records / 10 : 2 * records));
        }
        return seconds;
    }

    @Test
    void aStallBehindABacklogOfTheGenerator() {
        TrialPlan plan = plan(true, 1, TrialIntent.NONE);
        List<Second> seconds = starved(12, 1000);
        assertThat(of(plan, seconds)).noneMatch(w -> w.contains("stall"));
        seconds.set(7, new Second(1000, Timelines.spread(1000, 1000, 1_450_000)).acknowledged(2000));
        assertThat(of(plan, seconds))
                .contains("A stall: what was acknowledged in second 8 had waited up to 1.45 s since it was sent, where"
                        + " 20.0 ms are usual.");
        // What takes so long all the time is no stall.
        assertThat(of(plan, seconds(12, 1000, 1_450_000))).noneMatch(w -> w.contains("stall"));
    }

    /** 19 records more take 4.75 s; those of a generator that sends in bursts do not wait half of it. */
    @Test
    void aBatchThatFillsInBursts() {
        TrialIntent intent = new TrialIntent(null, null, Map.of(), 250, 30_000, true, Map.of(), false);
        TrialPlan plan = plan(true, 1, intent);
        TrialResult t = Timelines.oneTrial(plan, seconds(10, 1000, 900_000), Timelines.trialEnded("one", 10, 1000, 0))
                .trials()
                .get(0);
        assertThat(seen(plan, t, 20, List.of())).anyMatch(w -> w.contains("for their batch to be full"));
        assertThat(seen(plan, t, 600, List.of())).noneMatch(w -> w.contains("for their batch to be full"));
    }

    private static List<String> withPartitions(TrialPlan plan, List<PartitionResult> partitions) {
        TrialResult t = Timelines.oneTrial(plan, seconds(12, 10_000, 1000), Timelines.trialEnded("one", 12, 1000, 0))
                .trials()
                .get(0);
        return seen(plan, t, 1, partitions);
    }

    private static List<String> seen(
            TrialPlan plan, TrialResult t, double requestMs, List<PartitionResult> partitions) {
        TrialResult skewed = new TrialResult(
                t.name(),
                new TrialResult.Course(
                        t.course().startedAt(),
                        t.course().warmupSeconds(),
                        t.course().warmup(),
                        t.course().measuredSeconds(),
                        t.course().steady(),
                        t.course().complete(),
                        t.course().valid(),
                        t.course().topicsSeconds()),
                t.produce(),
                t.consume(),
                t.audit(),
                new TrialResult.Observed(
                        t.observed().generator(),
                        t.observed().brokers(),
                        t.observed().host(),
                        t.observed().cluster(),
                        Map.of("producers-0", Map.of("requests", 50.0, "requestMs", requestMs)),
                        List.of(),
                        List.of(),
                        List.of()),
                new TrialResult.Judgement(t.judgement().checks(), t.judgement().warnings(), null),
                new TrialResult.Detail(
                        t.detail().parameters(),
                        t.detail().setup(),
                        partitions,
                        t.detail().seconds(),
                        t.detail().faults(),
                        t.detail().figures(),
                        t.detail().distributions()));
        return Misreadings.of(plan, skewed).stream().map(Sentence::english).toList();
    }

    private static PartitionResult partition(int number, int leader, double produced, double consumed) {
        return new PartitionResult(
                "events", number, leader, Math.round(produced * 10), Math.round(consumed * 10), produced, consumed);
    }

    @Test
    void aBrokerThatIsSlowerThanTheOthers() {
        TrialPlan reading = plan(false, 0, TrialIntent.NONE);
        assertThat(withPartitions(
                        reading,
                        List.of(
                                partition(0, 21, 5000, 17_000),
                                partition(1, 22, 5000, 8000),
                                partition(2, 23, 5000, 16_000))))
                .containsExactly("Broker 22 is slower than the others: the partitions that it leads were read at 8,000"
                        + " records/s each, those of the others at 16,500; compare its disk and its CPU with theirs.");
        assertThat(withPartitions(reading, List.of(partition(0, 21, 1, 16_000), partition(1, 22, 1, 15_000))))
                .isEmpty();
        TrialPlan writing = plan(true, 1, new TrialIntent(null, null, Map.of(), 0, 0, true, Map.of(), false));
        assertThat(withPartitions(writing, List.of(partition(0, 1, 9000, 10), partition(1, 2, 3000, 10))))
                .containsExactly(
                        "Broker 2 is slower than the others: the partitions that it leads were written at 3,000"
                                + " records/s each, those of the others at 9,000; compare its disk and its CPU with"
                                + " theirs, and see whether keys favour the others.");
    }
}
