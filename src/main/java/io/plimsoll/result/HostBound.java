package io.plimsoll.result;

import io.plimsoll.text.Sentence;

/**
 * Something of this host that a load cannot exceed, and how near to it a trial came.
 *
 * @param resource {@code disk}, {@code loopback}, {@code linkOut} or {@code linkIn}
 * @param limitBytesPerSecond that it carries
 * @param usedBytesPerSecond that this load needs of it, by its figures
 * @param share the one ÷ the other; above 1 where something else, such as the page cache, takes the rest for a while
 * @param allowsBytesPerSecond load, in bytes of keys and values, at which it would be used up
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
    /** Receiving over it. */
    public static final String LINK_IN = "linkIn";
}
