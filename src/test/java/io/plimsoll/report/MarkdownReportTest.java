package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** The Markdown report contains the content of the result. */
class MarkdownReportTest {

    @Test
    void containsVerdictFiguresAndSetup() {
        assertThat(RunReport.markdown(Samples.single(), Language.EN))
                .startsWith("# one\n\n❌ **")
                .containsPattern(Said.en("result.checksFailed", 3, 3, null, Sentence.of("result.andMore", 2)))
                .containsPattern(Said.en("result.checkWas", "produce.response.p99 &lt; 50ms", "62.4 ms"))
                .contains("\n| steady-load | 5,000 | 5,000 | 5.00 | 32.0 ms | 56.8 ms | 62.4 ms | 62.9 ms | 63.0 ms |")
                .contains("\n| steady-load | send delay | 20 µs |")
                .contains("\n| ❌ | audit.duplicated == 0 | not measured |\n")
                .contains("\n| steady-load | events | 0 | 1 | 50,000 | 5,000 | 50,000 | 5,000 |\n")
                .contains("\n| steady-load | readers | 1 | 50,000 | 0 | 10 | 0 |\n")
                .contains("\n| steady-load | producers\\[0\\] | linger.ms | 5 |\n")
                .contains("\n| 1 | 127.0.0.1:9092 | – |\n")
                .contains(
                        "\n| CPU | Test CPU, 2 cores |\n| Memory | 17.2 GB |\n| Limits | CPU: no limit; memory: 8.59 GB |\n")
                .contains("\n```\nplimsoll run one\n```\n")
                .contains("\n```yaml\nname: one\n```\n");
    }

    @Test
    void namesFiguresInChinese() {
        assertThat(RunReport.markdown(Samples.single(), Language.ZH))
                .contains("\n| 试验 | 给定/秒 | 条/秒 | MB/s | 响应 p50 | 响应 p90 | 响应 p99 | 响应 p99.9 | 响应最大值 |")
                .contains("\n| steady-load | 响应时间 | 32.0 ms |");
    }

    @Test
    void tableRowsHaveEqualCellCounts() {
        for (var result : List.of(Samples.quick(), Samples.single(), Samples.matrix(), Samples.hostile())) {
            List<String> lines = RunReport.markdown(result, Language.EN).lines().toList();
            int tables = 0;
            for (int i = 1; i < lines.size(); i++) {
                if (lines.get(i).startsWith("|") && lines.get(i - 1).startsWith("|")) {
                    assertThat(cells(lines.get(i))).isEqualTo(cells(lines.get(i - 1)));
                    tables++;
                }
            }
            assertThat(tables).isGreaterThan(10);
        }
    }

    private static long cells(String row) {
        return row.chars().filter(c -> c == '|').count();
    }

    @Test
    void namesCannotInjectMarkup() {
        String report = RunReport.markdown(Samples.hostile(), Language.EN);
        String outsideOfBlocks =
                Pattern.compile("(?ms)^(````*)\\w*\n.*?^\\1$").matcher(report).replaceAll("");
        assertThat(outsideOfBlocks)
                .doesNotContain("<", "`x`", "**b", "://", "www.", "\u001b", "\r")
                .doesNotContainPattern("(?<!\\\\)\\]\\(");
        assertThat(outsideOfBlocks.lines().filter(l -> l.startsWith("#")).skip(1))
                .as("headings of our own only")
                .allMatch(l -> l.matches("#{2,3} [A-Z][a-z -]+"));
        assertThat(report).as("the fence is longer than the one inside").contains("\n````\nplimsoll run '```\n");
    }

    @Property
    void escapedTextHasNoMarkup(@ForAll @StringLength(max = 30) @CharRange(from = ' ', to = '~') String text) {
        String escaped = Markdown.escape(text);
        assertThat(escaped).doesNotContain("<", ">", "|", "@", "://");
        assertThat(Pattern.compile("(?<!\\\\)(\\\\\\\\)*[`*_\\[\\]{}#~]")
                        .matcher(escaped.replaceAll("&#\\d+;", ""))
                        .find())
                .isFalse();
        assertThat(escaped).doesNotMatch("(?s)\\s*([-+=]|\\d+[.)])(\\s.*|$)");
        assertThat(unescape(escaped)).isEqualTo(text.strip());
    }

    /** The explanations of a sheet come from scenarios. */
    @Test
    void escapesExplanationsExceptOwn() {
        List<Block> blocks = List.of(Block.text(Sentence.verbatim("x")));
        Sentence own = Sentence.of("report.about.latencies");
        Document document = new Document(Sentence.verbatim("t"))
                .add(Sentence.verbatim("a"), Sentence.both("*b* <img src=x>", "c"), blocks)
                .add(Sentence.verbatim("d"), own, blocks);
        assertThat(Markdown.of(document, Language.EN))
                .contains("\n\\*b\\* &lt;img src=x&gt;\n")
                .contains("\n" + own.english() + "\n");
        assertThat(own.english()).contains("*Service time*");
    }

    /** A report can have any name, and its pictures are named after it. */
    @Test
    void escapesPathsInPictureLinks() {
        String plain = "quick-pictures/latency-response.svg";
        assertThat(Markdown.link(plain)).isEqualTo(plain);
        assertThat(Markdown.link("my run (2)-pictures/压测-50%-cpu.svg"))
                .isEqualTo("my%20run%20%282%29-pictures/压测-50%25-cpu.svg");
    }

    private static String unescape(String text) {
        return text.replaceAll("\\\\(.)", "$1")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#124;", "|")
                .replace("&#64;", "@")
                .replace("&#58;", ":")
                .replace("&#46;", ".")
                .replace("&amp;", "&");
    }

    @Test
    void truncatesLongPartitionLists() {
        assertThat(RunReport.markdown(Samples.partitions(150), Language.EN))
                .contains("| events | 99 |")
                .doesNotContain("| events | 100 |")
                .contains("50 more partitions are in result.json.");
    }

    @Test
    void commandsCanBePastedIntoAShell() {
        assertThat(Text.quote(List.of("plimsoll", "run", "--set", "a[0].b=x y", "it's", "")))
                .isEqualTo("plimsoll run --set 'a[0].b=x y' 'it'\\''s' ''");
    }
}
