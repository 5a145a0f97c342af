package io.plimsoll.lab;

import io.plimsoll.lab.LabNodes.Ports;
import java.util.Set;

/** Lets tests outside of this package choose a port like a lab. */
public final class FreePort {
    private FreePort() {}

    /** A free loopback port, outside of the range for outgoing connections. */
    public static int outsideOfTheSystems() {
        return Ports.free(1, Set.of()).get(0);
    }
}
