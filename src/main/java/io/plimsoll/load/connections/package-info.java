/** Load from connections that log in, request metadata and stay open, over {@code wire}. */
package io.plimsoll.load.connections;
