/** Samples logs and cluster metadata, and writes a scenario with a similar load. */
package io.plimsoll.capture;
