/** The command {@code history}: an index of the results of runs, and detection of changes. A separate module. */
@NullMarked
package io.plimsoll.history;

import org.jspecify.annotations.NullMarked;
