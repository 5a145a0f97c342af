/** The history of runs: an index of their results, and detection of changes. */
@NullMarked
package io.plimsoll.history;

import org.jspecify.annotations.NullMarked;
