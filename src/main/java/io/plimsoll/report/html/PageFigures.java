package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Json;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;

/** What the page's script has to know of figures to draw charts and columns of them. */
final class PageFigures {
    private PageFigures() {}

    /** The figures that charts or tables of trials show, in their order. */
    static ArrayNode declared() {
        ArrayNode all = Json.MAPPER.createArrayNode();
        for (Figure figure : FigureCatalogue.all()) {
            if (figure.line() != null || figure.columnRank() >= 0) {
                ObjectNode one = all.addObject();
                one.put("id", figure.id());
                one.put("unit", Units.of(figure.shownDimension()));
                one.put("latency", figure.isLatency());
                one.put("column", figure.columnRank() >= 0);
                one.set("line", Json.MAPPER.valueToTree(figure.line()));
                ObjectNode labels = one.putObject("label");
                for (Language language : Language.values()) {
                    labels.put(language.code(), figure.label(language));
                }
            }
        }
        return all;
    }

    /** The values of a trial that have a column; unknown ones are absent. */
    static ObjectNode columns(TrialResult trial) {
        ObjectNode values = Json.MAPPER.createObjectNode();
        for (Figure figure : FigureCatalogue.columns()) {
            FigureCatalogue.value(trial, figure.id(), figure.shownDimension())
                    .ifPresent(value -> values.put(figure.id(), value));
        }
        return values;
    }
}
