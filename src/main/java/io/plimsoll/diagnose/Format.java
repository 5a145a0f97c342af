package io.plimsoll.diagnose;

import io.plimsoll.result.Units;
import java.util.Locale;

/** Formats figures for the findings of rules; null for unknown values. */
final class Format {
    static String ms(Double ms) {
        return decimals("%.1f ms", ms);
    }

    static String wholeMs(Double ms) {
        return decimals("%.0f ms", ms);
    }

    static String whole(Double number) {
        return decimals("%.0f", number);
    }

    static String count(double number) {
        return Units.count(Math.round(number));
    }

    static String cores(Double cores) {
        return decimals("%.2f", cores);
    }

    static String percent(Double share) {
        return share == null ? null : Units.percent(share);
    }

    static String byteRate(Double bytesPerSecond) {
        return bytesPerSecond == null ? null : Units.byteRate(bytesPerSecond);
    }

    static String decimals(String format, Double value) {
        return value == null ? null : String.format(Locale.ROOT, format, value);
    }
}
