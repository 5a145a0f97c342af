package io.plimsoll.web;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparer;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.report.html.HtmlReport.Entry;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.Outcome;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.ABVariants;
import io.plimsoll.text.Sentence;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Pages of the runs in a directory: list, reports and comparisons. Thread-safe. */
public final class RunsPage extends WebServer {
    /** Time without an event after which a run counts as killed. A run writes every second, except while it prepares or audits. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);

    private static final String FIRST_FIGURE = "produce.response.p99";
    private static final int MOST_RUNS = 500;
    private static final int MOST_COMPARED = 8;

    private final Path directory;

    public RunsPage(Path directory, WebPlace place) {
        super(place);
        this.directory = directory;
        on("/", this::index);
        on("/run", this::run);
        on("/compare", this::compare);
        on("/history", this::history);
        start();
    }

    private void index(HttpExchange exchange) throws IOException {
        List<Entry> runs = names(directory).stream()
                .limit(MOST_RUNS)
                .map(name -> entry(directory, name))
                .toList();
        page(exchange, language -> HtmlReport.index(directory.toString(), runs, language));
    }

    /** Names of the runs in a directory, newest first; empty if the directory is missing. */
    public static List<String> names(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(run -> Files.exists(run.resolve(RunDirectory.TIMELINE)))
                    .map(run -> run.getFileName().toString())
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    /** The state of a run: finished, running or killed. */
    public static Entry entry(Path directory, String name) {
        try {
            Path file = directory.resolve(name).resolve(RunDirectory.RESULT);
            InputFile.requireAtMost(file, InputFile.SAVED);
            JsonNode result = Json.MAPPER.readTree(file.toFile());
            JsonNode verdict = result.path("verdict");
            return new Entry(
                    name,
                    result.path("name").asText(null),
                    arms(result),
                    result.path("startedAt").asText(null),
                    verdict.isObject() && result.path("exitCode").isInt()
                            ? Outcome.of(Exit.of(result.path("exitCode").asInt()))
                            : null,
                    verdict.isObject()
                            ? Json.MAPPER
                                    .treeToValue(verdict, RunResult.Verdict.class)
                                    .sentence()
                            : null,
                    false);
        } catch (IOException | PlimsollException e) {
            return withoutResult(directory, name);
        }
    }

    private static List<String> arms(JsonNode result) {
        return StreamSupport.stream(result.path("trials").spliterator(), false)
                .map(trial -> trial.path("parameters").path(ABVariants.ARM).asText(""))
                .filter(arm -> !arm.isEmpty())
                .distinct()
                .sorted()
                .map(arm -> ABVariants.shortened(ABVariants.setting(arm)))
                .toList();
    }

    /** Builds the entry of a killed or running run from its timeline. */
    private static Entry withoutResult(Path directory, String name) {
        Path timeline = directory.resolve(name).resolve(RunDirectory.TIMELINE);
        try (BufferedReader lines = Files.newBufferedReader(timeline)) {
            Instant written = Files.getLastModifiedTime(timeline).toInstant();
            boolean running = Duration.between(written, Instant.now()).compareTo(LONGEST_SILENCE) < 0;
            JsonNode started = Json.MAPPER.readTree(String.valueOf(lines.readLine()));
            return new Entry(
                    name,
                    started.path("name").asText(null),
                    List.of(),
                    started.path("at").asText(null),
                    null,
                    null,
                    running);
        } catch (IOException e) {
            return new Entry(name, null, List.of(), null, null, null, false);
        }
    }

    private void run(HttpExchange exchange) throws IOException {
        String wanted = named(exchange, "name").stream().findFirst().orElse("");
        // Only listed runs can be opened, which prevents path traversal.
        if (!names(directory).contains(wanted)) {
            tell(exchange, 404, Sentence.of("web.noSuchRun"));
            return;
        }
        try {
            RunDirectory run = RunDirectory.open(directory.resolve(wanted));
            boolean running = entry(directory, wanted).running();
            page(
                    exchange,
                    language -> running
                            ? HtmlReport.renderRunning(run, Fold.of(run), language)
                            : HtmlReport.render(run, Fold.of(run), language));
        } catch (PlimsollException e) {
            tell(exchange, 500, e.sentence());
        }
    }

    private void compare(HttpExchange exchange) throws IOException {
        List<String> wanted = named(exchange, "run").stream().distinct().toList();
        if (wanted.size() < 2 || wanted.size() > MOST_COMPARED) {
            tell(exchange, 400, Sentence.of("web.compareSome", MOST_COMPARED, wanted.size()));
            return;
        }
        if (!names(directory).containsAll(wanted)) {
            tell(exchange, 404, Sentence.of("web.oneMissing"));
            return;
        }
        try {
            List<List<ComparedRun>> sides = wanted.stream()
                    .map(name -> List.of(ComparedRun.read(directory.resolve(name))))
                    .toList();
            Comparison comparison = Comparer.compare(sides, List.of(), OptionalDouble.empty());
            page(exchange, language -> HtmlReport.render(comparison, language));
        } catch (PlimsollException e) {
            tell(exchange, e.exit() == Exit.USAGE ? 400 : 500, e.sentence());
        }
    }

    private void history(HttpExchange exchange) throws IOException {
        String figure = named(exchange, "figure").stream().findFirst().orElse(FIRST_FIGURE);
        try {
            HistorySupport history = HistorySupport.get();
            page(exchange, language -> history.page(directory, figure, language));
        } catch (PlimsollException e) {
            tell(exchange, 400, e.sentence());
        }
    }

    private static List<String> named(HttpExchange exchange, String name) {
        String query = String.valueOf(exchange.getRequestURI().getRawQuery());
        return Arrays.stream(query.split("&"))
                .filter(part -> part.startsWith(name + "="))
                .map(part -> URLDecoder.decode(part.substring(name.length() + 1), StandardCharsets.UTF_8))
                .toList();
    }
}
