/** What a host is (inventory) and what it can do (measured limits of disk, network, memory and processor). */
package io.plimsoll.observe.host;
