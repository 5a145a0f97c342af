package io.plimsoll.fleet;

import java.util.Map;

/**
 * What a run wants of its fleet.
 *
 * @param producersOn labels that a host of producers has; empty: any host
 * @param consumersOn labels that a host of consumers has; empty: any host
 * @param goOn whether a trial goes on with the rest when an agent is lost
 */
public record FleetRules(Map<String, String> producersOn, Map<String, String> consumersOn, boolean goOn) {
    public FleetRules {
        producersOn = Map.copyOf(producersOn);
        consumersOn = Map.copyOf(consumersOn);
    }
}
