/** Broker metrics, read once a second: over JMX, or as Prometheus text. */
package io.plimsoll.observe.broker;
