/**
 * From what loads cost the brokers that there are to how many such brokers another load takes. Pure: no Kafka, clock, thread
 * or file.
 */
package io.plimsoll.capacity;
