package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.report.CapacityText;
import io.plimsoll.report.ComparisonView;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.text.Language;
import io.plimsoll.watch.WatchStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;

/**
 * A run as one HTML file that needs no network: charts, tables and the whole {@code result.json} to be saved from it. Names
 * and texts of the run get there as data alone, never as markup.
 */
public final class HtmlReport {
    private HtmlReport() {}

    /** @param directory of the run, for its timeline */
    public static String render(RunDirectory directory, RunResult result, Language language) {
        return render(result, RunSeries.of(directory), language);
    }

    /** @param series of the run's timeline; empty if there is none */
    public static String render(RunResult result, RunSeries series, Language language) {
        ObjectNode page = PageModel.of(result, series);
        Sayings.addTo(page);
        page.put("resultGzip", gzip(Json.pretty(result)));
        return Page.assemble(page, language);
    }

    /** A comparison as a page of the same kind. */
    public static String render(Comparison comparison, Language language) {
        ObjectNode page = Json.MAPPER.createObjectNode();
        page.set("comparison", Json.MAPPER.valueToTree(ComparisonView.of(comparison)));
        Sayings.addTo(page);
        return Page.assembleComparison(page, language);
    }

    /** How many brokers a load takes, as a page of the same kind. */
    public static String render(CapacityPlan capacity, Language language) {
        ObjectNode page = Json.MAPPER.createObjectNode();
        page.set("capacity", Json.MAPPER.valueToTree(capacity));
        page.set("grids", Json.MAPPER.valueToTree(CapacityText.grids(capacity)));
        Sayings.addTo(page);
        return Page.assembleCapacity(page, language);
    }

    /** What a watch knows, as a page that looks again by itself. */
    public static String render(WatchStatus status, Language language) {
        ObjectNode page = Json.MAPPER.createObjectNode();
        page.put("live", true);
        page.set("watch", Json.MAPPER.valueToTree(status));
        return Page.assembleWatch(page, language);
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
}
