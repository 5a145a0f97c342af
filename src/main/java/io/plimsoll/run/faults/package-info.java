/** Fault injection: faults during a trial, and their repair. */
package io.plimsoll.run.faults;
