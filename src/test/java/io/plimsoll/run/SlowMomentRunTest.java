package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.SlowBatch.Stage;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A paused broker is the cause of one slow moment, found when, where and in the stage in which it happened. */
@Tag("nightly")
class SlowMomentRunTest {
    private static final double NEAR = 0.1;

    @TempDir
    Path out;

    /** The marks of the fault are the witness; both engines send through the paused broker. */
    @Test
    void brokerPauseIsOneMomentWithCause() {
        Run.Finished finished = new Run(
                        Runs.request(ScenarioReader.read("""
                name: stalled
                lab: {brokers: 2}
                topics: [{name: stalled, partitions: 1, replication: 1}]
                producers:
                  - {topic: stalled, rate: 200/s, record: {size: 100}}
                  - {topic: stalled, rate: 200/s, record: {size: 100}, engine: raw}
                warmup: none
                duration: 5s
                faults: [{at: 3s, pause: leader of stalled-0, for: 400ms}]
                """, "test.yaml", List.of(), 1), out), Progress.NONE)
                .execute();
        FaultMark begin = mark(finished, FaultState.IN_EFFECT);
        double from = begin.atNanos() / 1e9;
        double to = mark(finished, FaultState.OVER).atNanos() / 1e9;
        int broker = begin.deed().broker();
        List<SlowMoment> moments = finished.result().trials().get(0).detail().slowMoments();

        // A busy host stalls records at other times, too.
        List<SlowMoment> then = moments.stream()
                .filter(m -> m.fromSeconds() < to && m.toSeconds() > from && m.worstMicros() > 300_000)
                .toList();
        assertThat(then).as(moments::toString).singleElement().satisfies(m -> {
            assertThat(m.fromSeconds()).isCloseTo(from, within(NEAR));
            assertThat(m.toSeconds()).isCloseTo(to, within(NEAR));
            assertThat(m.brokers()).containsExactly(broker);
            // The requests can be anywhere in the broker when it stops.
            assertThat(EnumSet.range(Stage.REQUEST, Stage.NETWORK))
                    .extracting(Stage::word)
                    .contains(m.stage());
            assertThat(m.of()).hasSize(2);
            assertThat(m.causes().get(0).where()).isEqualTo("broker " + broker);
            assertThat(m.causes().get(0).event()).isIn(Incident.Kind.PROCESS_PAUSE.word(), Incident.Kind.FAULT.word());
        });
    }

    /** The broker's own figures of a second show replication too; only the request log has the time of each request. */
    @Test
    void requestLogShowsWaitForPausedFollower() {
        RunRequest request = Runs.request(ScenarioReader.read("""
                name: behind
                lab: {brokers: 2}
                topics: [{name: behind, partitions: 1, replication: 2, brokers: 2, config: {min.insync.replicas: 1}}]
                producers:
                  - {topic: behind, rate: 200/s, record: {size: 100}}
                  - {topic: behind, rate: 200/s, record: {size: 100}, engine: raw}
                warmup: none
                duration: 5s
                faults: [{at: 3s, pause: 2, for: 600ms}]
                """, "test.yaml", List.of(), 1), out)
                .with(draft -> draft.observe = RunRequest.ObserveLevel.REQUESTS);
        Run.Finished finished = new Run(request, Progress.NONE).execute();
        double from = mark(finished, FaultState.IN_EFFECT).atNanos() / 1e9;
        double to = mark(finished, FaultState.OVER).atNanos() / 1e9;
        List<SlowMoment> moments = finished.result().trials().get(0).detail().slowMoments();
        assertThat(moments.stream()
                        .filter(m -> m.fromSeconds() < to && m.toSeconds() > from && m.worstMicros() > 500_000)
                        .toList())
                .as(moments::toString)
                .singleElement()
                .satisfies(m -> {
                    assertThat(m.stage()).isEqualTo(Stage.REPLICATION.word());
                    assertThat(m.brokers()).containsExactly(1);
                    assertThat(m.causes().get(0).where()).isEqualTo("broker 2");
                    assertThat(m.worst())
                            .anyMatch(batch -> batch.stages().getOrDefault(Stage.REPLICATION, 0L) > 400_000_000);
                });
    }

    private static FaultMark mark(Run.Finished finished, FaultState state) {
        try (RunDirectory run = RunDirectory.open(finished.directory());
                Stream<?> timeline = run.readTimeline()) {
            return timeline.filter(FaultMark.class::isInstance)
                    .map(FaultMark.class::cast)
                    .filter(mark -> mark.state() == state)
                    .findFirst()
                    .orElseThrow();
        }
    }
}
