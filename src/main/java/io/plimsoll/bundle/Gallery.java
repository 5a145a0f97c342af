package io.plimsoll.bundle;

import io.plimsoll.PlimsollException;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Fold;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bundles as a static site without external resources: an index of all trials, and the page of each run.
 *
 * @param rows of all readable bundles
 * @param damaged the unreadable bundles, each with the reason
 */
public record Gallery(List<Row> rows, List<Damaged> damaged) {
    public static final String INDEX = "index.html";

    /**
     * A row of the index.
     *
     * @param page file of the run's page
     * @param notes of the bundle's author
     */
    public record Row(
            BundleRow row,
            boolean publishable,
            String bundle,
            String page,
            @Nullable String notes) {}

    public record Damaged(String bundle, Sentence reason) {}

    /** The bundle files in a directory and its readable subdirectories. */
    public static List<Path> in(Path directory) throws IOException {
        // The directory itself can be a link. Links to directories below it are not followed.
        Path real = directory.toRealPath();
        List<Path> bundles = new ArrayList<>();
        Files.walkFileTree(real, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(BundleWriter.SUFFIX) && UnpackedBundle.isAt(file)) {
                    bundles.add(directory.resolve(real.relativize(file)));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
        Collections.sort(bundles);
        return List.copyOf(bundles);
    }

    /** Writes the page of each run, and the index. */
    public static Gallery write(List<Path> bundles, Path site, Language language) throws IOException {
        Files.createDirectories(site);
        Gallery gallery = new Gallery(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < bundles.size(); i++) {
            String name = bundles.get(i).getFileName().toString();
            try (UnpackedBundle bundle = UnpackedBundle.open(bundles.get(i))) {
                List<BundleRow> rows = BundleRow.of(bundle);
                Map<String, String> pages = new LinkedHashMap<>();
                for (Path run : bundle.runs()) {
                    RunDirectory directory = RunDirectory.open(run);
                    String page = (i + 1) + "-" + run.getFileName() + ".html";
                    Files.writeString(site.resolve(page), HtmlReport.render(directory, Fold.of(directory), language));
                    pages.put(run.getFileName().toString(), page);
                }
                String notes = bundle.manifest().notes();
                rows.forEach(row -> gallery.rows.add(
                        new Row(row, row.publishable(), name, pages.getOrDefault(row.run(), INDEX), notes)));
            } catch (PlimsollException e) {
                gallery.damaged.add(new Damaged(name, e.sentence()));
            } catch (RuntimeException e) {
                // An exception while rendering an untrusted timeline must not stop the other pages.
                gallery.damaged.add(new Damaged(name, Sentence.of("bundle.unreadable", String.valueOf(e))));
            }
        }
        Files.writeString(site.resolve(INDEX), HtmlReport.gallery(gallery.rows, gallery.damaged, language));
        return gallery;
    }
}
