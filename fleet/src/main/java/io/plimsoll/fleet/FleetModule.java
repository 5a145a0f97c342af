package io.plimsoll.fleet;

import io.plimsoll.run.fleet.FleetSupport;

/** The service of this module. Stateless. */
public final class FleetModule implements FleetSupport {
    @Override
    public Agents find(Wanted wanted) {
        return Fleet.find(wanted);
    }
}
