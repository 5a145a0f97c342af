package io.plimsoll.perf.capture.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.perf.capture.shape.CapturedText.AlikeTopics;
import io.plimsoll.perf.capture.shape.CapturedText.Entry;
import io.plimsoll.perf.capture.shape.CapturedText.KnownSchemas;
import io.plimsoll.perf.capture.shape.TopicShape.Fidelity;
import io.plimsoll.cluster.Topics.Readers;
import io.plimsoll.scenario.KeySpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Counts of a planted load become a valid scenario for the same load. */
class CapturedTextTest {
    private static final TopicShape.Layout THREE =
            new TopicShape.Layout(1, new TreeMap<>(Map.of("cleanup.policy", "compact,delete")));
    private static final long[] EVEN = {3_600_000, 3_600_000, 3_600_000};

    private final TopicTally tally = new TopicTally(8192);
    private final SplittableRandom random = new SplittableRandom(5);

    private TopicShape shape(long[] stretches, double seconds, long[] partitions) {
        return tally.shape("orders", THREE, stretches, seconds, partitions).by(4);
    }

    private void records(int count, int headers) {
        for (int i = 0; i < count; i++) {
            tally.keys.add(random.nextLong(1000) * 0x9E3779B97F4A7C15L, 12);
            tally.record(i % 10 == 0 ? 2000 : 150, headers, 6 * headers, 30 * headers);
        }
        for (int i = 0; i < count / 10; i++) {
            tally.batch("lz4", 10, 1500, 3000, false);
        }
    }

    private Scenario scenario(TopicShape shape, double faster, Language language) {
        return scenario(shape, faster, language, KnownSchemas.NONE);
    }

    private Scenario scenario(TopicShape shape, double faster, Language language, KnownSchemas schemas) {
        Entry entry =
                new Entry(new AlikeTopics(shape, List.of(shape.topic())), new Readers(2, 6, 5000), 2.1, 0.4, schemas);
        String text = new CapturedText(Duration.ofHours(24), faster, language)
                .of(List.of(entry), List.of(Sentence.of("capture.assumed")));
        return ScenarioReader.read(text, "captured", List.of(), 1)
                .trials()
                .get(0)
                .scenario();
    }

    private static Rate perSecond(double records) {
        return new Rate.Constant(new Rate.Quantity(records, Rate.Unit.RECORDS));
    }

    @Test
    void scenarioReproducesCapturedLoad() {
        records(10_000, 2);
        Scenario scenario = scenario(shape(new long[] {1_200_000, 1_210_000, 1_190_000}, 1200, EVEN), 10, Language.EN);
        ProducerSpec producer = scenario.producers().get(0);
        assertThat(scenario.duration()).isEqualTo(Duration.ofMinutes(144));
        assertThat(scenario.topics().get(0).partitions()).isEqualTo(3);
        assertThat(scenario.topics().get(0).config()).containsEntry("cleanup.policy", "compact,delete");
        assertThat(producer.rate()).isEqualTo(perSecond(1000));
        assertThat(producer.clients()).isEqualTo(4);
        assertThat(producer.record().mix()).hasSize(2);
        assertThat(producer.record().mix().get(1).weight()).isCloseTo(0.1, within(0.001));
        assertThat(producer.record().headers().count()).isEqualTo(2);
        assertThat(producer.record().headers().valueBytes()).isEqualTo(30);
        assertThat(producer.record().randomBytesRatio()).isEqualTo(0.4);
        assertThat(((KeySpec.Padded) producer.record().key()).bytes()).isEqualTo(12);
        assertThat(producer.partitions()).isEmpty();
        // Ten records of one of four clients in one of three partitions at 1000 per second arrive in 108 ms.
        assertThat(producer.config()).containsEntry("compression.type", "lz4").containsEntry("linger.ms", "108");
        assertThat(scenario.consumers().get(0).groups()).isEqualTo(2);
        assertThat(scenario.consumers().get(0).members()).isEqualTo(3);
    }

    @Test
    void commentLanguageDoesNotChangeScenario() {
        records(2000, 0);
        TopicShape shape = shape(new long[] {100, 100}, 60, EVEN);
        assertThat(scenario(shape, 1, Language.ZH)).isEqualTo(scenario(shape, 1, Language.EN));
    }

    @Test
    void writesDailyCycleAsCurveAndOtherRatesAsSteps() {
        records(100, 0);
        long[] day = IntStream.range(0, 48)
                .mapToLong(i -> Math.round(1_800_000 * (1 + 0.6 * Math.sin(2 * Math.PI * (i + 0.5 - 12) / 48))))
                .toArray();
        TopicShape.RateCurve curve = TopicShape.RateCurve.of(day, 1800);
        assertThat(curve.steps()).isEmpty();
        assertThat(curve.amplitude()).isCloseTo(0.6, within(0.01));
        assertThat(scenario(shape(day, 1800, EVEN), 24, Language.EN)
                        .producers()
                        .get(0)
                        .rate())
                .isEqualTo(new Rate.Daily(
                        new Rate.Quantity(1000, Rate.Unit.RECORDS), curve.amplitude(), Duration.ofHours(1)));
        long[] burst = new long[48];
        Arrays.fill(burst, 10, 20, 360_000);
        Rate.Steps steps = (Rate.Steps) scenario(shape(burst, 1800, EVEN), 1, Language.EN)
                .producers()
                .get(0)
                .rate();
        assertThat(steps.levels()).hasSize(48);
        assertThat(steps.levels().get(12).value()).isEqualTo(200);
    }

    @Test
    void compressesStepsToFractionsOfSecond() {
        records(100, 0);
        long[] burst = new long[48];
        Arrays.fill(burst, 10, 20, 360_000);
        Scenario scenario = scenario(shape(burst, 10, EVEN), 20, Language.EN);
        Rate.Steps steps = (Rate.Steps) scenario.producers().get(0).rate();
        assertThat(steps.each()).isEqualTo(Duration.ofMillis(500));
        assertThat(scenario(shape(burst, 10, EVEN), 1e6, Language.EN).duration())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void raisesSizeLimitsForLargeValues() {
        for (int i = 0; i < 100; i++) {
            tally.keys.add(i, 12);
            tally.record(3_000_000, 2, 20, 60);
            tally.batch("none", 1, 3_000_100, 3_000_100, false);
        }
        // The scenario is invalid if a limit is too low.
        Scenario scenario = scenario(shape(new long[] {100}, 10, EVEN), 1, Language.EN);
        assertThat(scenario.producers().get(0).config()).containsKey("max.request.size");
        assertThat(scenario.topics().get(0).config()).containsKey("max.message.bytes");
    }

    @Test
    void writesSkewedPartitionsAsSeparateProducers() {
        records(5000, 0);
        TopicShape shape = shape(new long[] {10_000}, 10, new long[] {6000, 2050, 1950});
        List<ProducerSpec> producers = scenario(shape, 1, Language.EN).producers();
        assertThat(producers).hasSize(2);
        Map<List<Integer>, Rate> rates = new HashMap<>();
        producers.forEach(p -> rates.put(p.partitions(), p.rate()));
        assertThat(rates).isEqualTo(Map.of(List.of(0), perSecond(600), List.of(1, 2), perSecond(400)));
    }

    @Test
    void writesEmptyKeysAsShortestKeys() {
        for (int i = 0; i < 100; i++) {
            tally.keys.add(random.nextLong(1000) * 0x9E3779B97F4A7C15L, 0);
            tally.record(150, 0, 0, 0);
            tally.batch("none", 1, 200, 200, false);
        }
        // The scenario is invalid if keys are empty.
        Scenario scenario = scenario(shape(new long[] {100}, 10, EVEN), 1, Language.EN);
        KeySpec key = scenario.producers().get(0).record().key();
        assertThat(((KeySpec.Padded) key).bytes()).isEqualTo(1);
    }

    @Test
    void ignoresSkewExplainedByKeys() {
        TopicShape shape = shape(new long[] {10_000}, 10, new long[] {5000, 2800, 2200});
        TopicShape.Keys zipf = new TopicShape.Keys(1, 8, false, 1000, 1.2, List.of(0.3, 0.13, 0.08, 0.06, 0.04));
        assertThat(with(shape, zipf, List.of(0.5, 0.28, 0.22)).skewed()).isFalse();
        assertThat(with(shape, TopicShape.Keys.NONE, List.of(0.5, 0.28, 0.22)).skewed())
                .isTrue();
        assertThat(with(shape, zipf, List.of(0.98, 0.01, 0.01)).skewed()).isTrue();
    }

    private static TopicShape with(TopicShape of, TopicShape.Keys keys, List<Double> shares) {
        return new TopicShape("a", of.layout(), of.rate(), of.values(), keys, shares, of.batches(), 10_000, null, null);
    }

    @Test
    void writesUnkeyedRecordsAsSeparateProducer() {
        records(3000, 0);
        for (int i = 0; i < 1000; i++) {
            tally.keys.none();
        }
        List<ProducerSpec> producers =
                scenario(shape(new long[] {4000}, 4, EVEN), 1, Language.EN).producers();
        assertThat(producers).hasSize(2);
        assertThat(producers.get(0).rate()).isEqualTo(perSecond(750));
        assertThat(producers.get(1).record().key()).isInstanceOf(KeySpec.None.class);
    }

    @Test
    void writesSeparateProducerForEachSchema() {
        records(1000, 0);
        String schema = "{registry: \"http://r:1\", subject: \"s\", version: %d}";
        Map<String, Double> shares = new LinkedHashMap<>();
        shares.put(schema.formatted(2), 0.6);
        shares.put(schema.formatted(1), 0.3);
        List<ProducerSpec> producers = scenario(
                        shape(new long[] {4000}, 4, EVEN), 1, Language.EN, new KnownSchemas(shares, List.of()))
                .producers();
        assertThat(producers)
                .extracting(ProducerSpec::rate)
                .containsExactly(perSecond(600), perSecond(300), perSecond(100));
        assertThat(producers)
                .extracting(p -> p.record().schema().map(SchemaSpec::label).orElse(""))
                .containsExactly("s 2", "s 1", "");
        assertThat(producers).extracting(p -> p.record().size()).last().isEqualTo(2000);
    }

    @Test
    void sizeStepsApproximateMeasuredDistribution() {
        TopicTally.Sizes sizes = new TopicTally.Sizes();
        TopicTally.Sizes again = new TopicTally.Sizes();
        for (int i = 0; i < 100_000; i++) {
            sizes.add((int) Math.exp(4 + 2 * random.nextGaussian()));
        }
        for (TopicShape.Step step : sizes.steps(32)) {
            for (int i = 0; i < Math.round(step.share() * 100_000); i++) {
                again.add(step.bytes());
            }
        }
        TopicShape.Values was = new TopicShape.Values(sizes.steps(2000), sizes.mean(), 0, 0, 0);
        TopicShape.Values is = new TopicShape.Values(again.steps(2000), again.mean(), 0, 0, 0);
        assertThat(was.apart(is)).isLessThan(0.04);
        assertThat(is.bytes()).isCloseTo(was.bytes(), within(0.02 * was.bytes()));
        TopicTally.Sizes one = new TopicTally.Sizes();
        one.add(123_457);
        one.add(123_457);
        assertThat(one.steps(32)).containsExactly(new TopicShape.Step(123_457, 1));
    }

    @Test
    void mergesManyAlikeTopicsIntoOneEntry() {
        records(100, 0);
        TopicShape shape = shape(new long[] {100, 120, 90}, 10, EVEN);
        List<TopicShape> many = IntStream.range(0, 40)
                .mapToObj(i -> shape.as("t-" + i, shape.rate()))
                .toList();
        List<AlikeTopics> alike = AlikeTopics.of(many);
        assertThat(alike).hasSize(1);
        assertThat(alike.get(0).shape().topic()).isEqualTo("alike-1-[1-40]");
        assertThat(alike.get(0).shape().rate().mean())
                .isCloseTo(40 * shape.rate().mean(), within(0.1));
        assertThat(AlikeTopics.of(many.subList(0, 5))).hasSize(5);
        assertThat(scenario(alike.get(0).shape(), 1, Language.EN).topics()).hasSize(40);
    }

    @Test
    void findsFiguresBeyondFidelityBounds() {
        records(5000, 1);
        TopicShape shape = shape(new long[] {5000}, 5, EVEN);
        assertThat(Fidelity.of(shape, shape)).hasSize(8).allMatch(Fidelity::within);
        TopicTally other = new TopicTally(100);
        for (int i = 0; i < 5000; i++) {
            other.keys.add(i % 2, 12);
            other.record(500, 0, 0, 0);
            other.batch("lz4", 1, 600, 600, false);
        }
        TopicShape wrong = other.shape("orders", THREE, new long[] {5000}, 5, new long[] {1, 1, 5000});
        assertThat(Fidelity.of(shape, wrong).stream()
                        .filter(row -> !row.within())
                        .map(Fidelity::figure))
                .containsExactly("sizes", "keys", "partitions", "batchBytes", "batchRecords", "ratio", "headerBytes");
    }

    @Test
    void correctsSizeBiasOfBatchesFoundByOffset() {
        // The same number of batches of 1 and of 99 records: a random offset hits the latter 99 times as often.
        for (int i = 0; i < 10_000; i++) {
            int records = random.nextInt(100) == 0 ? 1 : 99;
            tally.batch("none", records, 61 + records, 61 + records, true);
        }
        assertThat(shape(new long[] {1}, 1, EVEN).batches().records()).isCloseTo(50, within(5.0));
    }
}
