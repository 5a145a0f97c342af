package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Timelines;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.CellSearch.Done;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.search.Criteria.Judgement;
import io.plimsoll.search.Goal;
import io.plimsoll.search.Step;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Guards the warm-up of a search's trials and their use as evidence. */
class CellSearchTest {
    private static Warmup lasting(int seconds) {
        return Warmup.lasting(Duration.ofSeconds(seconds));
    }

    /** A quota grants ten seconds' worth as a burst: shorter trials pass at any load. */
    @Test
    void extendsShortWarmupNearQuota() {
        assertThat(CellSearch.warmup(Optional.of(lasting(1)), true)).isEqualTo(lasting(12));
        assertThat(CellSearch.warmup(Optional.empty(), true)).isEqualTo(lasting(12));
        assertThat(CellSearch.warmup(Optional.of(lasting(30)), true)).isEqualTo(lasting(30));
        assertThat(CellSearch.warmup(Optional.of(lasting(1)), false)).isEqualTo(lasting(1));
    }

    /** Failures and latency caused by other programs are not a bound of the cluster: the load is retried. */
    @Test
    void busyHostProvesNoFailure() {
        Sentence why = Sentence.of("search.backlogGrew");
        assertThat(CellSearch.passed(new Judgement(List.of(why), List.of(), false, true, List.of())))
                .isEmpty();
        assertThat(CellSearch.passed(new Judgement(List.of(), List.of(why), false, true, List.of())))
                .containsExactly(Map.entry(Goal.SUSTAINED, true));
        assertThat(CellSearch.passed(new Judgement(List.of(why), List.of(why), false, false, List.of())))
                .containsExactlyInAnyOrderEntriesOf(Map.of(Goal.SUSTAINED, false, Goal.WITHIN_SLO, false));
        assertThat(CellSearch.passed(new Judgement(List.of(), List.of(), false, false, List.of())))
                .containsExactlyInAnyOrderEntriesOf(Map.of(Goal.SUSTAINED, true, Goal.WITHIN_SLO, true));
    }

    private static Done done(double seconds, Sentence... reasons) {
        Timelines.Second second = new Timelines.Second(1000, Timelines.latencies(1000, 5000));
        TrialResult result = Timelines.oneTrial(
                        Timelines.plan(true, 1, 0), List.of(second), Timelines.trialEnded("t", 1, 1000, 0))
                .trials()
                .get(0);
        return new Done(
                new Step(Step.Kind.CLASSIFY, 1000, seconds),
                result,
                new Judgement(List.of(reasons), List.of(), false, false, List.of()));
    }

    /** At a bound, trials contradict each other: a trial that passed shows no cause of a failure. */
    @Test
    void evidenceOfBoundHasItsOutcome() {
        Done failed = done(5, Sentence.of("search.backlogGrew"));
        Done passed = done(10);
        List<Done> all = List.of(failed, passed);
        assertThat(CellSearch.longest(all, 1000, false)).containsSame(failed.result());
        assertThat(CellSearch.longest(all, 1000, true)).containsSame(passed.result());
        assertThat(CellSearch.longest(all, 999, true)).isEmpty();
    }
}
