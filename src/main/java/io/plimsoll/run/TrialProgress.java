package io.plimsoll.run;

import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.pace.WarmupEnd;
import io.plimsoll.result.Progress;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Warmup;

/** Tells whoever watches how far a trial is. Used by one thread. */
final class TrialProgress {
    private static final String UNTIL_STEADY = "warm-up until steady";

    private final Plan.Trial trial;
    private final Progress progress;
    private long sentSoFar;

    TrialProgress(Plan.Trial trial, Progress progress) {
        this.trial = trial;
        this.progress = progress;
    }

    /** The first snapshot comes a second later, and until then it would look as if the trial were being prepared. */
    void begin() {
        Scenario scenario = trial.scenario();
        Warmup warmup = scenario.effectiveWarmup();
        if (warmup.steady()) {
            progress.phase(trial.name(), UNTIL_STEADY, -1, -1);
        } else if (!warmup.atMost().isZero()) {
            progress.phase(trial.name(), "warm-up", 0, warmup.atMost().toNanos() / 1e9);
        } else {
            progress.phase(trial.name(), "measuring", scenario.boundByRecords() ? -1 : 0, -1);
        }
    }

    /** @param end of the warm-up, as far as it is known */
    void accept(Snapshot snapshot, WarmupEnd end) {
        Scenario scenario = trial.scenario();
        double at = snapshot.toNanos() / 1e9;
        double warmup = end.nanos() / 1e9;
        double planned = scenario.window().toNanos() / 1e9;
        switch (snapshot.phase()) {
            case WARMUP -> {
                if (end.known()) {
                    progress.phase(trial.name(), "warm-up", at / warmup, warmup - at);
                } else {
                    progress.phase(trial.name(), UNTIL_STEADY, -1, -1);
                }
            }
            case MEASURE -> {
                if (!scenario.boundByRecords()) {
                    progress.phase(trial.name(), "measuring", (at - warmup) / planned, warmup + planned - at);
                } else {
                    sentSoFar += snapshot.measured().get(Produced.ACKNOWLEDGED);
                    double asked = scenario.producers().stream()
                            .mapToLong(p -> p.records().orElse(0))
                            .sum();
                    double done = asked > 0 ? Math.min(1, sentSoFar / asked) : -1;
                    progress.phase(trial.name(), "measuring", done, done > 0 ? (at - warmup) * (1 / done - 1) : -1);
                }
            }
            case DRAIN -> progress.phase(trial.name(), "draining", -1, -1);
        }
    }
}
