package io.plimsoll.wire.server;

import java.util.Map;

/**
 * A broker as clients see it, without the protocol in which they speak with it: requests are put to it, and answers made
 * from what it has. Everything in it is safe for several threads.
 */
public abstract class Served {
    private final Host host;
    private final ServedTopics topics;
    /** From which what is fetched is put together. */
    final SyntheticLog log;

    final ServedGroups groups = new ServedGroups();
    final Map<Short, Short> maxVersions;
    final boolean checksCrcs;

    /** The one broker that clients learn of. */
    public record Host(String clusterId, int brokerId, String name, int port) {}

    /**
     * @param maxVersions the highest version of an API that is spoken, by the API's key; the newest for the others
     * @param checksCrcs whether batches with a wrong CRC are refused
     */
    protected Served(
            Host host, ServedTopics topics, SyntheticLog log, Map<Short, Short> maxVersions, boolean checksCrcs) {
        this.host = host;
        this.topics = topics;
        this.log = log;
        this.maxVersions = maxVersions;
        this.checksCrcs = checksCrcs;
    }

    /** Decides whether the next produce request is refused whole. */
    protected abstract boolean refusesNext();

    /** A produce request was read wholly. */
    protected abstract void produced(boolean refused);

    /** A batch was wrong and refused. */
    protected abstract void refusedBatch();

    public final Host host() {
        return host;
    }

    public final ServedTopics topics() {
        return topics;
    }
}
