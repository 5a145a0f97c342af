/** A broker that keeps nothing: it answers Kafka's protocol as fast as sockets allow, or exactly as slowly as told. */
package io.plimsoll.nullbroker;
