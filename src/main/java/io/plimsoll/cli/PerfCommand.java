package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.MetricsAtClose;
import io.plimsoll.report.perf.PerfOutput;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Problem;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The base of the commands that stand in for one of Kafka's performance tools, on a cluster that is there. */
abstract class PerfCommand extends PlimsollCommand {
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

    private static final List<String> CONNECTION =
            List.of("security.", "ssl.", "sasl.", "client.dns.", "reconnect.", "config.providers");

    @Option(names = "--json", order = 1, paramLabel = "FILE", descriptionKey = "perf.json")
    private Path json;

    @Option(names = "--report", order = 2, paramLabel = "DIR")
    private Path report;

    private Path scratch;
    private Exit kept = Exit.PASSED;

    /** Client properties: those that say how to reach the cluster and as whom, and all others, which may be added to. */
    record Given(ClusterConnection connection, Map<String, String> ofClient) {}

    /**
     * Reads the properties of the client.
     *
     * @param bootstrapServers may be null where a property has them
     * @param option that the properties were given with, for messages
     * @param properties {@code name=value}, split at the first {@code =}
     * @throws PlimsollException ({@link Exit#USAGE}) naming the file, line or option that cannot be used
     */
    static Given given(String bootstrapServers, Path file, String option, List<String> properties) {
        if (properties.stream().anyMatch(property -> property.indexOf('=') < 1)) {
            // Not quoted: without a name nobody can tell whether it is a secret.
            throw Exit.USAGE.because("cli.notAProperty", option);
        }
        Map<String, String> given = ClusterConnection.written(bootstrapServers, file, properties);
        String servers = given.remove("bootstrap.servers");
        Map<String, String> connection = new LinkedHashMap<>();
        Map<String, String> client = new LinkedHashMap<>();
        given.forEach((name, value) ->
                (CONNECTION.stream().anyMatch(name::startsWith) ? connection : client).put(name, value));
        client.keySet()
                .removeAll(List.of("key.serializer", "value.serializer", "key.deserializer", "value.deserializer"));
        return new Given(new ClusterConnection(servers, connection), client);
    }

    /** A scenario that was made from options; mistakes in it are told by the names of these. */
    static Plan plan(Map<String, Object> scenario) {
        try {
            return ScenarioReader.read(Json.verbatim(scenario), String.valueOf(scenario.get("name")), List.of(), 1);
        } catch (ScenarioException e) {
            List<Sentence> mistakes =
                    e.problems().stream().map(PerfCommand::told).distinct().toList();
            throw new PlimsollException(Exit.USAGE, Sentence.lines(mistakes), e);
        }
    }

    private static Sentence told(Problem problem) {
        String path = problem.path();
        String name = OPTIONS.getOrDefault(path, path.replaceFirst("^(producers|consumers)\\[0\\]\\.config\\.?", ""));
        return name.isEmpty() ? problem.message() : Sentence.of("text.at", name, problem.message());
    }

    /** @throws ParameterException if an option has a value that it does not take, unlike what the key names */
    void check(boolean condition, String option, Object value, String wanted) {
        require(condition, "cli.giveInstead", option, value, Sentence.of(wanted));
    }

    /** @throws PlimsollException ({@link Exit#USAGE}) if what was measured could not be written in the end */
    void checkOutput() {
        if (json == null) {
            return;
        }
        Path parent = json.toAbsolutePath().getParent();
        Exit.USAGE.when(Files.isDirectory(json), "cli.jsonIsDirectory", json);
        Exit.USAGE.when(parent == null || !Files.isDirectory(parent), "cli.jsonHasNoDirectory", json, parent);
        Exit.USAGE.when(!Files.isWritable(Files.exists(json) ? json : parent), "cli.mayNotWriteJson", json);
    }

    /** Has the client hand over its metrics at its end; empty if nobody wants them. */
    static Optional<String> metricsOf(Given given, Map<String, String> client, boolean wanted) {
        if (wanted) {
            client.put("metric.reporters", MetricsAtClose.class.getName());
        }
        return wanted ? Optional.of(given.connection().lookUp(client).get("client.id")) : Optional.empty();
    }

    /**
     * Runs what was asked for.
     *
     * @param metricsOf the {@code client.id} of the client whose metrics are shown at the end; empty for none
     * @return that the generator was the limit is said, but as with Kafka's tools is no failure; that what was asked for
     *     could not be written is one
     */
    Exit run(Plan plan, ClusterConnection cluster, PerfOutput output, boolean keepGroups, Optional<String> metricsOf) {
        try {
            RunRequest request = RunRequest.of(plan, directory(), Arguments.typed(spec), ToolInfo.ofRun())
                    .with(draft -> {
                        draft.cluster = Optional.of(cluster);
                        draft.seed = SEED;
                        draft.keepGroups = keepGroups;
                        // As with Kafka's tools, topic, rate and number were typed; what hurts whoever consents is
                        // refused.
                        draft.limits = LoadLimits.DEFAULT.with(LoadLimits.Consent.GIVEN);
                    });
            output.begin();
            Run.Finished finished = RunInterrupt.execute(new Run(request, output), end -> {
                if (end.failure() != null) {
                    say(end.failure().sentence());
                }
                keep(end);
                output.end(end.result(), metricsOf.map(MetricsAtClose::take).orElse(Map.of()), language());
                removeScratch();
            });
            Exit exit = Exit.of(finished.result().head().exitCode());
            return exit == Exit.INVALID_MEASUREMENT || exit == Exit.PASSED ? kept : exit;
        } finally {
            output.close();
            removeScratch();
        }
    }

    private Path directory() {
        if (report != null) {
            return report;
        }
        try {
            scratch = Files.createTempDirectory("plimsoll-perf-");
            return scratch;
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "cli.noTemporaryDirectory", e.getMessage());
        }
    }

    private void keep(Run.Finished finished) {
        try {
            if (json != null) {
                Files.writeString(json, Json.pretty(finished.result()));
            }
            if (report != null) {
                try (RunDirectory directory = RunDirectory.open(finished.directory())) {
                    say(Sentence.of("cli.reportIs", ShownRun.writeReports(directory, finished.result(), language())));
                }
            }
        } catch (IOException e) {
            kept = Exit.INTERNAL;
            say(Sentence.of("cli.cannotWrite", json, OutputOptions.reason(e)));
        } catch (PlimsollException e) {
            kept = e.exit();
            say(e.sentence());
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
