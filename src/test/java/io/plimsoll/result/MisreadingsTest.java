package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.TimelineEvent.TrialIntent;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A result warns if figures are misleading, and does not warn otherwise. */
class MisreadingsTest {
    private static final Pattern MISREADING =
            Pattern.compile("result\\.(batchFill|lingeringSends|dirtyTopic|backlogLeft"
                    + "|cachedReads|stalls?|longWait|slowBroker\\..*)");

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

    /**
     * The timelines' batches have 20 records: at 4 records/s each batch takes 19 ÷ 4 s, so that a record waits 2.4 s.
     */
    @Test
    void warnsOfLatencyFromBatchFilling() {
        TrialIntent intent = new TrialIntent(null, null, Map.of(), 250, 30_000, true, Map.of(), false);
        assertThat(of(plan(true, 1, intent), seconds(10, 1000, 2_300_000)))
                .containsExactly(Sentence.of("result.batchFill", "2.30 s", "20", "4", "250", "4.75 s", "30,000")
                        .english());
        assertThat(of(plan(true, 1, intent), seconds(10, 1000, 900_000))).isEmpty();
        TrialIntent shortLinger = new TrialIntent(null, null, Map.of(), 250, 5, true, Map.of(), false);
        assertThat(of(plan(true, 1, shortLinger), seconds(10, 1000, 2_300_000))).isEmpty();
    }

    @Test
    void warnsOfLingeringSynchronousSends() {
        TrialIntent waits = new TrialIntent(null, null, Map.of(), 1, 10, false, Map.of(), true);
        assertThat(of(plan(false, 1, waits), seconds(10, 1000, 11_500)))
                .containsExactly(
                        Sentence.of("result.lingeringSends", "11.5 ms", "10 ms").english());
        assertThat(of(plan(false, 1, waits), seconds(10, 1000, 50_000))).isEmpty();
        TrialIntent asynchronous = new TrialIntent(null, null, Map.of(), 1, 10, false, Map.of(), false);
        assertThat(of(plan(false, 1, asynchronous), seconds(10, 1000, 11_500))).isEmpty();
    }

    @Test
    void warnsOfNonEmptyTopic() {
        TrialIntent intent = new TrialIntent(null, null, Map.of(), 0, 0, false, Map.of("events", 40_000L), false);
        assertThat(of(plan(true, 1, intent), seconds(10, 1000, 1000)))
                .containsExactly(Sentence.of("result.dirtyTopic", "events", "40,000", Sentence.NONE)
                        .english());
    }

    @Test
    void warnsOfStalledSeconds() {
        List<Second> seconds = seconds(12, 140_000, 100_000);
        seconds.set(6, new Second(52_505, Timelines.latencies(52_505, 900_000)));
        assertThat(of(plan(false, 1, TrialIntent.NONE), seconds))
                .contains(Sentence.of(
                                "result.stall",
                                "7",
                                "52,505",
                                "140,000",
                                "; the slowest response in that second took 900 ms")
                        .english());
        seconds.set(9, new Second(20_000, Timelines.latencies(20_000, 900_000)));
        assertThat(of(plan(false, 1, TrialIntent.NONE), seconds))
                .contains(Sentence.of(
                                "result.stalls",
                                "2",
                                "10",
                                "10",
                                "20,000",
                                "140,000",
                                "; the slowest response in that second took 900 ms")
                        .english());
        // A delay that occurs all the time is not a stall.
        assertThat(of(plan(false, 1, TrialIntent.NONE), seconds(12, 140_000, 1000)))
                .noneMatch(w -> w.contains("stall"));
    }

    /** A generator without CPU sends almost no records in half of the seconds, and all of them in the other half. */
    private static List<Second> starved(int count, long records) {
        List<Second> seconds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seconds.add(new Second(records, Timelines.latencies(records, 20_000))
                    .acknowledged(i % 2 == 0 ? records / 10 : 2 * records));
        }
        return seconds;
    }

    @Test
    void findsStallBehindGeneratorBacklog() {
        TrialPlan plan = plan(true, 1, TrialIntent.NONE);
        List<Second> seconds = starved(12, 1000);
        assertThat(of(plan, seconds)).noneMatch(w -> w.contains("stall"));
        seconds.set(7, new Second(1000, Timelines.spread(1000, 1000, 1_450_000)).acknowledged(2000));
        assertThat(of(plan, seconds))
                .contains(
                        Sentence.of("result.longWait", "8", "1.45 s", "20.0 ms").english());
        // A duration that is always this long is not a stall.
        assertThat(of(plan, seconds(12, 1000, 1_450_000))).noneMatch(w -> w.contains("stall"));
    }

    /** 19 more records take 4.75 s; with a generator that sends in bursts, they do not wait for half of it. */
    @Test
    void warnsOfBatchFillingInBursts() {
        TrialIntent intent = new TrialIntent(null, null, Map.of(), 250, 30_000, true, Map.of(), false);
        TrialPlan plan = plan(true, 1, intent);
        TrialResult t = Timelines.oneTrial(plan, seconds(10, 1000, 900_000), Timelines.trialEnded("one", 10, 1000, 0))
                .trials()
                .get(0);
        assertThat(seen(plan, t, 20, List.of()))
                .anyMatch(w -> Said.en("result.batchFill").matcher(w).find());
        assertThat(seen(plan, t, 600, List.of()))
                .noneMatch(w -> Said.en("result.batchFill").matcher(w).find());
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
                        t.detail().distributions(),
                        List.of(),
                        List.of()));
        return Warnings.of(plan, skewed).stream()
                .filter(w -> MISREADING.matcher(w.key()).matches())
                .map(Sentence::english)
                .toList();
    }

    private static PartitionResult partition(int number, int leader, double produced, double consumed) {
        return new PartitionResult(
                "events", number, leader, Math.round(produced * 10), Math.round(consumed * 10), produced, consumed);
    }

    @Test
    void warnsOfSlowBroker() {
        TrialPlan reading = plan(false, 0, TrialIntent.NONE);
        assertThat(withPartitions(
                        reading,
                        List.of(
                                partition(0, 21, 5000, 17_000),
                                partition(1, 22, 5000, 8000),
                                partition(2, 23, 5000, 16_000))))
                .containsExactly(Sentence.of("result.slowBroker.read", "22", "8,000", "16,500", Sentence.NONE)
                        .english());
        assertThat(withPartitions(reading, List.of(partition(0, 21, 1, 16_000), partition(1, 22, 1, 15_000))))
                .isEmpty();
        TrialPlan writing = plan(true, 1, new TrialIntent(null, null, Map.of(), 0, 0, true, Map.of(), false));
        assertThat(withPartitions(writing, List.of(partition(0, 1, 9000, 10), partition(1, 2, 3000, 10))))
                .containsExactly(
                        Sentence.of("result.slowBroker.written", "2", "3,000", "9,000", Sentence.of("result.orKeys"))
                                .english());
    }
}
