/** Protects shared clusters from a run, by checks before it and guards during it. */
package io.plimsoll.run.guards;
