package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.testing.Browser;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** Reports of real runs in a real browser. */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class ReportPageTest {
    private static final List<String> ALWAYS = List.of(
            "verdict",
            "key",
            "trials",
            "time",
            "latency",
            "skew",
            "requests",
            "audit",
            "environment",
            "reproduce",
            "download");

    private static final Map<String, String> PAGES = new HashMap<>();

    @TempDir
    Path directory;

    private Path report(RunDirectory run, Language language) throws IOException {
        return Files.writeString(directory.resolve("report.html"), HtmlReport.render(run, Fold.of(run), language));
    }

    /** The page of a recorded run, which takes longer to make than to test. */
    private Path recorded(String name, Language language) throws IOException {
        String html = PAGES.get(name + language);
        if (html == null) {
            html = Files.readString(report(recorded(name), language));
            PAGES.put(name + language, html);
        }
        return Files.writeString(directory.resolve("report.html"), html);
    }

    private RunDirectory recorded(String name) throws IOException {
        return RecordedRuns.open(name, directory.resolve("run"));
    }

    @SuppressWarnings("unchecked")
    private static List<String> emptyCharts(Browser browser) {
        return (List<String>) browser.run("""
            return P.charts.filter(c => {
              const series = echarts.getInstanceByDom(c.box).getOption().series;
              return series.length === 0 || series.some(s => s.data.length === 0);
            }).map(c => c.spec.id)\
            """);
    }

    private static long charts(Browser browser) {
        return (Long) browser.run("return P.charts.length");
    }

    private static void assertWhole(Browser browser) {
        for (String section : ALWAYS) {
            assertThat(browser.all("main > section#" + section)).as(section).hasSize(1);
        }
        assertThat(emptyCharts(browser)).isEmpty();
        assertThat((Boolean) browser.run("return P.charts.every(c => c.box.querySelector('canvas').width > 100)"))
                .isTrue();
        assertThat((Boolean) browser.run("return document.querySelector('main').innerHTML.includes('[object ')"))
                .isFalse();
        browser.assertNoConsoleMessage();
    }

    /** The page draws each chart again in the light theme with its labels, regardless of its own theme. */
    @Test
    void savesChartsAsImagesAndTablesAsCsv(Browser browser) throws IOException {
        browser.open(recorded("quick", Language.EN));
        browser.run("Controls.setTheme('dark')");
        List<?> pictures = (List<?>)
                browser.run(
                        "return P.charts.map(c => [c.spec.title, Export.svg(c).text,"
                                + " new DOMParser().parseFromString(Export.svg(c).text, 'image/svg+xml').querySelector('parsererror') === null])");
        assertThat(pictures).hasSizeGreaterThan(4);
        for (Object each : pictures) {
            String title = String.valueOf(((List<?>) each).get(0));
            String svg = String.valueOf(((List<?>) each).get(1));
            assertThat(((List<?>) each).get(2)).as("XML").isEqualTo(true);
            assertThat(svg).startsWith("<svg").contains("#ffffff", "<path");
            assertThat(svg.replace("&amp;", "&")).contains(title);
        }
        assertThat(browser.run("return P.theme()")).isEqualTo("dark");
        browser.run(
                "Export.png(P.charts[0]).then(async blob => { window.png = [...new Uint8Array(await blob.arrayBuffer())]; })");
        browser.awaitTrue("window.png");
        List<?> png = (List<?>) browser.run("return window.png.slice(0, 24).concat(window.png.length)");
        assertThat(png.subList(1, 4)).isEqualTo(List.of((long) 'P', (long) 'N', (long) 'G'));
        assertThat((Long) png.get(24))
                .as("bytes of a picture with something on it")
                .isGreaterThan(20_000);
        String csv = (String) browser.run("""
            const rows = [{a: 1234.5, b: 'x, "y"'}, {a: -1, b: '=1+1'}];
            return Export.csv([{name: 'n', number: true, value: r => r.a, text: r => '1,234.5 MB'}, {name: 'b', value: r => r.b}], rows).split('\\r\\n').join('|');
            """);
        // A spreadsheet would take the last cell for a formula.
        assertThat(csv).isEqualTo("n,b|1234.5,\"x, \"\"y\"\"\"|-1,'=1+1|");
        browser.run("document.querySelector('#trials .save button').click()");
        browser.awaitTrue("document.querySelector('#trials .save button').textContent === 'Copied'");
        browser.assertNoConsoleMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "faults", "matrix", "search"})
    void hasEverySectionAndChartsWithData(String run, Browser browser) throws IOException {
        RunDirectory recorded = recorded(run);
        browser.open(report(recorded, Language.EN));
        assertWhole(browser);
        assertThat(charts(browser)).isGreaterThanOrEqualTo(10);
        assertThat(browser.find("#verdict .sentence").getText())
                .contains(Fold.of(recorded).verdict().sentence().english());
        assertThat(browser.all("#trials table tbody tr").size())
                .isGreaterThanOrEqualTo(Fold.of(recorded).trials().size());
        assertThat(browser.all("#requests svg rect")).isNotEmpty();
        assertThat(browser.all("#ceiling")).hasSize(run.equals("search") ? 1 : 0);
        assertThat(browser.all("#faults")).hasSize(run.equals("faults") ? 1 : 0);
        browser.screenshot("report-" + run);
    }

    /**
     * A band in each chart of latencies leads to the moment; a moment of readers has no band in the response time. The records of a
     * moment wait on one time axis.
     */
    @Test
    void marksAndExplainsSlowMoment(Browser browser) throws IOException {
        browser.open(report(RecordedRuns.withSlowMoments(directory.resolve("run")), Language.EN));
        assertWhole(browser);
        assertThat(browser.all("#slow > .scroll tbody tr")).hasSize(2);
        for (String chart : List.of("response", "endToEnd")) {
            List<?> bands = (List<?>) browser.run("""
                    return echarts.getInstanceByDom(document.getElementById('chart-' + arguments[0])).getOption().series[0]
                      .markArea.data.filter(d => d[0].itemStyle.color === P.color('warn')).map(d => Math.round(d[0].xAxis));\
                    """, chart);
            assertThat(bands).as(chart).isEqualTo(chart.equals("response") ? List.of(7L) : List.of(10L, 7L));
        }
        assertThat(browser.run("return echarts.getInstanceByDom(document.getElementById('chart-throughput'))"
                        + ".getOption().series[0].markArea.data.some(d => d[0].itemStyle.color === P.color('warn'))"))
                .isEqualTo(false);
        assertThat(browser.all("#moment-1 .stage-row svg")).hasSize(10);
        assertThat(browser.find("#moment-1 .stage-row svg").getDomAttribute("aria-label"))
                .startsWith("quick-0:0: send 300 µs, batch 5.2 ms, ");
        assertThat((Boolean) browser.run("""
                return [...document.querySelectorAll('#moment-1 .stage-row svg')].every(svg => {
                  const last = svg.lastChild;
                  return Math.abs(Number(last.getAttribute('x')) + Number(last.getAttribute('width')) - 1000) < 1;
                });\
                """)).as("records that end together").isTrue();
        assertThat(browser.find("#moment-0 table tbody").getText().replaceAll("\\s+", " "))
                .isEqualTo("quick-0:40 1 10.000 s 730 ms 30.0 ms 700 ms");
        browser.run("""
            document.querySelectorAll('#slow details').forEach(d => { d.open = false; });
            const box = document.getElementById('chart-response');
            const x = echarts.getInstanceByDom(box).convertToPixel({xAxisIndex: 0}, 7.1) + box.getBoundingClientRect().left;
            box.dispatchEvent(new PointerEvent('pointerdown', {clientX: x}));
            box.dispatchEvent(new MouseEvent('click', {clientX: x}));
            """);
        assertThat(browser.all("#slow details[open]"))
                .singleElement()
                .satisfies(open -> assertThat(open.getDomAttribute("id")).isEqualTo("moment-1"));
        browser.assertNoConsoleMessage();
    }

    @Test
    void reportsKilledRun(Browser browser) throws IOException {
        browser.open(report(RecordedRuns.open("faults", directory.resolve("run"), 0.5), Language.EN));
        assertWhole(browser);
        assertThat(browser.find("#verdict").getText()).contains("Cut short", "killed");
        assertThat(browser.find("#trials").getText()).contains("incomplete");
        browser.screenshot("report-partial");
    }

    @Test
    void followsPreferredColorScheme(Browser browser) throws IOException {
        Path report = recorded("faults", Language.EN);
        browser.open(report.toUri().toString(), "dark");
        assertThat(browser.run("return P.theme()")).isEqualTo("dark");
        assertThat(luminance(browser)).isLessThan(60);
        assertWhole(browser);
        browser.screenshot("report-dark");
        browser.find("#theme").click();
        assertThat(luminance(browser)).isGreaterThan(200);
        assertWhole(browser);
        browser.run("localStorage.clear()");
    }

    private static long luminance(Browser browser) {
        return (Long) browser.run("return Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/g)[1])");
    }

    @Test
    void showsChineseAndSwitchesLanguage(Browser browser) throws IOException {
        browser.open(recorded("search", Language.ZH));
        assertWhole(browser);
        assertThat(browser.run("return document.documentElement.lang")).isEqualTo("zh");
        assertThat(words(browser, "zh")).containsAll(headings(browser));
        // The recording is from a version without keys: its sentence follows from its trials.
        assertThat(browser.find("#verdict").getText())
                .containsPattern(Said.zh("result.sloBetween", "produce.response.p99<50ms"))
                .containsPattern(Said.zh("result.unsureNothingHigher"));
        browser.screenshot("report-chinese");
        browser.find("#language").click();
        assertThat(words(browser, "en")).containsAll(headings(browser));
        assertThat(browser.find("#verdict").getText())
                .containsPattern(Said.en("result.sloBetween", "produce.response.p99<50ms"));
        assertWhole(browser);
    }

    private static List<String> headings(Browser browser) {
        return browser.all("h2").stream().map(WebElement::getText).toList();
    }

    @SuppressWarnings("unchecked")
    private static List<String> words(Browser browser, String language) {
        return (List<String>) browser.run("return Object.values(P.data.texts[arguments[0]])", language);
    }

    /** Absence of loss is known only after all records were examined. */
    @Test
    void showsLossAsUnknownIfAuditIsIncomplete(Browser browser) throws IOException {
        browser.open(recorded("faults", Language.EN));
        String tile = "return Sections.trialTiles({audit: {lost: %d, acknowledged: 9, complete: %b}})[0].textContent";
        assertThat(browser.run(tile.formatted(0, true))).isEqualTo("Records lost0of 9 acknowledged");
        assertThat(browser.run(tile.formatted(0, false))).isEqualTo("Records lostunknownof 9 acknowledged");
        assertThat(browser.run(tile.formatted(2, false))).isEqualTo("Records lost2of 9 acknowledged");
    }

    @Test
    void marksThroughputThatIsLowerBound(Browser browser) throws IOException {
        browser.open(recorded("faults", Language.EN));
        String tile = "return Sections.trialTiles({throughputIsLowerBound: %b,"
                + " produce: {bytesPerSecond: 1e6, recordsPerSecond: 1000}})[0].textContent";
        assertThat((String) browser.run(tile.formatted(true))).endsWith("≥ 1 MB/s≥ 1,000/s");
        assertThat((String) browser.run(tile.formatted(false)))
                .endsWith("1 MB/s1,000/s")
                .doesNotContain("≥");
    }

    /** A trial with faults is not expected to be steady, and its warm-up is shown beside its measured time. */
    @Test
    void describesWarmup(Browser browser) throws IOException {
        browser.open(recorded("faults", Language.EN));
        String tile =
                "return Sections.measuredTile({measuredSeconds: 20, warmupSeconds: %s, warmup: {until: '%s', ended:"
                        + " '%s'}}).textContent";
        assertThat(browser.run(tile.formatted(17, "steady", "steady")))
                .isEqualTo("Measured window20 safter 17 s of warm-up until steady");
        assertThat(browser.run(tile.formatted(60, "steady", "atMost")))
                .isEqualTo("Measured window20 safter 1 min 00 s of warm-up");
        assertThat(browser.run(tile.formatted(1, "none", "time")))
                .isEqualTo("Measured window20 safter a cold first second");
        assertThat(browser.run(tile.formatted(0, "time", "time"))).isEqualTo("Measured window20 s");
        assertThat(browser.find("#key").getText()).contains("Measured");
        assertThat(browser.find("#trials").getText()).doesNotContain("not steady");
    }

    /** Also for a run with more trials, details and longer names than fit. */
    @ParameterizedTest
    @ValueSource(strings = {"", """
            const row = document.querySelector('#trials tbody tr');
            row.querySelector('th').append(' as long as names of trials may be'.repeat(5));
            for (let i = 0; i < 20; i++) row.after(row.cloneNode(true));
            const list = document.querySelector('ul.warnings') || document.querySelector('#verdict').appendChild(
              Object.assign(document.createElement('ul'), {className: 'warnings'}));
            for (let i = 0; i < 5; i++) list.prepend(Object.assign(document.createElement('li'), {textContent: 'long '.repeat(200)}));\
            """})
    void printsOnePageSummary(String more, Browser browser) throws IOException {
        Files.createDirectories(Path.of("target", "screenshots"));
        browser.open(recorded("faults", Language.EN));
        browser.run(more + "document.documentElement.dataset.print = 'one'");
        byte[] pdf = browser.print();
        Files.write(Path.of("target", "screenshots", "one-page.pdf"), pdf);
        assertThat(new String(pdf, StandardCharsets.ISO_8859_1).split("/Type\\s*/Page\\b"))
                .as("pages")
                .hasSize(2);
    }

    @Test
    void printsOnA4(Browser browser) throws IOException {
        browser.open(recorded("faults", Language.EN));
        byte[] pdf = browser.print();
        Files.createDirectories(Path.of("target", "screenshots"));
        Files.write(Path.of("target", "screenshots", "report.pdf"), pdf);
        String text = new String(pdf, StandardCharsets.ISO_8859_1);
        assertThat(text).startsWith("%PDF");
        var box = Pattern.compile("/MediaBox \\[0 0 ([\\d.]+) ([\\d.]+)]").matcher(text);
        assertThat(box.find()).isTrue();
        assertThat(Double.parseDouble(box.group(1))).isBetween(594.0, 596.5);
        assertThat(Double.parseDouble(box.group(2))).isBetween(841.0, 843.0);
        assertThat(Pattern.compile("/Type /Page\\b(?!s)")
                        .matcher(text)
                        .results()
                        .count())
                .isBetween(4L, 14L);
        assertThat(browser.run("return P.theme()")).isEqualTo("light");
    }

    @Test
    void exportsResultUnchanged(Browser browser) throws IOException {
        RunDirectory recorded = recorded("matrix");
        RunResult result = Fold.of(recorded);
        browser.open(report(recorded, Language.EN));
        Object saved = browser.runAsync("const done = arguments[0]; Sections.json().then(done)");
        assertThat(saved).isEqualTo(Json.pretty(result));
    }

    @Test
    void sortsTrialsAndShowsSelectedOne(Browser browser) throws IOException {
        browser.open(recorded("search", Language.EN));
        browser.run("document.querySelectorAll('#trials thead button')[2].click()");
        assertThat(browser.find("#trials thead th:nth-child(3)").getDomAttribute("aria-sort"))
                .isEqualTo("ascending");
        List<Double> rates = browser.all("#trials > .scroll > table:first-of-type tbody tr td:nth-child(3)").stream()
                .map(cell -> Double.parseDouble(cell.getText().replaceAll("[≥, ]", "")))
                .toList();
        assertThat(rates).hasSizeGreaterThan(5).isSorted();
        String other = browser.find("#trials tbody tr:not(.chosen) th button").getText();
        browser.run("document.querySelector('#trials tbody tr:not(.chosen) th button').click()");
        assertThat(browser.find("#trials tr.chosen th").getText()).startsWith(other);
        assertThat(browser.find("#time select").getDomProperty("value")).isEqualTo(other);
        assertWhole(browser);
    }

    @Test
    void keyboardMovesSharedCursor(Browser browser) throws IOException {
        browser.open(recorded("faults", Language.EN));
        browser.run("document.getElementById('chart-response').focus()");
        browser.find("#chart-response").sendKeys(org.openqa.selenium.Keys.END);
        assertThat(browser.all(".cursor").stream()
                        .filter(WebElement::isDisplayed)
                        .count())
                .isGreaterThan(5);
        assertThat(browser.find("#time-cursor").getText()).matches("At 0:\\d\\d");
        assertThat(browser.find("#chart-response").getDomAttribute("aria-label"))
                .startsWith("Response time, 0:");
    }

    /** The address contains the current view and leads back to it. */
    @Test
    void urlRestoresAndReflectsView(Browser browser) throws IOException {
        String page = recorded("matrix", Language.EN).toUri().toString();
        browser.open(page + "#trial=acks%3Dall&from=3&to=6.5", "light");
        assertThat(browser.find("#time select").getDomProperty("value")).isEqualTo("acks=all");
        String axis = "return echarts.getInstanceByDom(document.getElementById('chart-response')).getOption().xAxis[0]";
        assertThat(((Number) browser.run(axis + ".min")).doubleValue()).isEqualTo(3);
        assertThat(((Number) browser.run(axis + ".max")).doubleValue()).isEqualTo(6.5);
        assertThat((Boolean) browser.run(
                        "return Math.abs(document.getElementById('time').getBoundingClientRect().top) < innerHeight"))
                .isTrue();
        browser.find("#whole-time").click();
        assertThat(browser.run("return location.hash")).isEqualTo("#trial=acks%3Dall");
        browser.find("#chart-response").sendKeys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, "[");
        assertThat(((Number) browser.run(axis + ".min")).doubleValue()).isGreaterThan(0);
        assertThat((String) browser.run("return location.hash")).contains("&from=");
        assertThat(browser.find("#whole-time").isDisplayed()).isTrue();
        browser.run("Main.choose('acks=1')");
        assertThat(browser.run("return location.hash")).isEqualTo("#trial=acks%3D1");
        browser.run("location.hash = '#faults-or-none'");
        browser.awaitTrue("location.hash === '#trial=acks%3D1&section=faults-or-none'");
        browser.assertNoConsoleMessage();
    }

    /** Trials that differ in any setting or name never share a cell. */
    @Test
    void doesNotMergeDifferentTrials(Browser browser) throws IOException {
        browser.open(recorded("matrix", Language.EN));
        @SuppressWarnings("unchecked")
        List<String> cells = (List<String>) browser.run("""
            const trial = (name, parameters) => ({name, parameters});
            return Figures.differing([
              trial('one, acks=1', {producers: 'a', checks: 'x'}), trial('one, acks=all', {producers: 'b', checks: 'x'}),
              trial('read', {consumers: 'c', checks: 'x'})]).map(t => JSON.stringify(t.parameters))
              .concat(Figures.differing([
              trial('big acks=1 n=2', {'p.config.acks': '1', 'a.n': '2', size: '9'}), trial('big acks=1 n=3', {'p.config.acks': '1', 'a.n': '3', size: '9'}),
              trial('small acks=1 n=2', {'p.config.acks': '1', 'a.n': '2'})]).map(t => JSON.stringify(t.parameters)));\
            """);
        assertThat(cells)
                .containsExactly(
                        "{\"trial\":\"one, acks=1\"}",
                        "{\"trial\":\"one, acks=all\"}",
                        "{\"trial\":\"read\"}",
                        "{\"trial\":\"big\",\"p.config.acks\":\"1\",\"a.n\":\"2\"}",
                        "{\"trial\":\"big\",\"p.config.acks\":\"1\",\"a.n\":\"3\"}",
                        "{\"trial\":\"small\",\"p.config.acks\":\"1\",\"a.n\":\"2\"}");
    }

    @Test
    void selectsTimeRangeByDragging(Browser browser) throws IOException {
        browser.open(recorded("faults", Language.EN));
        browser.run("""
            const box = document.getElementById('chart-response');
            const left = box.getBoundingClientRect().left;
            const at = x => echarts.getInstanceByDom(box).convertToPixel({xAxisIndex: 0}, x) + left;
            const say = (type, x) => box.dispatchEvent(new PointerEvent(type, {clientX: x, pointerType: 'mouse', pointerId: 1}));
            box.setPointerCapture = () => {};
            say('pointerdown', at(30));
            say('pointermove', at(20));
            say('pointerup', at(10));
            """);
        assertThat((String) browser.run("return location.hash"))
                .matches("#from=(9\\.9|10|10\\.1)&to=(29\\.9|30|30\\.1)");
    }

    /** With two or more settings: the result of each, also by color, with repetitions as their mean. */
    @Test
    void showsMatrixAsHeatMap(Browser browser) throws IOException {
        browser.open(recorded("matrix", Language.EN));
        assertThat(browser.all("#matrix")).isEmpty();
        browser.run("""
            const [id] = P.data.columns.map(c => c.id);
            const trial = (acks, linger, value) => ({name: acks + linger + value, parameters: {'a.acks': acks, 'b.linger': linger}, columns: {[id]: value}});
            P.data.result.trials = [trial('1', '0', 10), trial('1', '5', 20), trial('all', '0', 30), trial('all', '5', 50), trial('all', '5', 70)];
            Main.render();
            """);
        assertThat(browser.find("table.matrix tbody").getText().replaceAll("\\s+", " "))
                .isEqualTo("acks=1 10 20 acks=all 30 60");
        assertThat(browser.find("table.matrix tbody tr:nth-child(1) td").getDomAttribute("class"))
                .isEqualTo("n heat-0");
        assertThat(browser.find("table.matrix tbody tr:nth-child(2) td:last-child")
                        .getDomAttribute("class"))
                .isEqualTo("n heat-4");
        for (String theme : List.of("light", "dark")) {
            browser.run("P.setTheme(arguments[0])", theme);
            assertThat((List<?>) browser.run(CONTRAST)).as(theme).isEmpty();
        }
        browser.run("""
            const [flat, id] = P.data.columns.map(c => c.id);
            const trial = (name, parameters, value) => ({name, parameters, columns: {[flat]: 7, [id]: value}});
            P.data.result.trials = [trial('eager n=1', {'c.x': 'a', 't.n': '1'}, 10), trial('eager n=2', {'c.x': 'a', 't.n': '2'}, 20),
              trial('late n=1', {'t.n': '1'}, 30), trial('late n=2', {'t.n': '2'}, 40)];
            Main.render();
            """);
        // Settings that only some trials have are identified by the trial's name; common settings are not shown first.
        assertThat(browser.find("table.matrix tbody").getText().replaceAll("\\s+", " "))
                .isEqualTo("trial=eager 10 20 trial=late 30 40");
    }

    /** Each on its own side, to avoid overlaps. */
    @Test
    void labelsOfCloseBoundsDoNotOverlap(Browser browser) throws IOException {
        browser.open(recorded("search", Language.EN));
        List<?> labels = (List<?>) browser.run("""
            const c = P.data.result.ceilings[0];
            const bound = c.withinSlo || c.sustained;
            bound.upperRecordsPerSecond = bound.lowerRecordsPerSecond * 1.001;
            Main.render();
            const boxes = {};
            echarts.getInstanceByDom(document.getElementById('chart-curve-0')).getZr().storage.getDisplayList(true).forEach(e => {
              const text = e.style && typeof e.style.text === 'string' && e.style.text.trim();
              if (['passed', 'failed'].includes(text)) {
                const box = e.getBoundingRect().clone();
                box.applyTransform(e.transform || e.getComputedTransform());
                boxes[text] = [box.x, box.x + box.width];
              }
            });
            return [boxes.passed[1], boxes.failed[0]];
            """);
        assertThat(((Number) labels.get(0)).doubleValue()).isLessThanOrEqualTo(((Number) labels.get(1)).doubleValue());
    }

    @Test
    void omitsResponseAtBoundIfNoLoadPassed(Browser browser) throws IOException {
        browser.open(recorded("search", Language.EN));
        Supplier<Object> tiles = () -> browser.run(
                "return Sections.ceilingTiles().filter(tile => tile && /^Response/.test(tile.textContent)).length");
        assertThat(tiles.get()).isEqualTo(2L);
        browser.run("const c = P.data.result.ceilings[0]; [c.withinSlo, c.sustained].filter(Boolean)"
                + ".forEach(b => { b.lowerRecordsPerSecond = null; b.lowerBytesPerSecond = null; })");
        assertThat(tiles.get()).isEqualTo(0L);
    }

    /** Names of buttons, alternatives of charts, captions of tables, and text with sufficient contrast. */
    @Test
    void isAccessible(Browser browser) throws IOException {
        browser.open(recorded("faults", Language.EN));
        assertThat((Long) browser.run("return document.querySelectorAll('[role=img]:not([aria-label])').length"))
                .isZero();
        assertThat(browser.run(
                        "return [...document.querySelectorAll('button')].filter(b => !b.textContent.trim()).length"))
                .isEqualTo(0L);
        assertThat(browser.run("return document.querySelectorAll('th:not([scope])').length"))
                .isEqualTo(0L);
        for (String theme : List.of("light", "dark")) {
            browser.run("P.setTheme(arguments[0])", theme);
            assertThat((List<?>) browser.run(CONTRAST)).as(theme).isEmpty();
        }
    }

    private static final String CONTRAST = """
        const rgb = text => text.match(/[\\d.]+/g).map(Number);
        const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
          .map(v => (v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4)))
          .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = node => {
          for (let n = node; n; n = n.parentElement) {
            const color = rgb(getComputedStyle(n).backgroundColor);
            if (color.length < 4 || color[3] === 1) return color;
          }
          return [255, 255, 255];
        };
        const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        const bad = new Set();
        while (texts.nextNode()) {
          const node = texts.currentNode.parentElement;
          if (!texts.currentNode.data.trim() || node.closest('script, style, noscript, svg, .skip')) continue;
          const [a, b] = [light(rgb(getComputedStyle(node).color)), light(ground(node))];
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (contrast < 4.5) bad.add(node.tagName + '.' + node.className + ' ' + contrast.toFixed(2));
        }
        return [...bad];
        """;
}
