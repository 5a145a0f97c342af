package io.plimsoll.history;

import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.report.Look;
import io.plimsoll.result.Outcome;
import io.plimsoll.text.Language;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** With {@code --plain}, a history contains all of its output in words and whole lines. */
class HistoryTextTest {
    private static final Look PLAIN = Look.plain(Language.EN);

    @Test
    void rendersPlotAsTable() {
        List<HistoryRun> runs = IntStream.range(0, 10)
                .mapToObj(i -> new HistoryRun(
                        Path.of("run-" + i),
                        i,
                        "orders",
                        Instant.parse("2026-01-01T00:00:00Z").plus(i, DAYS),
                        Outcome.USABLE,
                        null))
                .toList();
        List<Double> values = List.of(1000.0, 1200.0, 1100.0, 1100.0, 2000.0, 2400.0, 2200.0, 2100.0, 2300.0, 2200.0);
        List<Shift> shifts = List.of(new Shift(4, 10, 1100, 2200, 1, Map.of()));
        FigureSeries series = new FigureSeries("orders", "", "produce.response.p99", 0, runs, values, shifts);
        assertThat(String.join("\n", HistoryText.series(series, PLAIN)))
                .contains(
                        "start (UTC): 2026-01-01 00:00; runs: 4; median: 1.1 ms; lowest: 1.0 ms; highest: 1.2 ms\n",
                        "start (UTC): 2026-01-05 00:00; runs: 6; median: 2.2 ms; lowest: 2.0 ms; highest: 2.4 ms\n")
                .doesNotContainPattern("(?m)[✓✗│─•]|\\S {2,}\\S|^ *[!?=·] ");
        assertThat(HistoryText.runs(runs, PLAIN))
                .startsWith("  start (UTC): 2026-01-01 00:00; scenario: orders; OK; run: run-0");
    }
}
