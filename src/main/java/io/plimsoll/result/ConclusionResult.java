package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
import io.plimsoll.scenario.Reference;
import io.plimsoll.text.Sentence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A conclusion of a published report, and whether it holds in this run.
 *
 * @param text the sentence as published
 * @param holds true if all its checks hold, false if one does not, null if undecided
 * @param checks empty if no trial of the run can decide it
 */
public record ConclusionResult(
        Sentence text,
        @Nullable Boolean holds,
        @JsonSetter(nulls = AS_EMPTY) List<CrossCheckResult> checks) {

    static ConclusionResult of(Reference.Conclusion conclusion, List<TrialResult> trials) {
        List<CrossCheckResult> checks = conclusion.checks().stream()
                .map(c -> CrossCheckResult.ofConclusion(c, trials))
                .toList();
        boolean fails = checks.stream().anyMatch(c -> Boolean.FALSE.equals(c.holds()));
        boolean open = checks.isEmpty() || checks.stream().anyMatch(c -> c.holds() == null);
        return new ConclusionResult(conclusion.text(), fails ? Boolean.FALSE : open ? null : Boolean.TRUE, checks);
    }
}
