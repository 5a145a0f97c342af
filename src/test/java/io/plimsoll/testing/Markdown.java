package io.plimsoll.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Pages of the documentation. */
public final class Markdown {
    private Markdown() {}

    /**
     * The pages of a language, sorted by path: all pages below a directory, without the directories of other languages.
     */
    public static Stream<Path> pages(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files
                    .filter(file -> file.toString().endsWith(".md")
                            && !directory.relativize(file).startsWith("zh"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Link targets of a page: headings as named by GitHub, and explicit anchors. */
    public static List<String> anchors(Path page) {
        try {
            return Files.readAllLines(page).stream()
                    .flatMap(line -> line.startsWith("#")
                            ? Stream.of(line.replaceFirst("#+ ", "")
                                    .toLowerCase(Locale.ROOT)
                                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                                    .replace(' ', '-'))
                            : Pattern.compile("<a id=\"([^\"]+)\">")
                                    .matcher(line)
                                    .results()
                                    .map(m -> m.group(1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
