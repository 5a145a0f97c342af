/** Producers and consumers that keep a schedule. */
package io.plimsoll.engine;
