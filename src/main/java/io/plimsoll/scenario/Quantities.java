package io.plimsoll.scenario;

import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations, rates, sizes and counts as they are written in scenarios and on the command line. Every method that reads
 * throws {@link IllegalArgumentException} with a message for the user: what was expected, an example, what was found.
 */
public final class Quantities {
    private static final Pattern NUMBER_AND_UNIT =
            Pattern.compile("([-+]?[0-9][0-9_]{0,18}(?:\\.[0-9]{1,18})?)\\s*([A-Za-zµ%]*)");
    private static final Pattern PER_SECOND = Pattern.compile("(.*?)\\s*/\\s*s(\\s+wire)?");
    private static final BigDecimal LONGEST_NANOS =
            BigDecimal.valueOf(Duration.ofDays(3650).toNanos());
    private static final BigDecimal FASTEST = new BigDecimal("1e15");

    private static final Map<String, Long> NANOS_PER_UNIT = units(
            "ns",
            1L,
            "us",
            1_000L,
            "µs",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L,
            "d",
            86_400_000_000_000L);
    private static final Map<String, Long> BYTES_PER_UNIT = units(
            "B",
            1L,
            "KB",
            1_000L,
            "kB",
            1_000L,
            "MB",
            1_000_000L,
            "GB",
            1_000_000_000L,
            "KiB",
            1L << 10,
            "MiB",
            1L << 20,
            "GiB",
            1L << 30);
    private static final Map<String, Long> COUNT_PER_UNIT =
            units("", 1L, "k", 1_000L, "K", 1_000L, "M", 1_000_000L, "G", 1_000_000_000L);

    private Quantities() {}

    private static Map<String, Long> units(Object... namesAndFactors) {
        Map<String, Long> units = new LinkedHashMap<>();
        for (int i = 0; i < namesAndFactors.length; i += 2) {
            units.put((String) namesAndFactors[i], (Long) namesAndFactors[i + 1]);
        }
        return units;
    }

    private record Measure(BigDecimal number, String unit) {}

    private static Measure measure(String text, String expected) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.strip());
        if (!matcher.matches()) {
            throw unexpected(expected, text);
        }
        return new Measure(new BigDecimal(matcher.group(1).replace("_", "")), matcher.group(2));
    }

    private static IllegalArgumentException unexpected(String expected, String text) {
        return new IllegalArgumentException("expected " + expected + ", found " + Texts.quoted(text));
    }

    /**
     * A duration such as {@code 500ms}, {@code 15s}, {@code 10m}, {@code 1h}; units ns, us, ms, s, m, h, d.
     *
     * @return more than 0, at most ten years
     */
    public static Duration duration(String text) {
        Duration duration = durationOrZero(text);
        if (duration.isZero()) {
            throw new IllegalArgumentException("expected a duration of more than 0, found " + Texts.quoted(text));
        }
        return duration;
    }

    /** As {@link #duration}, but may be 0, which needs no unit. */
    public static Duration durationOrZero(String text) {
        String expected = "a duration such as 500ms, 15s, 10m or 1h";
        Measure measure = measure(text, expected);
        if (measure.unit().isEmpty() && measure.number().signum() != 0) {
            throw new IllegalArgumentException("a duration needs its unit: " + Texts.shown(text.strip())
                    + " could be milliseconds, seconds or minutes; write " + Texts.shown(text.strip())
                    + "s for seconds");
        }
        Long unit = measure.unit().isEmpty() ? Long.valueOf(1) : NANOS_PER_UNIT.get(measure.unit());
        if (unit == null) {
            throw unexpected(expected, text);
        }
        BigDecimal nanos = measure.number().multiply(BigDecimal.valueOf(unit));
        if (nanos.signum() < 0 || nanos.compareTo(LONGEST_NANOS) > 0) {
            throw unexpected("a duration between 0 and 3650d", text);
        }
        return Duration.ofNanos(nanos.setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    /** In the largest unit that yields a whole number; {@link #durationOrZero} reads it back. */
    public static String text(Duration duration) {
        long nanos = duration.toNanos();
        String text = nanos + "ns";
        for (Map.Entry<String, Long> unit : NANOS_PER_UNIT.entrySet()) {
            if (!unit.getKey().equals("µs") && nanos != 0 && nanos % unit.getValue() == 0) {
                text = nanos / unit.getValue() + unit.getKey();
            }
        }
        return nanos == 0 ? "0s" : text;
    }

    /**
     * A rate such as {@code 50000/s}, {@code 50k/s}, {@code 20MB/s}, {@code 20MB/s wire}; KB, MB, GB are powers of 1000,
     * KiB, MiB, GiB of 1024.
     *
     * @return more than 0
     */
    public static Quantity rate(String text) {
        Quantity rate = rateOrZero(text);
        if (rate.value() == 0) {
            throw new IllegalArgumentException(
                    "expected a rate of more than 0, found " + Texts.quoted(text) + "; for no limit write unlimited");
        }
        return rate;
    }

    /** As {@link #rate}, but may be 0 (where a ramp begins). */
    public static Quantity rateOrZero(String text) {
        String expected = "a rate such as 50000/s, 20MB/s or 20MB/s wire";
        Matcher matcher = PER_SECOND.matcher(text.strip());
        if (!matcher.matches()) {
            if (text.strip().matches("[0-9.]+")) {
                throw new IllegalArgumentException("a rate needs its unit: write " + Texts.shown(text.strip())
                        + "/s for records per second, or bytes per second such as 20MB/s");
            }
            throw unexpected(expected, text);
        }
        Measure measure = measure(matcher.group(1), expected);
        boolean wire = matcher.group(2) != null;
        Long bytes = BYTES_PER_UNIT.get(measure.unit());
        Long records = COUNT_PER_UNIT.get(measure.unit());
        if (bytes == null && (records == null || wire)) {
            throw unexpected(wire ? "a rate in bytes such as 20MB/s wire" : expected, text);
        }
        BigDecimal value = measure.number().multiply(BigDecimal.valueOf(bytes == null ? records : bytes));
        if (value.signum() < 0 || value.compareTo(FASTEST) > 0) {
            throw unexpected("a rate of 0 or more and a sensible size", text);
        }
        return new Quantity(
                value.doubleValue(), bytes == null ? Unit.RECORDS : wire ? Unit.WIRE_BYTES : Unit.PAYLOAD_BYTES);
    }

    /** As {@link #rate} reads it back. */
    public static String text(Quantity rate) {
        boolean records = rate.unit() == Unit.RECORDS;
        BigDecimal value = new BigDecimal(Double.toString(rate.value()));
        String unit = records ? "" : "B";
        for (String larger : records ? new String[0] : new String[] {"KB", "MB", "GB"}) {
            BigDecimal scaled = new BigDecimal(Double.toString(rate.value()))
                    .movePointLeft(Long.toString(BYTES_PER_UNIT.get(larger)).length() - 1);
            if (scaled.compareTo(BigDecimal.ONE) >= 0) {
                value = scaled;
                unit = larger;
            }
        }
        String number = value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
        return number + unit + "/s" + (rate.unit() == Unit.WIRE_BYTES ? " wire" : "");
    }

    /**
     * A size in bytes such as {@code 100}, {@code 1KB} (1000), {@code 1KiB} (1024).
     *
     * @return 0 to 2^31 - 1
     */
    public static int size(String text) {
        String expected = "a size such as 100, 1KB or 1KiB";
        Measure measure = measure(text, expected);
        Long unit = measure.unit().isEmpty() ? Long.valueOf(1) : BYTES_PER_UNIT.get(measure.unit());
        if (unit == null) {
            throw unexpected(expected, text);
        }
        return (int)
                whole(measure.number().multiply(BigDecimal.valueOf(unit)), 0, Integer.MAX_VALUE, "size in bytes", text);
    }

    /**
     * An amount of data such as {@code 500MB} or {@code 100GB}; its unit is required.
     *
     * @return 1 or more bytes
     */
    public static long amount(String text) {
        String expected = "an amount of data such as 500MB or 100GB";
        Measure measure = measure(text, expected);
        Long unit = BYTES_PER_UNIT.get(measure.unit());
        if (unit == null || measure.unit().isEmpty()) {
            throw unexpected(expected, text);
        }
        return whole(measure.number().multiply(BigDecimal.valueOf(unit)), 1, Long.MAX_VALUE, "size in bytes", text);
    }

    /**
     * A whole number such as {@code 1000000}, {@code 1_000_000}, {@code 10k}, {@code 1M}.
     *
     * @param least the smallest allowed
     * @param most the largest allowed
     */
    public static long count(String text, long least, long most) {
        String expected = "a whole number such as " + Math.max(least, 1);
        Measure measure = measure(text, expected);
        Long unit = COUNT_PER_UNIT.get(measure.unit());
        if (unit == null) {
            throw unexpected(expected, text);
        }
        return whole(measure.number().multiply(BigDecimal.valueOf(unit)), least, most, "whole number", text);
    }

    private static long whole(BigDecimal value, long least, long most, String what, String text) {
        boolean fraction = value.stripTrailingZeros().scale() > 0;
        if (fraction
                || value.compareTo(BigDecimal.valueOf(least)) < 0
                || value.compareTo(BigDecimal.valueOf(most)) > 0) {
            String range = most == Long.MAX_VALUE ? " of " + least + " or more" : " from " + least + " to " + most;
            throw unexpected("a " + what + range, text);
        }
        return value.longValueExact();
    }

    /** A number from 0 to 1, also as {@code 95%}. */
    public static double ratio(String text) {
        double ratio = number(text);
        if (ratio < 0 || ratio > 1) {
            throw unexpected("a number from 0 to 1", text);
        }
        return ratio;
    }

    /** A decimal number, also as a percentage. */
    static double number(String text) {
        String expected = "a number such as 0.95";
        Measure measure = measure(text, expected);
        return switch (measure.unit()) {
            case "" -> measure.number().doubleValue();
            case "%" -> measure.number().movePointLeft(2).doubleValue();
            default -> throw unexpected(expected, text);
        };
    }
}
