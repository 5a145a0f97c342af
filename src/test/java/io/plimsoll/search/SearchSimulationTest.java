package io.plimsoll.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A thousand systems of each kind with known ceilings: coverage and cost of the bounds. */
class SearchSimulationTest {
    private static final SearchSettings SETTINGS =
            Searches.settings(EnumSet.of(Goal.SUSTAINED), SearchSettings.WIDTH, 0);
    private static final int SYSTEMS = 1000;
    private static final double SLOWEST = 500;
    private static final double FASTEST = 1_000_000;
    private static final double RIGHT = 0.95;
    private static final double TRIALS = 1.5;
    /** Minimum number of yes/no trials to identify one goal width of the range. */
    private static final int BITS = (int) Math.ceil(Math.log(Searches.SETTINGS.cells(SLOWEST, FASTEST)) / Math.log(2));
    /** The bounds were two of them; each must be confirmed once to be an answer. */
    private static final int LEAST_TRIALS = BITS + 2;

    private static final Map<String, UnaryOperator<SimulatedSystem>> KINDS = Map.of(
            "exact", s -> s,
            "badly guessed", s -> s.withGuessError(0.5),
            "a little noisy", s -> s.withNoise(0.005).withGuessError(0.2),
            "noisy", s -> s.withNoise(0.01).withGuessError(0.2),
            "very noisy", s -> s.withNoise(0.018).withGuessError(0.2),
            "declining", s -> s.withNoise(0.005).withDrift(-1e-4).withGuessError(0.2),
            "warming up", s -> s.withNoise(0.005).withDrift(1e-4).withGuessError(0.2),
            "bimodal", s -> s.withBadMode(0.1).withGuessError(0.2),
            "bimodal and noisy", s -> s.withNoise(0.005).withBadMode(0.1).withGuessError(0.2));

    @ParameterizedTest
    @CsvSource({
        "exact, 0.051",
        "badly guessed, 0.051",
        "a little noisy, 0.06",
        "noisy, 0.06",
        "very noisy, 0.07",
        "declining, 0.06",
        "warming up, 0.06",
        "bimodal, 0.06",
        "bimodal and noisy, 0.065"
    })
    void boundsContainCeiling(String kind, double meanWidth) {
        Tally tally = search(kind, SETTINGS);
        assertThat(tally.right).isGreaterThanOrEqualTo(RIGHT * SYSTEMS);
        assertThat(tally.trials).isLessThanOrEqualTo(TRIALS * LEAST_TRIALS * SYSTEMS);
        assertThat(tally.width / SYSTEMS).isLessThan(meanWidth);
    }

    @ParameterizedTest
    @CsvSource({"exact", "badly guessed", "a little noisy", "noisy", "declining", "warming up", "bimodal"})
    void boundsContainBothCeilings(String kind) {
        Tally tally = search(kind, Searches.settings(EnumSet.allOf(Goal.class), SearchSettings.WIDTH, 0));
        assertThat(tally.right).isGreaterThanOrEqualTo(RIGHT * 2 * SYSTEMS);
        assertThat(tally.trials).isLessThanOrEqualTo(TRIALS * 2 * LEAST_TRIALS * SYSTEMS);
    }

    private static final class Tally {
        private double right;
        private double trials;
        private double width;
    }

    private static Tally search(String kind, SearchSettings settings) {
        Tally tally = new Tally();
        SplittableRandom random = new SplittableRandom(kind.hashCode());
        for (int i = 0; i < SYSTEMS; i++) {
            double knee = SLOWEST * Math.pow(FASTEST / SLOWEST, random.nextDouble());
            SimulatedSystem system = KINDS.get(kind)
                    .apply(new SimulatedSystem(random.nextLong(), knee, 0.3 + 0.65 * random.nextDouble()));
            Answer answer = system.search(settings);
            assertThat(answer.end()).isEqualTo(Answer.End.FOUND);
            answer.bounds().forEach((goal, bounds) -> {
                tally.right += system.isWithin(goal, bounds) ? 1 : 0;
                tally.width += (bounds.upper() - bounds.lower()) / bounds.upper();
            });
            tally.trials += system.trials();
        }
        return tally;
    }
}
