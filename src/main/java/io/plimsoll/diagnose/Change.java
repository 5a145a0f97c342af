package io.plimsoll.diagnose;

import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.List;

/**
 * A scenario that differs from a given one in a single factor.
 *
 * @param factor such as {@code acks}
 * @param change such as {@code acks all → 1}
 * @param limits names of the causes that it removes or reduces
 */
public record Change(Sentence factor, Sentence change, List<String> limits, Scenario scenario) {}
