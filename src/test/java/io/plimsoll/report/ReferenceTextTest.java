package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Fold;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Timelines;
import io.plimsoll.scenario.Reference;
import io.plimsoll.text.Language;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tables of published figures, in each form that can be pasted somewhere. */
class ReferenceTextTest {

    private static RunResult result() {
        Reference reference = new Reference(
                "A report, 2014",
                List.of(new Reference.Table(
                        "Producing",
                        List.of(
                                new Reference.Column("records", "", ""),
                                new Reference.Column("records/s", "produce.throughput", "records/s"),
                                new Reference.Column("MB/s", "produce.throughput", "MiB/s"),
                                new Reference.Column("p99 ms", "produce.response.p99", "ms"),
                                new Reference.Column("load", "", "")),
                        List.of(
                                new Reference.Row(
                                        "latency", Arrays.asList("10,000", "9,680.5", "18.46", "108", "10 %")),
                                new Reference.Row("missing", Arrays.asList("7", null, null, "1", null))))));
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
                        new TimelineEvent.Asked(
                                plain.asked().scenario(), plain.asked().seed(), 0.01, reference)));
        return Fold.fold(events.stream());
    }

    @Test
    void asMarkdown() {
        assertThat(MarkdownReport.render(result(), Language.EN)).contains("""
            ## Published and measured

            Published: A report, 2014. Measured: at scale 0.01 of the original's numbers of records and lengths of time. \
            MB are 2^20 bytes here, as Kafka's own tools print them.

            ### Producing

            | records |  | records/s | MB/s | p99 ms | load |
            | --- | --- | ---: | ---: | ---: | --- |
            | 10,000 | published | 9,680.5 | 18.46 | 108 | 10 % |
            |  | measured | 5,000 | 4.77 | 8.92 | – |
            | 7 | published | – | – | 1 | – |
            |  | measured | – | – | – | – |
            """);
    }

    @Test
    void asCsv() {
        assertThat(CsvReport.render(result()).split("\r\n\r\n")[0].split("\r\n"))
                .containsExactly(
                        "table,trial,records,figures,records/s,MB/s,p99 ms,load",
                        "Producing,latency,\"10,000\",published,\"9,680.5\",18.46,108,10 %",
                        "Producing,latency,\"10,000\",measured,5000,4.77,8.92,",
                        "Producing,missing,7,published,,,1,",
                        "Producing,missing,7,measured,,,,");
    }

    @Test
    void onATerminal() {
        assertThat(TerminalReport.render(result(), 100, false))
                .contains("records               records/s    MB/s   p99 ms   load")
                .contains("10,000    published     9,680.5   18.46      108   10 %")
                .contains("          measured        5,000    4.77     8.92   –");
    }

    @Test
    void withoutThemCsvHasALineATrial() {
        RunResult plain = Fold.fold(Timelines.quick().stream());
        assertThat(CsvReport.render(plain).split("\r\n\r\n")[0].split("\r\n"))
                .hasSize(3)
                .satisfies(lines -> assertThat(lines[0]).startsWith("trial,offered/s,records/s"));
    }
}
