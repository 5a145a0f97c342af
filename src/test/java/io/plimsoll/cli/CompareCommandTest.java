package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.RunStarted;
import io.plimsoll.result.TimelineEvent.TrialStarted;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The compare command judges two runs, and its exit code is a gate. */
@Order(1)
class CompareCommandTest {
    private static final String HOSTILE = "<script>alert(1)</script>|\"'>&\n# `x` [a](http://evil)";

    /** Runs that several tests compare, by slowdown and seed; none of them changes their files. */
    @TempDir
    static Path shared;

    private static final Map<String, String> RUNS = new HashMap<>();

    @TempDir
    Path temp;

    private static List<TimelineEvent> trial(String name, Map<String, String> parameters, double slower, long seed) {
        return trial(name, parameters, slower, seed, false);
    }

    /** Twenty seconds of some 1,000 records each, with 3 % of noise; every third second may be empty. */
    private static List<TimelineEvent> trial(
            String name, Map<String, String> parameters, double slower, long seed, boolean pauses) {
        Random random = new Random(seed);
        List<Second> seconds = new ArrayList<>();
        long all = 0;
        for (int i = 0; i < 20; i++) {
            double noise = Math.exp(0.03 * random.nextGaussian());
            long records = pauses && i % 3 == 1 ? 0 : Math.round(1000 / slower * noise);
            all += records;
            seconds.add(new Second(records, Timelines.spread(records, 1000, Math.round(9000 * slower / noise))));
        }
        List<TimelineEvent> events = new ArrayList<>(Timelines.trial(name, Timelines.plan(true), List.of(), seconds));
        TrialStarted s = (TrialStarted) events.get(0);
        events.set(0, new TrialStarted(name, s.at(), parameters, s.plan(), s.setup()));
        events.add(Timelines.trialEnded(name, 20, all, 0));
        return events;
    }

    private static RunStarted started(String acks, String cpu) {
        RunStarted s = Timelines.runStarted("steady");
        Map<String, Object> scenario = new LinkedHashMap<>(
                Map.of("name", "steady", "producers", List.of(Map.of("config", Map.of("acks", acks)))));
        RunResult.Environment where = new RunResult.Environment(
                Map.of("cpu", Map.of("model", cpu)), s.environment().cluster());
        return new RunStarted("steady", s.at(), s.command(), s.tool(), where, scenario, 1, 1, null, List.of());
    }

    private Path write(RunStarted started, List<TimelineEvent> trials) {
        return write(temp, started, trials);
    }

    private static Path write(Path parent, RunStarted started, List<TimelineEvent> trials) {
        Fold fold = new Fold();
        try (RunDirectory directory = RunDirectory.create(parent, "run", Timelines.START)) {
            List<TimelineEvent> events = new ArrayList<>(List.of(started));
            events.addAll(trials);
            events.forEach(fold::accept);
            TimelineEvent end = fold.end(Timelines.START.plusSeconds(60));
            fold.accept(end);
            events.add(end);
            events.forEach(directory::append);
            directory.writeResult(fold.result());
            return directory.path();
        }
    }

    private static String run(double slower, long seed) {
        return RUNS.computeIfAbsent(
                slower + " " + seed, run -> write(shared, started("all", "x"), trial("steady", Map.of(), slower, seed))
                        .toString());
    }

    /** Three runs per side, joined by commas. */
    private static String runs(double slower, long seed) {
        return run(slower, seed) + "," + run(slower * 1.01, seed + 10) + "," + run(slower * 0.99, seed + 20);
    }

    private static JsonNode json(String... args) throws Exception {
        List<String> all = new ArrayList<>(List.of("compare", "--format", "json"));
        all.addAll(List.of(args));
        return Json.MAPPER.readTree(InProcess.run(all.toArray(String[]::new)).out());
    }

    private static JsonNode line(JsonNode comparison, String figure) {
        for (JsonNode line : comparison.at("/trials/0/figures")) {
            if (line.get("figure").asText().equals(figure)) {
                return line;
            }
        }
        throw new AssertionError(figure + " is missing in " + comparison);
    }

    private Path search(String... partitions) throws IOException {
        Path directory = Files.createTempDirectory(temp, "search");
        ObjectNode result = Json.MAPPER.valueToTree(Fold.of(RecordedRuns.open("search", directory.resolve("run"))));
        ArrayNode ceilings = (ArrayNode) result.get("ceilings");
        for (String each : partitions) {
            ObjectNode one = ceilings.get(0).deepCopy();
            one.putObject("parameters").put("topics.partitions", each);
            ceilings.add(one);
        }
        ceilings.remove(0);
        return Files.writeString(directory.resolve("result.json"), result.toString());
    }

    private String searchOf(double lower, double upper) throws IOException {
        Path directory = search("1");
        ObjectNode result = (ObjectNode) Json.MAPPER.readTree(directory.toFile());
        ObjectNode ceiling = (ObjectNode) result.at("/ceilings/0");
        ceiling.findParents("lowerRecordsPerSecond")
                .forEach(bound ->
                        ((ObjectNode) bound).put("lowerRecordsPerSecond", lower).put("upperRecordsPerSecond", upper));
        ceiling.put("end", "found");
        return Files.writeString(Files.createTempFile(temp, "search", ".json"), result.toString())
                .toString();
    }

    /** Bounds describe the ceiling of one search, and not the variation between searches. */
    @Test
    void oneSearchPerSideIsInconclusive() throws Exception {
        String a = searchOf(1000, 1100);
        String b = searchOf(700, 770);
        JsonNode pair = json(a, b).at("/ceilings/0");
        assertThat(pair.get("outcome").asText()).isEqualTo("unknown");
        assertThat(pair.get("lost").isNull()).isTrue();
        InProcess outcome = InProcess.run("compare", a, b, "--fail-on-regression", "5%");
        assertThat(outcome.exit()).isEqualTo(5);
        assertThat(outcome.out())
                .startsWith("? Undecided")
                .containsPattern(Said.en("report.compare.undecided"))
                .doesNotContainPattern(Said.en("report.compare.noCeiling"));

        String before = a + "," + searchOf(990, 1090) + "," + searchOf(1010, 1110);
        pair = json(before, b).at("/ceilings/0");
        assertThat(pair.get("outcome").asText()).isEqualTo("worse");
        assertThat(pair.get("lost").asDouble()).isBetween(0.15, 0.23);
        assertThat(pair.at("/firstBounds/lower").asDouble()).isEqualTo(990);
        assertThat(pair.at("/firstBounds/upper").asDouble()).isEqualTo(1110);
        assertThat(InProcess.run("compare", before, b, "--fail-on-regression", "5%")
                        .exit())
                .isEqualTo(7);
        assertThat(InProcess.run("compare", before, before, "--fail-on-regression", "5%")
                        .exit())
                .isZero();
        // These bounds do not overlap, but searches of one side differ by as much.
        String wide = a + "," + searchOf(700, 770);
        assertThat(json(wide, searchOf(500, 560) + "," + searchOf(690, 695))
                        .at("/ceilings/0/outcome")
                        .asText())
                .isEqualTo("noDifference");
    }

    /** A rate of zero has no ratio, and needs no second run. */
    @Test
    void rateDropToZeroIsRegressionEvenInOneRun() throws Exception {
        Path stopped = Path.of(run(1, 2));
        ObjectNode result =
                (ObjectNode) Json.MAPPER.readTree(stopped.resolve("result.json").toFile());
        ((ObjectNode) result.at("/trials/0/consume")).put("bytesPerSecond", 0);
        Path file = Files.writeString(temp.resolve("stopped.json"), result.toString());
        JsonNode line = line(json(run(1, 1), file.toString()), "consume.throughput");
        assertThat(line.get("second").asDouble()).isZero();
        assertThat(line.get("outcome").asText()).isEqualTo("worse");
        InProcess outcome = InProcess.run("compare", run(1, 1), file.toString(), "--fail-on-regression", "5%");
        assertThat(outcome.exit()).isEqualTo(7);
        assertThat(outcome.out()).startsWith("✗ B is worse than A in 1 of");
    }

    /** Three results, in which a broker reads about this many bytes per second from disk. */
    private String reading(double bytesPerSecond) throws IOException {
        List<String> files = new ArrayList<>();
        for (double noise : new double[] {1, 1.01, 0.99}) {
            JsonNode result = Json.MAPPER.readTree(
                    Path.of(run(1, 1)).resolve("result.json").toFile());
            ObjectNode trial = (ObjectNode) result.at("/trials/0");
            trial.putArray("brokers").addObject().put("id", 1).put("diskReadBytes", bytesPerSecond * noise);
            files.add(Files.writeString(Files.createTempFile(temp, "reading", ".json"), result.toString())
                    .toString());
        }
        return String.join(",", files);
    }

    /** Reads have the unit of a throughput, but more of them are worse. */
    @ParameterizedTest
    @CsvSource({"2e6, worse, 7", "5e5, better, 0"})
    void moreDiskReadsAreWorse(double bytesPerSecond, String outcome, int exit) throws Exception {
        String figure = "broker.diskRead";
        String a = reading(1e6);
        String b = reading(bytesPerSecond);
        JsonNode line = line(json(a, b, "--figure", figure), figure);
        assertThat(line.get("unit").asText()).isEqualTo("bytes/s");
        assertThat(line.get("outcome").asText()).isEqualTo(outcome);
        InProcess gate = InProcess.run("compare", a, b, "--figure", figure, "--fail-on-regression", "5%");
        assertThat(gate.exit()).as(gate.out()).isEqualTo(exit);
        String page = InProcess.run("compare", a, b, "--figure", figure, "--format", "html")
                .out();
        assertThat(page).contains("\"intervals\":[[" + (outcome.equals("worse") ? "1." : "0."));
    }

    /** On either side. */
    @Test
    void listsSettingsWithCeilingOnOneSideOnly() throws Exception {
        String few = search("3", "6").toString();
        String many = search("6", "12").toString();
        assertThat(json(few, many).get("unpaired"))
                .extracting(JsonNode::asText)
                .containsExactly(
                        Sentence.of("report.compare.ceilingOnlyIn", "partitions=3", "A")
                                .english(),
                        Sentence.of("report.compare.ceilingOnlyIn", "partitions=12", "B")
                                .english());
        assertThat(json(few, many).get("ceilings")).hasSize(1);
    }

    @Test
    void findsNoDifferenceBetweenEquivalentRuns() throws Exception {
        String a = runs(1, 1);
        String b = runs(1, 2);
        InProcess outcome = InProcess.run("compare", a, b, "--fail-on-regression", "5%");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .startsWith("= ")
                .containsPattern(Said.en("report.compare.noDifference", "A", "B", 8))
                .containsPattern(Said.en("report.alike"))
                .contains("✓ No regression")
                .containsPattern(Said.en("report.compare.none"))
                .doesNotContain("worse  ");
        assertThat(json(a, b).get("schema").asText()).isEqualTo("plimsoll.comparison/1");
    }

    @Test
    void findsSlowdownOfTwentyPercent() throws Exception {
        JsonNode comparison = json(runs(1, 1), runs(1.2, 2));
        for (String figure : List.of("produce.throughput", "produce.response.p99", "consume.endToEnd.p50")) {
            JsonNode line = line(comparison, figure);
            boolean rate = figure.endsWith("throughput");
            assertThat(line.get("outcome").asText()).isEqualTo("worse");
            assertThat(line.get("basis").asText()).isEqualTo("runs");
            assertThat(line.at("/interval/ratio").asDouble()).isCloseTo(rate ? 1 / 1.2 : 1.2, within(0.07));
        }
        assertThat(line(comparison, "produce.throughput").at("/interval/high").asDouble())
                .isLessThan(0.95);
        assertThat(comparison.get("sentence").asText()).startsWith("B is worse than A in ");
    }

    @ParameterizedTest
    @CsvSource({"1.2, 5%, 7", "1.2, 0.05, 7", "1.2, 40%, 0", "0.8, 5%, 0", "1.0, 5%, 0"})
    void failsOnlyOnCertainRegression(double slower, String tolerance, int exit) {
        InProcess outcome = InProcess.run("compare", runs(1, 1), runs(slower, 2), "--fail-on-regression", tolerance);
        assertThat(outcome.exit()).isEqualTo(exit);
        assertThat(outcome.out()).containsPattern(Said.en(exit == 0 ? "report.gate.passed" : "report.gate.regression"));
    }

    /** The variation within a run does not show the variation between runs, however large the difference is. */
    @ParameterizedTest
    @CsvSource({"1.0", "1.009", "1.1", "2.0", "0.8"})
    void oneRunPerSideIsInconclusive(double slower) throws Exception {
        String a = run(1, 1);
        String b = run(slower, 2);
        JsonNode comparison = json(a, b, "--fail-on-regression", "1%");
        assertThat(comparison.at("/trials/0/figures")).isNotEmpty().allSatisfy(line -> {
            assertThat(line.get("outcome").asText()).isEqualTo("unknown");
            assertThat(line.get("detectable").isNull()).isTrue();
        });
        JsonNode throughput = line(comparison, "produce.throughput");
        assertThat(throughput.get("basis").asText()).isEqualTo("seconds");
        assertThat(throughput.at("/interval/ratio").asDouble()).isCloseTo(1 / slower, within(0.05));
        assertThat(comparison.at("/gate/passed").asBoolean()).isFalse();
        assertThat(comparison.at("/gate/undecided")).hasSameSizeAs(comparison.at("/trials/0/figures"));
        assertThat(comparison.at("/gate/regressions")).isEmpty();
        InProcess gated = InProcess.run("compare", a, b, "--fail-on-regression", "1%");
        assertThat(gated.exit()).isEqualTo(5);
        assertThat(gated.out().replaceAll("\\s+", " "))
                .startsWith("? Undecided")
                .contains("plimsoll compare A1,A2,A3 B1,B2,B3", "run --ab")
                .doesNotContain("✓", "✗");
        assertThat(InProcess.run("compare", a, b).exit()).isZero();
        assertThat(InProcess.run("compare", a, b, "--format", "html").out()).contains("\"state\":\"unknown\"");
    }

    /** Two runs of one side and one of the other side are too few to estimate the variation between runs. */
    @Test
    void singleRunNeedsThreeRunsOnTheOtherSide() {
        String two = run(1, 1) + "," + run(1.01, 3);
        assertThat(InProcess.run("compare", two, run(1, 2), "--fail-on-regression", "5%")
                        .exit())
                .isEqualTo(5);
        assertThat(InProcess.run("compare", runs(1, 1), run(1.3, 2), "--fail-on-regression", "5%")
                        .exit())
                .isEqualTo(7);
    }

    /** Certainly worse, by about the tolerance: neither a certain regression nor none. */
    @Test
    void regressionNearToleranceIsUndecided() throws Exception {
        String figure = "produce.throughput";
        String a = run(1, 1) + "," + run(1.02, 11) + "," + run(0.98, 21);
        String b = run(1.08, 2) + "," + run(1.1, 12) + "," + run(1.06, 22);
        JsonNode comparison = json(a, b, "--figure", figure, "--fail-on-regression", "6%");
        assertThat(line(comparison, figure).get("outcome").asText()).isEqualTo("worse");
        assertThat(comparison.at("/gate/undecided")).hasSize(1);
        assertThat(InProcess.run("compare", a, b, "--figure", figure, "--fail-on-regression", "6%")
                        .exit())
                .isEqualTo(5);
        comparison = json(a, b, "--figure", figure, "--fail-on-regression", "12%");
        assertThat(comparison.at("/gate/passed").asBoolean()).isTrue();
        assertThat(comparison.at("/gate/undecided")).isEmpty();
    }

    /** A load that stalls has seconds without a logarithm, which must not hide a regression. */
    @Test
    void repeatedStallsAreARegression() {
        String silent = List.of(2, 3, 4).stream()
                .map(seed -> write(started("all", "x"), trial("steady", Map.of(), 1, seed, true))
                        .toString())
                .collect(Collectors.joining(","));
        InProcess outcome = InProcess.run(
                "compare", runs(1, 1), silent, "--fail-on-regression", "5%", "--figure", "produce.throughput");
        assertThat(outcome.exit()).as(outcome.out()).isEqualTo(7);
        assertThat(outcome.out())
                .containsPattern(Said.en("report.gate.regression", "5 %"))
                .contains("✗ ", "produce.throughput of steady");
    }

    private String brokenOff(double slower) {
        List<TimelineEvent> events = new ArrayList<>(trial("steady", Map.of(), slower, 2));
        events.set(
                events.size() - 1,
                new TimelineEvent.TrialEnded(
                        "steady", Timelines.START, 20, 20, Map.of(), false, null, null, null, null, List.of()));
        return write(started("all", "x"), events).toString();
    }

    /** A trial that is missing or interrupted on the other side is neither worse nor better. */
    @Test
    void missingOrInterruptedTrialLeavesGateUndecided() {
        List<TimelineEvent> both = new ArrayList<>(trial("steady", Map.of(), 1, 1));
        both.addAll(trial("more", Map.of(), 1, 3));
        String first = write(started("all", "x"), both).toString();
        String three = first + "," + first + "," + run(1.01, 9);
        InProcess missing = InProcess.run("compare", three, run(1.5, 2), "--fail-on-regression", "5%");
        assertThat(missing.exit()).as("what is measured is worse").isEqualTo(7);
        missing = InProcess.run("compare", three, run(1, 2), "--fail-on-regression", "5%");
        assertThat(missing.exit()).isEqualTo(5);
        assertThat(missing.out())
                .containsPattern(Said.en("report.gate.unmeasured", "5 %"))
                .containsPattern(Said.en("report.compare.onlyIn", "more", "A"));

        InProcess cut = InProcess.run("compare", run(1, 1), brokenOff(1.5), "--fail-on-regression", "5%");
        assertThat(cut.exit()).as(cut.out()).isEqualTo(5);
        assertThat(cut.out()).containsPattern(Said.en("report.compare.noMeasure", "steady", "A", "B"));
    }

    @Test
    void listsDifferingConditionsFirst() throws Exception {
        Path a = write(started("all", "EPYC"), trial("steady", Map.of(), 1, 1));
        Path b = write(started("1", "Xeon"), trial("steady", Map.of(), 1, 2));
        String text = InProcess.run("compare", a.toString(), b.toString()).out();
        assertThat(text)
                .containsPattern("producers\\[0\\].config.acks +scenario +all +1")
                .containsPattern("! cpu.model +host +EPYC +Xeon")
                .containsPattern(Said.en("report.compare.unfair", "host"))
                .contains("(cpu.model)");
        assertThat(text.indexOf("config.acks")).isLessThan(text.indexOf("produce.throughput"));
        JsonNode differences = json(a.toString(), b.toString()).get("differences");
        assertThat(differences).hasSize(2);
        assertThat(differences.get(0).get("unfair").asBoolean()).isFalse();
        assertThat(differences.get(1).get("unfair").asBoolean()).isTrue();
    }

    @Test
    void pairsTrialsByParametersAndListsUnpairedOnes() throws Exception {
        List<TimelineEvent> first = new ArrayList<>(trial("x", Map.of("p", "1"), 1, 1));
        first.addAll(trial("y", Map.of("p", "2"), 1, 2));
        List<TimelineEvent> second = new ArrayList<>(trial("z", Map.of("p", "3"), 1, 3));
        second.addAll(trial("other", Map.of("p", "2"), 1, 4));
        JsonNode comparison = json(
                write(started("all", "x"), first).toString(),
                write(started("all", "x"), second).toString());
        assertThat(comparison.get("trials")).hasSize(1);
        assertThat(comparison.at("/trials/0/name").asText()).isEqualTo("y");
        assertThat(comparison.get("unpaired").toString())
                .contains(
                        Sentence.of("report.compare.onlyIn", "x", "A").english(),
                        Sentence.of("report.compare.onlyIn", "z", "B").english());
    }

    /** They do not repeat each other, so one run per side remains inconclusive. */
    @Test
    void separatesTrialsWithEqualParameters() throws Exception {
        Map<String, String> parameters = Map.of("p", "1");
        List<TimelineEvent> first = new ArrayList<>(trial("read p=1", parameters, 1, 1));
        first.addAll(trial("write p=1", parameters, 1.02, 2));
        List<TimelineEvent> second = new ArrayList<>(trial("write p=1", parameters, 1.5, 3));
        second.addAll(trial("read p=1", parameters, 1.52, 4));
        JsonNode comparison = json(
                write(started("all", "x"), first).toString(),
                write(started("all", "x"), second).toString());
        assertThat(comparison.get("trials"))
                .extracting(pair -> pair.get("name").asText())
                .containsExactly("read p=1", "write p=1");
        assertThat(comparison.get("unpaired")).isEmpty();
        JsonNode line = line(comparison, "produce.throughput");
        assertThat(line.get("basis").asText()).isEqualTo("seconds");
        assertThat(line.get("outcome").asText()).isEqualTo("unknown");
        assertThat(line.at("/interval/ratio").asDouble()).isCloseTo(1 / 1.52, within(0.05));
    }

    @Test
    void acceptsSeveralRunsPerSide() throws Exception {
        String before = run(1, 1) + "," + run(1.02, 2) + "," + run(0.98, 3);
        JsonNode one = line(json(before, run(1.5, 4)), "produce.throughput");
        assertThat(one.get("basis").asText()).isEqualTo("runs");
        assertThat(one.get("outcome").asText()).isEqualTo("worse");
        JsonNode three = json(before, run(1.01, 5) + "," + run(1.0, 6) + "," + run(0.99, 7));
        assertThat(line(three, "produce.throughput").get("outcome").asText()).isEqualTo("noDifference");
        assertThat(three.get("warnings").toString()).doesNotContain("One run a side");
    }

    @Test
    void excludesInterruptedRunOfSeveral() throws Exception {
        String after = run(1.01, 5) + "," + run(1.0, 6) + "," + run(0.99, 7) + "," + brokenOff(3);
        JsonNode comparison = json(run(1, 1) + "," + run(1.02, 2) + "," + run(0.98, 3), after);
        assertThat(line(comparison, "produce.throughput").at("/interval/low").asDouble())
                .isGreaterThan(0.9);
        assertThat(comparison.get("warnings").toString())
                .containsPattern(Said.en("report.compare.leftOut", 1, 4, "steady"));
    }

    /** A run with --ab with pairs that drift together by far more than the arms differ. */
    private Path inTurns(int pairs) {
        List<TimelineEvent> events = new ArrayList<>();
        for (int pair = 0; pair <= pairs; pair++) {
            for (String arm : List.of("A: producers[0].config.acks=1", "B: producers[0].config.acks=all")) {
                double slower = (pair == 0 ? 100 : Math.pow(1.3, pair)) * (arm.startsWith("B") ? 1.1 : 1);
                Map<String, String> parameters = new LinkedHashMap<>();
                parameters.put("arm", arm);
                parameters.put("pair", String.valueOf(pair));
                events.addAll(trial(pair + arm, parameters, slower, pair * 2L + arm.charAt(0)));
            }
        }
        return write(started("all", "x"), events);
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 5", "3, 7"})
    void verdictNeedsThreePairs(int pairs, int exit) {
        InProcess outcome = InProcess.run(
                "compare", inTurns(pairs).toString(), "--fail-on-regression", "1%", "--figure", "produce.throughput");
        assertThat(outcome.exit()).as(outcome.out()).isEqualTo(exit);
        assertThat(outcome.out()).startsWith(exit == 5 ? "? Undecided" : "✗ B is worse");
    }

    @Test
    void comparesArmsOfAbRun() throws Exception {
        JsonNode comparison = json(inTurns(5).toString());
        JsonNode line = line(comparison, "produce.throughput");
        assertThat(line.get("basis").asText()).isEqualTo("pairs");
        assertThat(line.get("outcome").asText()).isEqualTo("worse");
        assertThat(line.at("/interval/ratio").asDouble()).isCloseTo(1 / 1.1, within(0.03));
        assertThat(comparison.at("/differences/0/what").asText()).isEqualTo("producers[0].config.acks");
        assertThat(comparison.at("/differences/0/values").toString()).isEqualTo("[\"1\",\"all\"]");
        assertThat(comparison.at("/sides/1/what").asText()).isEqualTo("producers[0].config.acks=all");
    }

    @Test
    void usesTimelineNextToResultIfPresent() throws Exception {
        Path a = Path.of(run(1, 1));
        Path b = Path.of(run(1.2, 2));
        JsonNode beside = json(a.resolve("result.json").toString(), b.toString());
        assertThat(beside.get("trials"))
                .isEqualTo(json(a.toString(), b.toString()).get("trials"));
        Path alone = Files.copy(a.resolve("result.json"), temp.resolve("baseline.json"));
        JsonNode without = json(alone.toString(), b.toString());
        assertThat(line(without, "produce.throughput").at("/interval/ratio").asDouble())
                .isCloseTo(1 / 1.2, within(0.07));
        assertThat(line(without, "produce.response.p99").at("/interval/ratio").asDouble())
                .isCloseTo(1.2, within(0.1));
        assertThat(line(without, "consume.endToEnd.p99").get("interval").isNull())
                .isTrue();
        assertThat(without.get("warnings").toString()).containsPattern(Said.en("report.compare.noTimeline"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"terminal", "markdown", "html", "json"})
    void showsHostileMarkupAsText(String format) throws Exception {
        Path a = write(started(HOSTILE, HOSTILE), trial(HOSTILE, Map.of(HOSTILE, HOSTILE), 1, 1));
        Path b = write(started("1", "x"), trial(HOSTILE, Map.of(HOSTILE, HOSTILE), 1, 2));
        Path file = temp.resolve("comparison");
        InProcess outcome =
                InProcess.run("compare", a.toString(), b.toString(), "--format", format, "--out", file.toString());
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out()).isEqualTo(file + System.lineSeparator());
        String text = Files.readString(file);
        assertThat(text).contains("alert(1)");
        if (format.equals("html") || format.equals("markdown")) {
            assertThat(text).doesNotContain("<script>alert", "<img src=x");
        }
        if (format.equals("markdown")) {
            assertThat(text).doesNotContain("[a](http");
            assertThat(text.lines()
                            .filter(l -> l.startsWith("| "))
                            .map(l -> l.chars().filter(c -> c == '|').count()))
                    .allMatch(pipes -> pipes >= 4 && pipes <= 7);
        }
    }

    @Test
    void drawsComparisonInSelfContainedPage() {
        String html = InProcess.run("compare", runs(1, 1), runs(1.2, 2), "--format", "html")
                .out();
        assertThat(html)
                .startsWith("<!DOCTYPE html>")
                .contains("default-src 'none'")
                .contains("✗ worse", "\"intervals\":[[1.")
                .doesNotContain("src=\"http", "href=\"http");
    }

    @ParameterizedTest
    @CsvSource({
        "--figure, produce.response.p98, did you mean produce.response.p9",
        "--figure, audit.lost, not a comparable figure",
        "--fail-on-regression, much, «cli.notATolerance¦much»",
        "--fail-on-regression, 120%, «cli.notATolerance¦120%»",
        "--format, pdf, «cli.noFormat¦pdf»"
    })
    void refusesInvalidOptionValues(String option, String value, String message) {
        InProcess outcome = InProcess.run("compare", run(1, 1), run(1, 2), option, value);
        assertThat(outcome.exit()).isEqualTo(2);
        assertThat(outcome.err()).containsPattern(Said.pattern(message));
    }

    @Test
    void refusesInputsThatAreNotRuns() throws Exception {
        String run = run(1, 1);
        Path text = Files.writeString(temp.resolve("a.json"), "{\"a\": 1}");
        assertThat(InProcess.run("compare", run).err()).containsPattern(Said.en("report.nothingToCompareWith"));
        assertThat(InProcess.run("compare", run, text.toString()).err())
                .containsPattern(Said.en("report.notComparable"));
        assertThat(InProcess.run("compare", run, temp.toString()).err()).contains("is not a run directory");
        assertThat(InProcess.run("compare", run, temp.resolve("none").toString())
                        .exit())
                .isEqualTo(2);
    }

    @Test
    void comparesOnlyRequestedFigures() throws Exception {
        JsonNode comparison =
                json(runs(1, 1), runs(1, 2), "--figure", "produce.response.p90", "--figure", "produce.response.max");
        assertThat(comparison.at("/trials/0/figures")).hasSize(2);
        assertThat(line(comparison, "produce.response.p90").get("outcome").asText())
                .isEqualTo("noDifference");
        assertThat(line(comparison, "produce.response.max").get("basis").asText())
                .isEqualTo("runs");
    }
}
