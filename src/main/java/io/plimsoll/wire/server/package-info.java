/** The server's side of Kafka's protocol: requests are read and answers written here, what they tell is a {@link Served}'s. */
package io.plimsoll.wire.server;
