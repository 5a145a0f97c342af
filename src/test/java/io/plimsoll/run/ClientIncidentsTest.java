package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.PlantedQuota;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both engines report the throttling, reauthentication and loss of their connections. */
@Tag("nightly")
class ClientIncidentsTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    Path out;

    /** The client may send half of its load. */
    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void reportsQuotaThrottling(String engine) throws Exception {
        try (Lab lab = PlantedQuota.lab(1)) {
            Run.Finished finished =
                    new Run(Runs.request("""
                            name: throttled
                            topics: [{name: throttled, partitions: 1}]
                            producers: [{topic: throttled, engine: %s, rate: 4MB/s, record: {size: 1KB}}]
                            warmup: none
                            duration: 6s
                            """.formatted(engine), lab.bootstrapServers(), out), Progress.NONE).execute();

            List<Incident> throttled = incidents(events(finished)).stream()
                    .filter(i -> i.kind() == Kind.QUOTA && i.errorNanos() == 0)
                    .toList();
            assertThat(throttled).isNotEmpty().allMatch(i -> i.where().equals("broker 1"));
            // The quota admits half of the load.
            assertThat(throttled.stream()
                            .mapToLong(i -> i.toNanos() - i.fromNanos())
                            .sum())
                    .isGreaterThan(300 * MILLI);
        }
    }

    /** Sessions end after six seconds of fourteen. */
    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void reportsReauthentication(String engine) {
        try (Lab lab = SecuredLab.start("SASL_PLAINTEXT,PLAIN,reauth=6s")) {
            Map<String, String> login = lab.logins().orElseThrow().client();
            String yaml = """
                name: renewed
                topics: [{name: renewed, partitions: 1}]
                producers: [{topic: renewed, engine: %s, rate: 100/s, record: {size: 100}}]
                warmup: none
                duration: 14s
                """.formatted(engine);
            RunRequest request = Runs.request(yaml, lab.bootstrapServers(), out)
                    .with(draft -> draft.cluster = Optional.of(new ClusterConnection(lab.bootstrapServers(), login)));
            List<Incident> renewed = incidents(events(new Run(request, Progress.NONE).execute())).stream()
                    .filter(i -> i.kind() == Kind.REAUTHENTICATION)
                    .toList();
            assertThat(renewed).hasSizeBetween(1, 6);
            // The connections are some seconds older than the trial.
            assertThat(renewed.get(0).fromNanos()).isLessThan(6_500 * MILLI);
        }
    }

    /** The mark of the fault is the witness. */
    @ParameterizedTest
    @ValueSource(strings = {"client", "raw"})
    void reportsLostConnection(String engine) {
        List<TimelineEvent> events = events(new Run(
                        Runs.request(ScenarioReader.read("""
                name: lost
                lab: {brokers: 1}
                topics: [{name: lost, partitions: 1}]
                producers: [{topic: lost, engine: %s, rate: 500/s, record: {size: 100}}]
                warmup: none
                duration: 4s
                faults: [{at: 2s, kill: 1, restartAfter: 500ms}]
                """.formatted(engine), "test.yaml", List.of(), 1), out),
                        Progress.NONE)
                .execute());

        long killed = events.stream()
                .filter(e -> e instanceof FaultMark mark && mark.state() == FaultState.IN_EFFECT)
                .mapToLong(e -> ((FaultMark) e).atNanos())
                .findFirst()
                .orElseThrow();
        assertThat(incidents(events))
                .filteredOn(i -> i.kind() == Kind.DISCONNECT && i.where().equals("broker 1"))
                .anySatisfy(i -> {
                    assertThat(i.fromNanos()).isBetween(killed - 200 * MILLI, killed + 200 * MILLI);
                    assertThat(i.toNanos()).isGreaterThanOrEqualTo(killed - 200 * MILLI);
                });
    }

    /** Clients close their connections at the end. */
    @Test
    void reportsNoLostConnectionOfHealthyTrial() {
        List<TimelineEvent> events = events(
                new Run(Runs.request("""
                        name: healthy
                        topics: [{name: healthy, partitions: 1}]
                        producers: [{topic: healthy, rate: 500/s, record: {size: 100}}]
                        consumers: [{topic: healthy}]
                        warmup: none
                        duration: 4s
                        """, SharedLab.oneBroker().bootstrapServers(), out), Progress.NONE).execute());
        assertThat(incidents(events)).noneMatch(i -> i.kind() == Kind.DISCONNECT);
    }

    private static List<TimelineEvent> events(Run.Finished finished) {
        try (RunDirectory run = RunDirectory.open(finished.directory());
                var timeline = run.readTimeline()) {
            return timeline.toList();
        }
    }

    private static List<Incident> incidents(List<TimelineEvent> events) {
        return events.stream()
                .filter(TimelineEvent.Incidents.class::isInstance)
                .flatMap(e -> ((TimelineEvent.Incidents) e).incidents().stream())
                .toList();
    }
}
