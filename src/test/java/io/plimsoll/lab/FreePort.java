package io.plimsoll.lab;

import io.plimsoll.lab.LabNodes.Ports;
import java.util.Set;

/** Lets tests outside of this package choose a port as a lab does. */
public final class FreePort {
    private FreePort() {}

    /** One on loopback that is free now, and that no outgoing connection is given by the system. */
    public static int outsideOfTheSystems() {
        return Ports.free(1, Set.of()).get(0);
    }
}
