package io.plimsoll.report.omb;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.TopicSpec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result of one trial as OpenMessaging Benchmark writes one: the same fields in the same order, latencies in
 * milliseconds but for the publish delay, which is in microseconds. Publish latency is the service time, publish delay
 * the send delay; a list has one figure a period of the measured window.
 */
public final class OmbResult {
    /** The name of the result in a run directory. */
    public static final String FILE = "omb.json";

    /** Length of OpenMessaging Benchmark's periods. */
    public static final long PERIOD_MILLIS = 10_000;

    private OmbResult() {}

    /**
     * @param trial its name; empty if the run has only one
     * @param periodMillis length of the periods
     * @return the JSON text
     * @throws PlimsollException {@link Exit#USAGE} if the run has no such trial, several of which none is named, or
     *     nothing was measured
     */
    public static String of(RunDirectory directory, Optional<String> trial, long periodMillis) {
        return of(directory, trial, periodMillis, Optional.empty());
    }

    /**
     * The same with the version of the brokers, as forks of OpenMessaging Benchmark record it.
     *
     * @param version in the words of the user
     */
    public static String of(
            RunDirectory directory, Optional<String> trial, long periodMillis, Optional<String> version) {
        Plan.Trial planned = trial(directory, trial);
        OmbFold fold = fold(directory, planned, periodMillis);
        Map<String, Object> result = header(planned);
        result.putAll(fold.figures());
        version.ifPresent(text -> result.put("version", text));
        return Json.pretty(result);
    }

    private static Plan.Trial trial(RunDirectory directory, Optional<String> name) {
        Plan plan = plan(directory);
        List<String> names = plan.trials().stream().map(Plan.Trial::name).toList();
        Exit.USAGE.when(
                name.isEmpty() && names.size() > 1,
                "report.oneTrialOnly",
                directory.path(),
                names.size(),
                List.copyOf(names));
        return plan.trials().stream()
                .filter(t -> name.isEmpty() || t.name().equals(name.get()))
                .findFirst()
                .orElseThrow(() ->
                        Exit.USAGE.because("report.noSuchTrial", directory.path(), name.get(), List.copyOf(names)));
    }

    private static Plan plan(RunDirectory directory) {
        java.nio.file.Path file = directory.path().resolve(RunDirectory.SCENARIO);
        try {
            return ScenarioReader.stored(InputFile.text(file, InputFile.WRITTEN), file.toString());
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "report.cannotRead", file, e.getMessage());
        }
    }

    private static OmbFold fold(RunDirectory directory, Plan.Trial trial, long periodMillis) {
        try (Stream<TimelineEvent> timeline = directory.readTimeline()) {
            OmbFold fold = new OmbFold(trial.name(), periodMillis * 1_000_000);
            timeline.forEachOrdered(fold::accept);
            Exit.USAGE.when(fold.isEmpty(), "report.nothingMeasured", directory.path(), trial.name());
            return fold;
        }
    }

    private static Map<String, Object> header(Plan.Trial trial) {
        Scenario scenario = trial.scenario();
        List<TopicSpec> topics = scenario.topics();
        int clients =
                scenario.producers().stream().mapToInt(ProducerSpec::clients).sum();
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("workload", scenario.about().isBlank() ? scenario.name() : scenario.about());
        header.put("driver", trial.name());
        header.put("messageSize", messageBytes(scenario));
        header.put("topics", topics.size());
        header.put("partitions", topics.get(0).partitions());
        header.put("producersPerTopic", (clients + topics.size() - 1) / topics.size());
        header.put(
                "consumersPerTopic",
                scenario.consumers().stream()
                        .mapToInt(ConsumerSpec::members)
                        .max()
                        .orElse(0));
        return header;
    }

    /** With the sizes that a template or files give, if these can still be read. */
    private static RecordSpec sized(RecordSpec record) {
        try {
            return PayloadSource.sized(record);
        } catch (PlimsollException e) {
            return record;
        }
    }

    private static long messageBytes(Scenario scenario) {
        return scenario.producers().stream()
                .findFirst()
                .map(producer -> Math.round(sized(producer.record()).meanSize()))
                .orElse(0L);
    }
}
