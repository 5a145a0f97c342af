package io.plimsoll.result;

/**
 * The way of held-back groups through what had piled up for them.
 *
 * @param records that had piled up when they were let read, of all these groups together
 * @param openedSeconds when that was, in seconds of the trial
 * @param drained false if they had not caught up when the trial ended
 * @param drainSeconds until they had caught up: no more left to read than was produced within a second
 * @param recordsPerSecond that they read meanwhile, new ones included
 * @param responseP99Before of the producers, in microseconds, before reading began; null if unknown
 * @param responseP99During meanwhile
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
