package io.plimsoll.junit;

/**
 * Where the brokers of a {@link Lab} are.
 *
 * @param bootstrapServers {@code host:port}, several with commas between them
 */
public record LabAddress(String bootstrapServers) {}
