package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cli.InProcess;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.SearchView.Tried;
import io.plimsoll.result.Timelines;
import io.plimsoll.testing.Browser;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.text.Language;
import io.plimsoll.web.LivePage;
import io.plimsoll.web.RunsPage;
import io.plimsoll.web.WebPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.WebElement;

/**
 * On a desktop and on a phone, in both languages, no element of a page is clipped, broken into single words, empty or
 * overlapping.
 */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class PageLayoutTest {
    private static final int DESKTOP = 1280;
    private static final int PHONE = 390;

    @TempDir
    Path directory;

    /** Inspects the open page on a desktop and on a phone, in English and in Chinese. */
    private static void assertReadsWell(Browser browser, String name, int highestOnAPhone) {
        for (int width : new int[] {DESKTOP, PHONE}) {
            browser.atWidth(width, () -> {
                for (String language : List.of("zh", "en")) {
                    browser.run("P.language = arguments[0]; Controls.changed.language()", language);
                    String view = "layout-" + name + "-" + width + "-" + language;
                    browser.screenshot(view);
                    assertThat(browser.layoutFaults()).as(view).isEmpty();
                }
                if (width == PHONE) {
                    assertThat((Long) browser.run("return document.documentElement.scrollHeight"))
                            .as("pixels from top to bottom of %s", name)
                            .isLessThan(highestOnAPhone);
                }
            });
        }
    }

    private Path record(String recorded, String name) throws IOException {
        Path run = directory.resolve("runs").resolve(name);
        Files.writeString(
                Files.createDirectories(run).resolve("result.json"),
                Json.pretty(Fold.of(RecordedRuns.open(recorded, run))));
        return run;
    }

    private void look(String run, int highest, Browser browser) throws IOException {
        Path here = directory.resolve("run");
        var recorded = run.equals("slow") ? RecordedRuns.withSlowMoments(here) : RecordedRuns.open(run, here);
        browser.open(Files.writeString(
                directory.resolve("report.html"), HtmlReport.render(recorded, Fold.of(recorded), Language.EN)));
        assertReadsWell(browser, run, highest);
    }

    @ParameterizedTest
    @CsvSource({"search, 9000", "slow, 9000"})
    void reportIsWellLaidOut(String run, int highest, Browser browser) throws IOException {
        look(run, highest, browser);
    }

    @Tag("nightly")
    @ParameterizedTest
    @CsvSource({"faults, 8000", "quick, 8000", "matrix, 8000", "planted, 9000"})
    void furtherReportsAreWellLaidOut(String run, int highest, Browser browser) throws IOException {
        look(run, highest, browser);
    }

    @ParameterizedTest
    @CsvSource({"quick, 6000", "search, 4000"})
    void comparisonIsWellLaidOut(String run, int highest, Browser browser) throws IOException {
        var side = List.of(ComparedRun.read(record(run, "before")));
        var comparison = Comparer.compare(
                List.of(side, List.of(ComparedRun.read(record(run, "after")))), List.of(), OptionalDouble.of(0.05));
        browser.open(
                Files.writeString(directory.resolve("comparison.html"), HtmlReport.render(comparison, Language.EN)));
        assertReadsWell(browser, "comparison-" + run, highest);
        browser.atWidth(PHONE, () -> assertThat(browser.all("#figures tbody tr:first-child > :not(:last-child)"))
                .as("what a phone shows of a figure, without the bar that one run a side does not have")
                .filteredOn(cell -> !cell.getDomProperty("textContent").isBlank())
                .allMatch(WebElement::isDisplayed));
    }

    /** With one or two runs, a curve would be a dot. */
    @Test
    void historyIsWellLaidOut(Browser browser) throws IOException {
        record("quick", "2026-11-22T054453Z-quick");
        record("quick", "2026-11-22T054644Z-quick");
        record("faults", "2026-11-22T054755Z-faults");
        String runs = directory.resolve("runs").toString();
        Path page = directory.resolve("history.html");
        InProcess.run(
                "history", runs, "--figure", "produce.response.p99", "--format", "html", "--out", page.toString());
        browser.open(page);
        assertThat((Long) browser.run("return P.data.series.length")).isGreaterThan(1);
        assertThat(browser.all("figure")).isEmpty();
        assertThat((Long) browser.run("return P.data.series.flatMap(s => s.values).length"))
                .isEqualTo(browser.all("#few tbody tr").size());
        assertReadsWell(browser, "history", 2000);
    }

    @Test
    void listOfRunsIsWellLaidOut(Browser browser) throws IOException {
        record("search", "2026-11-22T054453Z-search");
        Path ab = record("matrix", "2026-11-22T054644Z-orders").resolve("result.json");
        Files.writeString(
                ab,
                Files.readString(ab)
                        .replaceAll(
                                "\"producers.config.acks\"\\s*:\\s*\"(all)\"",
                                "\"arm\": \"B: producers.config.acks=$1\"")
                        .replaceAll(
                                "\"producers.config.acks\"\\s*:\\s*\"(1)\"",
                                "\"arm\": \"A: producers.config.acks=$1\""));
        RecordedRuns.open("quick", directory.resolve("runs/2026-11-22T054755Z-quick"), 0.5);
        try (RunsPage page = new RunsPage(directory.resolve("runs"), WebPlace.local(0))) {
            browser.open(page.address(), "light");
            assertThat(browser.all("tbody small").stream().map(e -> e.getText()))
                    .containsExactly("A/B: acks=1 | acks=all");
            assertReadsWell(browser, "runs", 1200);
            browser.atWidth(PHONE, () -> assertThat((Boolean) browser.run("""
                    return [...document.querySelectorAll('tbody tr')].every(tr => [...tr.children].every(cell => {
                      const box = cell.getBoundingClientRect();
                      return box.left >= 0 && box.right <= innerWidth && box.height > 0;
                    }))"""))
                    .as("each run is a card with all that is known of it")
                    .isTrue());
        } finally {
            browser.run("localStorage.clear()");
        }
    }

    /** The page of a running search shows that it is one, its bounds, and its criteria. */
    @Test
    void runningSearchIsWellLaidOut(Browser browser) {
        try (LivePage page = new LivePage(WebPlace.local(0), () -> {})) {
            Timelines.quick().forEach(page::event);
            page.phase("#4 6,000/s", "measuring", 0.4, 12);
            page.search(new SearchView(
                    6000,
                    false,
                    "bisect",
                    4,
                    60,
                    List.of(new Tried(4000, true), new Tried(9000, false)),
                    "produce.response.p99 < 50ms"));
            browser.open(page.address(), "light");
            browser.awaitTrue("document.querySelector('#live-search').textContent");
            assertThat(browser.find("#live-search").getText())
                    .contains("4", "6,000/s", "4,000/s", "9,000/s", "produce.response.p99 < 50ms");
            assertReadsWell(browser, "live", 8000);
        } finally {
            browser.run("localStorage.clear()");
        }
    }
}
