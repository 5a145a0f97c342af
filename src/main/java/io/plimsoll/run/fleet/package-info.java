/** The interface of runs to a fleet. The fleet itself is a module of its own, which {@link FleetSupport} finds. */
package io.plimsoll.run.fleet;
