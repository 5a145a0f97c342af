/** Protects shared clusters before and during a load. */
package io.plimsoll.run.guards;
