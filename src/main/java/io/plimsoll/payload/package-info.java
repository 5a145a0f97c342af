/** Values, keys, headers, and the stamp that is written into a record. Pure: randomness comes in as a seed. */
@NullMarked
package io.plimsoll.payload;

import org.jspecify.annotations.NullMarked;
