package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.html.RunSeries.TrialSeries;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Timelines;
import io.plimsoll.testing.AnyRecord;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

/** Properties of the page that need no browser. */
class HtmlReportTest {
    private static final Path FILES = Path.of("src/main/resources/report");
    private static final Pattern USED = Pattern.compile("\\bt\\('([a-zA-Z]+(?:\\.[a-zA-Z0-9]+)+)'");

    private static Set<String> keys(Language language) {
        Set<String> keys = new TreeSet<>();
        Iterator<String> names = Page.catalogue(language).fieldNames();
        names.forEachRemaining(keys::add);
        return keys;
    }

    @Test
    void allLanguagesHaveSameKeysAndPlaceholders() {
        for (Language language : Language.values()) {
            assertThat(keys(language)).isEqualTo(keys(Language.EN));
            JsonNode catalogue = Page.catalogue(language);
            keys(language).forEach(key -> {
                assertThat(catalogue.get(key).asText()).as(key).isNotBlank();
                assertThat(places(catalogue.get(key).asText()))
                        .as(key)
                        .isEqualTo(places(Page.catalogue(Language.EN).get(key).asText()));
            });
        }
    }

    private static Set<String> places(String text) {
        Set<String> places = new TreeSet<>();
        Matcher place = Pattern.compile("\\{\\d}").matcher(text);
        while (place.find()) {
            places.add(place.group());
        }
        return places;
    }

    @Test
    void scriptTextsAreInTheCatalogue() throws IOException {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".js")).toList()) {
                Matcher key = USED.matcher(Files.readString(file));
                while (key.find()) {
                    used.add(key.group(1));
                }
            }
        }
        assertThat(used).hasSizeGreaterThan(80);
        List<String> known = new ArrayList<>();
        Page.texts(Language.EN).fieldNames().forEachRemaining(known::add);
        assertThat(known).containsAll(used);
    }

    @Test
    void scriptsNeverParseTextAsMarkup() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".js")).toList()) {
                assertThat(Files.readString(file))
                        .as(file.toString())
                        .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
            }
        }
    }

    /** The data of any result is embedded in a page. */
    @Property(tries = 50)
    void rendersAnyResult(@ForAll long seed) {
        RunResult result = new AnyRecord(seed).of(RunResult.class);
        String page = HtmlReport.render(result, new RunSeries(), Language.EN);
        String data = page.substring(page.indexOf("id=\"data\">") + 10, page.indexOf("</script>"));
        assertThat(data).startsWith("{").endsWith("}").doesNotContain("<");
    }

    @Test
    void dataIsInert() {
        String json = Json.line("</script><!--<script> & \u2028");
        assertThat(Page.inert(json)).doesNotContain("<", ">", "&");
        assertThat(Page.inert(json)).contains("\\u003c/script");
    }

    /** Keeps a report small, and avoids figures such as 0.010000000000000002. */
    @Property
    void roundsFiguresToFourDigits(@ForAll @DoubleRange(min = -7, max = 14) double exponent) {
        double value = Math.pow(10, exponent);
        Number compact = Points.compact(value);
        assertThat(new BigDecimal(compact.toString()).stripTrailingZeros().precision())
                .isLessThanOrEqualTo(4);
        assertThat(compact.doubleValue()).isCloseTo(value, withinPercentage(0.0501));
    }

    @Test
    void needsNoNetworkAndAllowsNoForeignScript() {
        String page = HtmlReport.render(
                io.plimsoll.result.Fold.fold(Timelines.quick().stream()),
                RunSeries.of(Timelines.quick().stream()),
                Language.EN);
        assertThat(page).contains("default-src 'none'; script-src 'sha256-").doesNotContain("{{");
        String markup = page.replaceAll("(?s)<script.*?</script>", "").replaceAll("(?s)<style.*?</style>", "");
        assertThat(markup).doesNotContainPattern("(src|href)=\"(?!#|data:)");
    }

    /** The first stretch begins with the trial, even if the generator was stopped at the start for any time. */
    @Test
    void firstIntervalMayBeLong() {
        Snapshot first = Timelines.quick().stream()
                .filter(TimelineEvent.Measured.class::isInstance)
                .map(event -> ((TimelineEvent.Measured) event).snapshot())
                .findFirst()
                .orElseThrow();
        for (double seconds : new double[] {1.9, 2.4, 2.6, 3.6, 5.7, 61}) {
            TrialSeries series = new TrialSeries();
            long end = (long) (seconds * Timelines.SECOND);
            series.accept(new Snapshot(
                    "local",
                    "first",
                    0,
                    Phase.WARMUP,
                    0,
                    end,
                    null,
                    null,
                    first.warmup(),
                    first.measured(),
                    first.whole(),
                    first.busiest(),
                    first.clients(),
                    first.slow()));
            int length = seconds < 2 ? 1 : (int) Math.round(seconds);
            assertThat(series.points().times()).as(seconds + " s").hasSize(length);
            assertThat(series.points().values().get("produce.throughput"))
                    .as(seconds + " s")
                    .hasSize(length)
                    .doesNotContainNull();
        }
    }

    @Test
    void rendersRunWithoutTimeline() {
        assertThat(HtmlReport.render(
                        io.plimsoll.result.Fold.fold(Stream.<TimelineEvent>of(Timelines.runStarted("empty"))),
                        new RunSeries(),
                        Language.ZH))
                .endsWith("</html>\n");
    }
}
