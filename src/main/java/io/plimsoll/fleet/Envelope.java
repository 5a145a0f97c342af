package io.plimsoll.fleet;

/**
 * A message on its way.
 *
 * @param from the sender's address, to answer to
 */
record Envelope(String from, FleetMessage message) implements NodeActor.Command {}
