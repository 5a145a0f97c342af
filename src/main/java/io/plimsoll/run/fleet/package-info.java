/** The interface between runs and a fleet. The fleet itself is a separate module, which {@link FleetSupport} finds. */
package io.plimsoll.run.fleet;
