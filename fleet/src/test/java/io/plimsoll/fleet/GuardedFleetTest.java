package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Produced;
import io.plimsoll.result.GuardResult;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A harmful fleet load on a real cluster is halved on every agent and continues at that rate. */
@Tag("nightly")
@ResourceLock(SharedFleet.LOCK)
class GuardedFleetTest {
    private static final int RATE = 400;

    @TempDir
    Path out;

    /** The broker stalls repeatedly above three quarters of the load. */
    @Test
    @Timeout(180)
    void bothAgentsContinueAtHalfTheRate() {
        try (Lab lab = SharedLab.ownForeign(1);
                Fleet fleet = SharedFleet.find(SharedFleet.anywhere(), "guarded")) {
            RunRequest request = Runs.request("""
                    name: guarded
                    topics: [{name: mine, partitions: 2}]
                    producers: [{topic: mine, rate: 400/s, clients: 2}]
                    guards: ["probe.p99 < 600ms"]
                    warmup: 2s
                    duration: 25s
                    """, lab.bootstrapServers(), out).with(draft -> {
                draft.limits = LoadLimits.DEFAULT.with(Consent.GIVEN);
                draft.workers = fleet;
            });
            fleet.claim();
            RunResult held = SharedFleet.result(new Run(request, Runs.hearing(s -> {
                        if (s.measured().get(Produced.DUE) > RATE * 3 / 4) {
                            standStill(lab);
                        }
                    }))
                    .execute());
            assertThat(held.head().exitCode()).isEqualTo(3);
            assertThat(held.verdict().sentence().english())
                    .containsPattern(Said.en("guards.heldBack", "probe", null, "1/2"));
            TrialResult trial = held.trials().get(0);
            GuardResult probe = trial.observed().guards().stream()
                    .filter(g -> g.guard().equals("probe"))
                    .findFirst()
                    .orElseThrow();
            assertThat(probe.stoppedSeconds()).isNull();
            assertThat(trial.course().complete()).isTrue();
            assertThat(trial.observed().workers()).hasSize(2);
            double from = probe.halvedSeconds() + 4;
            assertThat(trial.detail().seconds().stream()
                            .filter(s -> s.at() > from && s.phase().equals("measure"))
                            .skip(1)
                            .map(s -> s.rates().offered()))
                    .hasSizeGreaterThan(3)
                    .allSatisfy(rate -> assertThat(rate).isBetween(0.4 * RATE, 0.6 * RATE));
        }
    }

    private static void standStill(Lab lab) {
        lab.pause(1);
        try {
            new CountDownLatch(1).await(1200, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lab.resume(1);
    }
}
