package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.AuditResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code --plain} contains all of the output, in words and whole lines. */
class PlainReportTest {
    private static final Look PLAIN = Look.plain(Language.EN);
    /** Characters that a screen reader spells out or omits. */
    private static final Pattern SIGNS = Pattern.compile("[✓✗│─•\u001b]|\\S {2,}\\S|^ *[!?=·] ", Pattern.MULTILINE);

    @Test
    void factsHaveNoControlCharacters() {
        Block.Fact fact = new Block.Fact(Sentence.verbatim("host"), Sentence.verbatim("red\u001b[31m"));
        assertThat(TerminalText.of(new Document().add(Block.facts(List.of(fact))), PLAIN))
                .contains("host: red [31m")
                .doesNotContain("\u001b");
    }

    @Test
    void rendersReportInWordsAndWholeLines() {
        assertThat(RunReport.terminal(Samples.quick(), PLAIN)).isEqualTo("""
            OK: The cluster sustained 5,000 records/s of 1 KB with 5.0 ms median and 8.9 ms p99 response time, and at most \
            200 MB/s (200,000 records/s) at full speed; all 2,070,000 acknowledged records are in the log.

              trial: latency; offered/s: 5,000; records/s: 5,000; MB/s: 5.00; resp p50: 5.0 ms; resp p90: 8.2 ms; \
            resp p99: 8.9 ms; resp p99.9: 9.0 ms; resp max: 9.0 ms; consumed/s: 5,000; consumed MB/s: 5.00; e2e p99: 8.9 ms; \
            fetches/s: 50; errors: 0; audit: ok
              trial: throughput; offered/s: unlimited; records/s: 200,000; MB/s: 200.0; resp p50: 160 ms; \
            resp p90: 168 ms; resp p99: 170 ms; resp p99.9: 170 ms; resp max: 170 ms; consumed/s: 200,000; \
            consumed MB/s: 200.0; e2e p99: 170 ms; fetches/s: 50; errors: 0; audit: ok

            Next
              run the same load on your cluster:
                ./plimsoll run --bootstrap-server HOST:PORT
              latency at two thirds of the ceiling:
                ./plimsoll run quick --set trials=null --set producers.rate=130000/s
              capacity of this host:
                ./plimsoll host

            Checks
              OK; check: produce.response.p99 < 50ms; measured: 8.9 ms; trial: latency

            Audit
              OK: latency: 60,000 acknowledged, 60,000 in the log, 0 lost (by end offsets)
              OK: throughput: 2,010,000 acknowledged, 2,010,000 in the log, 0 lost (by end offsets)

              Kafka 4.3, 1 broker started for this run · plimsoll 0.1.0 · Kafka client 4.3.1 · Java 17.0.15 · seed 42
            """);
    }

    @Test
    void containsNoSymbolsOrDrawings() {
        for (RunResult result :
                List.of(Samples.quick(), Samples.single(), Samples.late(), Samples.matrix(), Samples.empty())) {
            for (Language language : Language.values()) {
                assertThat(RunReport.terminal(result, Look.plain(language))).doesNotContainPattern(SIGNS);
            }
        }
    }

    @Test
    void labelsTableValuesAndOmitsMissingOnes() {
        record Row(String name, Double value, Mark mark) {}
        Table<Row> table = new Table<>(
                List.of(
                        Table.Column.text("", Row::name),
                        Table.Column.number("recordsPerSecond", 9, r -> Table.rate(r.value())),
                        Table.Column.text("passed", Row::mark)),
                List.of(new Row("a", 5.0, Mark.GOOD), new Row("b", null, Mark.BAD)));
        assertThat(Samples.lines(new TableLayout(table, PLAIN, 0))).containsExactly("a; records/s: 5; OK", "b; failed");
        assertThat(Samples.lines(new TableLayout(table, Look.plain(Language.ZH), 0)))
                .containsExactly("a；条/秒：5；正常", "b；未通过");
        assertThat(Samples.lines(new TableLayout(table, new Look(100, false, Language.EN), 0)))
                .last()
                .asString()
                .endsWith("✗");
    }

    @Test
    void statesAuditOutcomeBeforeFigures() {
        AuditResult audit = Stream.of(Samples.quick().trials())
                .flatMap(List::stream)
                .map(TrialResult::audit)
                .findFirst()
                .orElseThrow();
        assertThat(AuditText.line("one", true, audit, PLAIN)).startsWith("  OK: one: ");
    }
}
