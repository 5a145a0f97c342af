/** Continuous monitoring: a small load, the availability of each broker, and a rolling audit. */
package io.plimsoll.watch;
