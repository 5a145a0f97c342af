package io.plimsoll.cli;

import io.plimsoll.scenario.InvalidValueException;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads sizes such as {@code 512MiB} (powers of 1024), {@code 1GB} (powers of 1000) or a plain number of bytes. */
final class ByteSize {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([a-z]*)");
    private static final Map<String, Long> UNITS = Map.of(
            "", 1L,
            "b", 1L,
            "kb", 1_000L,
            "mb", 1_000_000L,
            "gb", 1_000_000_000L,
            "tb", 1_000_000_000_000L,
            "kib", 1L << 10,
            "mib", 1L << 20,
            "gib", 1L << 30,
            "tib", 1L << 40);

    private ByteSize() {}

    /** @throws InvalidValueException if it is none, or one greater than any disk */
    static long bytes(String text) {
        Matcher form = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        Long unit = form.matches() ? UNITS.get(form.group(2)) : null;
        InvalidValueException.when(unit == null, "cli.notASize", text);
        BigDecimal bytes = new BigDecimal(form.group(1)).multiply(BigDecimal.valueOf(unit));
        InvalidValueException.when(bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0, "cli.tooGreatASize", text);
        return bytes.longValue();
    }
}
