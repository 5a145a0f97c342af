/** Generates load from pre-encoded batches and reads batches in place, with the protocol of {@code wire}. */
@NullMarked
package io.plimsoll.load.raw;

import org.jspecify.annotations.NullMarked;
