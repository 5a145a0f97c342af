/** Events that can delay records, from logs, processes, hosts and JVMs, on the time axis of a trial. */
package io.plimsoll.observe.incident;
