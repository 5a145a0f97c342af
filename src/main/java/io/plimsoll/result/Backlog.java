package io.plimsoll.result;

/**
 * Drain of the backlog of held-back groups.
 *
 * @param records backlog of all these groups when they started to read
 * @param openedSeconds start of reading, in seconds of the trial
 * @param drained false if they had not caught up when the trial ended
 * @param drainSeconds time until they caught up: unread records are at most those produced within a second
 * @param recordsPerSecond records read per second during the drain, including new ones
 * @param responseP99Before p99 response time of the producers before the drain, in microseconds; null if unknown
 * @param responseP99During p99 response time of the producers during the drain, in microseconds; null if unknown
 */
public record Backlog(
        long records,
        double openedSeconds,
        boolean drained,
        double drainSeconds,
        double recordsPerSecond,
        double bytesPerSecond,
        Long responseP99Before,
        Long responseP99During) {}
