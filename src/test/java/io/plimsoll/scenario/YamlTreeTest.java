package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** YAML mistakes are reported in both languages. */
class YamlTreeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: b: c",
                "a: [",
                "a: [1, 2",
                "a: {b: 1",
                "a: [1, 2}",
                "a: b\n\tc: d",
                "a: b\n  c: d",
                "a: b\n- c",
                "a: 'b",
                "a: \"\\q\"",
                "a: *b",
                "a: b\n--- c",
                "a\nb: c",
                "key",
                "a:\n  - b\n c: d",
                "- a\n b: c",
                "a: - b",
                "%TAG\na: b",
                "a: b\n...\nc: d",
            })
    void translatesMistakes(String text) {
        Problems problems = new Problems();
        YamlTree.mapOf(text, "f.yaml", Sentence.NONE, problems);
        if (!problems.isEmpty()) {
            ScenarioException e = catchThrowableOfType(ScenarioException.class, problems::throwIfAny);
            String chinese = e.sentence().in(Language.ZH).replaceAll("'[^']*'", "");
            assertThat(chinese).as(text).doesNotContainPattern("[a-z]{2,} [a-z]{2,} [a-z]{2,}");
        }
    }
}
