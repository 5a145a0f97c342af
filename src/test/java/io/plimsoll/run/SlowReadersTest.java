package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.measure.SlowBatch.Stage;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that were read late have moments with the stage, the group and the cause. */
@Order(1)
class SlowReadersTest {
    private static final double SLACK_SECONDS = 0.3;

    @TempDir
    Path out;

    /**
     * The marks of the faults are the witness. The pauses are short beside the run, so that they do not raise its
     * median, and far longer than five times the median of a busy host.
     */
    @Test
    void distinguishesPausedConsumerFromPausedBroker() {
        RunResult result = Runs.run(Runs.request(ScenarioReader.read("""
                name: readers
                topics: [{name: reads, partitions: 2}]
                producers: [{topic: reads, rate: 400/s, record: {size: 200B}}]
                consumers:
                  - {topic: reads}
                  - {topic: reads, engine: raw}
                warmup: 1s
                duration: 26s
                faults:
                  - {at: 3s, pauseMember: "consumers[0]", for: 3s}
                  - {at: 14s, pause: leader of reads-0, for: 3s}
                """, "test.yaml", List.of(), 1), out));
        TrialResult trial = result.trials().get(0);
        List<String> groups = trial.consume().groups().stream()
                .map(TrialResult.Group::id)
                .sorted()
                .toList();

        SlowMoment member = during(trial, "pauseMember", Stage.POLL, groups.get(0));
        assertThat(member.of()).containsExactly(groups.get(0));
        assertThat(member.causes().get(0).event()).isEqualTo(Kind.CONSUMER_PAUSE.word());
        assertThat(member.causes().get(0).where()).isEqualTo("group " + groups.get(0));

        SlowMoment broker = during(trial, "pause", Stage.FETCH, groups.get(1));
        // On a busy host, the client of the other group also polls late.
        assertThat(groups).containsAll(broker.of());
        assertThat(broker.brokers()).containsExactly(1);
        assertThat(broker.causes().get(0).event()).isIn(Kind.PROCESS_PAUSE.word(), Kind.FAULT.word());
        assertThat(broker.causes().get(0).where()).isEqualTo("broker 1");
    }

    private static SlowMoment during(TrialResult trial, String action, Stage stage, String group) {
        FaultResult.Span span = trial.detail().faults().stream()
                .filter(f -> f.deed().action().equals(action))
                .findFirst()
                .orElseThrow()
                .span();
        List<SlowMoment> found = trial.detail().slowMoments().stream()
                .filter(m -> m.stage().equals(stage.word()) && m.of().contains(group))
                .filter(m -> m.fromSeconds() < span.over() && m.toSeconds() > span.inEffect())
                .toList();
        // On a busy host, other records may be slow at the same time, for a shorter time.
        assertThat(found)
                .as("%s %s", trial.consume().times(), trial.detail().slowMoments())
                .isNotEmpty();
        SlowMoment moment = found.get(0);
        // Records that a busy machine had not read before the fault waited longer, and it recovers later.
        assertThat(moment.fromSeconds()).isLessThan(span.inEffect() + SLACK_SECONDS);
        assertThat(moment.toSeconds()).isGreaterThan(span.over() - SLACK_SECONDS);
        assertThat(moment.worst().get(0).stages().get(stage) / 1e9)
                .isGreaterThan(span.over() - span.inEffect() - SLACK_SECONDS);
        return moment;
    }
}
