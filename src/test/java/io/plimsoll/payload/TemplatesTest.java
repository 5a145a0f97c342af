package io.plimsoll.payload;

import static io.plimsoll.payload.RecordsTesting.SEED;
import static io.plimsoll.payload.RecordsTesting.generator;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.Sizes;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Templates follow the rules of schema fields, and have the sizes and the compressibility that they declare. */
class TemplatesTest {
    private static final long DUE = 1_700_000_000_123_999_999L;
    private static final String ORDER = "{\"id\": ${sequence: 5}, \"to\": {\"country\": \"${oneOf: {DE: 5, FR: 2}}\"},"
            + " \"amount\": ${between: [-3, 3]}, \"price\": ${between: [0.01, 0.1]}, \"at\": \"${now: iso}\"}";

    private static RecordSpec template(String text) {
        return RecordSpec.DEFAULT.with(RecordSpec.PAYLOAD, new Payload.Template(text));
    }

    @Test
    void valuesFollowTheirRules() throws IOException {
        RecordGenerator generator = generator(template(ORDER));
        RecordGenerator same = generator(template(ORDER));
        Map<String, Integer> countries = new HashMap<>();
        Map<Integer, Integer> amounts = new HashMap<>();
        Set<String> prices = new HashSet<>();
        for (int i = 0; i < 7_000; i++) {
            byte[] value = generator.nextValue(i, DUE);
            assertThat(same.nextValue(i, DUE)).isEqualTo(value);
            JsonNode order = new ObjectMapper().readTree(value);
            assertThat(order.get("id").asLong()).isEqualTo(5 + i);
            assertThat(order.get("at").asText()).isEqualTo("2023-11-14T22:13:20.123Z");
            countries.merge(order.at("/to/country").asText(), 1, Integer::sum);
            amounts.merge(order.get("amount").asInt(), 1, Integer::sum);
            prices.add(order.get("price").asText());
        }
        assertThat(countries).containsOnlyKeys("DE", "FR");
        assertThat(countries.get("DE")).isCloseTo(5_000, within(150));
        assertThat(amounts).containsOnlyKeys(-3, -2, -1, 0, 1, 2, 3);
        assertThat(amounts.values()).allSatisfy(n -> assertThat(n).isCloseTo(1_000, within(150)));
        assertThat(prices).hasSize(10).contains("0.01", "0.1");
    }

    @Test
    void refusesBoundsThatDoNotFitALong() {
        for (String bounds : List.of("[0, 9999999999999999999]", "[0.0001, 1000000000000000]")) {
            assertThatThrownBy(() -> generator(template("${between: " + bounds + "}")))
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE));
        }
    }

    @Test
    void sequenceCountsAcrossThreads() {
        RecordSpec record = template("${sequence}");
        Set<String> seen = new HashSet<>();
        for (int thread = 0; thread < 4; thread++) {
            RecordGenerator generator = generator(record, SEED, thread, 4);
            for (int i = 0; i < 25; i++) {
                seen.add(new String(generator.nextValue(i, DUE), UTF_8));
            }
        }
        assertThat(seen).hasSize(100).contains("0", "99");
    }

    @Test
    void paddingFillsValuesToSizeWithRandomShare() throws IOException {
        List<WeightedSize> mix = List.of(new WeightedSize(300, 3), new WeightedSize(5_000, 1));
        RecordSpec padded = template(ORDER.replace("}}\"}", "}}\", \"note\": \"${padding}\"}"))
                .with(RecordSpec.SIZE, new Sizes(mix));
        for (double ratio : new double[] {0, 0.5, 1}) {
            RecordSpec record = padded.with(RecordSpec.RANDOM_BYTES_RATIO, ratio);
            RecordGenerator generator = generator(record);
            Map<Integer, Integer> sizes = new HashMap<>();
            Deflater deflater = new Deflater();
            byte[] output = new byte[10_000];
            double compressed = 0;
            double large = 0;
            for (int i = 0; i < 2_000; i++) {
                byte[] value = generator.nextValue(i, DUE);
                sizes.merge(value.length, 1, Integer::sum);
                assertThat(new ObjectMapper().readTree(value).has("price")).isTrue();
                if (value.length == 5_000) {
                    large += value.length;
                    deflater.reset();
                    deflater.setInput(value);
                    deflater.finish();
                    compressed += deflater.deflate(output);
                }
            }
            deflater.end();
            assertThat(sizes).containsOnlyKeys(300, 5_000);
            assertThat(sizes.get(300)).isCloseTo(1_500, within(100));
            // A letter or digit has 6 of 8 bits.
            assertThat(compressed / large).isCloseTo(0.75 * ratio, within(0.06));
            assertThat(generator.meanPayloadBytes()).isCloseTo(0.75 * 300 + 0.25 * 5_000, within(1e-9));
            assertThat(PayloadSource.sized(record).mix()).isEqualTo(mix);
        }
        assertThatThrownBy(() -> generator(padded.with(RecordSpec.SIZE, new Sizes(60))))
                .isInstanceOfSatisfying(PlimsollException.class, e -> {
                    assertThat(e.exit()).isEqualTo(Exit.USAGE);
                    assertThat(e.sentence().key()).isEqualTo("payload.notPadded");
                });
    }

    @Test
    void headersAreTemplatesToo() {
        Map<String, String> values = Map.of("source", "web", "trace", "${uuid}", "n", "${sequence}${padding}");
        RecordGenerator generator = generator(template("x").with(RecordSpec.HEADERS, new Headers(1, 8, 16, values)));
        assertThat(generator.headerNames()).hasSize(4).contains("source", "trace", "n");
        Set<String> traces = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            generator.nextValue(i, DUE);
            Map<String, String> found = new HashMap<>();
            for (int h = 1; h < 4; h++) {
                found.put(generator.headerNames()[h], new String(generator.headerValues()[h], UTF_8));
            }
            assertThat(found).containsEntry("source", "web").containsEntry("n", String.valueOf(i));
            traces.add(found.get("trace"));
        }
        assertThat(traces).hasSize(100).allMatch(trace -> trace.length() == 36);
    }

    /** A secret would otherwise be replaced by its name. */
    @Test
    void refusesReferenceWithoutProvider() {
        assertThatThrownBy(() -> generator(template("a ${env:NAME}")))
                .isInstanceOfSatisfying(
                        PlimsollException.class,
                        e -> assertThat(e.sentence().key()).isEqualTo("payload.unresolved"));
    }
}
