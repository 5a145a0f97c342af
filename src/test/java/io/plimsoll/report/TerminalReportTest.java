package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.CheckResult;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** The terminal report contains the result, within its width and with or without color. */
class TerminalReportTest {

    @Test
    void showsSeveralTrialsAsTable() {
        assertThat(RunReport.terminal(Samples.quick(), new Look(80, false, Language.EN)))
                .isEqualTo("""
            ✓ The cluster sustained 5,000 records/s of 1 KB with 5.0 ms median and 8.9 ms
              p99 response time, and at most 200 MB/s (200,000 records/s) at full speed; all
              2,070,000 acknowledged records are in the log.

              trial        records/s    MB/s   resp p50   resp p99   errors   audit
              latency          5,000    5.00     5.0 ms     8.9 ms        0   ok
              throughput     200,000   200.0     160 ms     170 ms        0   ok

              trial        offered/s   resp max   consumed/s   consumed MB/s   e2e p99
              latency          5,000     9.0 ms        5,000            5.00    8.9 ms
              throughput   unlimited     170 ms      200,000           200.0    170 ms

              trial        resp p90   resp p99.9   fetches/s
              latency        8.2 ms       9.0 ms          50
              throughput     168 ms       170 ms          50

            Next
              run the same load on your cluster:
                ./plimsoll run --bootstrap-server HOST:PORT
              latency at two thirds of the ceiling:
                ./plimsoll run quick --set trials=null --set producers.rate=130000/s
              capacity of this host:
                ./plimsoll host

            Checks                            measured   trial
              ✓ produce.response.p99 < 50ms     8.9 ms   latency

            Audit
              ✓ latency: 60,000 acknowledged, 60,000 in the log, 0 lost (by end offsets)
              ✓ throughput: 2,010,000 acknowledged, 2,010,000 in the log, 0 lost (by end
                offsets)

              Kafka 4.3, 1 broker started for this run · plimsoll 0.1.0 · Kafka client 4.3.1
              · Java 17.0.15 · seed 42
            """);
    }

    @Test
    void showsSingleTrialInDetail() {
        assertThat(RunReport.terminal(Samples.single(), new Look(90, false, Language.EN)))
                .contains(Sentence.of(
                                "result.checksFailed",
                                "✗ 3",
                                "3",
                                Sentence.of("result.checkWas", "produce.response.p99 < 50ms", "62.4 ms", Sentence.NONE),
                                ", and 2 more")
                        .english())
                .contains("  steady-load: 10 s measured after 2 s of warm-up, steady throughout\n")
                .contains("  produced        5,000       5,000   5.00    50,000        0\n")
                .contains("  response time   32.0 ms   56.8 ms   62.4 ms   62.9 ms        –   63.0 ms   31.9 ms\n")
                .contains("  send delay        20 µs     20 µs     20 µs     20 µs        –     20 µs     20 µs\n")
                .contains("  batches     100 requests/s, 20 records and 10 KB per batch, compressed to 50 %")
                .contains("  ✗ audit.duplicated == 0         not measured\n");
    }

    @Test
    void keyFiguresAndThreeWarningsPrecedeDetails() throws IOException {
        ObjectNode result = Json.MAPPER.valueToTree(Samples.single());
        ArrayNode warnings = ((ObjectNode) result.get("verdict")).putArray("warnings");
        List.of("first", "second", "third", "fourth", "fifth").forEach(warnings::add);
        String text =
                RunReport.terminal(Json.MAPPER.treeToValue(result, RunResult.class), new Look(100, false, Language.EN));
        assertThat(text)
                .containsSubsequence(
                        "throughput  5,000 records/s, 5 MB/s",
                        "p99         62.4 ms response time",
                        "audit ",
                        "first",
                        "third",
                        "steady-load: 10 s measured")
                .containsPattern(Said.en("report.moreWarnings", 2))
                .doesNotContain("fourth");
    }

    /** A check that all trials passed takes one row; a failed one names the trial. */
    @Test
    void mergesChecksOfManyTrials() throws IOException {
        List<TrialResult> trials = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            ObjectNode trial = Json.MAPPER.valueToTree(Samples.single().trials().get(0));
            var checks = List.of(
                    new CheckResult("produce.errors == 0", 0.0, "count", true),
                    new CheckResult("produce.response.p99 < 5ms", i * 1500.0, "us", i < 4));
            trial.put("name", "t" + i).set("checks", Json.MAPPER.valueToTree(checks));
            trials.add(Json.MAPPER.treeToValue(trial, TrialResult.class));
        }
        assertThat(CheckRow.of(trials, 3))
                .containsExactlyInAnyOrder(
                        new CheckRow(true, "produce.errors == 0", "0", Sentence.of("report.allOf", 4)),
                        new CheckRow(
                                true,
                                "produce.response.p99 < 5ms",
                                Sentence.of("report.range", "1.5 ms", "4.5 ms"),
                                Sentence.of("report.someOf", 3, 4)),
                        new CheckRow(false, "produce.response.p99 < 5ms", "6.0 ms", "t4"));
        assertThat(CheckRow.of(trials, 4)).hasSize(8);
    }

    @Test
    void identifiesTrialsByOwnNames() {
        var quick = Samples.named("latency", "throughput");
        assertThat(RunReport.terminal(quick, new Look(110, false, Language.EN)))
                .contains("  trial        offered/s   records/s")
                .contains("  latency          5,000       5,000")
                .contains("  throughput   unlimited     200,000");
    }

    @Test
    void achievedRateIsNoLowerBound() {
        // Late ticks limit the send delays, but every due record was sent.
        assertThat(RunReport.terminal(Samples.late(), new Look(110, false, Language.EN)))
                .containsPattern(Said.en("result.generatorLate"))
                .contains("  produced        5,000       5,000")
                .doesNotContain("≥");
    }

    @Test
    void showsMatrixParametersAsColumns() {
        assertThat(RunReport.terminal(Samples.matrix(), new Look(120, false, Language.EN)))
                .contains("  acks   partitions   records/s    MB/s   resp p50")
                .contains("  1      1            ≥ 120,000   120.0    90.0 ms")
                .contains("12 lost\n")
                .contains("  ✓ 5 trials: 4,000,000 acknowledged, 4,000,000 in the log, 0 lost (by end offsets)\n")
                .contains("  ✗ acks=all,partitions=100: 200,000 acknowledged, 199,988 in the log, 12 lost");
    }

    @Test
    void matrixFitsNarrowestTerminal() {
        assertThat(RunReport.terminal(Samples.matrix(), new Look(60, false, Language.EN))
                        .lines())
                .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(60));
    }

    @Property(tries = 60)
    void linesFitTerminalWidth(@ForAll("results") RunResult result, @ForAll @IntRange(min = 60, max = 160) int width) {
        assertThat(RunReport.terminal(result, new Look(width, false, Language.EN))
                        .lines()
                        .toList())
                .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(width));
    }

    @Property(tries = 20)
    void colorDoesNotChangeText(@ForAll("results") RunResult result) {
        String plain = RunReport.terminal(result, new Look(100, false, Language.EN));
        String colored = RunReport.terminal(result, new Look(100, true, Language.EN));
        assertThat(plain).doesNotContain("\u001b");
        assertThat(colored).contains("\u001b[");
        assertThat(colored.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(plain);
    }

    @Provide
    Arbitrary<RunResult> results() {
        return Arbitraries.of(Samples.quick(), Samples.single(), Samples.matrix(), Samples.hostile(), Samples.empty());
    }

    @Test
    void stripsControlCharactersFromNames() {
        assertThat(RunReport.terminal(Samples.hostile(), new Look(100, false, Language.EN))
                        .chars()
                        .filter(c -> c != '\n')
                        .noneMatch(Character::isISOControl))
                .isTrue();
    }

    @Test
    void runWithoutTrialsShowsOnlyVerdict() {
        assertThat(RunReport.terminal(Samples.empty(), new Look(100, false, Language.EN)))
                .startsWith("! The run was killed before anything was measured.\n\n  Kafka 4.3, 1 broker");
    }

    @Test
    void shortensParametersThatStayDistinct() {
        var paths = Map.of("producers[0].config.linger.ms", "", "topics.partitions", "", "a.size", "", "b.size", "")
                .keySet();
        assertThat(List.of(
                        TrialDetails.shortName("producers[0].config.linger.ms", paths),
                        TrialDetails.shortName("topics.partitions", paths),
                        TrialDetails.shortName("a.size", paths)))
                .containsExactly("linger.ms", "partitions", "a.size");
    }

    @Test
    void separatesTimeOfChangeFromSchemaFile() {
        String file = "/home/me@work/order.avsc";
        assertThat(TrialDetails.schemas(Map.of("schema." + file, 5L)))
                .containsExactly(Sentence.of("report.schema", file, "5", Sentence.NONE));
        assertThat(TrialDetails.schemas(Map.of("schema." + file + "@1500ms", 5L)))
                .containsExactly(Sentence.of(
                        "report.schema", file, "5", Sentence.of("report.schema.since", Units.duration(1.5))));
    }

    @Test
    void wrapsLongLinesWithIndent() {
        assertThat(Text.fitted("  ✗ ACLs: the brokers have none\n  CPU    two cores of a kind\nshort", 20))
                .isEqualTo("  ✗ ACLs: the\n    brokers have\n    none\n  CPU    two cores\n         of a kind\nshort");
        assertThat(Text.fitted("  ./plimsoll run --seed 1 --quiet", 28))
                .isEqualTo("  ./plimsoll run --seed 1 \\\n    --quiet");
    }

    @Test
    void wrapsThousandsOfNames() {
        assertThat(Text.fitted("group: " + "orders, ".repeat(20_000) + "payments", 80)
                        .lines())
                .hasSizeGreaterThan(1000)
                .allMatch(line -> line.length() <= 80);
    }

    @Test
    void keepsUnitsWithNumbers() {
        assertThat(Text.wrap("a limit of 200 MB/s and 50 % here", 14))
                .containsExactly("a limit of", "200 MB/s and", "50 % here");
        assertThat(Text.wrap("unbreakablyLong word", 5)).containsExactly("unbreakablyLong", "word");
        assertThat(Text.cut("µsecond", 4)).isEqualTo("µse…");
    }

    @Test
    void usesSingularForOne() {
        assertThat(Stream.of(
                                "report.violations",
                                "report.audit.offsetGaps",
                                "report.sentAgain",
                                "report.morePartitions")
                        .map(key -> Sentence.of(key, 1).english()))
                .containsExactly(
                        "1 violation",
                        "1 offset without a record",
                        "1 record retried",
                        "1 more partition is in result.json.");
        assertThat(Sentence.of("report.violations", "1,234").english()).isEqualTo("1,234 violations");
    }

    /** A run directory may come from an untrusted source. */
    @Test
    void stripsControlCharactersFromAuditedTrials() {
        Look look = new Look(80, false, Language.EN);
        assertThat(AuditText.line("a\u001b[2J\u001b[1A", true, Timelines.audit(10, 1), look))
                .startsWith("  ✗ a [2J [1A: 10 acknowledged")
                .doesNotContain("\u001b");
    }
}
