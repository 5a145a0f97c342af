package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.Exit;
import io.plimsoll.report.Look;
import io.plimsoll.report.RunReport;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report can be created again from any run directory, in every format. */
class ReportCommandTest {
    private static final int SOME_CUTS = 199;
    private static final int NEAR = 64;

    @TempDir
    Path temp;

    private Path quick() {
        try (RunDirectory directory = RunDirectory.create(temp, "quick", Timelines.START)) {
            Timelines.quick().forEach(directory::append);
            return directory.path();
        }
    }

    @Test
    void rendersForTerminalByDefault() {
        InProcess outcome = InProcess.run("report", quick().toString());
        assertThat(outcome.exit()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .startsWith("✓ ")
                .containsPattern(Said.en("result.took", "5,000", "1 KB"))
                .doesNotContain("\u001b");
        assertThat(InProcess.run("report", "--format", "terminal", quick().toString())
                        .out())
                .isEqualTo(outcome.out());
    }

    @Test
    void rendersMarkdownAndJson() throws IOException {
        assertThat(InProcess.run("report", quick().toString(), "--format", "md").out())
                .startsWith("# quick\n");
        JsonNode json = Json.MAPPER.readTree(
                InProcess.run("report", quick().toString(), "--format", "json").out());
        ResultSchema.assertValid(json);
        assertThat(json).isEqualTo(Json.MAPPER.readTree(Json.line(Fold.fold(Timelines.quick().stream()))));
    }

    @Test
    void drawsPicturesAndEmbedsThemInMarkdown() throws IOException {
        Path run = quick();
        InProcess outcome = InProcess.run("report", run.toString(), "--format", "svg");
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        assertThat(outcome.out().lines()).hasSizeGreaterThan(8).allSatisfy(line -> assertThat(Path.of(line))
                .hasParent(run.resolve("pictures"))
                .content()
                .startsWith("<svg "));
        Path markdown = temp.resolve("mine.md");
        InProcess.run("report", run.toString(), "--format", "md", "--out", markdown.toString());
        assertThat(markdown).content().contains("](mine-pictures/latency-response.svg)");
        assertThat(temp.resolve("mine-pictures/latency-response.svg")).exists();
    }

    @Test
    void refusesUnknownFormatAndListsKnownOnes() {
        InProcess outcome = InProcess.run("report", quick().toString(), "--format", "xml");
        assertThat(outcome.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(outcome.out()).isEmpty();
        assertThat(outcome.err())
                .containsPattern(Said.en("cli.noFormat", "xml"))
                .contains("terminal, html, md, csv, json, junit, omb, svg and png");
    }

    @Test
    void refusesInvalidRunDirectories() throws IOException {
        InProcess outcome = InProcess.run("report", temp.toString());
        assertThat(outcome.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(outcome.err())
                .containsPattern(Said.en("result.noRunDirectory", temp, null))
                .endsWith(" docs/reference/result.md#run-directory\n");
        Files.writeString(temp.resolve("timeline.jsonl"), "{\"type\":\"run\"\n{}\n");
        assertThat(InProcess.run("report", temp.toString()).exit()).isEqualTo(Exit.USAGE.code());
        assertThat(InProcess.run("report", temp.toString()).err()).contains("Line 1 of");
        assertThat(InProcess.run("report").exit()).isEqualTo(Exit.USAGE.code());
    }

    @Test
    void timelineCutInLastLineStillRenders() throws IOException {
        assertRendersWhenCut(SOME_CUTS);
    }

    @Test
    @Tag("nightly")
    void timelineCutAnywhereInLastLineStillRenders() throws IOException {
        assertRendersWhenCut(1);
    }

    /** @param step distance between cuts, except near the ends of the line */
    private void assertRendersWhenCut(int step) throws IOException {
        List<TimelineEvent> events = new ArrayList<>();
        events.add(Timelines.runStarted("killed"));
        Second second = new Second(1000, Timelines.latencies(1000, 2000));
        events.addAll(Timelines.trial("one", Timelines.plan(true), List.of(second), List.of(second, second)));
        StringBuilder text = new StringBuilder();
        events.forEach(e -> text.append(Json.line(e)).append('\n'));
        byte[] whole = text.toString().getBytes(StandardCharsets.UTF_8);
        int lastLine =
                whole.length - Json.line(events.get(events.size() - 1)).getBytes(StandardCharsets.UTF_8).length - 1;
        for (int length = lastLine; length <= whole.length; length++) {
            boolean within = length > lastLine + NEAR && length < whole.length - NEAR;
            if (within && length % step != 0) {
                continue;
            }
            Files.write(temp.resolve("timeline.jsonl"), Arrays.copyOf(whole, length));
            RunResult result = Fold.of(RunDirectory.open(temp));
            long records = length >= whole.length - 1 ? 2000 : 1000;
            assertThat(result.trials().get(0).produce().volume().records())
                    .as("cut at %d", length)
                    .isEqualTo(records);
            assertThat(RunReport.terminal(result, new Look(100, false, Language.EN)))
                    .startsWith("! The run was killed");
            assertThat(RunReport.markdown(result, Language.EN)).containsPattern(Said.en("report.killed"));
        }
        ResultSchema.assertValid(Fold.of(RunDirectory.open(temp)));
    }
}
