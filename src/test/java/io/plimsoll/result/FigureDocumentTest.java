package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Keeps the list of figures in docs/scenario.md and the index in docs/measuring.md equal to their declarations. With {@code
 * -Dplimsoll.write=true} it writes them there instead.
 */
class FigureDocumentTest {
    private static final String BEGIN = "<!-- figures: made from the declarations by FigureDocumentTest -->\n";
    private static final String END = "<!-- end of figures -->";

    @Test
    void theListOfFiguresIsThatOfTheCatalogue() throws IOException {
        assertMade(Path.of("docs", "scenario.md"), table(Language.EN));
    }

    @Test
    void theIndexOfWhatReportsShowIsThatOfTheCatalogue() throws IOException {
        assertMade(Path.of("docs", "measuring.md"), index(Language.EN));
    }

    static void assertMade(Path document, String list) throws IOException {
        String text = Files.readString(document);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        String whole = text.substring(0, from) + list + text.substring(text.indexOf(END, from));
        if (Boolean.getBoolean("plimsoll.write")) {
            Files.writeString(document, whole);
        }
        assertThat(Files.readString(document)).isEqualTo(whole);
    }

    /** What tables and charts call a figure, and its name in checks. */
    static String index(Language language) {
        boolean english = language == Language.EN;
        StringBuilder index =
                new StringBuilder((english ? "| shown as | 中文 | figure | in |" : "| 称为 | English | 指标 | 出现在 |")
                        + "\n|---|---|---|---|\n");
        for (Figure figure : FigureCatalogue.all()) {
            figure.columns()
                    .forEach(c -> row(
                            index,
                            c.label(language),
                            c.label(english ? Language.ZH : Language.EN),
                            figure,
                            c.statistic(),
                            english ? "table of trials" : "试验表"));
            String in = figure.brokerRank() < 0 ? "" : english ? "table of brokers" : "broker 表";
            if (figure.line() != null) {
                in += (in.isEmpty() ? "" : english ? ", " : "、") + (english ? "chart `" : "图表 `")
                        + figure.line().chart() + "`";
            }
            if (!in.isEmpty()) {
                row(index, figure.label(language), figure.label(english ? Language.ZH : Language.EN), figure, null, in);
            }
        }
        return index + "\n";
    }

    private static void row(
            StringBuilder index, String english, String chinese, Figure figure, Statistic statistic, String in) {
        String name = figure.id() + (statistic == null ? "" : "." + statistic.text());
        index.append("| ")
                .append(english)
                .append(" | ")
                .append(chinese)
                .append(" | `")
                .append(name);
        index.append("` | ").append(in).append(" |\n");
    }

    @Test
    void everyFigureSaysWhatItIsAndWhatItIsCalled() {
        assertThat(FigureCatalogue.all()).allSatisfy(f -> {
            boolean shown = f.line() != null || f.brokerRank() >= 0;
            for (Language language : Language.values()) {
                assertThat(f.meaning(language)).as(f.id()).isNotEqualTo(f.id()).doesNotEndWith(".");
                assertThat(shown && f.label(language).equals(f.id())).as(f.id()).isFalse();
                assertThat(f.columns()).noneMatch(c -> c.label(language).equals(f.id()));
            }
        });
    }

    static String table(Language language) {
        boolean english = language == Language.EN;
        String statistics = Arrays.stream(Statistic.values())
                .map(s -> "`." + s.text() + "`")
                .collect(Collectors.joining(english ? ", " : "、"));
        StringBuilder table =
                new StringBuilder((english ? "| figure | what it is | limit | each second |" : "| 指标 | 是什么 | 界限 | 每秒 |")
                        + "\n|---|---|---|---|\n");
        for (Figure figure : FigureCatalogue.all()) {
            table.append("| `").append(figure.id()).append('`').append(figure.isLatency() ? " *" : "");
            table.append(" | ").append(figure.meaning(language)).append(" | ");
            table.append(figure.dimensions().stream()
                    .map(d -> english
                            ? limit(d)
                            : limit(d).replace("a duration", "时长")
                                    .replace("a number", "数")
                                    .replace(" or ", " 或 "))
                    .collect(Collectors.joining(english ? " or " : " 或 ")));
            table.append(" | ")
                    .append(figure.perSecond() ? english ? "yes" : "有" : "")
                    .append(" |\n");
        }
        return table + (english ? "\n\\* with one of " : "\n\\* 加上 ") + statistics + (english ? "" : " 之一") + "\n\n";
    }

    private static String limit(Dimension dimension) {
        return switch (dimension) {
            case MICROSECONDS -> "a duration";
            case BYTES_PER_SECOND -> "`10MB/s`";
            case RECORDS_PER_SECOND -> "`5000/s`";
            case COUNT -> "a number";
            case RATIO -> "`0.95` or `95%`";
        };
    }
}
