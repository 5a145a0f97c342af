package io.plimsoll.wire.server;

import java.util.Map;

/** The state of a broker that the protocol handlers serve. Thread-safe. */
public abstract class Served {
    private final Host host;
    private final ServedTopics topics;
    /** Source of the records that are fetched. */
    final SyntheticLog log;

    final Map<Short, Short> maxVersions;
    final boolean checksCrcs;

    /** The single broker of the cluster. */
    public record Host(String clusterId, int brokerId, String name, int port) {}

    /** @param maxVersions highest supported version by API key; the newest if absent */
    protected Served(
            Host host, ServedTopics topics, SyntheticLog log, Map<Short, Short> maxVersions, boolean checksCrcs) {
        this.host = host;
        this.topics = topics;
        this.log = log;
        this.maxVersions = maxVersions;
        this.checksCrcs = checksCrcs;
    }

    /** Whether to reject the next produce request. */
    protected abstract boolean refusesNext();

    /** Called when a produce request was received completely. */
    protected abstract void produced(boolean refused);

    /** Called when an invalid batch was rejected. */
    protected abstract void refusedBatch();

    public final Host host() {
        return host;
    }

    public final ServedTopics topics() {
        return topics;
    }
}
