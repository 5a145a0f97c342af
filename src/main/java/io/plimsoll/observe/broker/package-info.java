/** Figures of brokers about themselves, once a second: over JMX, or as Prometheus text. */
package io.plimsoll.observe.broker;
