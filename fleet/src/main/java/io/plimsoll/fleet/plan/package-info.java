/** The rules of a fleet without a network: placement, clocks, leases and merging of results. Pure. */
@NullMarked
package io.plimsoll.fleet.plan;

import org.jspecify.annotations.NullMarked;
