package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.testing.Browser;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Comparisons of real runs in a real browser. */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class ComparisonPageTest {
    @TempDir
    Path directory;

    /** Of a recorded run and another one, the second with a name that contains markup. */
    private Path page(String before, String after, Language language) throws IOException {
        return page(before, after, language, 1);
    }

    /** @param times number of runs per side */
    private Path page(String before, String after, Language language, int times) throws IOException {
        Path a = directory.resolve("a");
        Path b = directory.resolve("<img src=x onerror=alert(1)>");
        RecordedRuns.open(before, a).close();
        RecordedRuns.open(after, b).close();
        String html = HtmlReport.render(
                Comparer.compare(
                        List.of(
                                Collections.nCopies(times, ComparedRun.read(a)),
                                Collections.nCopies(times, ComparedRun.read(b))),
                        List.of(),
                        OptionalDouble.of(0.05)),
                language);
        return Files.writeString(directory.resolve("comparison.html"), html);
    }

    private static void assertDrawn(Browser browser, int charts) {
        assertThat((Long) browser.run("return P.charts.length")).isEqualTo(charts);
        assertThat((Boolean) browser.run("""
            return P.charts.every(c => echarts.getInstanceByDom(c.box).getOption().series
              .every(s => s.data.some(d => d !== null && (d.value || d)[1] > 0)))\
            """)).isTrue();
        assertThat((Long) browser.run("return document.querySelectorAll('[role=img]:not([aria-label])').length"))
                .isZero();
        browser.assertNoConsoleMessage();
    }

    @Test
    void overlaysCurves(Browser browser) throws IOException {
        browser.open(page("quick", "quick", Language.EN, 2));
        assertThat(browser.find("#verdict").getText())
                .containsPattern(Said.en("report.compare.noDifference", "A", "B"))
                .contains("passed");
        assertThat(browser.find("#sides").getText()).contains("<img src=x onerror=alert(1)>");
        assertThat(browser.all("#main img")).isEmpty();
        assertThat(browser.all("#figures tbody tr").size()).isGreaterThanOrEqualTo(8);
        assertThat(browser.all("#figures svg.interval")).isNotEmpty();
        assertThat((Long) browser.run("return P.charts[0].spec.time.lines.length"))
                .isEqualTo(4);
        assertDrawn(browser, 2 * browser.all("section[id^=figures]").size());
        browser.screenshot("comparison");
    }

    @Test
    void marksOneRunPerSideAsUndecided(Browser browser) throws IOException {
        browser.open(page("quick", "quick", Language.EN));
        assertThat(browser.find("#verdict").getText())
                .containsPattern(Said.en("report.compare.tooFewRuns", "A", "B"))
                .contains("? undecided");
        assertThat(browser.all("#verdict .badge.warn")).hasSize(2);
        assertThat(browser.all("#figures svg.interval")).isEmpty();
        browser.screenshot("comparison-undecided");
    }

    @Test
    void keysMoveSharedCursor(Browser browser) throws IOException {
        browser.open(page("quick", "quick", Language.EN));
        browser.run("document.getElementById('chart-p99-0').focus()");
        browser.find("#chart-p99-0").sendKeys(Keys.END);
        assertThat(browser.find("#chart-p99-0").getDomAttribute("aria-label")).startsWith("Response time p99, 0:");
        assertThat(browser.all(".cursor").stream()
                        .filter(WebElement::isDisplayed)
                        .count())
                .isGreaterThanOrEqualTo(2);
    }

    /** Trials of different lengths have charts with different times. */
    @Test
    void cursorHasSameTimeInAllCharts(Browser browser) throws IOException {
        browser.open(page("quick", "quick", Language.EN));
        assertThat(browser.run("""
            const first = P.charts[0].spec.time;
            const {spec: {time: other}, instance} = P.charts[1];
            const second = first.t[3];
            other.t = first.t.map(at => 2 * at);
            Time.point(second);
            const x = parseFloat(other.cursor.style.transform.replace('translateX(', ''));
            return Math.abs(x - instance.convertToPixel({xAxisIndex: 0}, second)) < 1;
            """)).isEqualTo(true);
    }

    /** After zooming into a range, the reader can zoom out again. */
    @Test
    void zoomsBackToWholeTime(Browser browser) throws IOException {
        browser.open(page("quick", "quick", Language.EN));
        assertThat(browser.find("#whole-time").isDisplayed()).isFalse();
        browser.run("Time.zoom(2, 5)");
        browser.find("#whole-time").sendKeys(Keys.ENTER);
        assertThat(browser.run("return Time.from === null && document.getElementById('whole-time').hidden"))
                .isEqualTo(true);
    }

    @Test
    void comparesSearchesInDarkTheme(Browser browser) throws IOException {
        browser.open(page("search", "search", Language.EN).toUri().toString(), "dark");
        assertThat(browser.run("return P.theme()")).isEqualTo("dark");
        assertThat(browser.find("#ceilings").getText()).contains("too few runs", "shaded range");
        assertDrawn(browser, 2);
        browser.screenshot("comparison-dark");
        browser.run("localStorage.clear()");
    }

    @Test
    void rendersInChinese(Browser browser) throws IOException {
        browser.open(page("quick", "quick", Language.ZH, 2));
        assertThat(browser.all("h2").stream().map(WebElement::getText).filter(h -> h.matches(".*\\p{IsHan}.*")))
                .hasSizeGreaterThanOrEqualTo(2);
        for (String part :
                List.of("#verdict .sentence", "#verdict .gate", "#verdict .warnings", "#figures thead", "#footer")) {
            browser.all(part).forEach(e -> assertThat(e.getText())
                    .matches("(?s).*\\p{IsHan}.*")
                    .doesNotContainPattern("[a-z]{2,} [a-z]{2,} [a-z]{2,}"));
        }
        browser.screenshot("comparison-chinese");
        browser.find("#language").click();
        assertThat(browser.find("#verdict").getText()).containsPattern(Said.en("report.compare.noDifference"));
    }

    @Test
    void printsInLightThemeOnFewPages(Browser browser) throws IOException {
        browser.open(page("quick", "quick", Language.EN));
        byte[] pdf = browser.print();
        Files.createDirectories(Path.of("target", "screenshots"));
        Files.write(Path.of("target", "screenshots", "comparison.pdf"), pdf);
        String text = new String(pdf, StandardCharsets.ISO_8859_1);
        assertThat(Pattern.compile("/Type /Page\\b(?!s)")
                        .matcher(text)
                        .results()
                        .count())
                .isBetween(1L, 6L);
        assertThat(browser.run("return P.theme()")).isEqualTo("light");
    }
}
