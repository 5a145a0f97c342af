package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
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
import java.util.Map;
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
            series.accept(lasting(seconds, first));
            series.close();
            int length = seconds < 2 ? 1 : (int) Math.round(seconds);
            assertThat(series.points().times()).as(seconds + " s").hasSize(length);
            assertThat(series.points().values().get("produce.throughput"))
                    .as(seconds + " s")
                    .hasSize(length)
                    .doesNotContainNull();
        }
    }

    private static Snapshot lasting(double seconds, Snapshot like) {
        return new Snapshot(
                "local",
                "first",
                0,
                like.phase(),
                0,
                (long) (seconds * Timelines.SECOND),
                null,
                null,
                like.warmup(),
                like.measured(),
                like.whole(),
                like.busiest(),
                like.clients(),
                like.slow());
    }

    /** Long runs keep minutes, and each of their seconds has its share of the errors. */
    @Test
    void chartsErrorsPerSecond() {
        TrialSeries series = new TrialSeries();
        Timelines.Second second =
                new Timelines.Second(60, Timelines.spread(60, 1000, 9000)).errors(Map.of("TimeoutException", 120L));
        series.accept(lasting(60, second.snapshot("first", 0, Phase.MEASURE, Timelines.plan(true))));
        series.close();
        assertThat(series.points().values().get("produce.errors")).hasSize(60).containsOnly(2L);
    }

    /** A live page can be opened between the snapshots of two workers for the same second. */
    @Test
    void readingKeepsIncompleteSecondOpen() {
        Snapshot snapshot = new Timelines.Second(60, Timelines.spread(60, 1000, 9000))
                .snapshot("first", 0, Phase.MEASURE, Timelines.plan(true));
        TrialSeries alone = new TrialSeries();
        alone.accept(snapshot);
        alone.close();
        TrialSeries both = new TrialSeries();
        both.accept(snapshot);
        assertThat(both.points().values()).isEmpty();
        assertThat(both.heat().cells()).isEmpty();
        both.accept(snapshot);
        both.close();
        assertThat(rate(both)).isEqualTo(2 * rate(alone));
    }

    private static double rate(TrialSeries series) {
        List<Number> rates = series.points().values().get("produce.throughput");
        assertThat(rates).hasSize(1);
        return rates.get(0).doubleValue();
    }

    private static JsonNode data(RunResult result) {
        return HtmlReport.of(result, new RunSeries()).get("result");
    }

    /** The generator was busy, so the cluster could have carried more. */
    @Test
    void marksThroughputThatIsLowerBound() {
        for (double busiest : new double[] {0.99, 0.3}) {
            List<Timelines.Second> seconds = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                seconds.add(new Timelines.Second(1000, Timelines.spread(1000, 1000, 9000)).busiest(busiest));
            }
            RunResult result = Timelines.oneTrial(
                    Timelines.plan(false), seconds, Timelines.trialEnded("steady-load", 10, 10_000, 0));
            assertThat(data(result).at("/trials/0/throughputIsLowerBound").asBoolean())
                    .as("busiest thread " + busiest)
                    .isEqualTo(busiest > 0.9);
        }
    }

    /** The page keeps only some partitions, but the sums of a leader cover all. */
    @Test
    void sumsAllPartitionsOfLeader() throws IOException {
        ObjectNode result = Json.MAPPER.valueToTree(io.plimsoll.result.Fold.fold(Timelines.quick().stream()));
        ArrayNode partitions = ((ObjectNode) result.at("/trials/0")).putArray("partitions");
        for (int i = 0; i < 3000; i++) {
            ObjectNode partition = partitions.addObject().put("topic", "t").put("partition", i);
            partition.put("leader", i % 3 - 1).put("produced", 2).put("consumed", 1);
        }
        JsonNode trial = data(Json.MAPPER.treeToValue(result, RunResult.class)).at("/trials/0");
        assertThat(trial.get("partitions")).hasSizeLessThan(3000);
        assertThat(trial.get("leaders").toString())
                .isEqualTo("[{\"leader\":-1,\"produced\":2000,\"consumed\":1000},"
                        + "{\"leader\":0,\"produced\":2000,\"consumed\":1000},"
                        + "{\"leader\":1,\"produced\":2000,\"consumed\":1000}]");
    }

    /** As text, because scripts round large integers. */
    @Test
    void keepsAllDigitsOfSeed() throws IOException {
        ObjectNode result = Json.MAPPER.valueToTree(io.plimsoll.result.Fold.fold(Timelines.quick().stream()));
        result.put("seed", 9_007_199_254_740_993L);
        assertThat(data(Json.MAPPER.treeToValue(result, RunResult.class)).get("seed"))
                .isEqualTo(TextNode.valueOf("9007199254740993"));
        ((ObjectNode) result.get("tool")).putNull("kafkaClientVersion");
        assertThat(data(Json.MAPPER.treeToValue(result, RunResult.class)).has("seed"))
                .as("imported from another tool")
                .isFalse();
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
