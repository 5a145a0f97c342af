/** Load from connections that log in, request metadata and stay open, with the protocol of {@code wire}. */
@NullMarked
package io.plimsoll.load.connections;

import org.jspecify.annotations.NullMarked;
