package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Commands that the documents show can be typed as they stand. */
class DocumentedCommandsTest {
    private static final Path README = Path.of("README.md");
    private static final Path COMMANDS = Path.of("docs", "commands.md");
    private static final List<Path> DOCUMENTS = documents();

    private static final Pattern BLOCK = Pattern.compile("^```[a-z]*\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern INLINE = Pattern.compile("`(\\./plimsoll[^`\n]*)`");
    /** A word, or several between quotation marks. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(?:#[^)]*)?\\)");

    private static List<Path> documents() {
        try (Stream<Path> pages = Files.list(Path.of("docs"))) {
            return Stream.concat(
                            Stream.of(
                                    README,
                                    Path.of("CONTRIBUTING.md"),
                                    Path.of("CHANGELOG.md"),
                                    Path.of("SECURITY.md")),
                            pages.filter(page -> page.toString().endsWith(".md"))
                                    .sorted())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isAccepted(String command) {
        CommandLine commandLine = Main.commandLine(Language.EN);
        // Throws for an unknown command, option or value; runs nothing.
        assertThat(commandLine.parseArgs(words(command)).unmatched()).isEmpty();
    }

    static Stream<String> commands() throws IOException {
        List<String> commands = new ArrayList<>();
        for (Path document : DOCUMENTS) {
            String text = Files.readString(document);
            Matcher block = BLOCK.matcher(text);
            while (block.find()) {
                String joined = block.group(1).replaceAll("\\\\\n\\s*", " ");
                joined.lines().forEach(line -> addCommand(line, commands));
            }
            Matcher inline = INLINE.matcher(text);
            while (inline.find()) {
                addCommand(inline.group(1), commands);
            }
        }
        return commands.stream().distinct();
    }

    /** What comes after the prompt and before what is done with the output. */
    private static void addCommand(String line, List<String> commands) {
        int start = line.indexOf("./plimsoll ");
        String before = start < 0 ? "" : line.substring(0, start);
        // In a transcript only what is typed, or offered to be typed, begins with the command.
        boolean placeholder = line.contains(" COMMAND ");
        if (!placeholder && start >= 0 && (before.isBlank() || before.endsWith("$ ") || before.endsWith("| "))) {
            commands.add(line.substring(start + "./plimsoll ".length())
                    .replaceAll(" +#.*$| {3,}.*$| [>|] .*$", "")
                    .strip());
        }
    }

    static String[] words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            words.add(Stream.of(word.group(1), word.group(2), word.group(3))
                    .filter(w -> w != null)
                    .findFirst()
                    .orElseThrow());
        }
        return words.toArray(String[]::new);
    }

    @Test
    void areFoundAtAll() throws IOException {
        assertThat(commands()).hasSizeGreaterThan(8).contains("run");
    }

    @Test
    void linksLeadSomewhere() throws IOException {
        for (Path document : DOCUMENTS) {
            Matcher link = LINK.matcher(Files.readString(document));
            while (link.find()) {
                assertThat(document.resolveSibling(link.group(1))).exists();
            }
        }
    }

    @Test
    void scenariosByTheCommandsCanBeRead() throws IOException {
        Matcher yaml = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(COMMANDS));
        assertThat(yaml.find()).isTrue();
        do {
            assertThat(ScenarioReader.read(yaml.group(1), "orders.yaml", List.of(), 1)
                            .trials())
                    .hasSize(2);
        } while (yaml.find());
    }

    @Test
    void thePageNamesEveryExitCodeOfARun() throws IOException {
        String page = Files.readString(COMMANDS);
        Stream.of(Exit.values()).forEach(exit -> assertThat(page).contains("\n| " + exit.code() + " | "));
    }

    @Test
    void namesEveryCommand() throws IOException {
        String page = Files.readString(COMMANDS);
        Main.commandLine(Language.EN).getSubcommands().keySet().forEach(name -> assertThat(page)
                .contains("./plimsoll " + name));
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(130);
    }

    @Test
    void everyPageSaysFirstWhatItsReaderCanDoAfterIt() throws IOException {
        assertThat(DOCUMENTS)
                .filteredOn(page -> page.startsWith("docs"))
                .isNotEmpty()
                .allSatisfy(page ->
                        assertThat(Files.readString(page)).containsPattern("^# .*\n\n.*\n\nAfter this page you"));
        try (Stream<Path> pages = Files.list(Path.of("docs/zh"))) {
            assertThat(pages).isNotEmpty().allSatisfy(page -> assertThat(Files.readString(page))
                    .containsPattern("^# .*\n\n(.*\n\n)?读完本页，"));
        }
    }
}
