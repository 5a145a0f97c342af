/** A broker that stores no records: it responds at socket speed, or exactly as slowly as configured. */
package io.plimsoll.nullbroker;
