package io.plimsoll.result;

import io.plimsoll.text.Sentence;

/**
 * A limit of this host, and how much of it a trial used.
 *
 * @param resource {@code disk}, {@code loopback}, {@code linkOut} or {@code linkIn}
 * @param limitBytesPerSecond measured throughput of the resource
 * @param usedBytesPerSecond throughput that this load requires, computed from its figures
 * @param share used ÷ limit; above 1 if something else, such as the page cache, absorbs the rest for a while
 * @param allowsBytesPerSecond load, in bytes of keys and values, that saturates the resource
 * @param allowsRecordsPerSecond the same in records
 */
public record HostBound(
        String resource,
        double limitBytesPerSecond,
        double usedBytesPerSecond,
        double share,
        double allowsBytesPerSecond,
        double allowsRecordsPerSecond,
        Sentence sentence) {
    /** Writing to the disk that holds the logs of brokers on this host. */
    public static final String DISK = "disk";
    /** The loopback interface, between clients and brokers on this host. */
    public static final String LOOPBACK = "loopback";
    /** Sending from this host over its fastest network card. */
    public static final String LINK_OUT = "linkOut";
    /** Receiving on this host over its fastest network card. */
    public static final String LINK_IN = "linkIn";
}
