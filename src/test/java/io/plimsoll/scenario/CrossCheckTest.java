package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.testing.Said;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Guards the meaning of checks between trials: operators, ratios, limits with units, shares; and the messages about
 * wrong ones.
 */
class CrossCheckTest {
    private static final Map<String, Double> PLANTED = Map.of(
            "a/produce.throughput/BYTES_PER_SECOND", 10e6,
            "b, two/produce.throughput/BYTES_PER_SECOND", 23e6,
            "a/produce.throughput/RECORDS_PER_SECOND", 5000.0,
            "b, two/produce.throughput/RECORDS_PER_SECOND", 300.0,
            "a/produce.response.p99.9/MICROSECONDS", 4000.0,
            "b, two/produce.response.p99.9/MICROSECONDS", 4390.0,
            "a/produce.errors/COUNT", 0.0,
            "sync in order/produce.throughput/BYTES_PER_SECOND", 30e6,
            "a[team=pay roll]/produce.throughput/BYTES_PER_SECOND", 4e6,
            "b, two[group=slow]/consume.lag/COUNT", 12.0);

    private static OptionalDouble planted(CrossCheck.Term term, Dimension dimension) {
        String label = term.label() == null ? "" : "[" + term.label() + "]";
        Double value = PLANTED.get(term.trial() + label + "/" + term.figure() + "/" + dimension);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "trials.\"b, two\".produce.throughput > trials.a.produce.throughput | true",
                "trials.\"b, two\".produce.throughput > trials.a.produce.throughput in records/s | false",
                "trials.\"b, two\".produce.throughput / trials.\"a\".produce.throughput > 2.2 | true",
                "trials.\"b, two\".produce.throughput/trials.\"a\".produce.throughput > 240% | false",
                "trials.a.produce.throughput < trials.\"sync in order\".produce.throughput | true",
                "trials.\"sync in order\".produce.throughput > 20MB/s in MB/s | true",
                "trials.a.produce.throughput <= 10MB/s | true",
                "trials.a.produce.throughput < 4999/s | false",
                "trials.a.produce.errors == 0 | true",
                "trials.a.produce[team=pay roll].throughput < trials.a.produce.throughput | true",
                "trials.a.produce.throughput/trials.a.produce[team=\"pay roll\"].throughput within 1% of 2.5 | true",
                "trials.\"b, two\".consume[\"slow\"].lag == 12 | true",
                "trials.\"b, two\".produce.response.p99.9 within 10 % of trials.a.produce.response.p99.9 | true",
                "trials.\"b, two\".produce.response.p99.9 within 9.7% of trials.a.produce.response.p99.9 | false",
                "trials.\"b, two\".produce.throughput / trials.a.produce.throughput within 25 % of 3 | true",
                "trials.\"b, two\".produce.throughput / trials.a.produce.throughput within 20 % of 3 | false",
            })
    void evaluatesComparisons(String text, boolean holds) {
        CrossCheck comparison = CheckParser.comparison(text);
        assertThat(comparison.text()).isEqualTo(text);
        assertThat(comparison.holds(
                        comparison.leftOf(CrossCheckTest::planted).orElseThrow(),
                        comparison.rightOf(CrossCheckTest::planted).orElseThrow()))
                .isEqualTo(holds);
    }

    @Test
    void missingFigureOrZeroDivisorHasNoValue() {
        assertThat(CheckParser.comparison("trials.c.produce.errors == 0").leftOf(CrossCheckTest::planted))
                .isEmpty();
        assertThat(CheckParser.comparison("trials.a.produce.errors / trials.a.produce.errors == 1")
                        .leftOf(CrossCheckTest::planted))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "trials.a.produce.throughputs > 1MB/s | did you mean produce.throughput",
                "trials.a.produce.throughput >> 1MB/s | unknown comparison",
                "trials.a.broker[team=x].cpu > 1 | «scenario.notByLabel¦broker»",
                "trials.a.produce.throughput > 5 ms | a comparison between trials",
                "trials.a.produce.throughput > | a comparison between trials",
                "trials.a.produce.throughput > trials.b.produce.response.p99 | «scenario.notComparable¦\"trials.a.produce.throughput > trials.b.produce.response.p99\"»",
                "trials.a.produce.throughput > trials.b.produce.throughput / trials.a.produce.throughput | a comparison",
            })
    void refusesInvalidComparisons(String text, String said) {
        assertThatThrownBy(() -> CheckParser.comparison(text))
                .isInstanceOf(InvalidValueException.class)
                .hasMessageContaining(Said.text(said));
    }

    private static final String FILE = """
            topics: [{name: t}]
            producers: [{topic: t, rate: 10/s, record: {size: 100}}]
            trials: [{name: a, set: {duration: 1s}}, {name: b, set: {duration: 2s, checks: [produce.errors == 0]}}]
            """;

    private static Plan read(String more) {
        return ScenarioReader.read(FILE + more, "file.yaml", List.of(), 1);
    }

    /** Checks of the whole file belong to the plan, regardless of the trials' own checks. */
    @Test
    void comparisonsBelongToPlan() {
        Plan plan = read("checks: [produce.missing == 0, trials.b.produce.throughput > trials.a.produce.throughput]");
        assertThat(plan.comparisons())
                .extracting(CrossCheck::text)
                .containsExactly("trials.b.produce.throughput > trials.a.produce.throughput");
        assertThat(plan.trials().get(0).scenario().checks())
                .extracting(Check::text)
                .containsExactly("produce.missing == 0");
        assertThat(plan.only(List.of("a")).comparisons()).isEmpty();
    }

    @Test
    void reportsMistakesInScenario() {
        assertThatThrownBy(() -> read("checks: [trials.c.produce.errors == 0]")).hasMessageContaining("trial \"c\"");
        assertThatThrownBy(() -> read("checks: ['trials.a.produce[team=audit].errors == 0']"))
                .hasMessageContaining("team=audit");
        assertThatThrownBy(() -> read("checks: [trials.a.consume.errors == 0]"))
                .hasMessageContaining(Said.text("«scenario.notMeasuredIn¦consume.errors¦\"a\"¦consumers»"));
        assertThatThrownBy(() -> ScenarioReader.read(
                        FILE.replace("produce.errors == 0", "trials.a.produce.errors == 0"), "file.yaml", List.of(), 1))
                .hasMessageContaining(Said.text("«scenario.betweenTrials»"));
    }
}
