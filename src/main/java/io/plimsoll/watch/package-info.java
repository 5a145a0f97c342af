/** Continuous monitoring: a small load, the availability of each broker, and a rolling audit. */
@NullMarked
package io.plimsoll.watch;

import org.jspecify.annotations.NullMarked;
