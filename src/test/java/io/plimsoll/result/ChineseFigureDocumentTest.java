package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Guards that the Chinese documents list the figures that are declared; {@code -Dplimsoll.write=true} writes them there. What a
 * figure is, they say themselves: the row of a new one has its English words, to be put into Chinese.
 */
class ChineseFigureDocumentTest {
    private static final Pattern ROW = Pattern.compile("\\| `([\\w.]+)`(?: \\*)? \\| (.*?) \\| .* \\| .*\\|");

    @Test
    void theListOfFiguresIsThatOfTheCatalogue() throws IOException {
        Path document = Path.of("docs", "zh", "scenario.md");
        Map<String, String> said = new HashMap<>();
        Files.readAllLines(document).stream()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .forEach(row -> said.put(row.group(1), row.group(2)));
        FigureDocumentTest.assertMade(document, FigureDocumentTest.table(Language.ZH, said));
        assertThat(FigureCatalogue.all())
                .allSatisfy(f -> assertThat(said.get(f.id())).as(f.id()).containsPattern("\\p{IsHan}"));
    }

    @Test
    void theIndexOfWhatReportsShowIsThatOfTheCatalogue() throws IOException {
        FigureDocumentTest.assertMade(Path.of("docs", "zh", "measuring.md"), FigureDocumentTest.index(Language.ZH));
    }
}
