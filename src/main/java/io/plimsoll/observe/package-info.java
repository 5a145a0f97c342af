/** Metrics of brokers and hosts. */
package io.plimsoll.observe;
