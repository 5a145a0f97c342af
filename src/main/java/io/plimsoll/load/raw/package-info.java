/** Load from batches that are encoded beforehand, and batches read where they lie, over {@code wire}. */
package io.plimsoll.load.raw;
