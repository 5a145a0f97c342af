package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Check.Operator;
import io.plimsoll.testing.Said;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks are read as written, and mistakes are reported with the expected form. */
class CheckParserTest {

    @ParameterizedTest
    @CsvSource({
        "produce.response.p99 < 50ms, produce.response.p99, LESS, 50000, MICROSECONDS",
        "produce.response.p99.9<=1.5s, produce.response.p99.9, LESS_OR_EQUAL, 1500000, MICROSECONDS",
        "consume.e2e.p50 < 1m, consume.endToEnd.p50, LESS, 60000000, MICROSECONDS",
        "produce.throughput > 10MB/s, produce.throughput, GREATER, 10000000, BYTES_PER_SECOND",
        "produce.throughput >= 5000/s, produce.throughput, GREATER_OR_EQUAL, 5000, RECORDS_PER_SECOND",
        "audit.lost == 0, audit.lost, EQUAL, 0, COUNT",
        "produce.recordsPerBatch > 1.5, produce.recordsPerBatch, GREATER, 1.5, COUNT",
        "produce.records != 10k, produce.records, NOT_EQUAL, 10000, COUNT",
        "broker.memory < 2GiB, broker.memory, LESS, 2147483648, BYTES",
        "broker.memory < 800M, broker.memory, LESS, 800000000, BYTES",
        "produce.bytesPerBatch > 1500.5, produce.bytesPerBatch, GREATER, 1500.5, BYTES",
        "produce.achieved >= 95%, produce.achieved, GREATER_OR_EQUAL, 0.95, RATIO",
        "produce.compressionRatio > 1.2, produce.compressionRatio, GREATER, 1.2, RATIO"
    })
    void readsChecks(String text, String figure, Operator operator, double limit, Dimension dimension) {
        assertThat(CheckParser.parse(text)).isEqualTo(new Check(text, figure, operator, limit, dimension));
    }

    @ParameterizedTest
    @CsvSource({
        "produce.response.p99 < 50ms for 95% of seconds, produce.response.p99, 50000, 0.95",
        "produce.response.max<=1s  for 0.5 of the seconds , produce.response.max, 1000000, 0.5",
        "produce.throughput >= 5000/s for 100% of seconds, produce.throughput, 5000, 1"
    })
    void readsShareOfSeconds(String text, String figure, double limit, double share) {
        Check check = CheckParser.parse(text);
        assertThat(check.text()).isEqualTo(text.strip());
        assertThat(check.figure()).isEqualTo(figure);
        assertThat(check.limit()).isEqualTo(limit);
        assertThat(check.ofSeconds()).isEqualTo(share);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "produce[team=payments].response.p99 < 50ms, produce.response.p99, team=payments",
                "produce[ team = \"a b\" ].throughput>5/s, produce.throughput, team=a b",
                "consume[\"slow\"].endToEnd.p99.9 < 2s for 95% of seconds, consume.endToEnd.p99.9, group=slow",
                "consume[slow].lag == 0, consume.lag, group=slow"
            })
    void readsLabel(String text, String figure, String label) {
        Check check = CheckParser.parse(text);
        assertThat(check.text()).isEqualTo(text);
        assertThat(check.figure()).isEqualTo(figure);
        assertThat(check.label()).isEqualTo(label);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        produce.respnse.p99 < 5ms     | unknown figure "produce.respnse.p99"; did you mean produce.response.p99?
        produce.response.p98 < 5ms    | unknown figure "produce.response.p98"; did you mean produce.response.p90?
        speed > 5                     | unknown figure "speed"«scenario.knownFigures»
        produce.response.p99 < 50     | «scenario.limitOf¦produce.response.p99¦a duration such as 50ms¦"50"»
        produce.response.p99 < 5MB/s  | «scenario.limitOf¦produce.response.p99¦a duration such as 50ms¦"5MB/s"»
        produce.throughput > 10       | the limit for produce.throughput must be a byte rate such as 10MB/s or a record rate such as 5000/s, found "10"
        produce.throughput > 10MB/s wire | the limit for produce.throughput must be a byte rate such as 10MB/s or a record rate such as 5000/s, found "10MB/s wire"
        audit.lost == 5%              | «scenario.limitOf¦audit.lost¦a number such as 0¦"5%"»
        broker.memory < 5ms           | «scenario.limitOf¦broker.memory¦a size such as 10MB¦"5ms"»
        produce.achieved > 10ms       | the limit for produce.achieved must be a ratio such as 0.95 or 95%, found "10ms"
        produce.response.p99 < 5ms for 0% of seconds | «scenario.shareOfSeconds¦"0%"»
        produce.response.p99 < 5ms for most of seconds | «scenario.shareOfSeconds¦"most"»
        produce.records > 5 for 9% of seconds | «scenario.notPerSecond¦produce.records¦produce.achieved, produce.bytesPerBatch, produce.compressionRatio, produce.delay.p99 (.p50, .max, …), produce.errors, produce.offered, produce.recordsPerBatch, produce.requestRate, produce.response.p99 (.p50, .max, …), produce.serializeCpu, produce.serializeTime, produce.service.p99 (.p50, .max, …), produce.throughput, produce.wireThroughput»
        audit[team=a].lost == 0       | «scenario.notByLabel¦audit¦produce, consume, share or reply»
        produce[team=a].respnse.p99 < 5ms | unknown figure "produce.respnse.p99"; did you mean produce.response.p99?
        audit.lost = 0                | unknown comparison "="; expected one of < <= > >= == !=
        audit.lost                    | expected a figure, a comparison and a limit such as "produce.response.p99 < 50ms", found "audit.lost"
        audit.lost ==                 | expected a figure, a comparison and a limit such as "produce.response.p99 < 50ms", found "audit.lost =="
        """)
    void reportsMistakes(String text, String message) {
        assertThatThrownBy(() -> CheckParser.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(Said.text(message));
    }

    @ParameterizedTest
    @MethodSource("figures")
    void acceptsALimitForEachFigure(String figure) {
        Set<Dimension> dimensions = Figures.ALL.get(figure);
        String limit = dimensions.contains(Dimension.MICROSECONDS)
                ? "1ms"
                : dimensions.contains(Dimension.BYTES_PER_SECOND)
                        ? "1MB/s"
                        : dimensions.contains(Dimension.RECORDS_PER_SECOND) ? "1/s" : "1";
        assertThat(CheckParser.parse(figure + " < " + limit).figure()).isEqualTo(figure);
    }

    static Iterable<String> figures() {
        return Figures.ALL.keySet();
    }
}
