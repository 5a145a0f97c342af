package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Language;
import java.util.Map;

/** The live page of a run: its state, and changes since the last request. Memory is bounded. Not thread-safe. */
public final class LiveModel {
    private final Fold fold = new Fold();
    private final RunSeries series = new RunSeries();
    private boolean started;
    private boolean changed = true;

    public void accept(TimelineEvent event) {
        fold.accept(event);
        series.accept(event);
        started = true;
        // A new second only extends the charts and figures; any other event requires a new page.
        changed |= !(event instanceof TimelineEvent.Measured
                || event instanceof TimelineEvent.Observed
                || event instanceof TimelineEvent.Acknowledged);
    }

    /** Whether more has changed since the last call than {@link #news} contains. */
    public boolean takeChanged() {
        boolean taken = changed;
        changed = false;
        return taken;
    }

    public ObjectNode page() {
        ObjectNode page = started
                ? HtmlReport.of(fold.result(), series)
                : Json.MAPPER.valueToTree(Json.object("result", Map.of(), "series", Map.of()));
        page.put("live", true);
        return page;
    }

    public static String html(ObjectNode page, Language language) {
        return Page.assemble(Page.Kind.RUN, page, language);
    }

    /** Adds the progress of the run, and the translations of all sentences, to a page or an update. */
    public static void progress(ObjectNode page, Object step) {
        page.set("progress", Json.MAPPER.valueToTree(step));
        Page.translated(page);
    }

    public static ObjectNode end(RunResult result, RunSeries series) {
        series.close();
        ObjectNode page = HtmlReport.of(result, series);
        page.put("live", false);
        Page.translated(page);
        page.put("resultGzip", HtmlReport.gzip(Json.pretty(result)));
        return page;
    }

    public RunSeries series() {
        return series;
    }

    /** The new seconds of all trials, and the figures of the trials with new seconds. */
    public ObjectNode news() {
        ObjectNode news = Json.MAPPER.createObjectNode();
        ArrayNode seconds = news.putArray("seconds");
        ArrayNode trials = news.putArray("trials");
        series.trials().forEach((name, trial) -> {
            var fresh = trial.takeFresh();
            fresh.forEach((second, columns) -> {
                seconds.addPOJO(Json.object("trial", name, "t", second + 1, "columns", columns));
            });
            if (!fresh.isEmpty()) {
                fold.result().trials().stream()
                        .filter(t -> t.name().equals(name))
                        .forEach(t -> trials.add(figures(t)));
            }
        });
        return news;
    }

    private static ObjectNode figures(TrialResult trial) {
        ObjectNode figures = Json.MAPPER.valueToTree(trial);
        HtmlReport.shown(figures, trial);
        figures.remove("partitions");
        return figures;
    }
}
