package io.plimsoll.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.result.Json;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.testing.Browser;
import io.plimsoll.watch.Signal;
import io.plimsoll.watch.WatchStatus;
import io.plimsoll.watch.WatchStatus.Audit;
import io.plimsoll.watch.WatchStatus.Incident;
import io.plimsoll.watch.WatchStatus.Latency;
import io.plimsoll.watch.WatchStatus.Outage;
import io.plimsoll.watch.WatchStatus.Place;
import io.plimsoll.watch.WatchStatus.SignalStatus;
import io.plimsoll.watch.WatchStatus.Window;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The output of a watch in a browser and for Prometheus, and the existence of all metrics that the alert rules and the
 * dashboard use.
 */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class WatchPageTest {
    private static final Instant NOW = Instant.parse("2026-05-04T12:00:00Z");
    private static final Pattern SELECTOR = Pattern.compile("(plimsoll_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!=|=)\"([^\"]*)\"");

    private static final Map<String, Window> MISSED =
            Map.of("5m", new Window(0.977, 23), "1h", new Window(0.977, 23), "30d", new Window(0.977, 23));
    /** Pairs of overlapping pieces of text in a section. */
    private static final String OVERLAPS = """
            const boxes = [...document.querySelectorAll('.badge, .ends span, figure .note, figcaption strong')].filter(e => e.checkVisibility()).map(e => [e.textContent, e.getBoundingClientRect()]);
            return boxes.flatMap(([a, x], i) => boxes.slice(i + 1).filter(([, y]) => x.width > 0 && y.width > 0
              && x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 1 && y.top < x.bottom - 1).map(([b]) => a + ' / ' + b));
            """;

    private static SignalStatus signal(Signal signal, int broker) {
        Map<String, Window> windows = new TreeMap<>();
        for (String name : List.of("5m", "30m", "1h", "6h", "1d", "3d", "30d")) {
            windows.put(name, new Window(broker == 2 ? 0.9931 : 1, broker == 2 ? 6.9 : 0));
        }
        Double[] days = new Double[30];
        days[29] = broker == 2 ? 0.9931 : 1.0;
        days[28] = 1.0;
        Double[] minutes = new Double[60];
        Arrays.fill(minutes, 20, 60, 1.0);
        minutes[40] = broker == 2 ? 0.4 : 1.0;
        Latency latency = new Latency(1.2, 4.5, 9.0, 31.0);
        return new SignalStatus(
                signal,
                broker,
                9931,
                broker == 2 ? 69 : 0,
                windows,
                latency,
                latency,
                Arrays.asList(days),
                Arrays.asList(minutes));
    }

    static WatchStatus status(long lost) {
        List<SignalStatus> signals = new ArrayList<>();
        for (Signal signal : Signal.values()) {
            for (int broker : new int[] {WatchStatus.ALL, 1, 2}) {
                signals.add(signal(signal, broker));
            }
        }
        List<Outage> outages = List.of(
                new Outage(Signal.METADATA, 2, NOW.minusSeconds(100), NOW.minusMillis(96_400), "networkDisconnect"),
                new Outage(Signal.PRODUCE, 2, NOW.minusSeconds(5), null, null));
        Audit audit = new Audit(20_000, 19_990, 10, lost, 0, 0, 0, 0, lost);
        return new WatchStatus(
                WatchStatus.SCHEMA,
                new Place("a-cluster", "plimsoll-watch", audit, 0.5, 73),
                NOW.minusSeconds(86_400),
                NOW,
                0.999,
                List.of(1, 2),
                signals,
                outages,
                List.of(
                        new Incident(
                                2,
                                outages.get(0).from(),
                                outages.get(0).to(),
                                "networkDisconnect",
                                outages.subList(0, 1)),
                        new Incident(null, outages.get(1).from(), null, null, outages.subList(1, 2))),
                List.of(new SlowMoment(
                        86_300,
                        86_300.7,
                        "request",
                        List.of(2),
                        List.of("plimsoll-watch-1"),
                        List.of("produce"),
                        14,
                        702_000,
                        List.of(),
                        List.of(new SlowMoment.Cause("processPause", "broker 2", 86_300, 86_300.7, null, 0.98)))));
    }

    /** At once: the page recreates its sections on each refresh. */
    private static String text(Browser browser, String selector) {
        return (String) browser.run("return document.querySelector(arguments[0]).innerText", selector);
    }

    private static String read(WatchPage page, String path) throws IOException {
        return new String(
                URI.create(page.address() + path).toURL().openStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void showsOutagesAndLossInBothLanguages(Browser browser) throws Exception {
        try (WatchPage page = new WatchPage(WebPlace.local(0), () -> status(3))) {
            browser.open(page.address(), "light");
            browser.awaitTrue("document.documentElement.dataset.ready >= 1");
            assertThat(text(browser, "#verdict"))
                    .contains("down: produce", "objective of 99.9 % missed", "the audit found anomalies");
            assertThat(text(browser, "#outages")).contains("3.6 s", "broker 2 is down", "ongoing");
            assertThat(text(browser, "#signals")).contains("99.31 %", "6.9×", "4.5 ms");
            assertThat(text(browser, "#slow"))
                    .contains("702 ms", "waiting for the response", "process pause of broker 2, 700 ms");
            assertThat(text(browser, "#audit")).contains("19,987");
            assertThat((Long) browser.run("return document.querySelectorAll('.days rect').length"))
                    .isEqualTo(180);
            browser.screenshot("watch");
            browser.run("document.getElementById('language').click()");
            browser.awaitTrue("document.documentElement.lang === 'zh'");
            assertThat(text(browser, "#verdict")).contains("审计发现异常");
            browser.awaitTrue("document.documentElement.dataset.ready >= 3");
            browser.assertNoConsoleMessage();
            browser.run("document.getElementById('language').click()");
        }
    }

    /** Red cells in the table make the headline red, unmeasured values are omitted, at both widths. */
    @Test
    void headlineMatchesTableAndNothingIsCutOrEmpty(Browser browser) throws Exception {
        WatchStatus whole = status(0);
        List<SignalStatus> single = whole.signals().stream()
                .filter(s -> s.broker() != 2)
                .map(s -> s.signal() == Signal.END_TO_END
                        ? new SignalStatus(
                                s.signal(), s.broker(), 977, 23, MISSED, s.recent(), s.day(), s.days(), s.minutes())
                        : s)
                .toList();
        WatchStatus young = new WatchStatus(
                whole.schema(),
                whole.place(),
                NOW.minusSeconds(40),
                NOW,
                0.999,
                List.of(1),
                single,
                List.of(),
                List.of(),
                null);
        for (WatchStatus status : List.of(whole, young)) {
            try (WatchPage page = new WatchPage(WebPlace.local(0), () -> status)) {
                browser.open(page.address(), "light");
                for (int width : new int[] {1280, 390}) {
                    String name = "watch-" + (status.equals(young) ? "young-" : "") + width;
                    browser.atWidth(width, () -> assertNothingIsCutOrEmpty(browser, name));
                }
                assertThat(browser.all("#hour polyline").size()).isGreaterThanOrEqualTo(Signal.values().length);
                assertThat(text(browser, "#days")).contains("2026-04-05", "2026-05-04");
                assertThat(browser.run("return document.querySelectorAll('#signals td .badge.bad').length > 0"
                                + " && document.querySelector('#verdict .sentence').classList.contains('failed')"))
                        .isEqualTo(true);
                if (status.equals(young)) {
                    assertThat(text(browser, "#verdict")).contains("97.7 %", "5m");
                    assertThat(text(browser, "#signals thead")).contains("5m").doesNotContain("30d", "1d");
                    assertThat(browser.all("#signals tbody tr")).hasSize(Signal.values().length);
                } else {
                    assertThat(text(browser, "#outages")).containsOnlyOnce("broker 2 is down");
                }
            }
        }
    }

    private static void assertNothingIsCutOrEmpty(Browser browser, String name) {
        browser.screenshot(name);
        assertThat(browser.run("return document.documentElement.scrollWidth - innerWidth"))
                .as("sticks out: %s", name)
                .isEqualTo(0L);
        assertThat(browser.run(OVERLAPS)).as("labels that overlap: %s", name).isEqualTo(List.of());
        assertThat(browser.run("return [...document.querySelectorAll('main section')]"
                        + ".filter(s => s.innerText.trim().split('\\n').length < 2).map(s => s.id)"))
                .as("empty sections: %s", name)
                .isEqualTo(List.of());
        assertThat(browser.layoutFaults()).as(name).isEmpty();
    }

    /** The current view stays unchanged when the page refreshes, and a stopped watch is not shown as healthy. */
    @Test
    void refreshKeepsViewAndReportsUnresponsiveWatch(Browser browser) throws Exception {
        try (WatchPage page = new WatchPage(WebPlace.local(0), () -> status(0))) {
            browser.open(page.address(), "light");
            browser.run(
                    "Watch.refreshMillis = 100; Watch.look();"
                            + "const head = document.querySelectorAll('#signals thead button')[2]; head.focus(); head.click();");
            String order =
                    "return [...document.querySelectorAll('#signals tbody tr')].map(r => r.textContent).join('|')";
            Object sorted = browser.run(order);
            long ready = Long.parseLong((String) browser.run("return document.documentElement.dataset.ready"));
            browser.awaitTrue("document.documentElement.dataset.ready > " + (ready + 1));
            assertThat(browser.run(order)).isEqualTo(sorted);
            assertThat(browser.run("return document.activeElement.closest('th').getAttribute('aria-sort')"))
                    .isEqualTo("ascending");
            assertThat(text(browser, "#verdict")).doesNotContain("does not respond");
        }
        browser.awaitTrue("document.querySelector('#verdict .unsure, #verdict .failed .warn')");
        assertThat(text(browser, "#verdict")).contains("the watch does not respond");
    }

    /** As the command: without READ, the audit finds nothing, and a single failure is not rounded away. */
    @Test
    void isNoMoreOptimisticThanCommand(Browser browser) throws Exception {
        try (WatchPage page = new WatchPage(WebPlace.local(0), () -> status(0))) {
            browser.open(page.address(), "light");
            assertThat((String) browser.run("""
                    const w = structuredClone(P.data.watch);
                    Object.assign(w.place.audit, {confirmed: 0, waiting: w.place.audit.acknowledged});
                    return [...Watch.verdict(w).querySelectorAll('.badge')].map(b => b.className + ' ' + b.textContent).join('|');
                    """))
                    .contains("badge warn " + browser.run("return P.t('watch.blind')"))
                    .doesNotContain((String) browser.run("return P.t('watch.clean')"));
            assertThat(browser.run("return [1 - 1 / 2.6e6, 1, 0.9931, 0.4].map(Watch.share).join()"))
                    .isEqualTo("99.9999 %,100 %,99.31 %,40.0 %");
        }
    }

    @Test
    void axeFindsNoViolations(Browser browser) throws IOException {
        try (WatchPage page = new WatchPage(WebPlace.local(0), () -> status(3))) {
            browser.assertForEverybody(page.address(), "watch");
        }
    }

    /** For each metric, the values of each label. */
    private static Map<String, Map<String, Set<String>>> metrics() throws IOException {
        Map<String, Map<String, Set<String>>> metrics = new TreeMap<>();
        try (WatchPage page = new WatchPage(WebPlace.local(0), () -> status(0))) {
            String text = read(page, "metrics");
            assertThat(text).endsWith("# EOF\n");
            for (String line : text.lines().filter(l -> !l.startsWith("#")).toList()) {
                Matcher m = SELECTOR.matcher(line);
                assertThat(m.lookingAt()).as(line).isTrue();
                Map<String, Set<String>> labels = metrics.computeIfAbsent(m.group(1), n -> new TreeMap<>());
                Matcher label = MATCHER.matcher(m.group(2) == null ? "" : m.group(2));
                while (label.find()) {
                    labels.computeIfAbsent(label.group(1), n -> new TreeSet<>()).add(label.group(3));
                }
            }
        }
        return metrics;
    }

    private static void asksForWhatIsThere(String expression, Map<String, Map<String, Set<String>>> metrics) {
        Matcher selector = SELECTOR.matcher(expression);
        assertThat(selector.find()).as(expression).isTrue();
        do {
            assertThat(metrics).as(expression).containsKey(selector.group(1));
            Map<String, Set<String>> labels = metrics.get(selector.group(1));
            Matcher m = MATCHER.matcher(selector.group(2) == null ? "" : selector.group(2));
            while (m.find()) {
                assertThat(labels).as(expression).containsKey(m.group(1));
                // A dashboard variable represents the user's selection.
                String chosen = m.group(3).startsWith("$") ? ".*" : m.group(3);
                String wanted = m.group(2).equals("=~") ? chosen : Pattern.quote(m.group(3));
                assertThat(labels.get(m.group(1))).as(expression).anyMatch(value -> value.matches(wanted));
            }
        } while (selector.find());
    }

    @Test
    void alertRulesAndDashboardUseExistingMetrics() throws IOException {
        Map<String, Map<String, Set<String>>> metrics = metrics();
        Object rules = new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(Path.of("deploy/watch/alerts.yml")));
        JsonNode groups = Json.MAPPER.valueToTree(rules).path("groups");
        List<JsonNode> alerts = groups.findValues("expr");
        assertThat(alerts).hasSizeGreaterThan(5);
        alerts.forEach(expr -> asksForWhatIsThere(expr.asText(), metrics));
        JsonNode dashboard = Json.MAPPER.readTree(Files.readString(Path.of("deploy/watch/grafana.json")));
        List<JsonNode> panels = dashboard.findValues("expr");
        assertThat(panels).hasSizeGreaterThan(9);
        panels.forEach(expr -> asksForWhatIsThere(expr.asText(), metrics));
    }

    @Test
    void metricsReportTimeSinceLastSave() throws IOException {
        try (WatchPage page = new WatchPage(WebPlace.local(0), () -> status(0))) {
            assertThat(read(page, "metrics"))
                    .contains("\nplimsoll_watch_unsaved_seconds{kafka_cluster=\"a-cluster\"} 73");
        }
    }

    @Test
    void statusRoundTripsThroughJson() throws IOException {
        try (WatchPage page = new WatchPage(WebPlace.local(0), () -> status(0))) {
            assertThat(Json.MAPPER.readValue(read(page, "status.json"), WatchStatus.class))
                    .isEqualTo(status(0));
        }
    }
}
