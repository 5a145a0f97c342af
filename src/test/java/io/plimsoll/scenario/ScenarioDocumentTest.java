package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/scenario.md names everything that the reader knows, and its examples work. */
class ScenarioDocumentTest {
    private static final Path DOCUMENT = Path.of("docs", "scenario.md");
    private static final String TABLE = "| key | default | meaning |\n|---|---|---|\n";

    @Test
    void namesEveryKey() throws IOException {
        String text = Files.readString(DOCUMENT);
        assertThat(ScenarioKeys.ALL.names()).isNotEmpty().allSatisfy(key -> assertThat(text)
                .contains("`" + key + "`"));
    }

    /**
     * The table below a heading is made of the declarations. With {@code -Dplimsoll.write=true} it is written
     * instead.
     */
    @ParameterizedTest
    @MethodSource("tables")
    void tablesSayWhatTheKeysDeclare(String heading, String chinese, Section keys) throws IOException {
        holds(DOCUMENT, heading, TABLE, rows(keys, Language.EN));
    }

    static Stream<String> rows(Section keys, Language language) {
        return keys.keys().values().stream()
                .map(key -> "| `" + key.name() + "` |" + cell(key.defaultText(language)) + cell(key.about(language))
                        + "\n");
    }

    static void holds(Path document, String heading, String table, Stream<String> lines) throws IOException {
        String text = Files.readString(document);
        int from = text.indexOf(table, text.indexOf("\n" + heading + "\n")) + table.length();
        int to = text.indexOf("\n\n", from) + 1;
        String rows = lines.collect(Collectors.joining());
        if (Boolean.getBoolean("plimsoll.write")) {
            Files.writeString(document, text.substring(0, from) + rows + text.substring(to));
        } else {
            assertThat(text.substring(from, to)).isEqualTo(rows);
        }
    }

    private static String cell(String text) {
        return text.isEmpty() ? " |" : " " + text + " |";
    }

    static Stream<Arguments> tables() {
        return Stream.of(
                arguments("## The file as a whole", "## 整个文件", ScenarioKeys.ALL),
                arguments("## Topics", "## 主题", TopicKeys.ALL),
                arguments("## Producers", "## 生产者", ProducerKeys.ALL),
                arguments("### `record`", "### `record`", RecordKeys.ALL),
                arguments("## Consumers", "## 消费者", ConsumerKeys.ALL),
                arguments("## Lab", "## Lab", LabKeys.ALL),
                arguments("## Connections", "## 连接", ConnectionKeys.ALL),
                arguments("### When a fault happens, and how", "### 故障何时发生、如何发生", others()));
    }

    /** The keys of faults that say neither what happens nor to whom. */
    private static Section others() {
        List<Key<?>> kinds =
                FaultKind.all().values().stream().<Key<?>>map(FaultKind::key).toList();
        return Section.of("")
                .and(FaultKeys.all().stream()
                        .filter(key -> !kinds.contains(key))
                        .toList());
    }

    /** Written likewise. */
    @Test
    void everyKindOfFaultIsThereInTheOrderOfItsDeclaration() throws IOException {
        holds(DOCUMENT, "## Faults", "| key | what happens |\n|---|---|\n", faults(Language.EN));
    }

    static Stream<String> faults(Language language) {
        return FaultKind.all().values().stream()
                .map(kind -> "| `" + kind.name() + "` |" + cell(kind.key().about(language)) + "\n");
    }

    @Test
    void formsSayWhatTheirKeysDeclare() throws IOException {
        String text = Files.readString(DOCUMENT);
        Stream.of(
                        ProducerKeys.SEND,
                        ProducerKeys.TRANSACTIONS,
                        ConsumerKeys.START,
                        ConsumerKeys.COMMIT,
                        ConsumerKeys.WORK,
                        ProducerKeys.RATE,
                        RecordKeys.KEY)
                .flatMap(key -> ((Section) key.shape()).keys().values().stream())
                .forEach(key -> assertThat(text).contains("| " + key.about(Language.EN) + " |"));
    }

    @Test
    void everyKeyIsDescribedInBothLanguages() {
        assertThat(ScenarioKeys.ALL.byPath().values()).allSatisfy(key -> {
            assertThat(key.about(Language.EN)).as(key.name()).isNotBlank();
            assertThat(key.about(Language.ZH)).as(key.name()).containsPattern("[\\p{IsHan}`]");
        });
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
