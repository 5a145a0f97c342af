package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.plimsoll.result.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The published JSON Schema of scenario files matches the keys, accepts every existing scenario, and rejects mistakes.
 */
class ScenarioSchemaTest {
    private static final Path FILE = Path.of("docs", "schema", "plimsoll.scenario-1.json");
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(ScenarioSchema.text());

    /** With {@code -Dplimsoll.write=true} it writes it instead. */
    @Test
    void matchesTheDeclarations() throws IOException {
        if (Boolean.getBoolean("plimsoll.write")) {
            Files.writeString(FILE, ScenarioSchema.text());
        }
        assertThat(Files.readString(FILE))
                .as("%s; -Dplimsoll.write=true makes it anew", FILE)
                .isEqualTo(ScenarioSchema.text());
    }

    private static Set<ValidationMessage> problems(String yaml) {
        Object read = new Load(LoadSettings.builder().build()).loadFromString(yaml);
        return SCHEMA.validate(Json.MAPPER.<JsonNode>valueToTree(read));
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void acceptsScenariosThatTheReaderAccepts(String yaml) {
        assertThat(problems(yaml)).isEmpty();
    }

    static Stream<String> scenarios() throws IOException {
        List<String> builtIn = BuiltIns.names().stream()
                .map(name -> BuiltIns.text(name).orElseThrow())
                .toList();
        assertThat(builtIn).hasSizeGreaterThan(20);
        String written = "topics: [{name: t}]\nproducers: [{topic: t, rate: 1/s}]\nconsumers: [{topic: t}]\n";
        return Stream.of(
                        builtIn.stream(),
                        ScenarioReferenceTest.examples(),
                        Stream.of(
                                        "audit: 'true'",
                                        "warmup: 0",
                                        "duration: 1_0 s",
                                        "fleet: {apart: 'false'}",
                                        "reference: {source: }")
                                .map(line -> written + line))
                .flatMap(all -> all);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topic: [{name: t}] | topic",
                "topics: {name: t} | /topics",
                "topics: [{partitions: 6}] | name",
                "producers: [{topic: t, acks: 1}] | acks",
                "producers: [{topic: t, rate: {sin: {}}}] | /producers",
                "producers: [{topic: t, engine: rwa}] | engine",
                "consumers: [{topic: t, members: many}] | members",
                "duration: [30s] | /duration",
                "duration: soon | /duration",
                "duration: 5 parsecs | /duration",
                "duration: 30 | /duration",
                "consumers: [{topic: t, idleTimeout: '30'}] | idleTimeout",
                "audit: 'yes' | /audit",
                "faults: [{at: 10s, kil: any}] | kil",
                "trials: [{name: a, set: 5s}] | set",
                "lab: 3 | /lab"
            })
    void refusesMistakes(String yaml, String named) {
        assertThat(problems(yaml)).isNotEmpty().anySatisfy(problem -> assertThat(
                        problem.toString() + problem.getInstanceLocation())
                .contains(named.replaceFirst("^/", "")));
    }
}
