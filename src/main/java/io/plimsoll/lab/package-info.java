/** Labs: local clusters of real Apache Kafka brokers as child processes, and faults on them. */
package io.plimsoll.lab;
