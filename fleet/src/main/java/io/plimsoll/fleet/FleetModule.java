package io.plimsoll.fleet;

import io.plimsoll.run.fleet.FleetSupport;

/** Provides the fleet to the core as a service. Stateless. */
public final class FleetModule implements FleetSupport {
    @Override
    public Agents find(Wanted wanted) {
        return Fleet.find(wanted);
    }
}
