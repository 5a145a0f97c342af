package io.plimsoll.diagnose;

import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioKeys;
import io.plimsoll.text.Sentence;
import java.util.function.BiFunction;

/**
 * A factor of a load that can be changed alone, to see whether a limit moves. A quota is not ours to touch, nor are
 * settings of brokers.
 *
 * @param factor such as {@code acks}
 * @param change of a load, and where the limit is suspected, which may be null; null where it makes no sense
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
