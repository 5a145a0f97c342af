package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Timelines;
import io.plimsoll.scenario.Reference;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of published figures, in each pasteable form. */
class ReferenceTextTest {

    private static RunResult result() {
        Reference reference = new Reference(
                Sentence.verbatim("A report, 2014"),
                List.of(new Reference.Table(
                        Sentence.both("Producing", "生产"),
                        List.of(
                                new Reference.Column(Sentence.verbatim("records"), "", ""),
                                new Reference.Column(Sentence.verbatim("records/s"), "produce.throughput", "records/s"),
                                new Reference.Column(Sentence.verbatim("MB/s"), "produce.throughput", "MiB/s"),
                                new Reference.Column(Sentence.both("p99 ms", "99% 毫秒"), "produce.response.p99", "ms"),
                                new Reference.Column(Sentence.verbatim("load"), "", "")),
                        List.of(
                                new Reference.Row("latency", values("10,000", "9,680.5", "18.46", "108 *", "10 %")),
                                new Reference.Row("missing", values("7", null, null, "1", null))),
                        List.of(Sentence.both("* of a picture", "* 来自截图")))),
                List.of(
                        new Reference.Conclusion(
                                Sentence.both("It is fast.", "很快。"),
                                List.of("trials.latency.produce.throughput > 10/s")),
                        new Reference.Conclusion(
                                Sentence.verbatim("It loses nothing."),
                                List.of("trials.missing.produce.throughput > trials.latency.produce.throughput")),
                        new Reference.Conclusion(Sentence.verbatim("Use several disks."), List.of())));
        return with(reference);
    }

    private static RunResult with(Reference reference) {
        List<TimelineEvent> events = new ArrayList<>(Timelines.quick());
        TimelineEvent.RunStarted plain = (TimelineEvent.RunStarted) events.get(0);
        events.set(
                0,
                new TimelineEvent.RunStarted(
                        plain.name(),
                        plain.at(),
                        plain.command(),
                        plain.tool(),
                        plain.environment(),
                        plain.scenario(),
                        plain.seed(),
                        0.01,
                        reference,
                        List.of()));
        return Fold.fold(events.stream());
    }

    private static List<Sentence> values(String... values) {
        return Stream.of(values)
                .map(v -> v == null ? null : Sentence.verbatim(v))
                .toList();
    }

    @Test
    void showsMeasuredValuesWithoutPublishedOnes() {
        Reference.Table table = new Reference.Table(
                Sentence.NONE,
                List.of(
                        new Reference.Column(Sentence.verbatim("trial"), "", ""),
                        new Reference.Column(Sentence.verbatim("records/s"), "produce.throughput", "records/s")),
                List.of(),
                List.of());
        assertThat(RunReport.markdown(with(new Reference(Sentence.NONE, List.of(table), List.of())), Language.EN))
                .contains("""
            ## Measured

            | trial | records/s |
            | --- | ---: |
            | latency | 5,000 |
            """)
                .doesNotContain("ublished");
    }

    @Test
    void rendersMarkdown() {
        assertThat(RunReport.markdown(result(), Language.EN))
                .contains("""
            ## Published and measured

            %s %s %s

            ### Producing

            | records |  | records/s | MB/s | p99 ms | load |
            | --- | --- | ---: | ---: | ---: | --- |
            | 10,000 | published | 9,680.5 | 18.46 | 108 \\* | 10 %% |
            |  | measured | 5,000 | 4.77 | 8.92 | – |
            | 7 | published | – | – | 1 | – |
            |  | measured | – | – | – | – |

            - \\* of a picture
            """.formatted(
                        Sentence.of("report.published", "A report, 2014").english(),
                        Sentence.of("report.atScale", "0.01").english(),
                        Sentence.of("report.binary").english()))
                .contains("""
            ## Conclusions of the original report

            1 confirmed, 0 not confirmed, 2 undecided.

            - ✅ It is fast.
              - produce throughput: 5,000 records/s (latency), expected: more than 10 records/s
            - ❔ It loses nothing.
              - produce throughput: ? (missing), expected: more than 5 MB/s (latency); undecided: trial missing did not complete
            - ❔ Use several disks.
              - no trial of this scenario tests this conclusion
            """);
    }

    /** The original's own words, in its language. */
    @Test
    void usesOriginalWordingInItsLanguage() {
        assertThat(RunReport.markdown(result(), Language.ZH))
                .contains("### 生产", "99% 毫秒", "来自截图", "- ✅ 很快。", "成立 1 条，不成立 0 条，无法判断 2 条。");
    }

    /** The contents of a timeline are unchanged when read back. */
    @Test
    void roundTripKeepsBothLanguages() throws Exception {
        RunResult written = result();
        assertThat(Json.MAPPER
                        .readValue(Json.MAPPER.writeValueAsString(written), RunResult.class)
                        .published())
                .isEqualTo(written.published());
    }

    @Test
    void rendersCsv() {
        assertThat(CsvReport.render(result()).split("\r\n\r\n")[0].split("\r\n"))
                .containsExactly(
                        "table,trial,records,figures,records/s,MB/s,p99 ms,load",
                        "Producing,latency,\"10,000\",published,\"9,680.5\",18.46,108 *,10 %",
                        "Producing,latency,\"10,000\",measured,5000,4.77,8.92,",
                        "Producing,missing,7,published,,,1,",
                        "Producing,missing,7,measured,,,,");
    }

    @Test
    void rendersOnTerminal() {
        assertThat(RunReport.terminal(result(), new Look(100, false, Language.EN)))
                .contains("records               records/s    MB/s   p99 ms   load")
                .contains("10,000    published     9,680.5   18.46    108 *   10 %")
                .contains("          measured        5,000    4.77     8.92   –");
        assertThat(RunReport.terminal(result(), new Look(100, false, Language.ZH)))
                .contains("  生产\n", "99% 毫秒", "来自截图", "✓ 很快。", "成立 1 条，不成立 0 条，无法判断 2 条。")
                .doesNotContain(" beside ");
    }

    /** In parts if not all columns fit, each with the columns that identify rows. */
    @Test
    void splitsTableOnNarrowTerminal() {
        Reference.Table wide = new Reference.Table(
                Sentence.NONE,
                List.of(
                        new Reference.Column(Sentence.verbatim("number"), "", ""),
                        new Reference.Column(Sentence.verbatim("what"), "", ""),
                        new Reference.Column(Sentence.verbatim("records/s"), "produce.throughput", "records/s"),
                        new Reference.Column(Sentence.verbatim("p99 ms"), "produce.response.p99", "ms")),
                List.of(new Reference.Row("latency", values("1", "it is about this row", "9,680.5", "108"))),
                List.of());
        RunResult result = with(new Reference(Sentence.verbatim("A report"), List.of(wide), List.of()));
        assertThat(RunReport.terminal(result, new Look(40, false, Language.EN)))
                .contains(String.join(
                        "\n",
                        "  number   what",
                        "  1        it is about this row",
                        "",
                        "  number               records/s",
                        "  1        published     9,680.5",
                        "           measured        5,000",
                        "",
                        "  number               p99 ms",
                        "  1        published      108",
                        "           measured      8.92",
                        ""));
    }

    @Test
    void csvWithoutReferenceHasOneLinePerTrial() {
        RunResult plain = Fold.fold(Timelines.quick().stream());
        assertThat(CsvReport.render(plain).split("\r\n\r\n")[0].split("\r\n"))
                .hasSize(3)
                .satisfies(lines -> assertThat(lines[0]).startsWith("trial,offered/s,records/s"));
    }
}
