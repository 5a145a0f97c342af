/** Statistics on plain numbers: slopes, spread. Pure: no Kafka, clock, thread or file. */
package io.plimsoll.stats;
