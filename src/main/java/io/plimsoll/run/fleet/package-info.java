/** The interface between runs and a fleet. The fleet itself is a separate module, which {@link FleetSupport} finds. */
@NullMarked
package io.plimsoll.run.fleet;

import org.jspecify.annotations.NullMarked;
