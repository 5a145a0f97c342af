/** Values, keys, headers, and the stamp that is written into a record. Pure: randomness is derived from seeds. */
@NullMarked
package io.plimsoll.payload;

import org.jspecify.annotations.NullMarked;
