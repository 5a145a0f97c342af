package io.plimsoll.diagnose;

import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioKeys;
import io.plimsoll.text.Sentence;
import java.util.function.BiFunction;

/**
 * A single factor of a load that can be changed to see whether the limit moves. Quotas and broker settings are never
 * changed.
 *
 * @param factor such as {@code acks}
 * @param change changes a load, given the suspected place, which may be null; null if not applicable
 */
record Perturbation(Sentence factor, BiFunction<ProbedLoad, Sentence, Changed> change) {

    /** @param change such as {@code acks all → 1} */
    record Changed(Sentence change, Scenario scenario) {
        /** The trial runs to its end, regardless of its checks. */
        static Changed of(Sentence change, Scenario other) {
            return new Changed(change, other.with(ScenarioKeys.ABORT_ON_FAIL, false));
        }
    }
}
