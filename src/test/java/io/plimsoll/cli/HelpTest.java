package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Every command explains itself, and in the same way. */
class HelpTest {

    @ParameterizedTest
    @MethodSource("all")
    void everyCommandSaysWhatItDoes(CommandLine command) {
        var spec = command.getCommandSpec();
        String[] description = spec.usageMessage().description();
        assertThat(description).isNotEmpty();
        assertThat(description[0]).as("a sentence in the third person").matches("[A-Z][a-z]+s,? .*\\.");
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
    void everyCommandTellsTheVersion() {
        String version = InProcess.run("--version").out();
        assertThat(version).startsWith("plimsoll ").doesNotContain("unknown,");
        for (String command : new String[] {"run", "lab start", "host", "topic create", "consume"}) {
            String[] words = (command + " --version").split(" ");
            assertThat(InProcess.run(words).out()).as(Arrays.toString(words)).isEqualTo(version);
        }
    }

    @Test
    void helpOfRunNamesEveryExitCodeItCanEndWith() {
        String help = InProcess.run("run", "--help").out();
        Stream.of(Exit.values()).filter(exit -> exit != Exit.REGRESSION).forEach(exit -> assertThat(help)
                .containsPattern("\n  " + exit.code() + " +\\S"));
    }

    /** Of the other commands only the names are read. */
    @Test
    void whatIsTypedTwiceOrIsTheNameOfAnotherCommandToo() {
        InProcess outcome = InProcess.run("topic", "create", "run", "--config", "a=1", "--config", "a=1", "--help");
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.out()).contains("Usage: plimsoll topic create");
        assertThat(InProcess.run("rnu").err()).contains("plimsoll run");
    }

    @Test
    void aGroupWithoutACommandAsksForOne() {
        for (String group : new String[] {"lab", "topic", "fleet"}) {
            InProcess outcome = InProcess.run(group);
            assertThat(outcome.exit()).isEqualTo(Exit.USAGE.code());
            assertThat(outcome.err()).contains("say what to do: " + group + " ").contains("Try 'plimsoll " + group);
        }
    }

    @Test
    void helpSpeaksTheLanguageOfTheEnvironment() {
        assertThat(Language.of(Map.of())).isEqualTo(Language.EN);
        assertThat(Language.of(Map.of("LANG", "zh_CN.UTF-8"))).isEqualTo(Language.ZH);
        assertThat(Language.of(Map.of("LANG", "zh_CN.UTF-8", "LC_ALL", "C"))).isEqualTo(Language.EN);
        assertThat(Language.of(Map.of("LC_MESSAGES", "zh_TW", "LANG", "de_DE"))).isEqualTo(Language.ZH);
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
    void bothLanguagesHaveTheSameWordsWithTheSamePlaces() throws IOException {
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
