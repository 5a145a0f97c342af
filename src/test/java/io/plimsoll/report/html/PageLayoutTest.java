package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Fold;
import io.plimsoll.testing.Browser;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a desktop and on a phone nothing of a page is clipped, broken into single words, empty or written over something else. */
@ExtendWith(Browser.Shared.class)
@ResourceLock(Browser.LOCK)
class PageLayoutTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "quick, 1280", "faults, 1280", "matrix, 1280", "search, 1280", "planted, 1280",
        "quick, 390", "faults, 390", "matrix, 390", "search, 390", "planted, 390"
    })
    void ofAReport(String run, int width, Browser browser) throws IOException {
        var recorded = RecordedRuns.open(run, directory.resolve("run"));
        Path file = Files.writeString(
                directory.resolve("report.html"), HtmlReport.render(recorded, Fold.of(recorded), Language.EN));
        browser.atWidth(width, () -> {
            browser.open(file);
            browser.screenshot("layout-" + run + "-" + width);
            assertThat(browser.layoutFaults()).isEmpty();
            browser.run("P.language = 'zh'; Main.render()");
            browser.screenshot("layout-" + run + "-" + width + "-zh");
            assertThat(browser.layoutFaults()).as("in Chinese").isEmpty();
            if (width < 860) {
                assertThat((Long) browser.run("return document.documentElement.scrollHeight"))
                        .as("pixels from top to bottom")
                        .isLessThan(run.equals("planted") || run.equals("search") ? 9_000L : 8_000L);
            }
        });
    }
}
