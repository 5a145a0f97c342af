package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.FaultResult;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Faults while two agents generate load: of brokers by the coordinator, of members on their agents. */
@Tag("nightly")
@ResourceLock(SharedFleet.LOCK)
class FleetFaultsTest {
    @TempDir
    Path out;

    private TrialResult run(String yaml) {
        RunRequest request = Runs.request(ScenarioReader.read(yaml, "test.yaml", List.of(), 1), out)
                .with(draft -> {
                    draft.brokers = OptionalInt.of(1);
                    draft.allowExec = true;
                });
        try (Fleet fleet = SharedFleet.find(SharedFleet.anywhere(), "faults")) {
            RunRequest ours = request.with(draft -> draft.workers = fleet);
            fleet.check(ours);
            fleet.claim();
            return SharedFleet.result(new Run(ours, Progress.NONE).execute())
                    .trials()
                    .get(0);
        }
    }

    @Test
    void outageCoversLoadOfAllAgents() {
        TrialResult trial = run("""
            name: outage
            topics: [{name: t, partitions: 4}]
            producers: [{topic: t, clients: 4, rate: 800/s, record: {size: 100, key: sequential}}]
            duration: 14s
            warmup: 0s
            audit: true
            faults: [{at: 4s, pause: 1, for: 3s}]
            """);
        assertThat(trial.observed().workers())
                .hasSize(2)
                .allSatisfy(w -> assertThat(w.flow().records()).isPositive());
        FaultResult fault = trial.detail().faults().get(0);
        assertThat(fault.deed().outcome()).as("%s", fault.deed().detail()).isEqualTo("over");
        // The only broker was paused for 3 s.
        assertThat(fault.effect().longestGapSeconds()).isBetween(2.8, 6.0);
        assertThat(fault.silenced().partitions()).as(fault.toString()).isEqualTo(4);
        assertThat(fault.silenced().longestSeconds())
                .isGreaterThanOrEqualTo(fault.effect().longestGapSeconds() - 0.05);
        assertThat(trial.produce().volume().records()).isEqualTo(14 * 800);
        assertThat(trial.audit().counts().lost()).isZero();
    }

    @Test
    void killsMemberOnItsAgentAndCountsRereadRecords() {
        TrialResult trial = run("""
            name: member
            topics: [{name: t, partitions: 4}]
            producers: [{topic: t, clients: 2, rate: 800/s, record: {size: 100, key: sequential}}]
            consumers: [{topic: t, members: 4, config: {session.timeout.ms: 6000}}]
            duration: 16s
            warmup: 0s
            audit: true
            faults:
              - {at: 3s, killMember: any, restartAfter: 2s}
              - {at: 4s, pauseMember: any, for: 1s}
            """);
        assertThat(trial.detail().faults()).allSatisfy(fault -> {
            assertThat(fault.deed().outcome()).as("%s", fault.deed().detail()).isEqualTo("over");
            assertThat(fault.deed().what().english()).contains(" on agent ");
        });
        long produced = trial.detail().partitions().stream()
                .mapToLong(p -> p.produced())
                .sum();
        long consumed = trial.detail().partitions().stream()
                .mapToLong(p -> p.consumed())
                .sum();
        assertThat(produced).isEqualTo(16 * 800);
        assertThat(trial.consume().groups().get(0).rebalances()).isPositive();
        assertThat(trial.audit().groups()).singleElement().satisfies(group -> {
            // First and repeated deliveries to any member.
            assertThat(group.processedTwice()).isEqualTo(consumed - produced);
            assertThat(group.skipped()).isZero();
        });
    }
}
