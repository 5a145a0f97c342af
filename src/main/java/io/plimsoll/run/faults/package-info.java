/** Fault injection: faults during a trial, and their repair. */
@NullMarked
package io.plimsoll.run.faults;

import org.jspecify.annotations.NullMarked;
