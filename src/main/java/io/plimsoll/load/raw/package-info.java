/** Load from pre-encoded batches, and batches read in place, over {@code wire}. */
package io.plimsoll.load.raw;
