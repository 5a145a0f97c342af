package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.cli.BuildOfTests;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.report.Look;
import io.plimsoll.report.RunReport;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.Run;
import io.plimsoll.testing.Runs;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One agent measures and reports the same as one process. */
class FleetOfOneTest {
    /** Entries that depend on chance and time, not on the source of the load. */
    private static final Set<String> BY_CHANCE =
            Set.of("/verdict/warnings[]", "/trials[]/limits", "/trials[]/slowMoments");

    /** Titles of the parts of the report that depend on chance. */
    private static final Set<String> BY_CHANCE_SHOWN = Set.of("whatLimitedIt", "worthKnowing", "slowMoments");

    @TempDir
    Path directory;

    /** No record is due exactly at the start or end of the window: fleet clocks agree to 5 ms even on a busy host. */
    private final String yaml = """
        name: alone
        topics: [{name: TOPIC, partitions: 2}]
        producers: [{topic: TOPIC, clients: 2, rate: 100/s, record: {size: 100}}]
        consumers: [{topic: TOPIC, members: 2}]
        duration: 2s
        warmup: 1005ms
        audit: true
        checks: ["audit.lost == 0", "produce.records == 200", "consume.missing == 0"]
        """.replace("TOPIC", "alone-" + UUID.randomUUID());

    @Tag("nightly")
    @Test
    void resultHasSamePartsAndCountsAsLocalRun() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        Path local = directory.resolve("local");
        RunResult alone = Runs.run(yaml, servers, local);
        try (Agent agent = SharedFleet.start("solo", List.of(), "z");
                Fleet fleet =
                        SharedFleet.find(agent.address(), 1, SharedFleet.anywhere(), "alone", BuildOfTests.name())) {
            Run.Finished finished = SharedFleet.run(fleet, yaml, servers, directory.resolve("fleet"));
            RunResult other = SharedFleet.result(finished);
            assertThat(other.trials().get(0).observed().workers())
                    .singleElement()
                    .satisfies(worker -> {
                        assertThat(worker.name()).isEqualTo("solo");
                        assertThat(worker.flow().records()).isEqualTo(200);
                    });
            assertThat(keys(other)).isEqualTo(keys(alone));
            assertThat(counts(other)).isEqualTo(counts(alone));
            assertThat(other.head().exitCode() == 5 || other.head().exitCode() == 0)
                    .isTrue();
            assertThat(headings(other)).isEqualTo(headings(alone));
            assertThat(events(finished.directory())).isEqualTo(events(onlyRun(local)));
        }
    }

    /** Every path of the result except those in the fleet section, and the parts of sentences. */
    private static Set<String> keys(RunResult result) {
        Set<String> keys = new TreeSet<>();
        collect(Json.MAPPER.valueToTree(result), "", keys);
        keys.removeIf(key -> key.startsWith("/trials[]/workers[]")
                || key.startsWith("/trials[]/brokers[]/")
                || key.matches(".*Keyed(\\[])?/.*")
                || BY_CHANCE.stream().anyMatch(key::startsWith));
        return keys;
    }

    private static void collect(JsonNode node, String path, Set<String> keys) {
        keys.add(path);
        if (node.isObject()) {
            node.properties().forEach(e -> collect(e.getValue(), path + "/" + e.getKey(), keys));
        } else if (node.isArray()) {
            node.forEach(element -> collect(element, path + "[]", keys));
        }
    }

    private static List<Object> counts(RunResult result) {
        TrialResult t = result.trials().get(0);
        return List.of(
                t.produce().volume().records(),
                t.produce().schedule().warmupRecords(),
                t.produce().times().responseTime().count(),
                t.produce().errors(),
                t.produce().sources().producers().stream()
                        .map(p -> p.name() + " " + p.records())
                        .toList(),
                t.detail().partitions().stream().mapToLong(p -> p.consumed()).sum(),
                t.consume().times().endToEnd().count(),
                t.consume().reading().missing(),
                t.consume().times().timestampType(),
                t.audit().method(),
                t.audit().counts().acknowledged(),
                t.audit().counts().read(),
                t.audit().counts().lost(),
                t.audit().counts().duplicated(),
                t.audit().counts().reordered(),
                t.audit().complete(),
                t.judgement().checks().stream().map(c -> c.check() + c.passed()).toList(),
                t.detail().setup().keySet().size());
    }

    /** First words of the lines that begin a part of the terminal report. */
    private static List<String> headings(RunResult result) {
        return RunReport.terminal(result, new Look(100, false, Language.EN))
                .lines()
                .filter(line -> !line.isBlank() && Character.isLetter(line.charAt(0)))
                .map(line -> line.split("  ")[0])
                .filter(line -> BY_CHANCE_SHOWN.stream().noneMatch(key -> title(key, line)))
                // As in the result, only a fleet has this part.
                .filter(line -> !title("workers", line))
                .toList();
    }

    private static boolean title(String key, String line) {
        return line.startsWith(Sentence.of("report.title." + key).english());
    }

    private static Path onlyRun(Path out) throws Exception {
        try (var runs = Files.list(out)) {
            return runs.findFirst().orElseThrow();
        }
    }

    /** Kinds of timeline events. */
    private static Set<String> events(Path run) throws Exception {
        Set<String> kinds = new TreeSet<>();
        for (String line : Files.readAllLines(run.resolve(RunDirectory.TIMELINE))) {
            kinds.add(Json.MAPPER.readTree(line).path("type").asText());
        }
        kinds.removeAll(List.of("note", "limits", "workers"));
        return kinds;
    }
}
