/** Packs runs into one file that readers can check without trusting its author. */
@NullMarked
package io.plimsoll.bundle;

import org.jspecify.annotations.NullMarked;
