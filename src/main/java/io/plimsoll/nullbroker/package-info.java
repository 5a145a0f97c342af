/** A broker that stores no records: it responds at socket speed, or exactly as slowly as configured. */
@NullMarked
package io.plimsoll.nullbroker;

import org.jspecify.annotations.NullMarked;
