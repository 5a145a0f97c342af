/** Saved measurements of other tools as trials. */
@NullMarked
package io.plimsoll.result.imported;

import org.jspecify.annotations.NullMarked;
