package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.client.ClusterConnection;
import io.plimsoll.report.Live;
import io.plimsoll.report.MarkdownReport;
import io.plimsoll.report.TerminalReport;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.CeilingRequest;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.RuntimeKafka;
import io.plimsoll.scenario.Plan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plimsoll run}. */
@Command(
        name = "run",
        description = {
            "Runs a scenario and reports what was measured.",
            "Without --bootstrap-server it runs on a cluster of real brokers that is started for it and removed"
                    + " afterwards."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:passed",
            "1:an error of the program, or a full disk",
            "2:a mistake in the command or the scenario; nothing was run",
            "3:a check failed",
            "4:records that were acknowledged are lost or damaged",
            "5:not a measure of the cluster: the load generator was the limit",
            "6:the cluster cannot be reached, or refuses",
            "130:interrupted; what was measured until then is reported"
        },
        mixinStandardHelpOptions = true)
class RunCommand implements Callable<Integer> {
    @Spec
    CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "NAME|FILE.yaml",
            defaultValue = "quick",
            description = "A built-in scenario (see 'plimsoll scenarios') or a file. Default: ${DEFAULT-VALUE}.")
    String scenario;

    @Mixin
    ClusterOptions cluster;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Changes one key of the scenario, such as duration=60s. Repeatable.")
    List<String> overrides = new ArrayList<>();

    @Option(
            names = "--scale",
            paramLabel = "F",
            defaultValue = "1",
            description = "Multiplies numbers of records and lengths of time. Default: ${DEFAULT-VALUE}.")
    double scale;

    @Option(
            names = "--brokers",
            paramLabel = "N",
            description = "How many brokers are started, 1 to 9. Default: as many as the topics' replication asks for.")
    Integer brokers;

    @Option(
            names = "--broker-config",
            paramLabel = "NAME=VALUE",
            description = "A property of the brokers that are started. Repeatable.")
    Map<String, String> brokerConfig = new LinkedHashMap<>();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "runs",
            description = "Where the run's directory is made. Default: ${DEFAULT-VALUE}.")
    Path out;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of everything random. Default: ${DEFAULT-VALUE}.")
    long seed;

    @Option(names = "--quiet", description = "Show no progress.")
    boolean quiet;

    @Option(names = "--json", description = "Print the result as JSON instead of the report, and no progress.")
    boolean json;

    private boolean shown;

    @Override
    public Integer call() {
        Plan plan = ScenarioSource.plan(scenario, overrides, scale);
        Optional<ClusterConnection> connection = cluster.connectionIfNamed();
        if (connection.isPresent() && (brokers != null || !brokerConfig.isEmpty())) {
            throw new PlimsollException(
                    Exit.USAGE,
                    "--brokers and --broker-config are for a lab, and --bootstrap-server names a cluster; leave out one"
                            + " or the other");
        }
        RunRequest request = new RunRequest(
                plan,
                connection,
                brokers == null ? OptionalInt.empty() : OptionalInt.of(brokers),
                brokerConfig,
                out,
                seed,
                commandLine(),
                new RunResult.Tool(
                        ToolInfo.version(),
                        ToolInfo.commit(),
                        RuntimeKafka.version(),
                        Runtime.version().toString()));
        Run.Finished finished;
        try (Progress progress = Live.progress(quiet || json, System.getenv())) {
            Run run = new Run(request, progress, ceiling());
            // Closed last: a signal lets the process end only when everything has been shown.
            try (RunInterrupt interrupt = new RunInterrupt(run, result -> show(result, progress))) {
                finished = run.execute();
                show(finished, progress);
            }
        }
        return finished.result().exitCode();
    }

    /** What to search for in place of running the scenario as it is. */
    Optional<CeilingRequest> ceiling() {
        return Optional.empty();
    }

    /** Once: by the running thread, or for it if it hangs while the process is told to end. */
    private synchronized void show(Run.Finished finished, Progress progress) {
        if (shown) {
            return;
        }
        shown = true;
        progress.close();
        RunResult result = finished.result();
        Optional<Path> report = report(finished);
        PrintWriter stdout = spec.commandLine().getOut();
        PrintWriter stderr = spec.commandLine().getErr();
        if (finished.failure() != null) {
            stderr.println("plimsoll: " + finished.failure().getMessage());
            stderr.flush();
        }
        if (json) {
            stdout.print(Json.pretty(result));
        } else {
            stdout.println(TerminalReport.render(result, Live.width(System.getenv()), Live.color(System.getenv())));
            report.ifPresent(stdout::println);
        }
        stdout.flush();
    }

    /** @return its path; empty if it cannot be written where the run itself could not write any more */
    private static Optional<Path> report(Run.Finished finished) {
        try (RunDirectory directory = RunDirectory.open(finished.directory())) {
            return Optional.of(directory.write(RunDirectory.REPORT_MARKDOWN, MarkdownReport.render(finished.result())));
        } catch (PlimsollException e) {
            if (finished.failure() == null) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /** The command as it was typed, without secrets. */
    private List<String> commandLine() {
        List<String> words = new ArrayList<>();
        words.add("plimsoll");
        spec.commandLine().getParseResult().originalArgs().forEach(arg -> words.add(Arguments.redacted(arg)));
        return words;
    }
}
