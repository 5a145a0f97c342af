/** A broker that stores no records and is as fast as sockets allow, or exactly as slow as requested. */
package io.plimsoll.nullbroker;
