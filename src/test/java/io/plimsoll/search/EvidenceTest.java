package io.plimsoll.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.search.GoalSearch.Evidence;
import io.plimsoll.search.GoalSearch.Evidence.Standing;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A load is classified by trials that agree, and contested if they do not. */
class EvidenceTest {

    /** Lowercase letters are short trials, capitals full ones; p passes, f fails. */
    @ParameterizedTest
    @CsvSource({
        "p, OPEN, LOWER",
        "f, OPEN, UPPER",
        "pf, OPEN, UPPER",
        "pP, OPEN, LOWER",
        "fP, OPEN, LOWER",
        "pPP, LOWER, LOWER",
        "fFF, UPPER, UPPER",
        "PP, LOWER, LOWER",
        "fPP, OPEN, LOWER",
        "fPPP, LOWER, LOWER",
        "pFF, OPEN, UPPER",
        "pFFF, UPPER, UPPER",
        "PF, OPEN, UPPER",
        "PFP, OPEN, LOWER",
        "PFPPP, LOWER, LOWER",
        "PFFFF, UPPER, UPPER",
        "PFPFP, CONTESTED, CONTESTED",
        "PFPFF, CONTESTED, CONTESTED"
    })
    void isClassifiedByAgreeingFullTrials(String trials, Standing classified, Standing leaning) {
        Evidence evidence = new Evidence(10);
        trials.chars()
                .forEach(c -> evidence.add(Character.isUpperCase(c) ? 10 : 5, Character.toLowerCase(c) == 'p', false));
        assertThat(evidence.classified()).isEqualTo(classified);
        assertThat(evidence.leaning()).isEqualTo(leaning);
        assertThat(evidence.fullTrialsLeft() == 0).isEqualTo(classified != Standing.OPEN);
    }

    @ParameterizedTest
    @CsvSource({"0, 2, true", "1, 1, true", "2, 1, false", "0, 0, false"})
    void blamesGeneratorIfItCausedHalfTheFailures(int others, int itsOwn, boolean limited) {
        Evidence evidence = new Evidence(10);
        for (int i = 0; i < others; i++) {
            evidence.add(10, false, false);
        }
        for (int i = 0; i < itsOwn; i++) {
            evidence.add(10, false, true);
        }
        assertThat(evidence.generatorLimited()).isEqualTo(limited);
    }
}
