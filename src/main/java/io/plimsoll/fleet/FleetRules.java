package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.Map;

/**
 * The demands of a run on its fleet.
 *
 * @param producersOn labels that a host of producers has; empty: any host
 * @param consumersOn labels that a host of consumers has; empty: any host
 * @param goOn whether a trial goes on with the rest when an agent is lost; null: as its scenario says
 */
public record FleetRules(Map<String, String> producersOn, Map<String, String> consumersOn, Boolean goOn) {
    public FleetRules {
        producersOn = Map.copyOf(producersOn);
        consumersOn = Map.copyOf(consumersOn);
    }

    /**
     * A trial begins without an agent that was lost before.
     *
     * @return what is to be said of it
     * @throws PlimsollException {@link Exit#INVALID_MEASUREMENT} if the run is to have all of its agents
     */
    Sentence without(RemoteAgent lost, Scenario scenario) {
        Sentence what = Sentence.of("fleet.lostBefore", lost, lost.howLost());
        if (!goesOn(scenario)) {
            throw new PlimsollException(Exit.INVALID_MEASUREMENT, what);
        }
        return what;
    }

    /** Whether a trial of this scenario goes on. */
    boolean goesOn(Scenario scenario) {
        return goOn == null ? scenario.fleet().goesOn() : goOn;
    }
}
