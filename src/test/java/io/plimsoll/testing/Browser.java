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
 * A headless Chromium that all tests of a JVM share; it ends with them. To be used by classes with
 * {@code @ResourceLock(Browser.LOCK)}. Tests that take one are skipped where PLIMSOLL_SKIP_BROWSER is set.
 */
public final class Browser implements AutoCloseable {
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    static {
        // It would rather have a library for each version of the browser.
        SELENIUM.setLevel(Level.SEVERE);
    }

    public static final String LOCK = "browser";
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private final ChromeDriver driver;
    /** For what it leaves behind when it is ended. */
    private final Path temporary;
    /** So that it ends with this JVM, also where that is killed. */
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

    /** Gives tests the browser. */
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

    /** Opens an address with the colours that the user is said to prefer, and waits until the page is drawn. */
    public Browser open(String address, String colors) {
        return show(address, colors).awaitTrue("document.documentElement.dataset.ready > 0");
    }

    /** The same for a page without scripts. */
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

    /** Runs a script in the page. */
    public Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** What a script hands to the function that is its last argument. */
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

    /** What the console has said since it was last asked. */
    private List<String> console() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    public void reload() {
        driver.navigate().refresh();
        awaitTrue("document.documentElement.dataset.ready > 0");
    }

    /** CPU time that the page's thread has taken for it so far. */
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

    /** What axe finds wrong for those who see less or use no mouse: its rule, where, and why. */
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
     * Has axe look at a page, light and in English on a desktop, then dark and in Chinese on a phone, where nothing may stick
     * out at the side either.
     *
     * @param kind what the page is called when something is found
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

    /** Looks at the page while the window has this width. */
    public void atWidth(int width, Runnable look) {
        try {
            resize(width, 900);
            look.run();
        } finally {
            driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    /** What is clipped, empty, broken into single words or written over something else, each with its place. */
    @SuppressWarnings("unchecked")
    public List<String> layoutFaults() {
        try (InputStream script = Browser.class.getResourceAsStream("/pages/layout.js")) {
            return (List<String>) run(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page as A4, a PDF. */
    public byte[] print() {
        Map<String, Object> result =
                driver.executeCdpCommand("Page.printToPDF", Map.of("preferCSSPageSize", true, "printBackground", true));
        return Base64.getDecoder().decode((String) result.get("data"));
    }

    /** Writes the whole page to {@code target/screenshots}. */
    public void screenshot(String name) {
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
