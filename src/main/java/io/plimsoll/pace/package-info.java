/** Schedules: event number to intended time, in closed form. Pure: without Kafka, clocks, and threads. */
package io.plimsoll.pace;
