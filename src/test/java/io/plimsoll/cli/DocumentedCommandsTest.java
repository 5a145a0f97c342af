package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Markdown;
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
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Documented commands can be typed as shown. */
@Order(1)
class DocumentedCommandsTest {
    /** Reused: to make all commands takes far longer than to parse one. */
    private static final CommandLine PARSER = Main.commandLine(Language.EN);

    private static final Path README = Path.of("README.md");
    private static final List<Path> DOCUMENTS = documents();

    private static final Pattern BLOCK = Pattern.compile("^```[a-z]*\n(.*?)^```", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern INLINE = Pattern.compile("`((?:\\./)?plimsoll [a-z][^`\n]*)`");
    private static final Pattern TYPED =
            Pattern.compile("^(?:\\s*|.*\\$ |.*[|] |(?:[A-Z_]+=\\S+ )+)(?:\\./)?plimsoll (\\S.*)");

    /** A word, or several words in quotation marks. */
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]*)(?:#([^)\\s]*))?\\)");

    private static List<Path> documents() {
        Stream<Path> others = Stream.of(
                        "README.md",
                        "README.zh.md",
                        "CONTRIBUTING.md",
                        "CHANGELOG.md",
                        "SECURITY.md",
                        "CODE_OF_CONDUCT.md",
                        "deploy/README.md",
                        ".github/ISSUE_TEMPLATE/mistake.md")
                .map(Path::of);
        return Stream.of(others, Markdown.pages(Path.of("docs")), Markdown.pages(Path.of("docs", "zh")))
                .flatMap(each -> each)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isAccepted(String command) {
        // Throws for an unknown command, option or value; runs nothing.
        assertThat(PARSER.parseArgs(Main.meant(words(command))).unmatched()).isEmpty();
    }

    static Stream<String> commands() {
        return texts().flatMap(text -> Stream.concat(
                        BLOCK.matcher(text)
                                .results()
                                .map(block -> block.group(1).replaceAll("\\\\\n\\s*", " "))
                                .flatMap(String::lines),
                        mentions(text).filter(mention -> mention.startsWith("./"))))
                .flatMap(DocumentedCommandsTest::typed)
                .distinct();
    }

    /** A sentence that names a command can omit its arguments. */
    @Test
    void commandsNamedInSentencesExist() {
        assertThat(texts().flatMap(DocumentedCommandsTest::mentions).flatMap(DocumentedCommandsTest::typed))
                .hasSizeGreaterThan(40)
                .allSatisfy(command -> {
                    try {
                        isAccepted(command);
                    } catch (CommandLine.MissingParameterException e) {
                        assertThat(e.getMissing()).isNotEmpty();
                    }
                });
    }

    private static Stream<String> texts() {
        return DOCUMENTS.stream().map(document -> {
            try {
                return Files.readString(document);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Stream<String> mentions(String text) {
        return INLINE.matcher(text).results().map(mention -> mention.group(1));
    }

    /** The text after the prompt and before output redirection; of a transcript only the typed lines. */
    private static Stream<String> typed(String line) {
        return TYPED.matcher(line)
                .results()
                .filter(typed -> !line.contains(" COMMAND "))
                .map(typed -> typed.group(1)
                        .replaceAll(" +#.*$| {3,}.*$| [<>|] .*$", "")
                        .strip());
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

    /** Arguments of the pods are one per line. */
    @ParameterizedTest
    @CsvSource({"agent, _helpers.tpl", "run, run.yaml"})
    void helmChartUsesExistingOptions(String command, String template) throws IOException {
        String text = Files.readString(Path.of("deploy/helm/plimsoll/templates", template));
        List<String> options = Pattern.compile("^ +- (--[a-z-]+)$", Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(option -> option.group(1))
                .toList();
        assertThat(options).hasSizeGreaterThan(4);
        assertThat(PARSER.getSubcommands().get(command).getCommandSpec().optionsMap())
                .containsKeys(options.toArray(String[]::new));
    }

    @Test
    void findsDocumentedCommands() {
        assertThat(commands()).hasSizeGreaterThan(8).contains("run");
    }

    @Test
    void linksResolve() throws IOException {
        for (Path document : DOCUMENTS) {
            Matcher link = LINK.matcher(Files.readString(document).replaceAll("(?s)```.*?```", ""));
            while (link.find()) {
                Path to = link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1));
                assertThat(to).exists();
                if (link.group(2) != null && to.toString().endsWith(".md")) {
                    assertThat(Markdown.anchors(to))
                            .as(document + ": " + link.group())
                            .contains(link.group(2));
                }
            }
        }
    }

    /** With one copy, acks=1 and acks=all are the same, so a comparison of them shows nothing. */
    @Test
    void acksComparisonsUseReplication() {
        assertThat(commands())
                .filteredOn(command -> command.contains("config.acks=") && command.contains("|"))
                .hasSizeGreaterThan(2)
                .allMatch(command -> command.contains("topics.replication=3")
                        || command.contains("orders.yaml")
                        || command.contains("acks=1|0"));
    }

    @Test
    void watchChartArgumentsAreAccepted(@TempDir Path directory) throws IOException {
        Matcher named = Pattern.compile("'plimsoll watch', such as \\[([^]]+)]")
                .matcher(Files.readString(Path.of("deploy", "helm", "plimsoll-watch", "values.yaml")));
        assertThat(named.find()).isTrue();
        List<String> words = new ArrayList<>(List.of("watch", "--bootstrap-server", "127.0.0.1:1", "--state"));
        words.add(directory.toString());
        words.addAll(List.of(named.group(1).replace("\"", "").split(", ")));
        assertThat(InProcess.run(words.toArray(String[]::new)).exit()).isEqualTo(Exit.CLUSTER.code());
    }

    @Test
    void documentedScenariosCanBeRead() {
        List<String> scenarios = texts().flatMap(text -> Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                        .matcher(text)
                        .results()
                        .map(yaml -> yaml.group(1)))
                .filter(yaml -> yaml.contains("topics:") && yaml.contains("producers:"))
                .toList();
        assertThat(scenarios).hasSizeGreaterThan(20).allSatisfy(yaml -> assertThat(
                        ScenarioReader.read(yaml, "orders.yaml", List.of(), 1).trials())
                .isNotEmpty());
    }

    @Test
    void readmeIsShort() throws IOException {
        assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(120);
    }
}
