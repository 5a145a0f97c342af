package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.history.FigureSeries;
import io.plimsoll.history.History;
import io.plimsoll.history.Shift;
import io.plimsoll.report.HistoryText;
import io.plimsoll.result.Json;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import java.util.List;

/** Figures run after run, as a page. Stateless. */
public final class HistoryPage {
    private HistoryPage() {}

    /** As a file by itself. */
    public static String render(List<FigureSeries> all, Language language) {
        return render(all, List.of(), null, language);
    }

    /**
     * As a page of the runs' server, on which another figure can be chosen, and whose dots lead to their runs.
     *
     * @param figures to choose from
     * @param shown the one that is shown
     */
    public static String render(List<FigureSeries> all, List<String> figures, String shown, Language language) {
        ObjectNode page = Json.MAPPER.createObjectNode();
        page.put("served", shown != null);
        page.put("figure", shown);
        page.set("figures", Json.MAPPER.valueToTree(figures));
        ArrayNode series = page.putArray("series");
        all.forEach(each -> series.add(of(each)));
        Sayings.addTo(page);
        return Page.assembleHistory(page, language);
    }

    private static ObjectNode of(FigureSeries series) {
        ObjectNode node = Json.MAPPER.createObjectNode();
        node.set("title", Json.MAPPER.valueToTree(HistoryText.title(series)));
        node.put("figure", series.figure());
        node.put("unit", Units.of(History.dimension(series.figure())));
        ArrayNode times = node.putArray("times");
        ArrayNode runs = node.putArray("runs");
        series.runs().forEach(run -> {
            times.add(run.startedAt().toString());
            runs.add(run.directory().getFileName().toString());
        });
        node.set("values", Json.MAPPER.valueToTree(series.values()));
        node.set("sentences", Json.MAPPER.valueToTree(HistoryText.sentences(series)));
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
