/** Labs: local clusters of real Apache Kafka brokers as child processes, and faults on them. */
@NullMarked
package io.plimsoll.lab;

import org.jspecify.annotations.NullMarked;
