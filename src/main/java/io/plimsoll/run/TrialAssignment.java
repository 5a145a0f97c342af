package io.plimsoll.run;

import io.plimsoll.engine.EndToEndSource;
import io.plimsoll.engine.EngineContext;
import io.plimsoll.scenario.Scenario;

/**
 * A trial as a worker gets it.
 *
 * @param endToEnd what end-to-end latency is measured from
 */
public record TrialAssignment(String trial, Scenario scenario, EngineContext context, EndToEndSource endToEnd) {}
