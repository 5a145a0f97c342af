package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.report.CapacityText;
import io.plimsoll.report.CheckRow.Between;
import io.plimsoll.report.ComparisonText;
import io.plimsoll.report.RunReport;
import io.plimsoll.report.RunTables;
import io.plimsoll.report.SheetText;
import io.plimsoll.report.Text;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.Sheet;
import io.plimsoll.report.html.RunSeries.TrialSeries.HeatMap;
import io.plimsoll.result.Figure;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.Json;
import io.plimsoll.result.Outcome;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Scaling;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.watch.WatchStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A run as one self-contained HTML file, with the whole {@code result.json}. Names and texts of the run are data, not markup.
 */
public final class HtmlReport {
    public static String render(RunDirectory directory, RunResult result, Language language) {
        return render(result, RunSeries.of(directory), language);
    }

    /** The state of a run that has not ended. */
    public static String renderRunning(RunDirectory directory, RunResult result, Language language) {
        return render(result, RunSeries.of(directory), true, language);
    }

    public static String render(RunResult result, RunSeries series, Language language) {
        return render(result, series, false, language);
    }

    private static String render(RunResult result, RunSeries series, boolean running, Language language) {
        series.close();
        ObjectNode page = of(result, series);
        page.put("running", running);
        Page.translated(page);
        page.put("resultGzip", gzip(Json.pretty(result)));
        return Page.assemble(Page.Kind.RUN, page, language);
    }

    public static String render(Comparison comparison, Language language) {
        return page(Page.Kind.COMPARISON, language, "comparison", ComparisonText.page(comparison));
    }

    public static String render(Sheet sheet, Language language) {
        return page(Page.Kind.SHEET, language, "sheet", SheetText.page(sheet));
    }

    public static String render(CapacityPlan plan, Language language) {
        return page(Page.Kind.CAPACITY, language, "capacity", plan, "grids", CapacityText.grids(plan));
    }

    /** @param data names and values; sentences in them are shown in all languages */
    public static String page(Page.Kind kind, Language language, @Nullable Object... data) {
        return Page.assemble(kind, Page.translated(Json.MAPPER.valueToTree(Json.object(data))), language);
    }

    /**
     * A run in a list.
     *
     * @param arms the settings of the sides of an A/B run, such as {@code linger.ms=0}
     * @param outcome null if the run was killed or is in progress
     */
    public record Entry(
            String directory,
            @Nullable String name,
            List<String> arms,
            @Nullable String startedAt,
            @Nullable Outcome outcome,
            @Nullable Sentence sentence,
            boolean running) {}

    public static String index(String directory, List<Entry> runs, Language language) {
        return page(Page.Kind.INDEX, language, "directory", directory, "runs", runs);
    }

    /**
     * @param rows trials of bundles
     * @param damaged bundles that cannot be read
     */
    public static String gallery(List<?> rows, List<?> damaged, Language language) {
        return page(Page.Kind.GALLERY, language, "rows", rows, "damaged", damaged);
    }

    /** The status of a watch as a page that refreshes itself. */
    public static String render(WatchStatus status, Language language) {
        ObjectNode page = Json.MAPPER.valueToTree(Json.object("live", true, "watch", status));
        return Page.assemble(Page.Kind.WATCH, page, language);
    }

    static String gzip(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    /** Maximum number of values in all curves together, at about six characters each. */
    static final int MOST_NUMBERS = 90_000;

    static final int MOST_CELLS = 20_000;
    static final int MOST_PARTITIONS = 1_000;
    private static final int MOST_ANOMALIES = 100;

    /** @param series from the timeline of this result; reduced if it is too large for a page */
    static ObjectNode of(RunResult result, RunSeries series) {
        return Json.MAPPER.valueToTree(Json.object(
                "result", trimmed(result),
                "command", Text.quote(result.head().command()),
                "scenario", RunReport.scenario(result),
                "series", curves(series),
                "figures", charted(),
                "stages", RunSeries.TrialSeries.STAGES,
                "grids", RunTables.ofRun(result),
                "columns", columns(result.trials()),
                "conclusions", Between.conclusions(result),
                "scaling", Scaling.of(result)));
    }

    /** The result without the data of the charts and without very long lists. */
    private static JsonNode trimmed(RunResult result) {
        ObjectNode all = Json.MAPPER.valueToTree(result);
        all.remove("scenario");
        if (RunReport.isImported(result)) {
            all.remove("seed");
        } else {
            // JavaScript rounds integers above 2^53.
            all.put("seed", String.valueOf(result.head().seed()));
        }
        JsonNode trials = all.path("trials");
        int room = MOST_PARTITIONS / Math.max(1, trials.size());
        for (int i = 0; i < trials.size(); i++) {
            ObjectNode trial = (ObjectNode) trials.get(i);
            TrialResult of = result.trials().get(i);
            shown(trial, of);
            trial.set("leaders", Json.MAPPER.valueToTree(byLeader(of.detail().partitions())));
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

    /** Adds the tables of a trial to its data, and removes the data of its charts. */
    static void shown(ObjectNode trial, TrialResult of) {
        trial.set("columns", values(of));
        trial.put("throughputIsLowerBound", Invalidity.isThroughputLowerBound(of));
        trial.set("grids", Json.MAPPER.valueToTree(RunTables.ofTrial(of)));
        trial.remove("seconds");
    }

    /** @param leader ID of a broker; -1 for partitions without a leader */
    private record Led(int leader, long produced, long consumed) {
        Led plus(Led other) {
            return new Led(leader, produced + other.produced, consumed + other.consumed);
        }
    }

    /** The records of all partitions, by leader. */
    private static Collection<Led> byLeader(List<PartitionResult> partitions) {
        Map<Integer, Led> leaders = new TreeMap<>();
        for (PartitionResult p : partitions) {
            if (p.leader() != null) {
                int leader = Math.max(-1, p.leader());
                leaders.merge(leader, new Led(leader, p.produced(), p.consumed()), Led::plus);
            }
        }
        return leaders.values();
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
            for (RunSeries.TrialSeries trial : trials) {
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

    /** The values of a trial that have a column; unknown values are absent. */
    private static ObjectNode values(TrialResult trial) {
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
