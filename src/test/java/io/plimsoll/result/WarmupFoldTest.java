package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TimelineEvent.WarmupEnded;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A result states the length of a warm-up and why it ended, even if the run was stopped or killed within it. */
class WarmupFoldTest {
    private static final TrialPlan PLAN = new TrialPlan(
            new TimelineEvent.Course(true, 60, 10, "steady", null),
            new TimelineEvent.Producing(Timelines.RECORD_BYTES, 32 << 20, "client", 1, null),
            new TimelineEvent.Consuming("client", 0, "none", null, false, null),
            null);

    private final List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("one")));

    private static List<Timelines.Second> seconds(int count) {
        return Collections.nCopies(count, new Timelines.Second(100, Timelines.latencies(100, 1000)));
    }

    /** One second before its end. */
    private static WarmupEnded ended(String how, List<String> moving) {
        return new WarmupEnded(Timelines.START.plusSeconds(12), "one", 13, how, moving);
    }

    private void trial(int warmup, WarmupEnded end, int measured) {
        events.addAll(Timelines.trial("one", PLAN, seconds(warmup), seconds(measured)));
        if (end != null) {
            events.add(Math.min(events.size(), 2 + 12), end);
        }
    }

    private TrialResult folded() {
        return Fold.fold(events.stream()).trials().get(0);
    }

    @Test
    void usesActualLengthOfWarmup() {
        trial(13, ended("steady", List.of()), 10);
        events.add(observed(11));
        events.add(observed(13));
        events.add(observed(22));
        events.add(observed(24));
        TrialResult killed = folded();
        assertThat(killed.course().warmupSeconds()).isEqualTo(13);
        assertThat(killed.course().measuredSeconds()).isEqualTo(10);
        assertThat(killed.observed().host()).containsEntry("cores", 2.0);
        assertThat(killed.observed().host().get("cpu")).isEqualTo(1.0);
        events.add(Timelines.trialEnded("one", 10, 1000, 0));
        WarmupResult warmup = folded().course().warmup();
        assertThat(warmup).isEqualTo(new WarmupResult("steady", 13, "steady", List.of()));
        assertThat(killed.course().warmup()).isEqualTo(warmup);
        assertThat(folded().produce().schedule().warmupRecords()).isEqualTo(1300);
    }

    /** One CPU second; seconds outside of the window have a hundred. */
    private static TimelineEvent observed(int second) {
        boolean within = second >= 13 && second < 23;
        return new TimelineEvent.Observed(
                "one",
                new Observation(
                        "host",
                        "proc",
                        second * Timelines.SECOND,
                        (second + 1) * Timelines.SECOND,
                        Map.of("cpuSeconds", within ? 1.0 : 100.0, "seconds", 1.0),
                        Map.of("cores", 2.0)));
    }

    @Test
    void hasNoEndIfRunWasKilledDuringWarmup() {
        trial(7, null, 0);
        assertThat(folded().course().warmup()).isEqualTo(new WarmupResult("steady", 7, null, List.of()));
        assertThat(folded().course().warmupSeconds()).isEqualTo(7);
        assertThat(folded().course().measuredSeconds()).isZero();
    }

    @Test
    void distinguishesStoppedFromExhaustedTrial() {
        trial(7, null, 0);
        events.add(Timelines.trialEnded("one", 0, 700, 0));
        assertThat(folded().course().warmup().ended()).isEqualTo(WarmupResult.RAN_OUT);
        events.remove(events.size() - 1);
        var whole = Timelines.trialEnded("one", 0, 700, 0);
        events.add(new TimelineEvent.TrialEnded(
                whole.name(), whole.at(), 0, 0, Map.of(), false, null, null, List.of(), List.of(), List.of()));
        assertThat(folded().course().warmup().ended()).isEqualTo(WarmupResult.STOPPED);
    }

    @Test
    void warnsIfWarmupEndedUnsteady() {
        trial(13, ended("atMost", List.of("service.p99", "throughput")), 10);
        events.add(Timelines.trialEnded("one", 10, 1000, 0));
        assertThat(folded().course().warmup().moving()).containsExactly("service.p99", "throughput");
        assertThat(folded().judgement().warnings())
                .anySatisfy(w -> assertThat(w.english())
                        .isEqualTo(Sentence.of(
                                        "result.warmupNotSteady",
                                        "13 s",
                                        List.of(
                                                Sentence.of("result.moving.service_p99"),
                                                Sentence.of("result.moving.throughput")))
                                .english()))
                .anySatisfy(w -> assertThat(w.in(Language.ZH)).contains("服务时间 p99", "吞吐量"));
    }
}
