/**
 * The shared parts of all kinds of load: due times, windows, producers and consumers, audit trails, consumer groups. Each
 * kind is a package below this one.
 */
@NullMarked
package io.plimsoll.load;

import org.jspecify.annotations.NullMarked;
