package io.plimsoll.junit;

/**
 * Address of the brokers of a {@link Lab}.
 *
 * @param bootstrapServers comma-separated list of {@code host:port}
 */
public record LabAddress(String bootstrapServers) {}
