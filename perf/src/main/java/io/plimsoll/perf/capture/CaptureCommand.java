package io.plimsoll.perf.capture;

import io.plimsoll.Exit;
import io.plimsoll.perf.capture.Capture.Captured;
import io.plimsoll.perf.capture.shape.CapturedText;
import io.plimsoll.perf.capture.shape.TopicShape;
import io.plimsoll.perf.capture.shape.TopicShape.Fidelity;
import io.plimsoll.cli.ModuleCommand;
import io.plimsoll.cli.RunCommand.ObserveOptions;
import io.plimsoll.cluster.Topics;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.result.Units;
import io.plimsoll.run.ScenarioSource;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SchemaSpec.Framing;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plimsoll capture}: turns the load of a cluster into a scenario. */
@Command(name = "capture")
public final class CaptureCommand extends ModuleCommand.OfPerf {
    @Mixin
    ClusterOptions cluster;

    @Option(names = "--topics", paramLabel = "REGEX")
    String topics;

    @Option(names = "--for", paramLabel = "TIME")
    String time;

    @Option(names = "--last", paramLabel = "TIME", defaultValue = "1h")
    String last;

    @Option(names = "--max-rate", paramLabel = "RATE", defaultValue = "5MB/s")
    String maxRate;

    @Option(names = "--compress-time", paramLabel = "F", defaultValue = "1")
    double faster;

    @Option(names = "--registry", paramLabel = "URL")
    String registry;

    @Option(names = "--registry-property", paramLabel = "NAME=VALUE")
    Map<String, String> registryProperties = new LinkedHashMap<>();

    @Mixin
    ObserveOptions observe;

    @Option(names = "--check", paramLabel = "FILE")
    Path check;

    @Override
    protected Exit execute() {
        require((topics == null) != (check == null), "cli.exactlyOne", List.of("--topics", "--check"));
        require(time != null || observe.observed().isEmpty(), "cli.needs", "--jmx", "--for");
        expect(faster >= 1, "--compress-time", faster, "cli.a.orMore", 1);
        // Validate the length before any request to the cluster.
        Duration length = read(time != null ? "--for" : "--last", time != null ? time : last, Quantities::duration);
        Rate.Quantity most = read("--max-rate", maxRate, Quantities::rate);
        expect(most.unit() != Rate.Unit.RECORDS, "--max-rate", maxRate, "watch.a.byteRate");
        require(registry != null || registryProperties.isEmpty(), "cli.needs", "--registry-property", "--registry");
        require(registry == null || topics != null, "cli.needs", "--registry", "--topics");
        Function<Collection<String>, Captured> capture = names -> new Capture(
                        cluster.connection(), names, length, time != null, (long) most.value(), observe.observed())
                .look();
        if (check != null) {
            return check(capture);
        }
        SchemaSpec schemas = null;
        if (registry != null) {
            String address = read("--registry", registry, SchemaSpec::address);
            schemas = SchemaSpec.registered(address, Framing.CONFLUENT, "", "", registryProperties);
            // Fail before a long capture if the registry does not answer.
            SchemaSupport.get().withId(schemas, 1);
        }
        Pattern pattern = pattern("--topics", topics);
        List<String> matching;
        try (Admin admin = cluster.checkedConnection().admin()) {
            matching = new Topics(admin).matching(pattern);
        }
        Captured captured = capture.apply(matching);
        out().print(CapturedScenario.of(captured, new CapturedText(captured.window(), faster, language()), schemas));
        return Exit.PASSED;
    }

    /** Compares the source of a captured scenario with its replay. */
    private Exit check(Function<Collection<String>, Captured> capture) {
        String text = ScenarioSource.read(check, "run.aScenario");
        List<TopicShape> shapes = CapturedScenario.shapes(text, check.toString());
        List<String> names = shapes.stream()
                .map(shape -> CapturedScenario.firstName(shape.topic()))
                .toList();
        List<TopicShape> found = capture.apply(names).topics();
        boolean within = true;
        for (TopicShape replayed : found) {
            TopicShape captured = shapes.get(names.indexOf(replayed.topic()));
            for (Fidelity row : Fidelity.of(captured, replayed)) {
                within &= row.within();
                print(
                        row.within() ? "capture.within" : "capture.beyond",
                        row.topic(),
                        Sentence.of("capture.figure." + row.figure()),
                        Units.decimals(row.captured(), 2),
                        Units.decimals(row.replayed(), 2),
                        Units.percent(row.distance()),
                        Units.percent(row.bound()));
            }
        }
        return within ? Exit.PASSED : Exit.CHECK_FAILED;
    }
}
