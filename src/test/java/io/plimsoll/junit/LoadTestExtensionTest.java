package io.plimsoll.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.result.RunResult.Verdict;
import io.plimsoll.text.Sentence;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** The result of a load test equals the verdict of its run. */
class LoadTestExtensionTest {
    private static Verdict verdict(boolean passed) {
        return new Verdict(passed, Sentence.verbatim("Lost 3 of 2,000 records."), List.of());
    }

    @Test
    void failsWithVerdictSentence() {
        assertThatThrownBy(() -> LoadTestExtension.demandPassed(verdict(false)))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessage("Lost 3 of 2,000 records.");
    }

    @Test
    void passesIfRunPassed() {
        assertThatCode(() -> LoadTestExtension.demandPassed(verdict(true))).doesNotThrowAnyException();
    }

    @Test
    void emptyPropertyNamesNoCluster() {
        assertThat(LoadTestExtension.named("kafka1:9092")).contains("kafka1:9092");
        assertThat(LoadTestExtension.named(null)).isEmpty();
        assertThat(LoadTestExtension.named("")).isEmpty();
        assertThat(LoadTestExtension.named(" ")).isEmpty();
    }
}
