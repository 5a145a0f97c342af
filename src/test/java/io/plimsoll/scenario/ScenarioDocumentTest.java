package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/scenario.md names everything that the reader knows, and its examples work. */
class ScenarioDocumentTest {
    private static final Path DOCUMENT = Path.of("docs", "scenario.md");

    @Test
    void namesEveryKey() throws IOException {
        String text = Files.readString(DOCUMENT);
        assertThat(ScenarioKeys.names()).isNotEmpty().allSatisfy(key -> assertThat(text)
                .contains("`" + key + "`"));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void hasExamplesThatRead(String yaml) {
        StringBuilder whole = new StringBuilder(yaml);
        if (!yaml.contains("topics:")) {
            whole.append("topics: [{name: events, partitions: 6}, {name: \"events-[1-3]\"}]\n");
        }
        if (!yaml.contains("producers:")) {
            whole.append("consumers: [{topic: ")
                    .append(yaml.contains("prices") ? "prices" : "events")
                    .append("}]\n");
        }
        assertThat(ScenarioReader.read(whole.toString(), "example", List.of(), 1)
                        .trials())
                .isNotEmpty();
    }

    static Stream<String> examples() throws IOException {
        List<String> examples = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
        assertThat(examples).hasSizeGreaterThan(8);
        return examples.stream();
    }
}
