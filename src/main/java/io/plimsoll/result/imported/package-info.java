/** Saved measurements of other tools as trials. */
package io.plimsoll.result.imported;
