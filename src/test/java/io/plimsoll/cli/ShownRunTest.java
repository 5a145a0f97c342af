package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.PlimsollException;
import io.plimsoll.cli.RunCommand.ShownRun;
import io.plimsoll.result.Fold;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.run.Run;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The measurements of a run are shown regardless of the state of its files. */
class ShownRunTest {
    @TempDir
    Path temp;

    private final StringWriter out = new StringWriter();
    private ShownRun shown;
    private Run.Finished finished;

    @BeforeEach
    void run() throws IOException {
        CommandLine run = Main.commandLine(Language.EN, "run")
                .setOut(new PrintWriter(out, true))
                .getSubcommands()
                .get("run");
        shown = new ShownRun(run.getCommand(), new RunCommand.Results(), f -> {}, true);
        RunDirectory directory = RecordedRuns.open("quick", temp.resolve("run"));
        finished = new Run.Finished(Fold.of(directory), directory.path(), null);
    }

    @Test
    void printsReportPathLast() {
        shown.show(finished, Optional.empty());
        assertThat(out.toString()).contains("5,000 records/s of 1 KB").endsWith("report.html\n");
    }

    @Test
    void printsResultEvenIfReportCannotBeWritten() throws IOException {
        Files.createDirectories(temp.resolve("run/report.html/in-the-way"));
        assertThatThrownBy(() -> shown.show(finished, Optional.empty()))
                .isInstanceOf(PlimsollException.class)
                .hasMessageContaining("report.html");
        assertThat(out.toString()).contains("5,000 records/s of 1 KB").doesNotContain("report.html");
    }
}
