/** Schedules: event number to intended time, in closed form. Pure: without Kafka, clocks, and threads. */
@NullMarked
package io.plimsoll.pace;

import org.jspecify.annotations.NullMarked;
