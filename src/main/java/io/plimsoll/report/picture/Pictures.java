package io.plimsoll.report.picture;

import io.plimsoll.report.html.RunSeries;
import io.plimsoll.report.picture.Drawing.PngDrawing;
import io.plimsoll.report.picture.Drawing.SvgDrawing;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.result.RunResult;
import io.plimsoll.text.Language;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The charts of a run as files.
 *
 * @param font for PNG; null for SVG
 * @param mostOfTrial maximum number of charts per trial, in the order of the figure catalogue
 */
public record Pictures(@Nullable Font font, Language language, int mostOfTrial) {
    private static final int MOST_IN_MARKDOWN = 60;
    /** Maximum number of characters in a file name, of up to four bytes each; file systems allow 255 bytes. */
    private static final int LONGEST_NAME = 60;

    public static Pictures svg(Language language) {
        return new Pictures(null, language, Integer.MAX_VALUE);
    }

    /** PNG pictures in this language if a local font supports it, otherwise in English; empty without fonts. */
    public static Optional<Pictures> png(Language language) {
        return Stream.of(language, Language.EN)
                .flatMap(each -> PngDrawing.fontFor(RunCharts.text("time.throughput.title", each))
                        .map(font -> new Pictures(font, each, Integer.MAX_VALUE))
                        .stream())
                .findFirst();
    }

    /**
     * Writes charts to a directory beside a Markdown report; some charts are omitted for runs with many trials.
     *
     * @return titles by path relative to the report
     */
    public static Map<String, String> beside(Path report, RunResult result, RunSeries series, Language language)
            throws IOException {
        int most = Math.max(2, MOST_IN_MARKDOWN / Math.max(1, result.trials().size()));
        String directory = report.getFileName().toString().replaceFirst("\\.[^.]*$", "") + "-pictures";
        Path pictures = report.resolveSibling(directory);
        if (!Files.exists(pictures)) {
            PrivateFiles.directory(pictures);
        }
        Map<String, String> links = new LinkedHashMap<>();
        new Pictures(null, language, most)
                .write(result, series, pictures)
                .forEach((file, title) -> links.put(directory + "/" + file.getFileName(), title));
        return links;
    }

    /** @return titles by file; the files are readable only by their owner */
    public Map<Path, String> write(RunResult result, RunSeries series, Path directory) throws IOException {
        Map<Path, String> written = new LinkedHashMap<>();
        for (Chart chart : RunCharts.of(result, series, language, mostOfTrial)) {
            Files.createDirectories(directory);
            Path file = directory.resolve(fileName(chart.file()));
            for (int n = 2; written.containsKey(file); n++) {
                file = directory.resolve(fileName(chart.file() + "-" + n));
            }
            PrivateFiles.file(file);
            Drawing drawing = font == null ? new SvgDrawing(chart.title()) : new PngDrawing(font);
            Files.write(file, ChartPainter.paint(chart, drawing));
            written.put(file, chart.title());
        }
        return written;
    }

    private String fileName(String name) {
        String safe = name.replaceAll("[^\\p{L}\\p{N}._]+", "-").replaceAll("^[.-]+", "");
        int more = safe.codePointCount(0, safe.length()) - LONGEST_NAME;
        return safe.substring(safe.offsetByCodePoints(0, Math.max(0, more))) + (font == null ? ".svg" : ".png");
    }
}
