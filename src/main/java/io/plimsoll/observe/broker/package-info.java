/** What brokers say of themselves, once a second: over JMX, or as Prometheus text. */
package io.plimsoll.observe.broker;
