package io.plimsoll.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.testing.Markdown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Guards that the Chinese documents are in step with the English ones: the same headings, the same commands and examples to
 * the letter, tables with the same rows and columns, and links that lead somewhere.
 */
class ChineseDocumentTest {
    private static final Path DOCS = Path.of("docs");
    private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]*]\\(([^)#:]*)(?:#([^)]*))?\\)");
    private static final Pattern ENGLISH = Pattern.compile("[A-Za-z]{2,}(?: [a-z]{2,}){5,}");

    /** A page and what can be compared of it. */
    private record Page(
            Path path, List<Integer> headings, List<String> blocks, List<String> tables, List<String> prose) {
        static Page read(Path path) {
            Page page = new Page(path, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            StringBuilder block = null;
            int rows = 0;
            int columns = 0;
            for (String line : lines(path)) {
                boolean fence = line.startsWith("```");
                boolean row = block == null && line.startsWith("|");
                if (!row && rows > 0) {
                    page.tables.add(rows + " rows of " + columns);
                    rows = 0;
                }
                if (fence && block == null) {
                    block = new StringBuilder();
                } else if (fence) {
                    page.blocks.add(block.toString());
                    block = null;
                } else if (block != null) {
                    block.append(line).append('\n');
                } else if (row) {
                    rows++;
                    columns = line.replace("\\|", "").split("\\|", -1).length - 2;
                } else if (line.matches("#+ .*")) {
                    page.headings.add(line.indexOf(' '));
                } else {
                    page.prose.add(line);
                }
            }
            return page;
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void saysTheSameAsTheEnglishPage(Path english, Path chinese) {
        Page of = Page.read(english);
        Page in = Page.read(chinese);
        assertThat(in.headings()).as("levels of headings").isEqualTo(of.headings());
        assertThat(in.blocks()).as("commands and examples").isEqualTo(of.blocks());
        assertThat(in.tables()).as("tables").isEqualTo(of.tables());
    }

    @ParameterizedTest
    @MethodSource("pages")
    void isChineseAndLinkedBothWays(Path english, Path chinese) throws IOException {
        assertThat(Page.read(chinese).prose())
                .allSatisfy(line -> assertThat(ENGLISH.matcher(line.replaceAll("`[^`]*`|\\*[^*]*\\*|<!--.*", ""))
                                .results()
                                .map(MatchResult::group))
                        .as(chinese.toString())
                        .isEmpty());
        assertThat(Files.readString(english))
                .contains("[中文](" + english.toAbsolutePath().getParent().relativize(chinese.toAbsolutePath()) + ")");
        assertThat(Files.readString(chinese))
                .containsPattern(chinese.startsWith(DOCS) ? "^# .*\n\n.*\n\n读完本页，" : "^# ")
                .contains(
                        "[English](" + chinese.toAbsolutePath().getParent().relativize(english.toAbsolutePath()) + ")");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksLeadSomewhere(Path english, Path chinese) throws IOException {
        for (MatchResult link : LINK.matcher(Files.readString(chinese).replaceAll("(?s)```.*?```", ""))
                .results()
                .toList()) {
            Path target = link.group(1).isEmpty() ? chinese : chinese.resolveSibling(link.group(1));
            assertThat(target).exists();
            if (link.group(2) != null && target.toString().endsWith(".md")) {
                assertThat(Markdown.anchors(target))
                        .as(chinese + ": " + link.group())
                        .contains(link.group(2));
            }
        }
    }

    /** What each test of this class is given: a page and its counterpart. */
    static Stream<Object[]> pages() throws IOException {
        return Stream.concat(
                Stream.<Object[]>of(new Object[] {Path.of("README.md"), Path.of("README.zh.md")}),
                names(DOCS).stream().map(name ->
                        new Object[] {DOCS.resolve(name), DOCS.resolve("zh").resolve(name)}));
    }

    @Test
    void everyPageHasACounterpartAndNoneIsLeftOver() throws IOException {
        List<String> chinese = new ArrayList<>(names(DOCS.resolve("zh")));
        assertThat(chinese.remove("glossary.md")).isTrue();
        assertThat(chinese).hasSizeGreaterThan(10).isEqualTo(names(DOCS));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
