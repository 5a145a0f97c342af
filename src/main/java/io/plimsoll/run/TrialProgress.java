package io.plimsoll.run;

import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.result.Progress;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Warmup;

/** Reports the progress of a trial. Confined to one thread. */
final class TrialProgress {
    private static final String UNTIL_STEADY = "warm-up until steady";

    private final String trial;
    private final Scenario scenario;
    private final Progress progress;
    private long sentSoFar;

    TrialProgress(String trial, Scenario scenario, Progress progress) {
        this.trial = trial;
        this.scenario = scenario;
        this.progress = progress;
    }

    /** Reports the start immediately: the first snapshot comes a second later. */
    void begin() {
        Warmup warmup = scenario.effectiveWarmup();
        if (warmup.steady()) {
            progress.phase(trial, UNTIL_STEADY, -1, -1);
        } else if (!warmup.atMost().isZero()) {
            progress.phase(trial, "warm-up", 0, warmup.atMost().toNanos() / 1e9);
        } else {
            progress.phase(trial, "measuring", scenario.boundByRecords() ? -1 : 0, -1);
        }
    }

    /** @param end of the warm-up, if known */
    void accept(Snapshot snapshot, WarmupEnd end) {
        double at = snapshot.toNanos() / 1e9;
        double warmup = end.nanos() / 1e9;
        double planned = scenario.window().toNanos() / 1e9;
        switch (snapshot.phase()) {
            case WARMUP -> {
                if (end.known()) {
                    of("warm-up", at, warmup);
                } else {
                    progress.phase(trial, UNTIL_STEADY, -1, -1);
                }
            }
            case MEASURE -> {
                if (!scenario.boundByRecords()) {
                    of("measuring", at - warmup, planned);
                } else {
                    sentSoFar += snapshot.measured().get(Produced.ACKNOWLEDGED);
                    double asked = scenario.producers().stream()
                            .mapToLong(p -> p.records().orElse(0))
                            .sum();
                    double done = asked > 0 ? Math.min(1, sentSoFar / asked) : -1;
                    progress.phase(trial, "measuring", done, done > 0 ? (at - warmup) * (1 / done - 1) : -1);
                }
            }
            case DRAIN -> progress.phase(trial, "draining", -1, -1);
        }
    }

    /** The last snapshot of a phase can extend beyond its end. */
    private void of(String phase, double seconds, double planned) {
        progress.phase(trial, phase, Math.min(1, seconds / planned), Math.max(0, planned - seconds));
    }
}
