package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Comparison.Curve;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.result.Json;
import io.plimsoll.result.TrialResult.Rates;
import io.plimsoll.result.TrialResult.Response;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The curves of a comparison page. */
class ComparisonTextTest {
    /** @param length in seconds; null for one second */
    private static Second entry(int at, Double length) {
        return new Second(
                at,
                "measure",
                new Rates(null, 1, at, 1, 0),
                new Response(1L, 1L, 1L, null, null),
                null,
                null,
                Map.of(),
                length);
    }

    private static Stream<Second> seconds(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(at -> entry(at, null));
    }

    /** A line needs neighboring points, so both curves have the times of the longer one. */
    @Test
    void alignsPointsOfCurvesWithDifferentLengths() {
        Stream<Second> minutes = IntStream.rangeClosed(1, 10).mapToObj(minute -> entry(60 * minute, 60.0));
        List<Curve> curves = List.of(
                new Curve("A", seconds(1, 20).toList()),
                new Curve("B", Stream.concat(minutes, seconds(601, 1200)).toList()));
        TrialPair pair = new TrialPair("t", Map.of(), "A", "B", true, List.of(), curves);
        Comparison comparison = new Comparison(
                Sentence.NONE, List.of(), List.of(), List.of(), List.of(pair), List.of(), List.of(), null);
        JsonNode page = Json.MAPPER.valueToTree(ComparisonText.page(comparison));
        assertThat(page.at("/trials/0/curves/0/t"))
                .extracting(JsonNode::asInt)
                .containsExactly(1, 3, 5, 7, 9, 11, 13, 15, 17, 19);
        assertThat(page.at("/trials/0/curves/0/columns/bytes"))
                .extracting(JsonNode::asInt)
                .containsExactly(2, 4, 6, 8, 10, 12, 14, 16, 18, 20);
        assertThat(page.at("/trials/0/curves/1/t"))
                .extracting(JsonNode::asInt)
                .isEqualTo(IntStream.range(0, 600).map(i -> 2 * i + 1).boxed().toList());
        assertThat(page.at("/trials/0/curves/1/columns/bytes"))
                .extracting(JsonNode::asInt)
                .startsWith(60, 60)
                .endsWith(1198, 1200);
    }
}
