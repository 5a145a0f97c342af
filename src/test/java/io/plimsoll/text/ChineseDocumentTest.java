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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Guards that the Chinese documents match the English ones: the same headings, commands and examples, tables with the same
 * rows and columns, and links that resolve. Comments and sample output may be in Chinese.
 */
class ChineseDocumentTest {
    private static final Path DOCS = Path.of("docs");
    private static final Path CHINESE = DOCS.resolve("zh");
    private static final String GLOSSARY = "reference/glossary.md";
    private static final Pattern LINK = Pattern.compile("(?<!!)\\[[^\\]]*]\\(([^)#:]*)(?:#([^)]*))?\\)");
    private static final Pattern HAN = Pattern.compile("\\p{IsHan}");
    private static final Pattern ENGLISH = Pattern.compile("[A-Za-z]{2,}(?: [a-z]{2,}){5,}");

    /** A page and its comparable parts. */
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
    @MethodSource("whole")
    void matchesEnglishPage(Path english, Path chinese) {
        Page of = Page.read(english);
        Page in = Page.read(chinese);
        assertThat(in.headings()).as("levels of headings").isEqualTo(of.headings());
        assertThat(in.blocks()).as("commands and examples").hasSameSizeAs(of.blocks());
        for (int i = 0; i < in.blocks().size(); i++) {
            String block = uncommented(in.blocks().get(i));
            boolean output = HAN.matcher(block).find();
            assertThat(output ? commands(block) : block)
                    .as(chinese + ", block " + (i + 1))
                    .isEqualTo(
                            output
                                    ? commands(of.blocks().get(i))
                                    : uncommented(of.blocks().get(i)));
        }
        assertThat(in.tables()).as("tables").isEqualTo(of.tables());
    }

    private static String uncommented(String block) {
        return block.replaceAll("(?m)^# .*\n| +# .*$", "");
    }

    /** The commands in sample output. */
    private static String commands(String block) {
        return uncommented(block)
                .lines()
                .filter(line -> line.matches("(\\$ )?(\\./)?plimsoll .*"))
                .collect(Collectors.joining("\n"));
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
                .startsWith("# ")
                .contains(
                        "[English](" + chinese.toAbsolutePath().getParent().relativize(english.toAbsolutePath()) + ")");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void linksResolve(Path english, Path chinese) throws IOException {
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

    /** Pages of the groups with the same content in Chinese; Chinese pages of other groups are shorter. */
    static Stream<Object[]> whole() {
        return pages().filter(pair -> isWhole(pair[0].toString().replaceFirst("docs/", "")));
    }

    private static boolean isWhole(String name) {
        return name.matches("(start|guides|reference)/.*|README.md");
    }

    /** The parameters of each test of this class: a page and its counterpart. */
    static Stream<Object[]> pages() {
        return Stream.concat(
                Stream.<Object[]>of(new Object[] {Path.of("README.md"), Path.of("README.zh.md")}),
                names(CHINESE).stream().filter(name -> !name.equals(GLOSSARY)).map(name ->
                        new Object[] {DOCS.resolve(name), CHINESE.resolve(name)}));
    }

    @Test
    void pagesOfBothLanguagesCorrespond() {
        List<String> english = names(DOCS);
        List<String> chinese = new ArrayList<>(names(CHINESE));
        assertThat(chinese.remove(GLOSSARY)).isTrue();
        assertThat(chinese).hasSizeGreaterThan(10).isSubsetOf(english);
        assertThat(english).filteredOn(ChineseDocumentTest::isWhole).isSubsetOf(chinese);
    }

    /** The paths of the pages of a language, below its directory. */
    private static List<String> names(Path directory) {
        return Markdown.pages(directory)
                .map(page -> directory.relativize(page).toString())
                .toList();
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
