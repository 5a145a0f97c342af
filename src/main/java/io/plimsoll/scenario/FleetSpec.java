package io.plimsoll.scenario;

/**
 * The wishes of a scenario about the agents that make its load; of no meaning where one process makes it.
 *
 * @param goesOn whether a trial goes on with the rest when an agent is lost, instead of ending
 * @param apart no agent both produces and consumes
 */
public record FleetSpec(boolean goesOn, boolean apart) {
    public static final FleetSpec DEFAULT = new FleetSpec(false, false);
}
