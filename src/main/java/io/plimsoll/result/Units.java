package io.plimsoll.result;

import io.plimsoll.scenario.Check.Dimension;
import java.util.Locale;

/** Formats figures for display: the unit is chosen per value, with about three significant digits; MB = 10⁶ bytes. */
public final class Units {
    private static final double KILO = 1e3;
    private static final double MEGA = 1e6;
    private static final double[] SCALES = {1, KILO, MEGA, 1e9, 1e12};
    private static final String[] BYTES = {" B", " KB", " MB", " GB", " TB"};

    /** A duration such as {@code 840 µs}, {@code 2.1 ms}, {@code 142 ms}, {@code 1.25 s}. */
    public static String micros(double micros) {
        double size = Math.abs(micros);
        if (size < 999.5) {
            return decimals(micros, 0) + " µs";
        }
        if (size < 99.95 * KILO) {
            return decimals(micros / KILO, 1) + " ms";
        }
        if (size < 999.5 * KILO) {
            return decimals(micros / KILO, 0) + " ms";
        }
        return decimals(micros / MEGA, size < 9.995 * MEGA ? 2 : size < 99.95 * MEGA ? 1 : 0) + " s";
    }

    /** A duration such as {@code 0.3 s}, {@code 15 s}, {@code 2 min 5 s}, {@code 1 h 2 min}. */
    public static String duration(double seconds) {
        if (seconds < 9.95) {
            return seconds == Math.rint(seconds) ? decimals(seconds, 0) + " s" : decimals(seconds, 1) + " s";
        }
        long whole = Math.round(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        if (whole < 3600) {
            return whole / 60 + " min" + (whole % 60 == 0 ? "" : " " + whole % 60 + " s");
        }
        long minutes = whole / 60;
        return minutes / 60 + " h" + (minutes % 60 == 0 ? "" : " " + minutes % 60 + " min");
    }

    /** A count with thousands separators, such as {@code 1,893,221}. */
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** A rate per second without its unit: {@code 178,432}, {@code 12.5}. */
    public static String rate(double perSecond) {
        return Math.abs(perSecond) < 99.95 && perSecond != Math.rint(perSecond)
                ? decimals(perSecond, 1)
                : decimals(perSecond, 0);
    }

    /** A number rounded to three significant digits, for sentences: {@code 178,000}. */
    public static String about(double number) {
        if (Math.abs(number) < 1000) {
            return rate(number);
        }
        double step = Math.pow(10, Math.floor(Math.log10(Math.abs(number))) - 2);
        return decimals(Math.round(number / step) * step, 0);
    }

    /** A size such as {@code 100 B}, {@code 1 KB}, {@code 1.05 MB}. */
    public static String bytes(double bytes) {
        int unit = 0;
        while (unit < BYTES.length - 1 && Math.abs(bytes) >= 999.5 * SCALES[unit]) {
            unit++;
        }
        return short3(bytes / SCALES[unit]) + BYTES[unit];
    }

    /** A byte rate such as {@code 182 MB/s}. */
    public static String byteRate(double bytesPerSecond) {
        return bytes(bytesPerSecond) + "/s";
    }

    /** A byte rate in MB/s without the unit, for columns: {@code 182.3}. */
    public static String megabytes(double bytesPerSecond) {
        double megabytes = bytesPerSecond / MEGA;
        return decimals(megabytes, Math.abs(megabytes) < 9.995 ? 2 : 1);
    }

    /** A configured size as a power of two, such as {@code 32 MiB}; any other size as {@link #bytes}. */
    public static String configuredBytes(long bytes) {
        return bytes >= 1 << 20 && bytes % (1 << 20) == 0 ? count(bytes >> 20) + " MiB" : bytes(bytes);
    }

    /** A share such as {@code 62 %}, {@code 0.4 %}. */
    public static String percent(double ratio) {
        double percent = ratio * 100;
        boolean coarse = Math.abs(percent) >= 9.95 || percent == Math.rint(percent);
        return decimals(percent, coarse ? 0 : 1) + " %";
    }

    /** A figure of a check in its unit, see {@link CheckResult}. */
    public static String figure(double value, String unit) {
        return switch (unit) {
            case "us" -> micros(value);
            case "bytes" -> bytes(value);
            case "bytes/s" -> byteRate(value);
            case "records/s" -> rate(value) + " records/s";
            // With two significant digits, a value could look like the limit that it misses.
            case "ratio" -> Math.abs(value) < 1 ? trimmed(value, 4) : short3(value);
            // Rounded down, so that one bad second of a long run never shows as 100 %.
            case "share of seconds" -> trimmed(Math.floor(value * 1e6 + 1e-6) / 1e4, 4) + " % of seconds";
            default -> value == Math.rint(value) ? decimals(value, 0) : number(value);
        };
    }

    /** With two significant digits below 1, such as {@code 0.0042}. */
    private static String number(double value) {
        double size = Math.abs(value);
        return size < 1 ? trimmed(value, Math.min(6, 1 - (int) Math.floor(Math.log10(size)))) : decimals(value, 1);
    }

    /** A ratio as a percentage with up to two decimals, as precise as the ratio in {@link #figure}. */
    static String exactPercent(double ratio) {
        return trimmed(ratio * 100, 2) + " %";
    }

    /** @return with a fixed number of decimals and thousands separators; never "-0" */
    public static String decimals(double value, int decimals) {
        String text = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        return text.startsWith("-") && text.chars().noneMatch(c -> c >= '1' && c <= '9') ? text.substring(1) : text;
    }

    /** A number with three significant digits, without trailing zeros. */
    private static String short3(double value) {
        int decimals = Math.abs(value) < 9.995 ? 2 : Math.abs(value) < 99.95 ? 1 : 0;
        return trimmed(value, decimals);
    }

    private static String trimmed(double value, int decimals) {
        String text = decimals(value, decimals);
        return decimals == 0 ? text : text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }

    public static String of(Dimension dimension) {
        return switch (dimension) {
            case MICROSECONDS -> "us";
            case BYTES_PER_SECOND -> "bytes/s";
            case RECORDS_PER_SECOND -> "records/s";
            case COUNT -> "count";
            case BYTES -> "bytes";
            case RATIO -> "ratio";
        };
    }
}
