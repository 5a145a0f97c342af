/**
 * Chooses the load to try next from the trials so far (RFC 9971, MLRsearch). Pure: no Kafka, clock, thread or file; it is told
 * what happened and how long it took.
 */
package io.plimsoll.search;
