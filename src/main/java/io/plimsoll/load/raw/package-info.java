/** Generates load from pre-encoded batches and reads batches in place, with the protocol of {@code wire}. */
package io.plimsoll.load.raw;
