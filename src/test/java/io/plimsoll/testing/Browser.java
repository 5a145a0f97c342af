package io.plimsoll.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * A headless Chromium shared by all tests of a JVM; it ends with the JVM. Classes that use it are marked
 * {@code @Execution(ExecutionMode.SAME_THREAD)}: they run one after another in one thread, and none waits for it in the
 * thread of another class. Tests with a browser are skipped if PLIMSOLL_SKIP_BROWSER is set.
 */
public final class Browser implements AutoCloseable {
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    static {
        // Selenium warns about a missing DevTools version.
        SELENIUM.setLevel(Level.SEVERE);
    }

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private final ChromeDriver driver;
    /** Temporary files that the browser can leave behind. */
    private final Path temporary;
    /** Ends the browser with this JVM, even after SIGKILL. */
    private final LastWill will;

    private Browser() {
        try {
            temporary = Files.createTempDirectory("plimsoll-browser");
            will = LastWill.of(temporary);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(program("chromium"));
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--force-color-profile=srgb",
                "--window-size=1280,900");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(program("chromedriver")))
                .usingAnyFreePort()
                .withSilent(true)
                .withEnvironment(Map.of("TMPDIR", temporary.toString()))
                .build();
        driver = new ChromeDriver(service, options);
        driver.manage().timeouts().scriptTimeout(PATIENCE);
        driver.executeCdpCommand("Performance.enable", Map.of("timeDomain", "threadTicks"));
    }

    private static String program(String name) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no " + name + " in the PATH: install it, or set"
                        + " PLIMSOLL_SKIP_BROWSER=1 to do without the tests in a browser."))
                .toString();
    }

    /** Injects the browser into tests. */
    public static final class Shared implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Browser.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            String skip = System.getenv("PLIMSOLL_SKIP_BROWSER");
            Assumptions.assumeTrue(skip == null || skip.isEmpty(), "PLIMSOLL_SKIP_BROWSER is set");
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.create(Browser.class))
                    .getOrComputeIfAbsent(Browser.class, type -> new Browser(), Browser.class);
        }
    }

    /** Opens an address with a preferred color scheme and waits until the page is drawn. */
    public Browser open(String address, String colors) {
        return show(address, colors).awaitTrue("document.documentElement.dataset.ready > 0");
    }

    /** Opens a page without scripts. */
    public Browser show(String address, String colors) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colors))));
        driver.get("about:blank");
        console();
        driver.get(address);
        return this;
    }

    public Browser open(Path file) {
        return open(file.toUri().toString(), "light");
    }

    /** Waits until this expression is true in the page. */
    public Browser awaitTrue(String expression) {
        new WebDriverWait(driver, PATIENCE, Duration.ofMillis(50))
                .withMessage(() -> expression + "; the console says " + console())
                .until(d -> Boolean.TRUE.equals(run("return Boolean(" + expression + ")")));
        return this;
    }

    public Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** The value that a script passes to its callback, the last argument. */
    public Object runAsync(String script, Object... arguments) {
        return driver.executeAsyncScript(script, arguments);
    }

    public WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    public List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    public String text() {
        return (String) run("return document.body.innerText");
    }

    public void assertNoConsoleMessage() {
        assertThat(console()).isEmpty();
    }

    /** Console messages since the last call. */
    private List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    public void reload() {
        driver.navigate().refresh();
        awaitTrue("document.documentElement.dataset.ready > 0");
    }

    /** CPU time of the page's thread so far. */
    public double threadSeconds() {
        List<?> metrics = (List<?>)
                driver.executeCdpCommand("Performance.getMetrics", Map.of()).get("metrics");
        return metrics.stream()
                .map(Map.class::cast)
                .filter(metric -> "TaskDuration".equals(metric.get("name")))
                .mapToDouble(metric -> ((Number) metric.get("value")).doubleValue())
                .sum();
    }

    private void resize(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Accessibility violations found by axe: rule, location, and reason. */
    @SuppressWarnings("unchecked")
    private List<String> violations() {
        try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
            run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return (List<String>) runAsync("""
            const done = arguments[0];
            axe.run().then(found => done(found.violations.flatMap(v => v.nodes.map(n =>
              v.id + ' at ' + n.target.join(' ') + ': ' + n.failureSummary.replace(/\\s+/g, ' ')))))\
            """);
    }

    /**
     * Checks a page with axe: light and English on a desktop, then dark and Chinese on a phone, where it must not
     * overflow horizontally.
     *
     * @param kind name of the page in failure messages
     */
    public void assertForEverybody(String address, String kind) {
        try {
            open(address, "light");
            resize(1280, 900);
            assertThat(violations()).as(kind).isEmpty();
            resize(390, 844);
            run("document.getElementById('language').click()");
            run("document.getElementById('theme').click()");
            assertThat(run("return document.documentElement.lang + ' ' + document.documentElement.dataset.theme"))
                    .isEqualTo("zh dark");
            assertThat(violations()).as(kind + " on a phone").isEmpty();
            assertThat((Long) run("return document.documentElement.scrollWidth"))
                    .as("a phone's width of " + kind)
                    .isLessThanOrEqualTo(390);
            screenshot("phone-" + kind);
        } finally {
            run("localStorage.clear()");
            driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    /** Inspects the page at this window width. */
    public void atWidth(int width, Runnable look) {
        try {
            resize(width, 900);
            look.run();
        } finally {
            driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    /** Elements that are clipped, empty, broken into single words, or overlapping, with their location. */
    @SuppressWarnings("unchecked")
    public List<String> layoutFaults() {
        try (InputStream script = Browser.class.getResourceAsStream("/pages/layout.js")) {
            return (List<String>) run(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page as a PDF in A4. */
    public byte[] print() {
        Map<String, Object> result =
                driver.executeCdpCommand("Page.printToPDF", Map.of("preferCSSPageSize", true, "printBackground", true));
        return Base64.getDecoder().decode((String) result.get("data"));
    }

    /** Writes a full-page screenshot to {@code target/screenshots} if PLIMSOLL_SCREENSHOTS is set: it takes seconds. */
    public void screenshot(String name) {
        if (System.getenv("PLIMSOLL_SCREENSHOTS") == null) {
            return;
        }
        Map<String, Object> shot =
                driver.executeCdpCommand("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(SCREENSHOTS.resolve(name + ".png"), Base64.getDecoder().decode((String) shot.get("data")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        driver.quit();
        try {
            will.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
