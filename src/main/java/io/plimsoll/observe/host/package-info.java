/** The inventory of a host and its capacity (measured limits of disk, network, memory and processor). */
@NullMarked
package io.plimsoll.observe.host;

import org.jspecify.annotations.NullMarked;
