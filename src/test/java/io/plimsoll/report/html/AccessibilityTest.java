package io.plimsoll.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.cli.InProcess;
import io.plimsoll.report.CapacityTextTest;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.Timelines;
import io.plimsoll.testing.Browser;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.text.Language;
import io.plimsoll.web.LivePage;
import io.plimsoll.web.WebPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of page, checked by axe: in both languages and themes, on a desktop and on a phone. */
@ExtendWith(Browser.Shared.class)
@Execution(ExecutionMode.SAME_THREAD)
class AccessibilityTest {
    @TempDir
    Path directory;

    private String page(String kind) throws IOException {
        return switch (kind) {
            case "comparison" -> {
                ComparedRun run = ComparedRun.read(recorded("quick").path());
                yield HtmlReport.render(
                        Comparer.compare(List.of(List.of(run), List.of(run)), List.of(), OptionalDouble.of(0.05)),
                        Language.EN);
            }
            case "searches" -> {
                ComparedRun run = ComparedRun.read(recorded("search").path());
                yield HtmlReport.render(
                        Comparer.compare(List.of(List.of(run), List.of(run)), List.of(), OptionalDouble.of(0.05)),
                        Language.EN);
            }
            case "capacity" -> HtmlReport.render(CapacityTextTest.plan(), Language.EN);
            case "index" ->
                HtmlReport.index(
                        "runs",
                        List.of(
                                new HtmlReport.Entry(
                                        "a",
                                        "quick",
                                        List.of(),
                                        "2026-05-04T12:00:00Z",
                                        io.plimsoll.result.Outcome.USABLE,
                                        null,
                                        false),
                                new HtmlReport.Entry("b", null, List.of(), null, null, null, true)),
                        Language.EN);
            case "history" -> {
                for (int day = 1; day < 4; day++) {
                    ObjectNode result = Json.MAPPER.valueToTree(Fold.of(recorded("quick")));
                    result.put("startedAt", "2026-05-0" + day + "T12:00:00Z");
                    Path run = Files.createDirectories(directory.resolve("runs/day-" + day));
                    Files.writeString(run.resolve(RunDirectory.RESULT), result.toString());
                }
                yield InProcess.run(
                                "history",
                                directory.resolve("runs").toString(),
                                "--figure",
                                "produce.response.p99",
                                "--format",
                                "html")
                        .out();
            }
            default -> {
                RunDirectory run = recorded(kind);
                yield HtmlReport.render(run, Fold.of(run), Language.EN);
            }
        };
    }

    private RunDirectory recorded(String name) throws IOException {
        return RecordedRuns.open(name, directory.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "comparison"})
    void axeFindsNoViolations(String kind, Browser browser) throws IOException {
        browser.assertForEverybody(
                Files.writeString(directory.resolve("page.html"), page(kind))
                        .toUri()
                        .toString(),
                kind);
    }

    @ParameterizedTest
    @ValueSource(strings = {"faults", "search", "matrix", "searches", "capacity", "history", "index"})
    @Tag("nightly")
    void axeFindsNoViolationsOnOtherPages(String kind, Browser browser) throws IOException {
        axeFindsNoViolations(kind, browser);
    }

    /** Elements that are side by side on a desktop are stacked on a phone. */
    @Test
    void stacksLabelsOfNearbyLines(Browser browser) throws IOException {
        browser.open(Files.writeString(directory.resolve("page.html"), page("capacity")));
        String storeys =
                "return Capacity.storeys([{at: 58, text: 'today: 3 brokers'}, {at: 100, text: 'target'}], 139, %d).join()";
        assertThat(browser.run(storeys.formatted(1080))).isEqualTo("0,0");
        assertThat(browser.run(storeys.formatted(180))).isEqualTo("0,1");
    }

    @Test
    void axeFindsNoViolationsOnLivePage(Browser browser) throws IOException {
        try (LivePage page = new LivePage(WebPlace.local(0), () -> {})) {
            Timelines.quick().forEach(page::event);
            browser.assertForEverybody(page.address(), "live");
        }
    }
}
