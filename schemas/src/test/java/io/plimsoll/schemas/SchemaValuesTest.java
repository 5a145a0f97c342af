package io.plimsoll.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.NullNode;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.payload.SchemaSupport.Finding;
import io.plimsoll.payload.SchemaSupport.Reader;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.SchemaSpec.Decoding;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated records conform to their schema and its rules, and records that do not are found. */
class SchemaValuesTest {
    private static final int MANY = 2000;

    @TempDir
    Path directory;

    @BeforeEach
    void write() {
        SchemaTesting.write(directory);
    }

    private String schema(String file) {
        return SchemaTesting.languages(directory)
                .filter(each -> each.contains(file))
                .findFirst()
                .orElseThrow();
    }

    private static Reader reader(String schema, String expect) {
        Decoding decoding = SchemaTesting.decoding(schema, "{decode: 1, expect: " + expect + "}");
        return SchemaSupport.get().open(decoding.schema()).reader(decoding.expect());
    }

    private static Map<Finding, Long> findings(List<byte[]> values, Reader reader) {
        return values.stream()
                .collect(Collectors.groupingBy(
                        value -> reader.read(ByteBuffer.wrap(value)), Collectors.counting()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"order.avsc", "order.proto", "order.json"})
    void recordsConformToSchemaAndRules(String file) {
        List<byte[]> values = SchemaTesting.values(SchemaTesting.record(schema(file)), MANY);
        String expect = "{id: \">= 0\", amount: \"<= 5000\", country: \"!= NL\"}";
        assertThat(findings(values, reader(schema(file), expect))).containsOnlyKeys(Finding.AS_EXPECTED);
        assertThat(findings(values, reader(schema(file), "{country: DE}")).get(Finding.AS_EXPECTED))
                .isCloseTo(MANY * 5 / 7, within(150L));
        assertThat(findings(values, reader(schema(file), "{id: \"< 1000\"}")).get(Finding.AS_EXPECTED))
                .isEqualTo(1000);
        assertThat(findings(values, reader(schema(file), "{amount: \"> 5000\"}"))).containsOnlyKeys(Finding.UNEXPECTED);
        assertThat(findings(values, reader(schema(file), "{nowhere: 1}"))).containsOnlyKeys(Finding.UNEXPECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"order.avsc", "order.proto", "order.json"})
    void equalSeedsGiveEqualBytesButThreadsDistinctSequences(String file) {
        RecordSpec record = SchemaTesting.record(schema(file));
        List<byte[]> once = SchemaTesting.values(record, 200);
        List<byte[]> again = SchemaTesting.values(record, 200);
        for (int i = 0; i < once.size(); i++) {
            assertThat(again.get(i)).isEqualTo(once.get(i));
        }
        RecordGenerator second = SchemaTesting.generator(record, 1, 2);
        Reader odd = reader(schema(file), "{id: 3}");
        second.nextValue(0, 1);
        assertThat(odd.read(ByteBuffer.wrap(second.nextValue(1, 1)))).isEqualTo(Finding.AS_EXPECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"order.avsc", "order.proto", "order.json"})
    void estimatedSizesMatchRecords(String file) {
        RecordSpec record = SchemaTesting.record(schema(file));
        double mean = SchemaTesting.values(record, MANY).stream()
                .mapToInt(value -> value.length)
                .average()
                .orElse(0);
        assertThat(SchemaTesting.generator(record, 0, 1).meanPayloadBytes()).isCloseTo(mean, within(mean / 20));
        RecordSpec sized = PayloadSource.sized(record);
        assertThat((double) sized.size()).isCloseTo(mean, within(mean / 20));
        assertThat(sized.schemas()).isEmpty();
        assertThat(PayloadSource.sized(sized)).isEqualTo(sized);
    }

    @ParameterizedTest
    @ValueSource(strings = {"order.avsc", "order.proto", "order.json"})
    void brokenRecordsAreUndecodable(String file) {
        Reader reader = reader(schema(file), "{}");
        SplittableRandom random = new SplittableRandom(1);
        for (byte[] value : SchemaTesting.values(SchemaTesting.record(schema(file)), 200)) {
            byte[] cut = Arrays.copyOf(value, random.nextInt(1, value.length));
            byte[] noise = new byte[50];
            random.nextBytes(noise);
            // A shorter message of Protobuf can be a whole one.
            if (!file.endsWith(".proto")) {
                assertThat(reader.read(ByteBuffer.wrap(cut))).isEqualTo(Finding.UNDECODABLE);
            }
            assertThat(reader.read(ByteBuffer.wrap(noise))).isEqualTo(Finding.UNDECODABLE);
        }
        assertThat(reader.read(null)).isEqualTo(Finding.UNDECODABLE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{nowhere: {between: [1, 2]}}; schemas.noField",
                "{amount: {oneOf: [a, b]}}; schemas.ruleMisfit",
                "{amount: {between: [0, 3000000000]}}; schemas.ruleMisfit",
                "{status: {oneOf: [LOST]}}; schemas.ruleMisfit",
                "{price: {between: [0, 99999999999999999]}}; schemas.ruleMisfit"
            })
    void refusesRulesThatDoNotFitSchema(String fields, String key) {
        RecordSpec record =
                SchemaTesting.record("{file: " + directory.resolve("order.avsc") + ", fields: " + fields + "}");
        assertThatThrownBy(() -> SchemaTesting.values(record, 1))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.sentence().key()).isEqualTo(key));
    }

    @Test
    void missingFieldsViolateConditions() {
        SchemaFormat.Decoder maps = new SchemaFormat.Decoder() {
            @Override
            public Object decode(byte[] bytes, int from, int length) {
                return Map.of();
            }

            @Override
            public Object child(Object parent, String name) {
                return ((Map<?, ?>) parent).get(name);
            }
        };
        for (String condition : List.of("> 0", ">= 0", "!= 3", "!= null", "5")) {
            Condition amount = Condition.of("amount", condition);
            assertThat(amount.holds(maps, Map.of("amount", 5))).as(condition).isTrue();
            assertThat(amount.holds(maps, Map.of())).as(condition).isFalse();
            assertThat(amount.holds(maps, Map.of("amount", NullNode.getInstance())))
                    .as(condition)
                    .isFalse();
        }
        assertThat(Condition.of("amount", "> 0").holds(maps, Map.of("amount", "five"))).isFalse();
        assertThat(Condition.of("amount", "null").holds(maps, Map.of())).isTrue();
    }

    /** A timestamp of Protobuf has the intended time of the record. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{at: {between: [5, 6]}}; schemas.ruleMisfit",
                "{at.seconds: {between: [5, 6]}}; schemas.noField"
            })
    void refusesOtherRulesForTimestamps(String fields, String key) {
        String schema = schema("order.proto");
        assertThat(schema).contains(SchemaTesting.FIELDS);
        RecordSpec record = SchemaTesting.record(schema.replace(SchemaTesting.FIELDS, fields));
        assertThatThrownBy(() -> SchemaTesting.values(record, 1))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.sentence().key()).isEqualTo(key));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "broken.avsc; {\"type\": \"recrod\"}; schemas.invalid",
                "broken.proto; message Order { string name = ; schemas.invalid",
                "empty.proto; syntax = \"proto3\"; schemas.noMessages",
                "other.json; {\"$ref\": \"parts.json\"}; schemas.reference",
                "anchor.json; {\"$ref\": \"#order\", \"$defs\": {\"a\": {\"$anchor\": \"order\"}}}; schemas.reference"
            })
    void refusesInvalidSchema(String name, String text, String key) throws Exception {
        // Protobuf needs a semicolon, which separates the columns here.
        Path broken = Files.writeString(directory.resolve(name), text + (name.startsWith("empty") ? ";" : ""));
        RecordSpec record = SchemaTesting.record("{file: " + broken + "}");
        assertThatThrownBy(() -> SchemaTesting.values(record, 1))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.sentence().key()).isEqualTo(key));
    }

    @Test
    void checksConditionsOnDecimals() {
        String schema = "{file: " + directory.resolve("order.avsc") + ", fields: {price: {between: [1.5, 5]}}}";
        List<byte[]> values = SchemaTesting.values(SchemaTesting.record(schema), 200);
        assertThat(findings(values, reader(schema, "{price: \">= 1.5\"}"))).containsOnlyKeys(Finding.AS_EXPECTED);
        assertThat(findings(values, reader(schema, "{price: \"> 5\"}"))).containsOnlyKeys(Finding.UNEXPECTED);
    }

    @Test
    void keepsLowerBoundOfLargestRange() {
        String schema =
                "{file: " + directory.resolve("order.avsc") + ", fields: {id: {between: [0, 9223372036854775807]}}}";
        List<byte[]> values = SchemaTesting.values(SchemaTesting.record(schema), 200);
        assertThat(findings(values, reader(schema, "{id: \">= 0\"}"))).containsOnlyKeys(Finding.AS_EXPECTED);
    }

    @Test
    void supportsSchemaForKeys() {
        RecordSpec record = SchemaTesting.record(schema("order.avsc") + ", key: {schema: " + schema("order.json") + "}");
        RecordGenerator generator = SchemaTesting.generator(record, 0, 1);
        Reader reader = reader(schema("order.json"), "{id: 0}");
        assertThat(reader.read(ByteBuffer.wrap(generator.nextKey(1)))).isEqualTo(Finding.AS_EXPECTED);
        assertThat(reader.read(ByteBuffer.wrap(generator.nextKey(1)))).isEqualTo(Finding.UNEXPECTED);
        assertThat(PayloadSource.sized(record).schemas()).isEmpty();
    }

    @Test
    void keysHaveDueTimeOfRecord() throws Exception {
        Path file = Files.writeString(
                directory.resolve("at.avsc"),
                """
                {"type": "record", "name": "Key", "fields": [
                  {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}}]}""");
        RecordSpec record = SchemaTesting.record(schema("order.avsc") + ", key: {schema: {file: " + file + "}}");
        RecordGenerator generator = SchemaTesting.generator(record, 0, 1);
        Reader reader = reader("{file: " + file + "}", "{at: 2000000000001}");
        assertThat(reader.read(ByteBuffer.wrap(generator.nextKey(2_000_000_000_001_000_000L))))
                .isEqualTo(Finding.AS_EXPECTED);
        assertThat(reader.read(ByteBuffer.wrap(generator.nextKey(2_000_000_000_002_000_000L))))
                .isEqualTo(Finding.UNEXPECTED);
    }
}
