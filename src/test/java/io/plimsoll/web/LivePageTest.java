package io.plimsoll.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Json;
import io.plimsoll.result.Timelines;
import io.plimsoll.testing.Browser;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.RunningCommand.Ended;
import io.plimsoll.web.RunTotals.MetricsPage;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.openqa.selenium.WebElement;

/** Runs watched in a real browser. */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class LivePageTest {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/#stop=[\\w-]{24}");
    private static final String SCENARIO = """
        name: watched
        topics: [{name: watched-%1$d, partitions: 2}]
        producers: [{topic: watched-%1$d, rate: 500/s, record: {size: 100}}]
        consumers: [{topic: watched-%1$d}]
        duration: 600s
        warmup: 1s
        """;

    @TempDir
    Path directory;

    private static String seconds() {
        return "(P.seriesOf(P.current()) || {t: []}).t.length";
    }

    /** Connects late, sees everything, reloads, and stops the run like Ctrl-C. */
    @Test
    void followsAndStopsRun(Browser browser) throws Exception {
        Path scenario = Files.writeString(directory.resolve("watched.yaml"), SCENARIO.formatted(System.nanoTime()));
        try (RunningCommand run = new RunningCommand(
                directory,
                "run",
                scenario,
                "--ui",
                "--out",
                directory.resolve("runs"),
                "--bootstrap-server",
                SharedLab.oneBroker().bootstrapServers())) {
            run.awaitProgress("live page: ").awaitProgress("phase=measuring");
            browser.open(address(run.err()), "light");
            browser.awaitTrue(seconds() + " >= 3");
            browser.awaitTrue("document.querySelector('#chart-throughput')");
            long before = (Long) browser.run("return " + seconds());
            browser.awaitTrue(seconds() + " > " + before);
            assertThat((Boolean) browser.run("return P.charts.find(c => c.spec.id === 'throughput')"
                            + ".instance.getOption().series[0].data.length > " + before))
                    .isTrue();
            browser.screenshot("live");
            browser.reload();
            browser.awaitTrue(seconds() + " > " + before);
            assertThat(browser.find("#live").getText()).contains("watched", "measuring");
            browser.assertNoConsoleMessage();
            browser.run("document.getElementById('stop').click()");
            Ended ended = run.awaitEnd();
            assertThat(ended.exit()).isEqualTo(130);
            assertThat(ended.lastLine()).endsWith("report.html");
            browser.awaitTrue("P.data.live === false");
            assertThat(browser.text()).contains("Interrupted", "report.html");
        }
    }

    private static String address(String text) {
        Matcher address = ADDRESS.matcher(text);
        assertThat(address.find()).as(text).isTrue();
        return address.group();
    }

    private static int status(String address, String method, String... headers) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address).toURL().openConnection();
        connection.setRequestMethod(method);
        for (int i = 0; i < headers.length; i += 2) {
            connection.setRequestProperty(headers[i], headers[i + 1]);
        }
        int status = connection.getResponseCode();
        connection.disconnect();
        return status;
    }

    /** While brokers start, no details of the run are known yet; a page that is opened then shows its start. */
    @Test
    void isAvailableBeforeRunStarts(Browser browser) {
        try (LivePage page = new LivePage(WebPlace.local(0), () -> {})) {
            browser.open(page.address(), "light");
            browser.awaitTrue("document.getElementById('key')");
            assertThat(browser.text()).contains("Nothing was measured", "No trial has started");
            Timelines.quick().forEach(page::event);
            browser.awaitTrue("document.querySelector('#chart-throughput')");
            assertThat((String) browser.run("return document.title")).startsWith("quick");
            page.phase("latency", "warm-up until steady", -1, -1);
            page.checks(List.of("a > 1"), List.of("b < 5ms"));
            browser.awaitTrue("document.getElementById('live-text').textContent.includes('✗ b < 5ms')");
            browser.awaitTrue("document.getElementById('live-text').textContent.includes('1 of 2 checks')");
            browser.awaitTrue("/\\d.* elapsed/.test(document.getElementById('live-text').textContent)");
            // The run can still be stopped after a click in the navigation.
            browser.run("location.hash = '#trials'");
            browser.awaitTrue("/^#stop=.+&section=trials$/.test(location.hash)");
            browser.run("Live.bar(null)");
            assertThat(browser.find("#stop").isDisplayed()).isTrue();
            browser.assertNoConsoleMessage();
        }
    }

    @Test
    void stopsRunOnlyWithPageSecret() throws IOException {
        AtomicInteger stopped = new AtomicInteger();
        try (LivePage page = new LivePage(WebPlace.local(0), stopped::incrementAndGet)) {
            Timelines.quick().forEach(page::event);
            String[] parts = page.address().split("#stop=");
            String address = parts[0];
            String secret = parts[1];
            // Other users of this machine can open the page, but it contains nothing that stops the run.
            assertThat(get(address)).doesNotContain(secret);
            assertThat(status(address + "stop", "GET")).isEqualTo(403);
            assertThat(status(address + "stop", "POST")).isEqualTo(403);
            assertThat(status(address + "stop", "POST", "X-Plimsoll-Stop", "guess"))
                    .isEqualTo(403);
            assertThat(status(address + "other", "GET")).isEqualTo(404);
            assertThat(stopped).hasValue(0);
            assertThat(status(address + "stop", "POST", "X-Plimsoll-Stop", secret))
                    .isEqualTo(202);
        }
    }

    /** A site with a name that resolves to the loopback interface gets no content. */
    @Test
    void refusesForeignHostHeader() throws IOException {
        try (LivePage page = new LivePage(WebPlace.local(0), () -> {})) {
            URI address = URI.create(page.address());
            assertThat(answerTo("evil.example", address.getPort())).startsWith("HTTP/1.1 403");
            assertThat(answerTo("localhost.evil.example:80", address.getPort())).startsWith("HTTP/1.1 403");
        }
    }

    /** Browsers omit port 80, and the local port of an SSH tunnel is another one. */
    @Test
    void answersOnAnyLocalPort() throws IOException {
        try (LivePage page = new LivePage(WebPlace.local(0), () -> {})) {
            URI address = URI.create(page.address());
            for (String host : List.of("localhost", "localhost:9", "127.0.0.1:9", "[::1]", "[::1]:9")) {
                assertThat(answerTo(host, address.getPort())).as(host).startsWith("HTTP/1.1 200");
            }
        }
    }

    private static String answerTo(String host, int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            String request = "GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void exportsOpenMetrics() throws IOException {
        RunTotals totals = new RunTotals();
        try (MetricsPage page = new MetricsPage(WebPlace.local(0), totals::metrics)) {
            assertThat(get(page.address())).endsWith("# EOF\n").doesNotContain("{");
            Timelines.quick().stream()
                    .filter(e -> e instanceof io.plimsoll.result.TimelineEvent.Measured m
                            && m.snapshot().trial().equals("latency"))
                    .forEach(e -> totals.snapshot(((io.plimsoll.result.TimelineEvent.Measured) e).snapshot()));
            assertThat(get(page.address()))
                    .contains(
                            "# TYPE plimsoll_records_acknowledged counter\n",
                            "\nplimsoll_records_acknowledged_total{trial=\"latency\"} 60000\n",
                            "\nplimsoll_bytes_acknowledged_total{trial=\"latency\"} 60000000\n",
                            "\nplimsoll_response_seconds{trial=\"latency\",quantile=\"0.5\"} 0.00",
                            "\nplimsoll_lag_records{trial=\"latency\",group=\"readers\"} 0\n",
                            "\nplimsoll_generator_cores{trial=\"latency\"} 0.500000\n")
                    .endsWith("# EOF\n");
        }
    }

    @Test
    void dashboardQueriesOnlyExistingMetrics() throws IOException {
        RunTotals totals = new RunTotals();
        try (MetricsPage page = new MetricsPage(WebPlace.local(0), totals::metrics)) {
            String metrics = get(page.address());
            List<String> names =
                    Json.MAPPER.readTree(Path.of("deploy/run/grafana.json").toFile()).findValues("expr").stream()
                            .flatMap(expr -> Pattern.compile("plimsoll_\\w+")
                                    .matcher(expr.asText())
                                    .results())
                            .map(found -> found.group().replaceFirst("_total$", ""))
                            .distinct()
                            .toList();
            assertThat(names).hasSizeGreaterThan(8).allSatisfy(name -> assertThat(metrics)
                    .contains("# TYPE " + name + " "));
        }
    }

    private static String get(String address) throws IOException {
        try (var in = URI.create(address).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void protectedPageRequiresToken() throws IOException {
        try (WebServer server = new WebServer(WebPlace.local(0), true)) {
            server.on("/", exchange -> WebServer.answer(exchange, 200, "text/plain", "here\n"));
            server.start();
            String address = server.address();
            assertThat(address).matches("http://127\\.0\\.0\\.1:\\d+/\\?token=[\\w-]{24}");
            assertThat(status(address, "GET")).isEqualTo(200);
            assertThat(status(address + "&name=x", "GET")).isEqualTo(200);
            assertThat(status(address + "x", "GET")).isEqualTo(403);
            assertThat(status(address.replaceAll("\\?.*", ""), "GET")).isEqualTo(403);
        }
    }

    @Test
    void listsRunsAndOpensOne(Browser browser) throws IOException {
        RecordedRuns.open("quick", directory.resolve("2026-11-22T054453Z-quick"), 0.5);
        var matrix = RecordedRuns.open("matrix", directory.resolve("2026-11-22T054644Z-quick"));
        Files.writeString(
                directory.resolve("2026-11-22T054644Z-quick/result.json"),
                Json.pretty(io.plimsoll.result.Fold.of(matrix)));
        try (RunsPage page = new RunsPage(directory, WebPlace.local(0))) {
            browser.open(page.address(), "light");
            assertThat(browser.all("tbody tr")).hasSize(2);
            assertThat(browser.find("tbody tr").getText()).contains("Passed", "Of 2 trials");
            assertThat(browser.all("tbody tr").get(1).getText()).contains("quick", "UTC", "Running");
            Path silent = directory.resolve("2026-11-22T054453Z-quick/timeline.jsonl");
            Files.setLastModifiedTime(silent, FileTime.from(Instant.now()));
            browser.open(page.address() + "run?name=2026-11-22T054453Z-quick", "light");
            assertThat(browser.find("#verdict").getText()).contains("Running").doesNotContain("killed");
            browser.open(page.address(), "light");
            Files.setLastModifiedTime(silent, FileTime.from(Instant.now().minusSeconds(60)));
            browser.reload();
            assertThat(browser.all("tbody tr").get(1).getText()).contains("quick", "UTC", "Cut short");
            browser.screenshot("runs");
            browser.find("tbody tr a").click();
            browser.awaitTrue("document.querySelector('#verdict') && document.documentElement.dataset.ready");
            assertThat(browser.text()).contains("Of 2 trials");
            browser.assertNoConsoleMessage();
            assertThat(status(page.address() + "run?name=..", "GET")).isEqualTo(404);
            assertThat(status(page.address() + "run?name=%2Fetc", "GET")).isEqualTo(404);
        }
    }

    private void record(String recorded, String name) throws IOException {
        var run = RecordedRuns.open(recorded, directory.resolve(name));
        Files.writeString(directory.resolve(name).resolve("result.json"), Json.pretty(io.plimsoll.result.Fold.of(run)));
    }

    @Test
    void comparesSelectedRuns(Browser browser) throws IOException {
        record("quick", "2026-11-22T054453Z-quick");
        record("quick", "2026-11-22T054644Z-quick");
        record("search", "2026-11-22T054755Z-search");
        try (RunsPage page = new RunsPage(directory, WebPlace.local(0))) {
            browser.open(page.address(), "light");
            WebElement compare = browser.find("#compare");
            assertThat(compare.isEnabled()).isFalse();
            List<WebElement> boxes = browser.all("tbody input[type=checkbox]");
            assertThat(boxes).hasSize(3);
            boxes.get(1).click();
            assertThat(compare.isEnabled()).isFalse();
            boxes.get(2).click();
            assertThat(compare.getText()).isEqualTo("Compare 2 runs");
            browser.screenshot("runs-ticked");
            compare.click();
            browser.awaitTrue("location.pathname === '/compare' && document.querySelector('#figures')");
            assertThat(browser.find("h1").getText()).matches("Comparison: A quick.*, B .*");
            assertThat(browser.run("""
                return P.charts.map(c => echarts.getInstanceByDom(c.box).getOption().series
                  .filter(s => s.data.some(d => d !== null && (d.value || d)[1] > 0))
                  .map(s => s.name).sort().join())\
                """))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSize(4)
                    .containsOnly("A,B");
            assertThat(browser.find("#sides").getText()).contains("054453Z-quick", "054644Z-quick");
            browser.screenshot("comparison");
            browser.assertNoConsoleMessage();
        }
    }

    @Test
    void showsFigureAcrossRuns(Browser browser) throws IOException {
        record("quick", "2026-11-22T054453Z-quick");
        record("quick", "2026-11-22T054644Z-quick");
        record("quick", "2026-11-22T054755Z-quick");
        try (RunsPage page = new RunsPage(directory, WebPlace.local(0))) {
            browser.open(page.address(), "light");
            browser.find("#to-history").click();
            browser.awaitTrue("location.pathname === '/history' && document.documentElement.dataset.ready");
            assertThat(browser.text()).contains("quick / latency: produce.response.p99, 3 runs", "3 of 24");
            String dots = "return echarts.getInstanceByDom(P.charts[0].box).getOption().series[0].data.length";
            assertThat(browser.run(dots)).isEqualTo(3L);
            assertThat(browser.run("return echarts.getInstanceByDom(P.charts[0].box).getOption().useUTC"))
                    .as("its axis has the times of its table")
                    .isEqualTo(true);
            assertThat(browser.run("return Past.shown({unit: 'ratio'}, 0.0004)"))
                    .isEqualTo("0.0004");
            browser.run("document.querySelector('details').open = true");
            browser.awaitTrue("document.querySelectorAll('details tbody th a').length === 3");
            assertThat(browser.find("details tbody th a").getDomAttribute("href"))
                    .as("whoever has no mouse opens it as well")
                    .isEqualTo("/run?name=2026-11-22T054453Z-quick");
            assertThat(browser.find("select").getText()).contains("consume.throughput");
            browser.screenshot("history");
            browser.assertNoConsoleMessage();
            assertThat(status(page.address() + "history?figure=no.such", "GET")).isEqualTo(400);
        }
    }

    @Test
    void comparesLoadsOfTwoSearches(Browser browser) throws IOException {
        record("search", "2026-11-22T054755Z-search");
        record("search", "2026-11-22T054855Z-search");
        try (RunsPage page = new RunsPage(directory, WebPlace.local(0))) {
            String query = "compare?run=2026-11-22T054755Z-search&run=2026-11-22T054855Z-search";
            browser.show(page.address() + query, "dark");
            assertThat(browser.find("#ceilings").getText()).contains("too few runs");
            int points = browser.all("#ceilings details tbody tr").size();
            assertThat(points).isGreaterThan(4);
            String series = "P.charts.flatMap(c => echarts.getInstanceByDom(c.box).getOption().series)";
            assertThat(browser.run("return " + series + ".reduce((n, s) => n + s.data.length, 0)"))
                    .isEqualTo(2L * points);
            assertThat(browser.run("return " + series + ".filter(s => s.markArea).length"))
                    .isEqualTo(4L);
            browser.screenshot("comparison-search-dark");
            browser.assertNoConsoleMessage();
        }
    }

    @Test
    void comparesOnlyRunsInDirectory() throws IOException {
        record("quick", "a");
        record("quick", "b");
        record("faults", "other");
        Files.createDirectories(directory.resolve("c"));
        try (RunsPage page = new RunsPage(directory, WebPlace.local(0))) {
            for (String wrong : List.of("..", "%2Fetc", "c", "a%2F..%2Fb", "")) {
                assertThat(status(page.address() + "compare?run=a&run=" + wrong, "GET"))
                        .as(wrong)
                        .isEqualTo(404);
            }
            assertThat(status(page.address() + "compare?run=a&run=a", "GET")).isEqualTo(400);
            assertThat(status(page.address() + "compare", "GET")).isEqualTo(400);
            assertThat(status(page.address() + "compare?run=a&run=b", "GET")).isEqualTo(200);
            assertThat(status(page.address() + "compare?run=a&run=other", "GET"))
                    .as("there is nothing to compare")
                    .isEqualTo(400);
        }
    }
}
