/** Labs: local clusters of real Apache Kafka brokers as child processes, with faults injected into them. */
@NullMarked
package io.plimsoll.lab;

import org.jspecify.annotations.NullMarked;
