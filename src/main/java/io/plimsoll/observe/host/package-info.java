/** The inventory of a host and its capacity (measured limits of disk, network, memory and processor). */
package io.plimsoll.observe.host;
