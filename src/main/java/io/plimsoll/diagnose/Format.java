package io.plimsoll.diagnose;

import io.plimsoll.result.Units;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats figures for the findings of rules. */
final class Format {
    static @Nullable String ms(@Nullable Double ms) {
        return decimals("%.1f ms", ms);
    }

    static @Nullable String wholeMs(@Nullable Double ms) {
        return decimals("%.0f ms", ms);
    }

    static @Nullable String whole(@Nullable Double number) {
        return decimals("%.0f", number);
    }

    static String count(double number) {
        return Units.count(Math.round(number));
    }

    static @Nullable String cores(@Nullable Double cores) {
        return decimals("%.2f", cores);
    }

    static @Nullable String percent(@Nullable Double share) {
        return share == null ? null : Units.percent(share);
    }

    static @Nullable String byteRate(@Nullable Double bytesPerSecond) {
        return bytesPerSecond == null ? null : Units.byteRate(bytesPerSecond);
    }

    static @Nullable String decimals(String format, @Nullable Double value) {
        return value == null ? null : String.format(Locale.ROOT, format, value);
    }
}
