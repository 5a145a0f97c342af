package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Json;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.text.Language;
import java.util.List;
import java.util.function.Function;

/** What the page's script has to know of figures to draw charts and columns of them. */
final class PageFigures {
    private PageFigures() {}

    /** The figures that charts over time show, in their order. */
    static ArrayNode charted() {
        ArrayNode all = Json.MAPPER.createArrayNode();
        for (Figure figure : FigureCatalogue.charted()) {
            ObjectNode one = described(all.addObject(), figure.id(), figure.shownDimension(), figure::label);
            one.put("latency", figure.isLatency());
            one.put("ofBrokers", figure.isOfBrokers());
            one.set("line", Json.MAPPER.valueToTree(figure.line()));
        }
        return all;
    }

    /** The columns of tables of trials, in their order. */
    static ArrayNode columns(List<TrialResult> trials) {
        ArrayNode all = Json.MAPPER.createArrayNode();
        FigureCatalogue.columns(trials).forEach(c -> described(all.addObject(), c.key(), c.dimension(), c::label));
        return all;
    }

    private static ObjectNode described(
            ObjectNode one, String id, Dimension dimension, Function<Language, String> label) {
        one.put("id", id).put("unit", Units.of(dimension));
        ObjectNode labels = one.putObject("label");
        for (Language language : Language.values()) {
            labels.put(language.code(), label.apply(language));
        }
        return one;
    }

    /** The values of a trial that have a column; unknown ones are absent. */
    static ObjectNode values(TrialResult trial) {
        ObjectNode values = Json.MAPPER.createObjectNode();
        for (Figure.Column column : FigureCatalogue.columns(List.of(trial))) {
            Number value = column.value(trial);
            if (value != null) {
                values.put(column.key(), value.doubleValue());
            }
        }
        return values;
    }
}
