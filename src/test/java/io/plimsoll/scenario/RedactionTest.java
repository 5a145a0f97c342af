package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.plimsoll.testing.Said;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The displayed and stored parts of a scenario: settings that Kafka knows and does not call a password, and no free
 * text.
 */
class RedactionTest {
    private static final String SMALLEST = """
        name: t
        topics: [{name: events}]
        producers: [{topic: events, record: {size: 10}}]
        """;

    private static Plan read(String yaml, String... overrides) {
        return ScenarioReader.read(yaml, "t.yaml", List.of(overrides), 1);
    }

    @Test
    void hidesUnknownPropertiesAndShowsKnownOnes() {
        Plan plan = read(SMALLEST.replace("record:", "config: {my.pwd: sesame, linger.ms: 5, acks: all}, record:"));
        assertThat(plan.source())
                .contains("my.pwd: (redacted)", "linger.ms: 5", "acks: all")
                .doesNotContain("sesame");
        assertThat(plan.trials().get(0).scenario().producers().get(0).config()).containsEntry("my.pwd", "sesame");
    }

    @Test
    void showsReferencesToSecrets() {
        String reference = "${env:PASSWORD}";
        assertThat(read(SMALLEST, "producers.config.ssl.key.password=" + reference)
                        .source())
                .contains(reference);
    }

    /** A run can be repeated and compared only if its values are known. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "password: ${sequence}sesame",
                "password: ${sequence} sesame",
                "password: ${uuid}${uuid}sesame",
                "password: \"${oneOf: [sesame, other]}\"",
            })
    void hidesSecretNextToPlaceholder(String template) {
        Plan plan = read(SMALLEST.replace("size: 10", "payload: {template: '" + template + "'}"));
        assertThat(plan.source()).doesNotContain("sesame").contains("template: (redacted)");
    }

    @Test
    void showsTemplatesUnlessTheyMentionSecrets() {
        String payload = "payload: {template: \"order ${sequence}\"}";
        Plan plan = read(SMALLEST.replace("size: 10", payload));
        assertThat(plan.source()).contains("order ${sequence}");
        assertThat(read(plan.source()).trials()).isEqualTo(plan.trials());
        assertThat(read(SMALLEST.replace("size: 10", "payload: {template: 'password: sesame'}"))
                        .source())
                .contains("template: (redacted)")
                .doesNotContain("sesame");
    }

    /** The word alone is harmless in front of a generated value or a reference. */
    @Test
    void showsReferencesInTemplatesButHidesSecrets() {
        String text = "{\"token\": \"${random:8}\", \"password\": \"${env:SESAME}\"}";
        String record = "payload: {template: '" + text + "'}, headers: {values: {api.key: '${env:KEY}', auth: %s}}";
        Plan plan = read(SMALLEST.replace("size: 10", record.formatted("plain")));
        assertThat(plan.source()).contains("${random:8}", "${env:SESAME}", "${env:KEY}", "auth: plain");
        assertThat(read(plan.source()).trials()).isEqualTo(plan.trials());
        assertThat(read(SMALLEST.replace("size: 10", record.formatted("secret sesame")))
                        .source())
                .contains("auth: (redacted)", "${env:KEY}")
                .doesNotContain("sesame");
    }

    /** Trials with hidden values are distinguished by their positions. */
    @Test
    void hidesSecretsInTrialsAndMatrix() {
        Plan plan = read(SMALLEST + """
                trials: [{name: a, set: {producers.config.my.pwd: sesame1}}]
                matrix: {"producers.config": [{my.key: sesame2, acks: "1"}, {my.key: sesame3, acks: all}]}
                """);
        assertThat(plan.source()).doesNotContain("sesame").contains("acks: all");
        assertThat(plan.trials()).extracting(Plan.Trial::name).containsExactly("a config=#1", "a config=#2");
        assertThat(plan.trials().get(0).parameters())
                .contains(entry("producers.config.my.pwd", "(redacted)"))
                .contains(entry("producers.config", "{my.key: (redacted), acks: 1}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "producers.config.acks=1 | producers.config.acks=1",
                "producers.config.my.pwd=sesame | producers.config.my.pwd=(redacted)",
                "producers.config={my.pwd: sesame, acks: 1} | producers.config={my.pwd: (redacted), acks: 1}",
                "producers.config={my.pwd: sesame | producers.config=(redacted)",
                "producers.cofig.my.pwd=sesame | producers.cofig.my.pwd=(redacted)",
                "duraton=5s | duraton=5s",
                "lab.jvm.flags=-Xss1m -Dmy.password=sesame | lab.jvm.flags=(redacted)",
                "lab.jvm.flags=-Xss1m | lab.jvm.flags=-Xss1m",
                "faults=[{exec: sesame, at: 1s}] | faults=[{exec: (redacted), at: 1s}]",
                "producers.record.payload={template: no} | producers.record.payload={template: no}",
                "producers.record.payload={template: token sesame} | producers.record.payload={template: (redacted)}"
            })
    void redactsOverrides(String given, String shown) {
        assertThat(Overrides.shown(given)).isEqualTo(shown);
    }

    /** It must not be taken for the password. */
    @Test
    void refusesStoredScenarioWithRedactedValues() {
        String stored = read(SMALLEST, "producers.config.my.pwd=sesame").source();
        assertThatThrownBy(() -> read(stored))
                .isInstanceOf(ScenarioException.class)
                .hasMessageContaining(Said.text("producers[0].config.my.pwd: «scenario.leftOut¦(redacted)»"))
                .hasMessageContaining("--set 'producers[0].config.my.pwd=…'");
        Plan again = read(stored, "producers[0].config.my.pwd=open");
        assertThat(again.trials().get(0).scenario().producers().get(0).config()).containsEntry("my.pwd", "open");
        assertThat(ScenarioReader.stored(stored, "t.yaml").name()).isEqualTo("t");
    }

    @Test
    void errorsDoNotQuoteProperties() {
        assertThatThrownBy(() -> read(SMALLEST.replace("record:", "config: my.pwd=sesame, record:")))
                .hasMessageContaining("found \"(redacted)\"")
                .hasMessageNotContaining("sesame");
    }
}
