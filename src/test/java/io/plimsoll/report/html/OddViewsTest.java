package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Fold;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.testing.Browser;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.openqa.selenium.Keys;

/** The page with unusual addresses, names and figures. */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class OddViewsTest {
    @TempDir
    Path directory;

    private String page;

    @BeforeEach
    void open(Browser browser) throws IOException {
        RunDirectory run = RecordedRuns.open("matrix", directory.resolve("run"));
        Path file =
                Files.writeString(directory.resolve("report.html"), HtmlReport.render(run, Fold.of(run), Language.EN));
        page = file.toUri().toString();
        browser.open(file);
    }

    private static String words(Browser browser, String key) {
        return (String) browser.run("return P.t(arguments[0])", key);
    }

    private static List<Double> shown(Browser browser) {
        List<?> ends = (List<?>) browser.run("""
            const [axis] = echarts.getInstanceByDom(document.getElementById('chart-response')).getOption().xAxis;
            return [axis.min, axis.max];
            """);
        return ends.stream().map(end -> ((Number) end).doubleValue()).toList();
    }

    /** A range that ends before it begins, or lies outside of the trial, is ignored. */
    @Test
    void invalidTimeRangeShowsWholeTrial(Browser browser) {
        List<Double> whole = shown(browser);
        for (String odd :
                List.of("from=5&to=3", "from=3&to=3", "to=-3", "to=0", "from=9999&to=10050", "from=abc", "to=1e999")) {
            browser.open(page + "#" + odd, "light");
            assertThat(shown(browser)).as(odd).isEqualTo(whole);
        }
        browser.open(page + "#from=-5&to=3", "light");
        assertThat(shown(browser)).containsExactly(0.0, 3.0);
        browser.open(page + "#from=3&to=9999", "light");
        assertThat(shown(browser)).containsExactly(3.0, whole.get(1));
        browser.assertNoConsoleMessage();
    }

    @Test
    void dropsUnknownTrialFromAddress(Browser browser) {
        browser.open(page + "#trial=acks%3Dquorum&from=2", "light");
        browser.run("View.write()");
        assertThat(browser.run("return location.hash")).isEqualTo("#from=2");
        String name = "a&b #1 = 中文+x%20";
        browser.run("P.data.result.trials[1].name = arguments[0]; Main.choose(arguments[0]); View.read();", name);
        assertThat(browser.run("return P.trial")).isEqualTo(name);
    }

    /** The name of a setting is the part after {@code config}, dots included. */
    @Test
    void shortensSettingNamesUnambiguously(Browser browser) {
        String said = "return F.parameters({'consumers.config.fetch.max.wait.ms': '20', 'producers[0].rate': '5/s'%s})";
        assertThat(browser.run(said.formatted(""))).isEqualTo("fetch.max.wait.ms=20, rate=5/s");
        assertThat(browser.run(said.formatted(", 'producers[1].rate': '6/s'")))
                .isEqualTo("fetch.max.wait.ms=20, producers[0].rate=5/s, producers[1].rate=6/s");
    }

    @Test
    void countsConsumerErrors(Browser browser) {
        String tiles = "return Sections.trialTiles({%s}).filter(Boolean).map(t => t.textContent).join('|')";
        String consume = "consume: {errors: {total: 7}}";
        String errors = words(browser, "key.errors");
        assertThat((String) browser.run(tiles.formatted(consume))).contains(errors + "7");
        assertThat((String) browser.run(tiles.formatted("produce: {errors: {total: 2}}, " + consume)))
                .contains(errors + "9");
        browser.run("P.data.result.trials.forEach(t => { t.consume = {errors: {total: 1234}}; }); Main.render();");
        assertThat(browser.find("#trials .scroll").getText()).contains("1,234");
    }

    @Test
    void showsShareOfSecondsAsPercentage(Browser browser) {
        String shown = "return [0.967, 0.99972222, 0.99999999, 1].map(x => F.figure(x, 'share of seconds')).join()";
        assertThat(browser.run(shown)).isEqualTo("96.7 %,99.9722 %,99.9999 %,100 %");
    }

    /** A measured value must not look like the limit that it misses. */
    @Test
    void keepsDigitsOfRatios(Browser browser) {
        String shown = "return [0.9964, 0.004, 0.5, 1.236].map(ratio => F.figure(ratio, 'ratio')).join()";
        assertThat(browser.run(shown)).isEqualTo("0.9964,0.004,0.5,1.24");
    }

    /** Results of other tools have unknown settings, so none are shown. */
    @Test
    void hidesSettingsIfUnknown(Browser browser) {
        String settings = words(browser, "environment.settings");
        assertThat(browser.find("#environment").getText()).contains(settings);
        browser.run("P.data.result.trials.forEach(t => { t.setup = {}; }); Main.render();");
        assertThat(browser.find("#environment").getText())
                .contains(words(browser, "environment.versions"))
                .doesNotContain(settings);
    }

    /** Observed disks and network cards have a chart, and rejected records have one as soon as any exist. */
    @Test
    void drawsChartsOfObservedFigures(Browser browser) {
        String charts = "return P.charts.map(c => c.spec.id).join()";
        assertThat((String) browser.run(charts)).contains("diskBusy").doesNotContain("rejected", "network");
        assertThat((Boolean) browser.run("""
            const line = P.charts.find(c => c.spec.id === 'diskBusy').spec.time.lines[0];
            const known = line.values.filter(P.known);
            const busy = P.current().host.diskBusy;
            return Math.min(...known) <= busy && busy <= Math.max(...known) && /host/i.test(line.name);
            """))
                .as("the busiest disk of the host")
                .isTrue();
        browser.run("""
            const {t, columns} = P.seriesOf(P.current());
            columns['broker 1.bytesRejected'] = t.map(at => at);
            columns['host.networkIn'] = t.map(at => 1e6 * at);
            Main.render();
            """);
        assertThat((String) browser.run(charts)).contains("rejected", "network");
    }

    /** The printed charts must also show their trial. */
    @Test
    void printShowsChosenTrial(Browser browser) {
        assertThat(browser.run("""
            const chosen = document.querySelector('#time select');
            return [...document.styleSheets[0].cssRules].filter(rule => rule.media && rule.media.mediaText === 'print')
              .flatMap(rule => [...rule.cssRules])
              .filter(rule => rule.style.display === 'none' && chosen.matches(rule.selectorText)).length;
            """)).isEqualTo(0L);
    }

    /** A running run redraws its page from time to time. */
    @Test
    void keepsKeyboardFocusOnRedraw(Browser browser) {
        browser.run("document.getElementById('chart-response').focus()");
        browser.find("#chart-response").sendKeys(Keys.END);
        browser.run("Main.renderInPlace()");
        assertThat(browser.run("return document.activeElement.id")).isEqualTo("chart-response");
        browser.find("#chart-response").sendKeys(Keys.END);
        assertThat(browser.find("#chart-response .cursor").isDisplayed()).isTrue();
    }

    @Test
    void savesMatrixLikeOtherTables(Browser browser) {
        assertThat(browser.runAsync("""
            const done = arguments[0];
            Export.save = (name, blob) => blob.text().then(text => done(text.split('\\r\\n').join('|')));
            document.body.append(Figures.matrix({name: 'MB/s', format: F.megabytes, corner: 'acks', columns: ['1', 'all'], rows: ['linger=0'],
              of: (row, column) => (column === '1' ? [2e6, 4e6] : [])}));
            [...document.querySelectorAll('body > .scroll .save button')].pop().click();
            """)).isEqualTo("acks,1,all|linger=0,3000000,|");
    }

    /** A saved chart table contains each point, peaks included. */
    @Test
    void longChartHasCompleteTable(Browser browser) {
        assertThat(browser.run("""
            const t = Array.from({length: 500}, (x, i) => i + 1);
            const figure = Time.figure(P.current(), {t, columns: {a: t}}, {id: 'long', title: 'long', format: F.count, lines: [{name: 'a', column: 'a', color: 'c1'}]});
            document.body.append(figure);
            return P.charts[P.charts.length - 1].spec.rows().length;
            """)).isEqualTo(500L);
    }
}
