/**
 * The one place where Kafka's internal classes are touched; pinned to the client version of the POM and covered by
 * tests.
 */
package io.plimsoll.engine.raw.kafka;
