/** The server side of Kafka's protocol: parses requests and writes responses from a {@link Served}. */
@NullMarked
package io.plimsoll.wire.server;

import org.jspecify.annotations.NullMarked;
