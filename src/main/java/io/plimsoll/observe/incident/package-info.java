/** Events that can delay records, from logs, processes, hosts and JVMs, on the time axis of a trial. */
@NullMarked
package io.plimsoll.observe.incident;

import org.jspecify.annotations.NullMarked;
