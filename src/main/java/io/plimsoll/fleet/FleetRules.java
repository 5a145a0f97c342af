package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.Map;

/**
 * Required labels of producer and consumer hosts (empty for any), and whether a trial continues without a lost agent
 * (null for the setting of the scenario).
 */
public record FleetRules(Map<String, String> producersOn, Map<String, String> consumersOn, Boolean goOn) {
    public FleetRules {
        producersOn = Map.copyOf(producersOn);
        consumersOn = Map.copyOf(consumersOn);
    }

    /** A note about a trial that starts after an agent was lost; fails if the run requires all agents. */
    Sentence without(RemoteAgent lost, Scenario scenario) {
        Sentence what = Sentence.of("fleet.lostBefore", lost, lost.howLost());
        if (!goesOn(scenario)) {
            throw new PlimsollException(Exit.INVALID_MEASUREMENT, what);
        }
        return what;
    }

    boolean goesOn(Scenario scenario) {
        return goOn == null ? scenario.fleet().goesOn() : goOn;
    }
}
