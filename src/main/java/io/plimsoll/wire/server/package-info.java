/** The server side of Kafka's protocol: parses requests and writes responses from a {@link Served}. */
package io.plimsoll.wire.server;
