package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.report.Text;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Every command has help, in the same format. */
class HelpTest {

    @ParameterizedTest
    @MethodSource("all")
    void everyCommandAndOptionIsDescribed(CommandLine command) {
        var spec = command.getCommandSpec();
        String[] description = spec.usageMessage().description();
        assertThat(description).isNotEmpty();
        assertThat(description[0]).as("a sentence").matches("[A-Z].*\\.");
        assertThat(command.getUsageMessage())
                .contains("--help")
                .contains("--version")
                .contains("--debug");
        for (OptionSpec option : spec.options()) {
            assertThat(option.description()).as(option.longestName()).isNotEmpty();
            assertThat(option.description()[0]).as(option.longestName()).matches("[A-Z].*\\.");
        }
        assertThat(spec.positionalParameters())
                .allSatisfy(p -> assertThat(p.description()).isNotEmpty());
    }

    @Test
    void commandsAreDescribedInTheImperative() throws IOException {
        words("/help.properties").forEach((key, text) -> {
            if (((String) key).endsWith(".usage.description.0") && !key.equals("plimsoll.usage.description.0")) {
                assertThat((String) text).as((String) key).matches("[A-Z][a-z-]*([^s]|ss) .*\\.");
            }
        });
    }

    static Stream<CommandLine> all() {
        return withSubcommands(Main.commandLine(Language.EN))
                .filter(c -> !c.getCommandSpec().usageMessage().hidden());
    }

    private static Stream<CommandLine> withSubcommands(CommandLine command) {
        return Stream.concat(
                Stream.of(command),
                command.getSubcommands().values().stream().distinct().flatMap(HelpTest::withSubcommands));
    }

    @Test
    void everyCommandPrintsTheVersion() {
        String version = InProcess.run("--version").out();
        assertThat(version).startsWith("plimsoll ").doesNotContain("unknown,");
        for (String command : new String[] {"run", "lab start", "host", "topic create", "consume"}) {
            String[] words = (command + " --version").split(" ");
            assertThat(InProcess.run(words).out()).as(Arrays.toString(words)).isEqualTo(version);
        }
    }

    @Test
    void runHelpListsEveryPossibleExitCode() {
        String help = InProcess.run("run", "--help").out();
        Stream.of(Exit.values()).filter(exit -> exit != Exit.REGRESSION).forEach(exit -> assertThat(help)
                .containsPattern("\n  " + exit.code() + " +\\S"));
    }

    /** Only the names of the other commands are read. */
    @Test
    void acceptsRepeatedOptionsAndArgumentsNamedLikeCommands() {
        InProcess outcome = InProcess.run("topic", "create", "run", "--config", "a=1", "--config", "a=1", "--help");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out()).contains("Usage: plimsoll topic create");
        assertThat(InProcess.run("rnu").err()).contains("plimsoll run");
    }

    @Test
    void commandGroupAsksForSubcommand() {
        for (String group : new String[] {"lab", "topic", "fleet"}) {
            InProcess outcome = InProcess.run(group);
            assertThat(outcome.exit()).isEqualTo(Exit.USAGE.code());
            assertThat(outcome.err())
                    .containsPattern(Said.en("cli.sayWhat", group))
                    .containsPattern(Said.en("cli.tryHelp", "plimsoll " + group));
        }
    }

    @Test
    void languageFollowsTheEnvironment() {
        assertThat(Language.of(Map.of())).isEqualTo(Language.EN);
        assertThat(Language.of(Map.of("LANG", "zh_CN.UTF-8"))).isEqualTo(Language.ZH);
        assertThat(Language.of(Map.of("LANG", "zh_CN.UTF-8", "LC_ALL", "C"))).isEqualTo(Language.EN);
        assertThat(Language.of(Map.of("LC_MESSAGES", "zh_TW", "LANG", "de_DE"))).isEqualTo(Language.ZH);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void helpFitsOnScreen(Language language) {
        CommandLine all =
                Main.commandLine(language).setUsageHelpAutoWidth(false).setUsageHelpWidth(80);
        assertThat(withSubcommands(all)).allSatisfy(command -> {
            List<String> lines =
                    command.getUsageMessage(CommandLine.Help.Ansi.OFF).lines().toList();
            assertThat(lines).hasSizeLessThanOrEqualTo(command.getParent() == null ? 50 : 80);
            assertThat(lines)
                    .allSatisfy(line -> assertThat(Text.width(line)).as(line).isLessThanOrEqualTo(80));
        });
    }

    @Test
    void helpAllExplainsOptionsThatHelpOnlyLists() {
        String brief = InProcess.run("run", "--help").out();
        String all = InProcess.run("run", "--help-all").out();
        assertThat(brief).containsPattern("\\s--jmx-user\\s").doesNotContain("--jmx-user=NAME");
        assertThat(all).contains("--jmx-user=NAME", "--dry-run");
    }

    @Test
    void everyExampleIsAccepted() throws IOException {
        Properties chinese = words("/help_zh.properties");
        Map<String, String> examples = new TreeMap<>();
        words("/help.properties").forEach((key, text) -> {
            if (((String) key).contains(".usage.example.")) {
                examples.put((String) key, typed((String) text));
                assertThat(typed(chinese.getProperty((String) key)))
                        .as((String) key)
                        .isEqualTo(typed((String) text));
            }
        });
        examples.values().stream().flatMap(String::lines).forEach(line -> {
            String command = line.replaceFirst("^plimsoll ", "").replaceFirst(" [<>] \\S+$", "");
            String[] words = DocumentedCommandsTest.words(command);
            assertThat(Main.commandLine(Language.EN, words).parseArgs(words).unmatched())
                    .as(line)
                    .isEmpty();
        });
        assertThat(all().filter(command -> command.getSubcommands().isEmpty())).allSatisfy(command -> assertThat(
                        examples.get(command.getCommandSpec().qualifiedName(".") + ".usage.example.0"))
                .contains(command.getCommandSpec().qualifiedName()));
    }

    private static String typed(String example) {
        return example.substring(example.indexOf('\n') + 1);
    }

    @ParameterizedTest
    @CsvSource({
        "stress, plimsoll run",
        "bench, plimsoll run",
        "MAX, plimsoll ceiling",
        "latency, plimsoll end-to-end-latency",
        "groups, plimsoll lag",
        "start, plimsoll lab start",
        "console-producer, plimsoll produce",
        "topics, plimsoll topic",
        "cieling, plimsoll ceiling"
    })
    void suggestsCommandForSynonymsAndTypos(String word, String command) {
        InProcess outcome = InProcess.run(word);
        assertThat(outcome.err()).containsPattern(Said.en("cli.meantCommand", command));
        assertThat(outcome.exit()).isEqualTo(Exit.USAGE.code());
    }

    @Test
    void helpBeforeCommandShowsItsHelp() {
        assertThat(Main.meant("help", "lab", "start")).containsExactly("lab", "start", "--help");
        assertThat(Main.meant("help")).containsExactly("--help");
        assertThat(Main.meant("produce", "help")).containsExactly("produce", "help");
    }

    @Test
    void everyOptionIsExplainedInChinese() {
        withSubcommands(Main.commandLine(Language.ZH))
                .flatMap(command -> command.getCommandSpec().args().stream())
                .forEach(arg -> assertThat(String.join(" ", arg.description()))
                        .as(arg.paramLabel() + " of " + arg.command().qualifiedName())
                        .containsPattern("\\p{IsHan}"));
    }

    @Test
    void bothLanguagesHaveTheSameKeysAndPlaceholders() throws IOException {
        Properties english = words("/help.properties");
        Properties chinese = words("/help_zh.properties");
        assertThat(chinese.stringPropertyNames()).isEqualTo(english.stringPropertyNames());
        assertThat(chinese.stringPropertyNames()).allSatisfy(key -> assertThat(places(chinese.getProperty(key)))
                .as(key)
                .isEqualTo(places(english.getProperty(key))));
    }

    private static Properties words(String file) throws IOException {
        Properties words = new Properties();
        try (Reader reader = new InputStreamReader(HelpTest.class.getResourceAsStream(file), StandardCharsets.UTF_8)) {
            words.load(reader);
        }
        return words;
    }

    private static List<String> places(String words) {
        return Pattern.compile("\\$\\{[^}]*}|%.")
                .matcher(words)
                .results()
                .map(MatchResult::group)
                .sorted()
                .toList();
    }
}
