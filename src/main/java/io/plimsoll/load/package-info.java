/**
 * The parts that every way of making load shares: due times, windows, the life of producers and consumers, trails for the audit,
 * consumer groups. Each kind of producer or consumer is a package below this one.
 */
package io.plimsoll.load;
