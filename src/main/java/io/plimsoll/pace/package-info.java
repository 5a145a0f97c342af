/**
 * Schedules: event number to intended time, in closed form. Pure: knows no Kafka, no clock, no thread; randomness comes
 * in as a seed.
 */
package io.plimsoll.pace;
