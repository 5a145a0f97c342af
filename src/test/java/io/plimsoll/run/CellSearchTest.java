package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.Warmup;
import io.plimsoll.search.Criteria.Judgement;
import io.plimsoll.search.Goal;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Guards the warm-up of a search's trials. */
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
}
