package io.plimsoll.result;

import org.jspecify.annotations.Nullable;

/**
 * The drain of the backlog of consumer groups with a delayed start.
 *
 * @param records backlog in records of all these groups when they started to read
 * @param openedSeconds start of reading, in seconds of the trial
 * @param drained whether the groups caught up before the trial ended
 * @param drainSeconds time until the groups caught up (their unread records were at most the records produced within a
 *     second), or until the trial ended
 * @param recordsPerSecond records read per second during the drain, including new records
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
        @Nullable Long responseP99Before,
        @Nullable Long responseP99During) {}
