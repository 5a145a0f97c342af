/** Broker metrics, read once a second: over JMX, or as Prometheus text. */
@NullMarked
package io.plimsoll.observe.broker;

import org.jspecify.annotations.NullMarked;
