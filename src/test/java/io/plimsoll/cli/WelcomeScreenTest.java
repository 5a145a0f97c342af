package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.Lab;
import io.plimsoll.report.Look;
import io.plimsoll.result.Fold;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without arguments, the contents of the directory are listed, each with a command for it. */
class WelcomeScreenTest {
    @TempDir
    Path directory;

    private String told(Language language) {
        StringWriter out = new StringWriter();
        new WelcomeScreen(directory, new PrintWriter(out, true), new Look(100, false, language)).show();
        return out.toString();
    }

    @Test
    void emptyDirectoryShowsFirstSteps() {
        assertThat(told(Language.EN))
                .containsPattern("^" + Said.en("cli.here.head"))
                .contains(
                        "\n  ./plimsoll run\n",
                        "\n  ./plimsoll new\n",
                        "\n  ./plimsoll run --bootstrap-server HOST:PORT")
                .containsPattern(Said.en("cli.here.all"))
                .endsWith(":\n  ./plimsoll --help\n")
                .doesNotContain("lab", "report runs");
        assertThat(told(Language.ZH))
                .containsPattern(Said.zh("cli.here.look"))
                .containsPattern(Said.zh("cli.here.all"))
                .endsWith("：\n  ./plimsoll --help\n");
    }

    @Test
    void offersScenariosAndNewestRun() throws IOException {
        Files.writeString(directory.resolve("mine.yaml"), "topics: [{name: a}]\nproducers: [{topic: a}]\n");
        Files.writeString(directory.resolve("compose.yaml"), "services: {}\n");
        Files.writeString(directory.resolve("workload.yaml"), "topics: 10\npartitionsPerTopic: 16\n");
        Path runs = directory.resolve("runs");
        try (RunDirectory old = RecordedRuns.open("matrix", runs.resolve("2026-11-20T000000Z-matrix"));
                RunDirectory run = RecordedRuns.open("quick", runs.resolve("2026-11-21T000000Z-quick 2"))) {
            run.writeResult(Fold.of(run));
        }
        assertThat(told(Language.EN))
                .containsPattern(Said.en("cli.here.runs", 2))
                .contains("\n  ./plimsoll report 'runs/2026-11-21T000000Z-quick 2'\n", "\n  ./plimsoll ui runs\n")
                .contains("mine.yaml\n")
                .doesNotContain("compose", "workload")
                .doesNotContainPattern(Said.en("cli.here.look"));
    }

    @Test
    void quotesLabPathsInSuggestedCommands() throws IOException {
        Path place = Files.createDirectories(directory.resolve("a lab"));
        Files.writeString(place.resolve("lab.json"), """
            {"schema": "plimsoll.lab/1", "clusterId": "x", "heapMegabytes": 1024, "security": "SASL_PLAINTEXT,PLAIN",
             "brokers": [{"id": 1, "port": 9092, "controllerPort": 9093, "pid": 1, "startedAtMillis": 0}]}""");
        Path logins = place.toRealPath().resolve("security/admin.properties");
        assertThat(LabCommand.runOn(Lab.open(place)))
                .isEqualTo("./plimsoll run --bootstrap-server 127.0.0.1:9092 --command-config '" + logins + "'");
        LabCommand.Place typed = new LabCommand.Place();
        typed.directory = place;
        assertThat(typed.option()).isEqualTo(" --dir '" + place + "'");
    }

    @Test
    void reportsUnfinishedRun() throws IOException {
        try (RunDirectory killed = RecordedRuns.open("quick", directory.resolve("runs/1-quick"), 0.5)) {
            assertThat(told(Language.EN))
                    .containsPattern(Said.en("cli.here.runs", 1))
                    .containsPattern(Said.en("cli.here.noResult"));
            assertThat(killed.path()).exists();
        }
    }

    @Test
    void showsWelcomeScreenWithoutArguments() {
        InProcess nothing = InProcess.run();
        assertThat(nothing.exit()).isZero();
        assertThat(nothing.out())
                .containsPattern("^" + Said.en("cli.here.head"))
                .contains("./plimsoll --help");
        assertThat(InProcess.run("--lang", "zh").out()).containsPattern(Said.zh("cli.here.all"));
    }
}
