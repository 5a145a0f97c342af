/** Schedules: functions from event number to intended time, in closed form. Pure: without Kafka, clocks or threads. */
@NullMarked
package io.plimsoll.pace;

import org.jspecify.annotations.NullMarked;
