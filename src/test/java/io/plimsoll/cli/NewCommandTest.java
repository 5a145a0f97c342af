package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.run.NewScenario;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * A scenario is created from five answers, typed or given as options, and no existing file is overwritten without
 * consent.
 */
class NewCommandTest {
    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("orders.yaml");
    }

    private Plan written() throws IOException {
        return ScenarioReader.read(Files.readString(file()), "orders.yaml", List.of(), 1);
    }

    /** Like a user at the terminal, typing these lines. */
    private InProcess asked(Language language, String typed, String... options) {
        List<String> words = new ArrayList<>(List.of("new", file().toString()));
        words.addAll(List.of(options));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(language, "new");
        NewCommand command = commandLine.getSubcommands().get("new").getCommand();
        command.answers = Optional.of(new BufferedReader(new StringReader(typed)));
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exit = commandLine.execute(words.toArray(String[]::new));
        return new InProcess(exit, out.toString(), err.toString());
    }

    @Test
    void explainsMissingDirectory() {
        assertThat(InProcess.run("new", directory.resolve("nowhere/x.yaml").toString())
                        .err())
                .containsPattern(Said.en("cli.noSuchDirectory"))
                .doesNotContain("java.");
    }

    private InProcess given(String... options) {
        List<String> words = new ArrayList<>(List.of("new", file().toString()));
        words.addAll(List.of(options));
        return InProcess.run(words.toArray(String[]::new));
    }

    @Test
    void writesTypedAnswers() throws IOException {
        InProcess outcome = asked(Language.EN, "1\n\n2MB/s\n100\n10m\n");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.err().split("(?= of 5\\.)")).hasSize(6);
        assertThat(outcome.out()).endsWith("  ./plimsoll run " + file() + "\n");
        var scenario = written().trials().get(0).scenario();
        assertThat(scenario.consumers()).isEmpty();
        assertThat(scenario.name()).isEqualTo("orders");
        assertThat(scenario.duration()).hasMinutes(10);
        assertThat(Files.readString(file())).contains("    rate: 2MB/s\n", "{size: 100}", "replication: 1}");
    }

    @Test
    void asksAgainAfterInvalidAnswer() throws IOException {
        InProcess outcome = asked(Language.EN, "4\nconsume\n\nceiling\n100\n5000/s\n2MB\n\n30\n30s\n");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.err())
                .contains(
                        "expected produce, consume or end-to-end, found \"4\"",
                        Said.text("«run.new.noCeiling»"),
                        Said.text("«run.new.tooLarge»"),
                        "5 of 5");
        assertThat(written().trials().get(0).scenario().consumers()).hasSize(1);
        assertThat(file()).satisfies(Files::delete);

        InProcess cluster = asked(Language.EN, "\nkafka1\nkafka1:9092\nno.properties\n\n\n\n\n", "--replication=2");
        assertThat(cluster.exit()).as(cluster.err()).isZero();
        assertThat(cluster.err()).contains("'kafka1' must have the form", "no.properties");
        assertThat(cluster.out()).endsWith(" --bootstrap-server kafka1:9092\n");
    }

    @Test
    void refusesUnwritableFileBeforeAsking() throws IOException {
        String none = directory.resolve("none/orders.yaml").toString();
        InProcess outcome = InProcess.run("new", none);
        assertThat(outcome.err())
                .matches("plimsoll: cannot write " + none + ": " + Said.en("cli.noSuchDirectory") + "\n");
        assertThat(outcome.exit()).isEqualTo(Exit.USAGE.code());
    }

    @Test
    void writesNothingIfInputEnds() {
        InProcess outcome = asked(Language.EN, "1\n");
        assertThat(outcome.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(outcome.err()).containsPattern("\nplimsoll: " + Said.en("cli.new.ended"));
        assertThat(file()).doesNotExist();
    }

    @Test
    void asksAndWritesInChinese() throws IOException {
        InProcess outcome = asked(Language.ZH, "\n\n\n\n\n");
        assertThat(outcome.err()).contains("1/5 测试什么", "5/5 测量多久");
        assertThat(Files.readString(file())).contains("# 判定条件。", "rate: 5000/s");
        assertThat(written().trials()).hasSize(1);
    }

    @Test
    void overwritesExistingFileOnlyWithConsent() throws IOException {
        Files.writeString(file(), "mine");
        InProcess nobody = given();
        assertThat(nobody.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(nobody.err()).containsPattern(Said.en("cli.new.exists"));
        assertThat(asked(Language.EN, "n\n").err()).containsPattern(Said.en("cli.notGranted"));
        assertThat(Files.readString(file())).isEqualTo("mine");
        assertThat(asked(Language.EN, "y\n\n\n\n\n\n").exit()).isZero();
        assertThat(written().trials()).hasSize(1);
        assertThat(given("--yes", "--what", "produce").exit()).isZero();
        assertThat(written().trials().get(0).scenario().consumers()).isEmpty();
    }

    /** Options replace questions; an unreachable cluster is accepted. */
    @Test
    void asksOnlyForMissingOptions() throws IOException {
        InProcess outcome = asked(
                Language.EN,
                "\n\n15m\n",
                "--what=end-to-end",
                "--bootstrap-server=no-such-host.invalid:9092",
                "--rate=ceiling");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.err())
                .doesNotContain("1 of 5", "2 of 5", "3 of 5")
                .contains("cannot be resolved")
                .containsPattern(Said.en("cli.new.assumed", 3));
        assertThat(outcome.out())
                .endsWith("  ./plimsoll ceiling " + file()
                        + " --max-duration 15m --bootstrap-server no-such-host.invalid:9092\n");
        assertThat(Files.readString(file())).contains("replication: 3}").doesNotContain("    rate: ", "duration: ");
    }

    @Test
    void reportsInvalidOptions() {
        assertThat(given("--rate", "fast").err()).contains("--rate: expected a rate");
        assertThat(given("--what", "all").err()).contains("--what: expected produce, consume or end-to-end");
        assertThat(given("--what", "consume", "--rate", "ceiling").err()).contains("--rate: a ceiling");
        assertThat(given("--command-config", "client.properties").err()).contains("requires --bootstrap-server");
        assertThat(given("--replication", "0").err()).contains("--replication: expected 1 or more");
        assertThat(file()).doesNotExist();
    }

    /** Each combination is valid, equal in both languages, and without unfilled places. */
    @ParameterizedTest
    @MethodSource("answers")
    void everyCombinationIsValid(String what, String rate, String size) throws IOException {
        String[] options = {"--yes", "--what", what, "--rate", rate, "--size", size};
        assertThat(given(options).exit()).isZero();
        String english = Files.readString(file());
        assertThat(english).doesNotContain("${", "|");
        assertThat(english.contains("audit: true")).isEqualTo(!size.equals("16"));
        assertThat(written().trials()).hasSize(1);
        List<String> chinese = new ArrayList<>(List.of("new", file().toString()));
        chinese.addAll(List.of(options));
        assertThat(InProcess.run(Language.ZH, chinese.toArray(String[]::new)).exit())
                .isZero();
        assertThat(keys(Files.readString(file()))).isEqualTo(keys(english));
    }

    private static List<String> keys(String text) {
        return text.lines()
                .map(line -> line.replaceFirst("# .*\\p{IsHan}.*|# [A-Z].*", "#"))
                .toList();
    }

    static Stream<Arguments> answers() {
        return NewScenario.ALL.stream().flatMap(what -> Stream.of("5000/s", "unlimited", "ceiling")
                .filter(rate -> !what.equals("consume") || !rate.equals("ceiling"))
                .flatMap(rate -> Stream.of("16", "1KB").map(size -> Arguments.of(what, rate, size))));
    }
}
