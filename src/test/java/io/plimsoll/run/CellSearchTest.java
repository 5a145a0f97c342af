package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.Warmup;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Guards which warm-up a trial of a search has. */
class CellSearchTest {
    private static Warmup lasting(int seconds) {
        return Warmup.lasting(Duration.ofSeconds(seconds));
    }

    /** A quota grants at once what ten seconds leave unused: a shorter trial is carried whatever its load. */
    @Test
    void nearAQuotaTheScenariosShortWarmupIsNotEnough() {
        assertThat(CellSearch.warmup(Optional.of(lasting(1)), true)).isEqualTo(lasting(12));
        assertThat(CellSearch.warmup(Optional.empty(), true)).isEqualTo(lasting(12));
        assertThat(CellSearch.warmup(Optional.of(lasting(30)), true)).isEqualTo(lasting(30));
        assertThat(CellSearch.warmup(Optional.of(lasting(1)), false)).isEqualTo(lasting(1));
    }
}
