/** Load of connections alone, which log in, ask for metadata and stand, over {@code wire}. */
package io.plimsoll.load.connections;
