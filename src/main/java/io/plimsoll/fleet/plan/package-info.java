/** The rules of a fleet without a network: placement, clocks, leases and merging of results. Pure. */
package io.plimsoll.fleet.plan;
