package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.result.Json;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Wording;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Guards that no user-visible text is left in English: all help, all sentences, the page, the scenarios. */
class SpeaksChineseTest {
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z0-9.]+(?:[-_/][A-Za-z0-9.]+)*");
    /** Text to be typed, or the place of an argument, including the choice between singular and plural. */
    private static final Pattern NO_PROSE =
            Pattern.compile("'[^']*'|`[^`]*`|\"[^\"]*\"|\\{\\d[^}]*}|\\[[^\\]]*\\|[^\\]]*]");

    private static final Pattern ENGLISH = Pattern.compile("(?<![\\w./-])[A-Za-z]{2,}(?: [A-Za-z]{2,}){3,}");
    private static final Pattern HAN = Pattern.compile("\\p{IsHan}");

    /** Names that are the same in both languages. */
    private static final Set<String> NAMES = Set.of(
            "broker",
            "brokers",
            "Broker",
            "Brokers",
            "Kafka",
            "leader",
            "Leader",
            "controller",
            "id",
            "CPU",
            "GC",
            "TCP",
            "TLS",
            "JVM",
            "MB/s",
            "p50",
            "p99",
            "fsync",
            "lz4",
            "CRC",
            "CRC32C",
            "ZooKeeper",
            "JMX",
            "plimsoll",
            "中文",
            "English");

    /** A word is a name if it is in the list, or has the form of settings and options. */
    private static boolean isName(String word) {
        return NAMES.contains(word) || word.contains(".") || word.equals("security") || word.equals("reauth");
    }

    private static void assertChinese(String what, String words) {
        String prose = NO_PROSE.matcher(words).replaceAll(" ");
        assertThat(ENGLISH.matcher(prose).results().map(MatchResult::group))
                .as(what)
                .isEmpty();
        if (!HAN.matcher(words).find()) {
            assertThat(WORD.matcher(prose).results().map(MatchResult::group))
                    .as(what + ": " + words)
                    .allMatch(SpeaksChineseTest::isName);
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void translatesHelpOfEveryCommand(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage();
        List<String> said = new ArrayList<>(Arrays.asList(usage.description()));
        said.addAll(Arrays.asList(usage.footer()));
        said.addAll(usage.exitCodeList().values());
        said.addAll(List.of(usage.optionListHeading(), usage.exitCodeListHeading(), usage.footerHeading()));
        command.getCommandSpec().args().stream()
                .filter(arg -> !arg.hidden())
                .forEach(arg -> said.addAll(Arrays.asList(arg.description())));
        String name = command.getCommandSpec().qualifiedName();
        said.forEach(words -> assertChinese(name, words));
        assertThat(usage.description()[0]).as(name).containsPattern(HAN);
        assertThat(command.getUsageMessage()).as(name).startsWith("用法").doesNotContain("Options:", "Commands:");
    }

    static Stream<CommandLine> commands() {
        return below(Main.commandLine(Language.ZH))
                .filter(c -> !c.getCommandSpec().usageMessage().hidden());
    }

    private static Stream<CommandLine> below(CommandLine command) {
        return Stream.concat(
                Stream.of(command),
                command.getSubcommands().values().stream().distinct().flatMap(SpeaksChineseTest::below));
    }

    @Test
    void translatesEverySentence() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/sentences"))) {
            List<String> rooms = files.map(f -> f.getFileName().toString())
                    .filter(f -> f.endsWith(".zh.properties"))
                    .map(f -> f.replace(".zh.properties", ""))
                    .toList();
            assertThat(rooms).hasSizeGreaterThan(10);
            rooms.forEach(room -> Wording.of(room, Language.ZH).forEach((key, words) -> {
                // Links, with anchors that are the same in both languages.
                if (!key.startsWith("page.of.")) {
                    assertChinese(key, words);
                }
            }));
        }
    }

    @Test
    void translatesEveryTextOfThePage() throws IOException {
        try (InputStream in = getClass().getResourceAsStream("/report/text.zh.json")) {
            JsonNode words = Json.MAPPER.readTree(in);
            assertThat(words).isNotEmpty();
            for (Map.Entry<String, JsonNode> one : words.properties()) {
                assertChinese(one.getKey(), one.getValue().textValue());
            }
        }
    }

    @Test
    void translatesScenarioDescriptions() {
        String list = InProcess.run(Language.ZH, "scenarios").out();
        String english = InProcess.run("scenarios").out();
        for (String name : BuiltIns.names()) {
            Plan plan = ScenarioSource.plan(name, List.of(), 1);
            String chinese = plan.trials().get(0).scenario().get(Scenario.ABOUT_ZH);
            assertThat(chinese).as(name).containsPattern(HAN);
            assertChinese(name, chinese);
            assertThat(list).contains(chinese.substring(0, 5)).doesNotContain(plan.about());
            assertThat(english).doesNotContainPattern(HAN);
        }
    }

    @Test
    void translatesConflictOfOptions() {
        InProcess refused = InProcess.run(Language.ZH, "produce", "--topic", "t", "--key", "k", "--key-separator", ":");
        assertThat(refused.err()).containsPattern(Said.zh("cli.onlyOne")).contains("--key-separator");
        assertThat(InProcess.run(Language.ZH, "topic", "create", "t", "--replication", "three")
                        .err())
                .containsPattern(Said.zh("cli.expected", "--replication-factor"));
    }

    @Test
    void prefersLangOptionThenPlimsollLangThenLocale() {
        assertThat(Language.of(Map.of("PLIMSOLL_LANG", "zh", "LC_ALL", "C.UTF-8")))
                .isEqualTo(Language.ZH);
        assertThat(Language.of(Map.of("PLIMSOLL_LANG", "en", "LANG", "zh_CN.UTF-8")))
                .isEqualTo(Language.EN);
        assertThat(InProcess.run("scenarios", "--lang", "zh").out())
                .isEqualTo(InProcess.run(Language.ZH, "scenarios").out());
        assertThat(InProcess.run(Language.ZH, "scenarios", "--lang=en").out())
                .isEqualTo(InProcess.run("scenarios").out());
        assertThat(Main.language(new String[] {"run", "--lang", "zh", "--help"}))
                .isEqualTo(Language.ZH);
        assertThat(Main.language(new String[] {"--lang=zh", "rnu"})).isEqualTo(Language.ZH);
    }
}
