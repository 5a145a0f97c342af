package io.plimsoll.run.fleet;

import io.plimsoll.scenario.Scenario;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Required labels of producer and consumer hosts (empty for any host), and whether a trial continues without a lost
 * agent (null to use the scenario's setting).
 */
public record FleetRules(
        Map<String, String> producersOn,
        Map<String, String> consumersOn,
        @Nullable Boolean goOn) {
    public FleetRules {
        producersOn = Map.copyOf(producersOn);
        consumersOn = Map.copyOf(consumersOn);
    }

    public boolean continues(Scenario scenario) {
        return goOn == null ? scenario.fleet().continues() : goOn;
    }
}
