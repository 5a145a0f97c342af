package io.plimsoll.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The mark of a run on its topics: its tag (24 bits), creation time to the minute, and planned maximum duration,
 * rounded up to a power of two in minutes. Brokers accept no custom properties, so the mark is an implausible number in
 * {@value #PROPERTY}, which has no effect on topics without compaction. The number is above 2<sup>61</sup> ms (73
 * million years) and contains a checksum. All broker versions accept it.
 */
public record TopicMark(int run, Instant made, Duration lasts) {
    public static final String PROPERTY = "delete.retention.ms";
    private static final long SIGN = 1L << 61;
    private static final int RUN_BITS = 24;
    private static final int MINUTE_BITS = 24;
    private static final int LENGTH_BITS = 5;
    private static final int CHECK_BITS = 8;
    private static final long FIRST_MINUTE =
            Instant.parse("2024-01-01T00:00:00Z").getEpochSecond() / 60;

    /** Whether a topic with these settings can be marked without overriding the user's settings. */
    public static boolean fits(Map<String, String> config) {
        return !config.containsKey(PROPERTY)
                && !config.getOrDefault("cleanup.policy", "delete").contains("compact");
    }

    /** The property value. */
    public String text() {
        long minute = made.getEpochSecond() / 60 - FIRST_MINUTE;
        long minutes = Math.max(1, (lasts.toSeconds() + 59) / 60);
        long length = Math.min(31, Long.SIZE - Long.numberOfLeadingZeros(minutes - 1));
        long content = ((((long) run << MINUTE_BITS) | bits(minute, MINUTE_BITS)) << LENGTH_BITS) | length;
        return String.valueOf(SIGN | (content << CHECK_BITS) | check(content));
    }

    /** The mark in these topic settings; empty if none. */
    public static Optional<TopicMark> of(Map<String, String> config) {
        String text = config.getOrDefault(PROPERTY, "");
        long value = text.matches("[0-9]{18,19}") ? Long.parseLong(text) : 0;
        long content = (value & (SIGN - 1)) >>> CHECK_BITS;
        if ((value & ~(SIGN - 1)) != SIGN || bits(value, CHECK_BITS) != check(content)) {
            return Optional.empty();
        }
        long minute = FIRST_MINUTE + bits(content >>> LENGTH_BITS, MINUTE_BITS);
        return Optional.of(new TopicMark(
                (int) bits(content >>> (LENGTH_BITS + MINUTE_BITS), RUN_BITS),
                Instant.ofEpochSecond(minute * 60),
                Duration.ofMinutes(1L << bits(content, LENGTH_BITS))));
    }

    /** Latest end of the run. */
    public Instant over() {
        return made.plus(lasts);
    }

    private static long bits(long value, int count) {
        return value & ((1L << count) - 1);
    }

    private static long check(long content) {
        return bits((content * 0x9E3779B97F4A7C15L) >>> 40, CHECK_BITS);
    }
}
