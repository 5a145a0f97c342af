package io.plimsoll.history;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.report.html.Page;
import io.plimsoll.result.Json;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.web.HistorySupport;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A history of figures over runs, as a self-contained page. Stateless. */
public final class HistoryPage implements HistorySupport {
    @Override
    public String page(Path directory, String figure, Language language) {
        try (History history = History.open(List.of(directory), false)) {
            History.requireFigure(figure);
            return render(history.series(figure, run -> true, null), history.figures(), figure, language);
        }
    }

    /** A page without links to the runs. */
    static String render(List<FigureSeries> all, Language language) {
        return render(all, List.of(), null, language);
    }

    private static String render(
            List<FigureSeries> all, List<String> figures, @Nullable String shown, Language language) {
        List<ObjectNode> series = all.stream().map(HistoryPage::curve).toList();
        boolean served = shown != null;
        return HtmlReport.page(
                Page.Kind.HISTORY, language, "served", served, "figure", shown, "figures", figures, "series", series);
    }

    /** A container of sentences, because only nested sentences are serialized in all languages. */
    private record ShiftText(Sentence title, List<Sentence> sentences) {}

    private static ObjectNode curve(FigureSeries series) {
        ObjectNode node =
                Json.MAPPER.valueToTree(new ShiftText(HistoryText.title(series), HistoryText.sentences(series)));
        node.put("figure", series.figure());
        node.put("name", HistoryText.name(series));
        node.put("unit", Units.of(History.dimension(series.figure())));
        ArrayNode times = node.putArray("times");
        ArrayNode runs = node.putArray("runs");
        series.runs().forEach(run -> {
            times.add(run.startedAt().toString());
            runs.add(run.directory().getFileName().toString());
        });
        node.set("values", Json.MAPPER.valueToTree(series.values()));
        ArrayNode shifts = node.putArray("shifts");
        ArrayNode levels = node.putArray("levels");
        for (Shift shift : series.shifts()) {
            if (levels.isEmpty()) {
                level(levels.addObject(), 0, shift.at(), shift.before());
            }
            level(levels.addObject(), shift.at(), shift.end(), shift.after());
            shifts.addObject().put("at", shift.at()).put("kind", HistoryText.kind(series, shift));
        }
        return node;
    }

    private static void level(ObjectNode node, int from, int end, double value) {
        node.put("from", from).put("to", end - 1).put("value", value);
    }
}
