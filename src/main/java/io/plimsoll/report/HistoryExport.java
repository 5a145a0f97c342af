package io.plimsoll.report;

import io.plimsoll.history.FigureSeries;
import io.plimsoll.history.History;
import io.plimsoll.history.HistoryRun;
import io.plimsoll.result.Json;
import io.plimsoll.result.Outcome;
import io.plimsoll.result.Units;
import java.util.ArrayList;
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
                    text.append(',').append(quoted(run.directory().getFileName().toString()));
                    text.append(',').append(quoted(run.name()));
                    for (Double value : e.getValue()) {
                        text.append(',').append(value == null ? "" : value.toString());
                    }
                });
        return text.append('\n').toString();
    }

    /** The newest value of each series of which more, or less, is better, as github-action-benchmark takes them. */
    public static String benchmark(List<FigureSeries> all, boolean moreIsBetter) {
        List<Map<String, Object>> entries = new ArrayList<>();
        all.stream()
                .filter(s -> s.moreIsBetter().equals(Optional.of(moreIsBetter)))
                .forEach(series -> {
                    int last = series.values().size() - 1;
                    Map<String, Object> entry = new LinkedHashMap<>();
                    entry.put("name", name(series));
                    entry.put("unit", Units.of(History.dimension(series.figure())));
                    entry.put("value", series.values().get(last));
                    entry.put(
                            "extra",
                            series.runs().get(last).directory().getFileName().toString());
                    entries.add(entry);
                });
        return Json.pretty(entries);
    }

    /** All there is, schema {@code plimsoll.history/1}. */
    public static String json(List<HistoryRun> runs, List<FigureSeries> all) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("schema", "plimsoll.history/1");
        result.put("runs", runs.stream().map(HistoryExport::of).toList());
        result.put(
                "series",
                all.stream()
                        .map(s -> {
                            Map<String, Object> series = new LinkedHashMap<>();
                            series.put("scenario", s.scenario());
                            series.put("trial", s.trial());
                            series.put("figure", s.figure());
                            series.put("unit", Units.of(History.dimension(s.figure())));
                            series.put(
                                    "runs",
                                    s.runs().stream()
                                            .map(r -> r.directory().toString())
                                            .toList());
                            series.put("leftOut", s.leftOut());
                            series.put("values", s.values());
                            series.put("shifts", s.shifts());
                            return series;
                        })
                        .toList());
        return Json.pretty(result);
    }

    private static Map<String, Object> of(HistoryRun run) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("directory", run.directory().toString());
        map.put("name", run.name());
        map.put("startedAt", run.startedAt().toString());
        map.put("passed", run.outcome() == null ? null : run.outcome() == Outcome.USABLE);
        map.put("outcome", run.outcome());
        map.put("verdict", run.verdict());
        return map;
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
