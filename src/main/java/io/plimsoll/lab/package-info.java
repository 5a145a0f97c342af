/** Real Apache Kafka brokers as child processes of this machine. */
package io.plimsoll.lab;
