package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Timelines;
import io.plimsoll.testing.AnyRecord;
import io.plimsoll.testing.Browser;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The page of any result can be drawn, and no part of the result becomes markup. */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class AnyResultTest {
    private static final int RESULTS = 40;

    /** Draws many results in sequence in the same page: opening each would take minutes. */
    @Test
    @Tag("nightly")
    void drawsAnyResult(Browser browser, @TempDir Path directory) throws IOException {
        RunSeries series = RunSeries.of(Timelines.quick().stream());
        RunResult plain = Fold.fold(Timelines.quick().stream());
        browser.open(
                Files.writeString(directory.resolve("report.html"), HtmlReport.render(plain, series, Language.EN)));
        browser.assertNoConsoleMessage();
        browser.run("window.alert = () => { window.alerted = true; };");
        // In sequence: a script for all of them would exceed a browser's time limit on a busy machine.
        for (long seed = 0; seed < RESULTS; seed++) {
            assertThat(browser.run(DRAW, Json.line(anyPage(seed)), seed % 2 == 0 ? "en" : "zh"))
                    .as("result " + seed)
                    .isEqualTo("");
        }
        assertThat((Boolean) browser.run("return window.alerted === undefined")).isTrue();
        browser.assertNoConsoleMessage();
    }

    /** With the curves of another run under a trial's name. */
    private static ObjectNode anyPage(long seed) {
        RunResult result = new AnyRecord(seed).of(RunResult.class);
        RunSeries series = new RunSeries();
        if (result.trials() != null && !result.trials().isEmpty()) {
            String name = result.trials().get(0).name();
            Timelines.quick().stream()
                    .filter(e -> e instanceof TimelineEvent.Measured)
                    .map(e -> ((TimelineEvent.Measured) e).snapshot())
                    .filter(s -> s.trial().equals("latency"))
                    .forEach(s -> series.accept(new TimelineEvent.Measured(new io.plimsoll.measure.Snapshot(
                            s.worker(),
                            name,
                            s.sequence(),
                            s.phase(),
                            s.fromNanos(),
                            s.toNanos(),
                            null,
                            null,
                            s.warmup(),
                            s.measured(),
                            s.whole(),
                            s.busiest(),
                            s.clients(),
                            s.slow()))));
        }
        return HtmlReport.of(result, series);
    }

    private static final String DRAW = """
        try {
          Object.assign(P.data, JSON.parse(arguments[0]));
          P.trial = Main.firstTrial();
          P.language = arguments[1];
          Main.render();
          document.querySelectorAll('details').forEach(d => { d.open = true; });
          P.charts.forEach(c => c.box.dispatchEvent(new KeyboardEvent('keydown', {key: 'End'})));
          P.trials().slice(1).forEach(t => Main.choose(t.name));
          return document.querySelector('main img, main script, main [onload], main [onerror]') ? 'markup' : '';
        } catch (e) {
          return e.stack;
        }
        """;

    /** Text of a run is text on the page, including chart tooltips. */
    @Test
    void showsHostileNamesAsText(Browser browser, @TempDir Path directory) throws IOException {
        String hostile = "<img src=x onerror=\"window.alerted=1\"></script><script>window.alerted=1</script><!--";
        List<String> lines = Timelines.quick().stream()
                .map(Json::line)
                .map(line -> line.replace("\"events-0\"", Json.line(hostile + "-0"))
                        .replace("\"topic\":\"events\"", "\"topic\":" + Json.line(hostile))
                        .replace("\"throughput\"", Json.line(hostile)))
                .toList();
        Path run = Files.createDirectories(directory.resolve("run"));
        Files.write(run.resolve("timeline.jsonl"), lines);
        var recorded = io.plimsoll.result.RunDirectory.open(run);
        browser.open(Files.writeString(
                directory.resolve("report.html"), HtmlReport.render(recorded, Fold.of(recorded), Language.EN)));
        browser.run("document.querySelectorAll('details').forEach(d => { d.open = true; })");
        browser.run("""
            P.charts.filter(c => c.spec.tip).forEach(c => c.instance.dispatchAction({type: 'showTip', seriesIndex: 0, dataIndex: 0}));
            """);
        browser.awaitTrue("document.querySelectorAll('.tip').length > 0");
        assertThat(browser.text()).contains(hostile);
        assertThat(browser.run("return window.alerted === undefined && !document.querySelector('main img')"))
                .isEqualTo(true);
        browser.assertNoConsoleMessage();
    }

    @Test
    void enoughGeneratedResultsHaveTrials() {
        assertThat(Stream.iterate(0L, s -> s + 1)
                        .limit(RESULTS)
                        .map(s -> new AnyRecord(s).of(RunResult.class))
                        .filter(r -> r.trials() != null && !r.trials().isEmpty())
                        .count())
                .isGreaterThan(RESULTS / 4);
    }
}
