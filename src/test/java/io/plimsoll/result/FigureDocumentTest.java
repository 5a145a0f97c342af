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
        assertMade(Path.of("docs", "scenario.md"), table());
    }

    @Test
    void theIndexOfWhatReportsShowIsThatOfTheCatalogue() throws IOException {
        assertMade(Path.of("docs", "measuring.md"), index());
    }

    private static void assertMade(Path document, String list) throws IOException {
        String text = Files.readString(document);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        String whole = text.substring(0, from) + list + text.substring(text.indexOf(END, from));
        if (Boolean.getBoolean("plimsoll.write")) {
            Files.writeString(document, whole);
        }
        assertThat(Files.readString(document)).isEqualTo(whole);
    }

    /** What tables and charts call a figure, and its name in checks. */
    private static String index() {
        StringBuilder index = new StringBuilder("| shown as | 中文 | figure | in |\n|---|---|---|---|\n");
        for (Figure figure : FigureCatalogue.all()) {
            figure.columns()
                    .forEach(c -> row(index, c.english(), c.chinese(), figure, c.statistic(), "table of trials"));
            String in = figure.brokerRank() < 0 ? "" : "table of brokers";
            if (figure.line() != null) {
                in += (in.isEmpty() ? "" : ", ") + "chart `" + figure.line().chart() + "`";
            }
            if (!in.isEmpty()) {
                row(index, figure.label(Language.EN), figure.label(Language.ZH), figure, null, in);
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
            assertThat(f.meaning()).as(f.id()).isNotBlank().doesNotEndWith(".");
            boolean shown = f.line() != null || !f.columns().isEmpty();
            for (Language language : Language.values()) {
                assertThat(shown && f.label(language).equals(f.id())).as(f.id()).isFalse();
            }
        });
    }

    private static String table() {
        String statistics = Arrays.stream(Statistic.values())
                .map(s -> "`." + s.text() + "`")
                .collect(Collectors.joining(", "));
        StringBuilder table = new StringBuilder("| figure | what it is | limit | each second |\n|---|---|---|---|\n");
        for (Figure figure : FigureCatalogue.all()) {
            table.append("| `").append(figure.id()).append('`').append(figure.isLatency() ? " *" : "");
            table.append(" | ").append(figure.meaning()).append(" | ");
            table.append(
                    figure.dimensions().stream().map(FigureDocumentTest::limit).collect(Collectors.joining(" or ")));
            table.append(" | ").append(figure.perSecond() ? "yes" : "").append(" |\n");
        }
        return table + "\n\\* with one of " + statistics + "\n\n";
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
