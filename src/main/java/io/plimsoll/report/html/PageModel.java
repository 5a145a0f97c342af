package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.report.CheckRow.Between;
import io.plimsoll.report.RunReport;
import io.plimsoll.report.RunTables;
import io.plimsoll.report.Shell;
import io.plimsoll.report.html.TrialSeries.HeatMap;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Scaling;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.text.Language;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The data of a page as JSON for its scripts. */
final class PageModel {
    /** Numbers in all curves together: about six letters each. */
    static final int MOST_NUMBERS = 90_000;

    static final int MOST_CELLS = 20_000;
    static final int MOST_PARTITIONS = 1_000;
    private static final int MOST_ANOMALIES = 100;

    private PageModel() {}

    /** @param series of this result's timeline; coarsened if it is too much for a page */
    static ObjectNode of(RunResult result, RunSeries series) {
        List<String> command = result.head().command();
        return Json.MAPPER.valueToTree(Json.object(
                "result", trimmed(result),
                "command", command == null ? "" : Shell.quote(command),
                "scenario", RunReport.scenario(result),
                "series", curves(series),
                "figures", charted(),
                "stages", TrialSeries.STAGES,
                "grids", RunTables.ofRun(result),
                "columns", columns(result.trials()),
                "conclusions", Between.conclusions(result),
                "scaling", Scaling.of(result)));
    }

    /** The result without the data of the charts and without overlong lists. */
    private static JsonNode trimmed(RunResult result) {
        ObjectNode all = Json.MAPPER.valueToTree(result);
        all.remove("scenario");
        JsonNode trials = all.path("trials");
        int room = MOST_PARTITIONS / Math.max(1, trials.size());
        for (int i = 0; i < trials.size(); i++) {
            ObjectNode trial = (ObjectNode) trials.get(i);
            TrialResult of = result.trials().get(i);
            trial.set("columns", values(of));
            trial.set("grids", Json.MAPPER.valueToTree(RunTables.ofTrial(of)));
            trial.remove("seconds");
            trial.put("partitionsLeft", shorten(trial.get("partitions"), Math.max(20, room)));
            JsonNode audit = trial.get("audit");
            if (audit != null && audit.get("anomalies") instanceof ArrayNode anomalies) {
                int left = shorten(anomalies, MOST_ANOMALIES);
                long before = audit.path("anomaliesLeft").asLong();
                ((ObjectNode) audit).put("anomaliesLeft", before + left);
            }
        }
        return all;
    }

    private static int shorten(JsonNode list, int most) {
        int left = 0;
        if (list instanceof ArrayNode array) {
            while (array.size() > most) {
                array.remove(array.size() - 1);
                left++;
            }
        }
        return left;
    }

    private static Map<String, Object> curves(RunSeries series) {
        fit(series);
        Map<String, Object> curves = new LinkedHashMap<>();
        series.trials().forEach((name, trial) -> {
            Points points = trial.points();
            HeatMap heat = trial.heat();
            curves.put(
                    name,
                    Json.object(
                            "secondsPerStretch", points.secondsPerStretch(),
                            "t", points.times(),
                            "columns", points.values(),
                            "heatSeconds", heat.secondsPerColumn(),
                            "heat", heat.cells(),
                            "spectra", trial.spectra()));
        });
        return curves;
    }

    private static void fit(RunSeries series) {
        var trials = series.trials().values();
        boolean coarser = true;
        while (coarser && trials.stream().mapToLong(t -> t.points().size()).sum() > MOST_NUMBERS) {
            coarser = false;
            for (TrialSeries trial : trials) {
                coarser |= trial.points().coarsen();
            }
        }
        for (int i = 0;
                i < 8 && trials.stream().mapToLong(t -> t.heat().cells().size()).sum() > MOST_CELLS;
                i++) {
            trials.forEach(t -> t.heat().coarsen());
        }
    }

    private static ArrayNode charted() {
        ArrayNode all = Json.MAPPER.createArrayNode();
        for (Figure figure : FigureCatalogue.charted()) {
            ObjectNode one = described(all.addObject(), figure.id(), figure.shownDimension(), figure::label);
            one.put("latency", figure.isLatency());
            one.put("ofEach", figure.ofEach());
            one.set("line", Json.MAPPER.valueToTree(figure.line()));
        }
        return all;
    }

    private static ArrayNode columns(List<TrialResult> trials) {
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
