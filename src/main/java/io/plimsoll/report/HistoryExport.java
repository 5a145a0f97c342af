package io.plimsoll.report;

import io.plimsoll.history.FigureSeries;
import io.plimsoll.history.History;
import io.plimsoll.history.HistoryRun;
import io.plimsoll.result.Json;
import io.plimsoll.result.Outcome;
import io.plimsoll.result.Units;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A history for other programs. Stateless. */
public final class HistoryExport {
    private HistoryExport() {}

    /**
     * Rows of comma-separated values (RFC 4180): a run each, and a column for each series, as the CSV importer of Apache
     * Otava takes them with {@code time} as its time column and {@code run} as an attribute.
     */
    public static String csv(List<FigureSeries> all) {
        Map<HistoryRun, Double[]> rows = new LinkedHashMap<>();
        for (int i = 0; i < all.size(); i++) {
            for (int r = 0; r < all.get(i).runs().size(); r++) {
                rows.computeIfAbsent(all.get(i).runs().get(r), run -> new Double[all.size()])[i] =
                        all.get(i).values().get(r);
            }
        }
        StringBuilder text = new StringBuilder("time,run,scenario");
        all.forEach(series -> text.append(',').append(quoted(name(series))));
        rows.entrySet().stream()
                .sorted(Comparator.comparing(e -> e.getKey().startedAt()))
                .forEach(e -> {
                    HistoryRun run = e.getKey();
                    text.append('\n').append(run.startedAt());
                    text.append(',').append(quoted(directory(run)));
                    text.append(',').append(quoted(run.name()));
                    for (Double value : e.getValue()) {
                        text.append(',').append(value == null ? "" : value.toString());
                    }
                });
        return text.append('\n').toString();
    }

    /** The newest value of each series where more, or less, is better, in the format of github-action-benchmark. */
    public static String benchmark(List<FigureSeries> all, boolean moreIsBetter) {
        return Json.pretty(all.stream()
                .filter(s -> s.moreIsBetter().equals(Optional.of(moreIsBetter)))
                .map(s -> Json.object(
                        "name", name(s),
                        "unit", Units.of(History.dimension(s.figure())),
                        "value", s.values().get(s.values().size() - 1),
                        "extra", directory(s.runs().get(s.runs().size() - 1))))
                .toList());
    }

    private static String directory(HistoryRun run) {
        return run.directory().getFileName().toString();
    }

    /** All there is, schema {@code plimsoll.history/1}. */
    public static String json(List<HistoryRun> runs, List<FigureSeries> all) {
        return Json.pretty(Json.object(
                "schema", "plimsoll.history/1",
                "runs", runs.stream().map(HistoryExport::of).toList(),
                "series", all.stream().map(HistoryExport::of).toList()));
    }

    private static Map<String, Object> of(FigureSeries s) {
        return Json.object(
                "scenario", s.scenario(),
                "trial", s.trial(),
                "figure", s.figure(),
                "unit", Units.of(History.dimension(s.figure())),
                "runs", s.runs().stream().map(r -> r.directory().toString()).toList(),
                "leftOut", s.leftOut(),
                "values", s.values(),
                "shifts", s.shifts());
    }

    private static Map<String, Object> of(HistoryRun run) {
        return Json.object(
                "directory", run.directory().toString(),
                "name", run.name(),
                "startedAt", run.startedAt().toString(),
                "passed", run.outcome() == null ? null : run.outcome() == Outcome.USABLE,
                "outcome", run.outcome(),
                "verdict", run.verdict());
    }

    /** A name that no other series has. */
    private static String name(FigureSeries series) {
        return series.scenario() + (series.trial().isEmpty() ? "" : "/" + series.trial()) + "/" + series.figure();
    }

    private static String quoted(String text) {
        String plain = CsvReport.harmless(text);
        return plain.matches("[\\w ./:=+-]*") ? plain : '"' + plain.replace("\"", "\"\"") + '"';
    }
}
