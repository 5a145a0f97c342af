package io.plimsoll.result;

import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Guards that the Chinese documents list the figures that are declared; {@code -Dplimsoll.write=true} writes them there. */
class ChineseFigureDocumentTest {
    @Test
    void theListOfFiguresIsThatOfTheCatalogue() throws IOException {
        FigureDocumentTest.assertMade(Path.of("docs", "zh", "scenario.md"), FigureDocumentTest.table(Language.ZH));
    }

    @Test
    void theIndexOfWhatReportsShowIsThatOfTheCatalogue() throws IOException {
        FigureDocumentTest.assertMade(Path.of("docs", "zh", "measuring.md"), FigureDocumentTest.index(Language.ZH));
    }
}
