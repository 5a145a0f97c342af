package io.plimsoll.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.compare.ComparedRun.TrialEstimates;
import io.plimsoll.result.Fold;
import io.plimsoll.result.TimelineEvent.Measured;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of many trials are compared within the available memory. */
class TrialEstimatesTest {
    /** A histogram takes 150 kB of memory, and a comparison may cover a thousand pairs. */
    @Test
    void keepsNoPerSecondHistograms() throws InterruptedException {
        List<WeakReference<Latencies>> seen = new ArrayList<>();
        Fold fold = new Fold();
        fold.accept(Timelines.runStarted("many"));
        fold.accept(Timelines.trialStarted("many", Timelines.plan(true)));
        for (int s = 0; s < 40; s++) {
            fold.accept(new Measured(second(s, Timelines.spread(20, 1000 + s, 9000))));
        }
        fold.accept(Timelines.trialEnded("many", 40, 800, 0));
        TrialEstimates estimates = new TrialEstimates(fold.trial("many"));
        for (int s = 0; s < 40; s++) {
            Latencies response = Timelines.spreadOf(20, 1000 + s, 9000);
            seen.add(new WeakReference<>(response));
            estimates.accept(second(s, response));
        }
        for (int i = 0; i < 200 && seen.stream().anyMatch(r -> r.get() != null); i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(seen).allMatch(r -> r.get() == null);
        assertThat(estimates.estimate("produce.response.p50", 5000)).isPresent();
    }

    /** The seconds of a result have records and the figure has bytes; both must vary by the same share. */
    @Test
    void estimatesStallsWithoutTimeline() {
        Fold fold = new Fold();
        fold.accept(Timelines.runStarted("stalls"));
        fold.accept(Timelines.trialStarted("stalls", Timelines.plan(true)));
        for (int s = 0; s < 40; s++) {
            long records = s % 4 == 1 ? 0 : 20;
            fold.accept(new Measured(new Second(records, Timelines.spread(records, 1000, 9000))
                    .snapshot("stalls", s, Phase.MEASURE, Timelines.plan(true))));
        }
        fold.accept(Timelines.trialEnded("stalls", 40, 600, 0));
        TrialEstimates estimates = new TrialEstimates(fold.trial("stalls"));
        double bytes = 15.0 * Timelines.RECORD_BYTES;
        for (String figure : List.of("produce.throughput", "consume.throughput")) {
            assertThat(estimates.estimate(figure, bytes).orElseThrow().low())
                    .as(figure)
                    .isBetween(0.5 * bytes, 0.95 * bytes);
        }
    }

    private static Snapshot second(int number, Latencies response) {
        return new Second(20, response).snapshot("many", number, Phase.MEASURE, Timelines.plan(true));
    }
}
