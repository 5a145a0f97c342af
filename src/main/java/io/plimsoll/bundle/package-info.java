/** Runs packed into one file, for readers without trust in its author. */
@NullMarked
package io.plimsoll.bundle;

import org.jspecify.annotations.NullMarked;
