package io.plimsoll.result;

import io.plimsoll.text.Sentence;

/**
 * A limit of this host, and how much of it a trial used.
 *
 * @param resource {@code disk}, {@code loopback}, {@code linkOut} or {@code linkIn}
 * @param limitBytesPerSecond measured throughput of the resource
 * @param usedBytesPerSecond throughput that this load requires, computed from its figures
 * @param share used ÷ limit; above 1 if the excess is absorbed temporarily, for example by the page cache
 * @param allowsBytesPerSecond load, in bytes of keys and values, that saturates the resource
 * @param allowsRecordsPerSecond load, in records, that saturates the resource
 */
public record HostBound(
        String resource,
        double limitBytesPerSecond,
        double usedBytesPerSecond,
        double share,
        double allowsBytesPerSecond,
        double allowsRecordsPerSecond,
        Sentence sentence) {
    /** Writes to the disk that contains the logs of brokers on this host. */
    public static final String DISK = "disk";
    /** The loopback interface, between clients and brokers on this host. */
    public static final String LOOPBACK = "loopback";
    /** Outgoing traffic of this host over its fastest network card. */
    public static final String LINK_OUT = "linkOut";
    /** Incoming traffic of this host over its fastest network card. */
    public static final String LINK_IN = "linkIn";
}
