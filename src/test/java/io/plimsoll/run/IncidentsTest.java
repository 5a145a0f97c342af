package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.broker.BrokerFlight;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentWatch;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of a lab's brokers are found where and when they happened. */
@Tag("nightly")
class IncidentsTest {
    private static final long MILLI = 1_000_000;

    @TempDir
    Path out;

    /** The fault is the witness of the pause: its marks enclose the stop, and follow the end. */
    @Test
    void timelineShowsPauseAndRolledSegments() {
        Run.Finished finished = new Run(
                        Runs.request(ScenarioReader.read("""
                name: events
                topics: [{name: events, partitions: 1, config: {segment.bytes: 1048576}}]
                producers: [{topic: events, rate: 400/s, record: {size: 4KB}}]
                warmup: none
                duration: 6s
                faults: [{at: 3s, pause: leader of events-0, for: 400ms}]
                """, "test.yaml", List.of(), 1), out), Progress.NONE)
                .execute();

        List<TimelineEvent> events;
        try (RunDirectory run = RunDirectory.open(finished.directory());
                var timeline = run.readTimeline()) {
            events = timeline.toList();
        }
        List<Incident> found = events.stream()
                .filter(TimelineEvent.Incidents.class::isInstance)
                .flatMap(e -> ((TimelineEvent.Incidents) e).incidents().stream())
                .toList();
        assertThat(found)
                .filteredOn(i -> i.kind() == Kind.LOG_ROLL && "events-0".equals(i.detail()))
                .hasSizeGreaterThanOrEqualTo(5)
                .allMatch(i -> i.where().equals("broker 1"));
        List<Incident> pauses = found.stream()
                .filter(i -> i.kind() == Kind.PROCESS_PAUSE && i.where().equals("broker 1"))
                .toList();
        assertThat(pauses).hasSize(1);
        Incident pause = pauses.get(0);
        long slack = pause.errorNanos() + 50 * MILLI;
        assertThat(pause.fromNanos())
                .isBetween(at(events, FaultState.ASKED) - slack, at(events, FaultState.IN_EFFECT) + slack);
        assertThat(pause.toNanos())
                .isBetween(at(events, FaultState.IN_EFFECT) + 400 * MILLI - slack, at(events, FaultState.OVER) + slack);
    }

    private static long at(List<TimelineEvent> events, FaultState state) {
        return events.stream()
                .filter(e -> e instanceof FaultMark mark && mark.state() == state)
                .mapToLong(e -> ((FaultMark) e).atNanos())
                .findFirst()
                .orElseThrow();
    }

    /** A heap dump stops all threads of the broker; the request for it encloses the stop. */
    @Test
    void recordingShowsSafepointOfBroker() throws Exception {
        try (Lab lab = Lab.start(LabOptions.ephemeral(1).withHeapMegabytes(256).withFlight())) {
            LabBroker broker = lab.brokers().get(0);
            List<Incident> found = new CopyOnWriteArrayList<>();
            IncidentSink sink = new IncidentSink(0);
            IncidentWatch watch = new IncidentWatch(
                    sink, List.of(new BrokerFlight(1, broker.directory(), broker::pid)), found::addAll);
            // The recording starts beside the broker.
            TimeUnit.SECONDS.sleep(5);
            long before = System.nanoTime();
            Process dump = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            String.valueOf(broker.pid()),
                            "GC.heap_dump",
                            out.resolve("dump").toString())
                    .redirectErrorStream(true)
                    .start();
            assertThat(dump.waitFor()).isZero();
            long after = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(BrokerFlight.LATENCY.toNanos());
            watch.end();
            assertThat(found)
                    .filteredOn(i -> i.kind() == Kind.SAFEPOINT && "HeapDumper".equals(i.detail()))
                    .singleElement()
                    .satisfies(stop -> {
                        assertThat(stop.where()).isEqualTo("broker 1");
                        assertThat(stop.fromNanos()).isGreaterThan(before - 10 * MILLI);
                        assertThat(stop.toNanos()).isLessThan(after + 10 * MILLI);
                    });
        }
    }
}
