package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.MetricsAtClose;
import io.plimsoll.report.perf.PerfOutput;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.RuntimeKafka;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Problem;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** Runs what a command that stands in for one of Kafka's tools was asked for, on a cluster that is there. */
final class PerfRun {
    private static final long SEED = 1;
    private static final Map<String, String> OPTIONS = Map.of(
            "topics[0].name", "--topic",
            "producers[0].topic", "--topic",
            "consumers[0].topic", "--topic",
            "producers[0].records", "--num-records",
            "consumers[0].records", "--num-records",
            "producers[0].rate", "--throughput",
            "producers[0].record.size", "--record-size",
            "producers[0].transactions.every", "--transaction-duration-ms",
            "consumers[0].idleTimeout", "--timeout");

    private final CommandSpec spec;
    private final PerfOptions options;
    private final PerfOutput output;
    private final Optional<String> metricsOf;
    private Path scratch;
    private boolean shown;

    /** @param metricsOf the {@code client.id} of the client whose metrics are shown at the end; empty for none */
    PerfRun(CommandSpec spec, PerfOptions options, PerfOutput output, Optional<String> metricsOf) {
        this.spec = spec;
        this.options = options;
        this.output = output;
        this.metricsOf = metricsOf;
    }

    /**
     * A scenario that was made from options; mistakes in it are told by the names of these.
     *
     * @param scenario as a scenario file would have it
     */
    static Plan plan(Map<String, Object> scenario) {
        try {
            return ScenarioReader.read(Json.line(scenario), String.valueOf(scenario.get("name")), List.of(), 1);
        } catch (ScenarioException e) {
            String mistakes =
                    e.problems().stream().map(PerfRun::text).distinct().collect(Collectors.joining("\n"));
            throw new PlimsollException(Exit.USAGE, mistakes, e);
        }
    }

    private static String text(Problem problem) {
        String path = problem.path();
        String name = OPTIONS.getOrDefault(path, path.replaceFirst("^(producers|consumers)\\[0\\]\\.config\\.?", ""));
        return (name.isEmpty() ? "" : name + ": ") + problem.message();
    }

    /** @return the exit code; that the generator was the limit is said, but as with Kafka's tools is no failure */
    int execute(Plan plan, ClusterConnection connection, boolean keepGroups) {
        RunResult.Tool tool = new RunResult.Tool(
                ToolInfo.version(),
                ToolInfo.commit(),
                RuntimeKafka.version(),
                Runtime.version().toString());
        try {
            RunRequest request = RunRequest.of(plan, directory(), Arguments.typed(spec), tool)
                    .with(draft -> {
                        draft.cluster = Optional.of(connection);
                        draft.seed = SEED;
                        draft.keepGroups = keepGroups;
                    });
            output.begin();
            Run run = new Run(request, output);
            Run.Finished finished;
            // Closed last: a signal lets the process end only when everything has been shown.
            try (RunInterrupt interrupt = new RunInterrupt(run, this::show)) {
                finished = run.execute();
                show(finished);
            }
            int exit = finished.result().head().exitCode();
            return exit == Exit.INVALID_MEASUREMENT.code() ? Exit.PASSED.code() : exit;
        } finally {
            output.close();
            removeScratch();
        }
    }

    private Path directory() {
        if (options.report != null) {
            return options.report;
        }
        try {
            scratch = Files.createTempDirectory("plimsoll-perf-");
            return scratch;
        } catch (IOException e) {
            throw new PlimsollException(Exit.INTERNAL, Sentence.of("cli.noTemporaryDirectory", e.getMessage()), e);
        }
    }

    /** Once: by the running thread, or for it if it hangs while the process is told to end. */
    private synchronized void show(Run.Finished finished) {
        if (shown) {
            return;
        }
        shown = true;
        PrintWriter err = spec.commandLine().getErr();
        if (finished.failure() != null) {
            err.println("plimsoll: " + finished.failure().getMessage());
        }
        keep(finished, err);
        output.end(finished.result(), metricsOf.map(MetricsAtClose::take).orElse(Map.of()));
        removeScratch();
    }

    private void keep(Run.Finished finished, PrintWriter err) {
        try {
            if (options.json != null) {
                Files.writeString(options.json, Json.pretty(finished.result()));
            }
            if (options.report != null) {
                try (RunDirectory directory = RunDirectory.open(finished.directory())) {
                    err.println("plimsoll: the report is " + ReportFiles.write(directory, finished.result()));
                }
            }
        } catch (IOException e) {
            err.println("plimsoll: cannot write " + options.json + ": " + e.getMessage());
        } catch (PlimsollException e) {
            err.println("plimsoll: " + e.getMessage());
        }
    }

    private void removeScratch() {
        if (scratch == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(scratch)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
            scratch = null;
        } catch (IOException | UncheckedIOException e) {
            // A temporary file is left: nothing that the user should be bothered with.
        }
    }
}
