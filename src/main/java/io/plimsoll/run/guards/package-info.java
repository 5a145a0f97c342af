/** Protects shared clusters before and during a load. */
@NullMarked
package io.plimsoll.run.guards;

import org.jspecify.annotations.NullMarked;
