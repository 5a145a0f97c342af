package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Fold;
import io.plimsoll.result.Limits;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.RecordedRuns;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An injected fault is named before its consequences. */
class FaultRulesTest {
    @TempDir
    Path directory;

    @Test
    void namesInjectedFaultFirst() throws IOException {
        TrialResult trial = Fold.of(RecordedRuns.open("faults", directory.resolve("faults")))
                .trials()
                .get(0);
        Limits.Suspect first = Diagnosis.of(trial).first();
        assertThat(first.limit().key()).isEqualTo("diagnose.cause.fault");
        assertThat(trial.detail().faults())
                .extracting(f -> f.deed().what().english())
                .contains(first.where().english());
        assertThat(first.sentence().key()).isEqualTo("diagnose.says.fault");
        assertThat(first.sentence().english()).contains(first.where().english());
    }

    @Test
    void namesNoFaultIfNoneWasInjected() throws IOException {
        TrialResult trial = Fold.of(RecordedRuns.open("quick", directory.resolve("quick")))
                .trials()
                .get(0);
        assertThat(Diagnosis.of(trial).causes()).noneMatch(s -> s.limit().key().equals("diagnose.cause.fault"));
    }
}
