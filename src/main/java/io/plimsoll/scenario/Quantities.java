package io.plimsoll.scenario;

import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import io.plimsoll.text.Sentence;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and prints durations, rates, sizes and counts. Parsers throw {@link InvalidValueException} for invalid text. */
public final class Quantities {
    /** The exponent is for stored scenarios, which contain numbers below 0.001 in this form. */
    private static final Pattern NUMBER_AND_UNIT =
            Pattern.compile("([-+]?[0-9][0-9_]{0,18}(?:\\.[0-9]{1,18})?(?:[eE][-+]?[0-9]{1,2})?)\\s*([A-Za-zµ%]*)");

    private static final Pattern PER_SECOND = Pattern.compile("(.*?)\\s*/\\s*s(\\s+wire)?");
    private static final BigDecimal LONGEST_NANOS =
            BigDecimal.valueOf(Duration.ofDays(3650).toNanos());
    private static final BigDecimal FASTEST = new BigDecimal("1e15");

    private static final Map<String, Long> NANOS_PER_UNIT =
            units("ns 1, us 1e3, µs 1e3, ms 1e6, s 1e9, m 60e9, h 3600e9, d 86400e9");
    private static final Map<String, Long> BYTES_PER_UNIT = units(
            "B 1, KB 1e3, kB 1e3, MB 1e6, GB 1e9, TB 1e12, KiB 1024, MiB 1048576, GiB 1073741824, TiB 1099511627776");
    private static final Map<String, Long> COUNT_PER_UNIT = units(" 1, k 1e3, K 1e3, M 1e6, G 1e9");

    public static final Sentence DURATION = Sentence.of("scenario.a.duration");
    static final Sentence RATE =
            Sentence.of("scenario.a.rate", Sentence.or(List.of("50000/s", "20MB/s", "20MB/s wire")));
    public static final Sentence SIZE = Sentence.of("scenario.a.size");
    private static final Sentence AMOUNT = Sentence.of("scenario.a.amount");
    public static final Sentence RATIO = Sentence.of("scenario.a.ratio");
    static final Sentence COUNT = count(1);

    private static Map<String, Long> units(String namesAndFactors) {
        Map<String, Long> units = new LinkedHashMap<>();
        for (String unit : namesAndFactors.split(",")) {
            int space = unit.lastIndexOf(' ');
            units.put(unit.substring(0, space).strip(), new BigDecimal(unit.substring(space + 1)).longValueExact());
        }
        return units;
    }

    static Sentence count(long least) {
        return Sentence.of("scenario.a.count.least", least);
    }

    /** A key with an integer of at least 1. */
    static Key<Long> many(String name) {
        return Key.scalar(name, COUNT, 1L, text -> count(text, 1, Long.MAX_VALUE));
    }

    private record Measure(BigDecimal number, String unit) {
        /** Converts to the smallest unit, which also applies to a number without a unit. */
        BigDecimal in(Map<String, Long> units, Sentence expected, String text) {
            Long factor = unit.isEmpty() ? Long.valueOf(1) : units.get(unit);
            if (factor == null) {
                throw InvalidValueException.expected(expected, text);
            }
            return number.multiply(BigDecimal.valueOf(factor));
        }
    }

    private static Measure measure(String text, Sentence expected) {
        Matcher matcher = NUMBER_AND_UNIT.matcher(text.strip());
        InvalidValueException.unexpected(!matcher.matches(), expected, text);
        return new Measure(new BigDecimal(matcher.group(1).replace("_", "")), matcher.group(2));
    }

    /** A duration such as {@code 500ms}, {@code 10m}, {@code 1h}, above 0 and at most ten years. */
    public static Duration duration(String text) {
        Duration duration = durationOrZero(text);
        InvalidValueException.unexpected(duration.isZero(), "scenario.a.someDuration", text);
        return duration;
    }

    /** Like {@link #duration}, but also accepts 0, which needs no unit. */
    public static Duration durationOrZero(String text) {
        Measure measure = measure(text, DURATION);
        InvalidValueException.when(
                measure.unit().isEmpty() && measure.number().signum() != 0,
                "scenario.durationUnit",
                Texts.shown(text.strip()));
        BigDecimal nanos = measure.in(NANOS_PER_UNIT, DURATION, text);
        InvalidValueException.unexpected(
                nanos.signum() < 0 || nanos.compareTo(LONGEST_NANOS) > 0, "scenario.a.durationUpTo", text);
        return Duration.ofNanos(nanos.setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    /** A duration in the largest unit that yields an integer; {@link #durationOrZero} parses it. */
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

    /** A rate above 0, such as {@code 50k/s}, {@code 20MB/s} (powers of 1000), {@code 20MiB/s wire} (powers of 1024). */
    public static Quantity rate(String text) {
        Quantity rate = rateOrZero(text);
        InvalidValueException.when(rate.value() == 0, "scenario.noRate", Texts.quoted(text));
        return rate;
    }

    /** Like {@link #rate}, but also accepts 0, for the start of a ramp. */
    public static Quantity rateOrZero(String text) {
        Matcher matcher = PER_SECOND.matcher(text.strip());
        if (!matcher.matches()) {
            InvalidValueException.when(text.strip().matches("[0-9.]+"), "scenario.rateUnit", Texts.shown(text.strip()));
            throw InvalidValueException.expected(RATE, text);
        }
        Measure measure = measure(matcher.group(1), RATE);
        boolean wire = matcher.group(2) != null;
        Long bytes = BYTES_PER_UNIT.get(measure.unit());
        Long records = COUNT_PER_UNIT.get(measure.unit());
        InvalidValueException.unexpected(
                bytes == null && (records == null || wire), wire ? Sentence.of("scenario.a.wireRate") : RATE, text);
        BigDecimal value = measure.number().multiply(BigDecimal.valueOf(Objects.requireNonNullElse(bytes, records)));
        InvalidValueException.unexpected(
                value.signum() < 0 || value.compareTo(FASTEST) > 0, "scenario.a.sensibleRate", text);
        return new Quantity(
                value.doubleValue(), bytes == null ? Unit.RECORDS : wire ? Unit.WIRE_BYTES : Unit.PAYLOAD_BYTES);
    }

    /** A rate as text; {@link #rate} parses it. */
    public static String text(Quantity rate) {
        boolean records = rate.unit() == Unit.RECORDS;
        BigDecimal value = new BigDecimal(Double.toString(rate.value()));
        String unit = records ? "" : "B";
        for (String larger : records ? new String[0] : new String[] {"KB", "MB", "GB"}) {
            BigDecimal scaled = new BigDecimal(Double.toString(rate.value()))
                    .movePointLeft(Long.toString(Objects.requireNonNull(BYTES_PER_UNIT.get(larger)))
                                    .length()
                            - 1);
            if (scaled.compareTo(BigDecimal.ONE) >= 0) {
                value = scaled;
                unit = larger;
            }
        }
        String number = value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
        return number + unit + "/s" + (rate.unit() == Unit.WIRE_BYTES ? " wire" : "");
    }

    /** A size in bytes such as {@code 100}, {@code 1KB} (1000), {@code 1KiB} (1024); from 0 to 2^31 − 1. */
    public static int size(String text) {
        BigDecimal bytes = measure(text, SIZE).in(BYTES_PER_UNIT, SIZE, text);
        return (int) whole(bytes, 0, Integer.MAX_VALUE, "scenario.a.sizeInBytes.", text);
    }

    /** An amount of data from a command line: with a unit in upper or lower case, such as {@code 512mib}, or in bytes. */
    public static long bytes(String text) {
        Measure typed = measure(text, AMOUNT);
        String unit = typed.unit().toUpperCase(Locale.ROOT).replace("IB", "iB");
        BigDecimal bytes = new Measure(typed.number(), unit).in(BYTES_PER_UNIT, AMOUNT, text);
        return whole(bytes, 0, Long.MAX_VALUE, "scenario.a.sizeInBytes.", text);
    }

    /** An amount of data such as {@code 500MB} or {@code 100GB}, at least 1 byte; the unit is required. */
    public static long amount(String text) {
        Measure measure = measure(text, AMOUNT);
        InvalidValueException.unexpected(measure.unit().isEmpty(), AMOUNT, text);
        BigDecimal bytes = measure.in(BYTES_PER_UNIT, AMOUNT, text);
        return whole(bytes, 1, Long.MAX_VALUE, "scenario.a.sizeInBytes.", text);
    }

    /** An integer such as {@code 1_000_000}, {@code 10k} or {@code 1M}, from {@code least} to {@code most}. */
    public static long count(String text, long least, long most) {
        Sentence expected = Sentence.of("scenario.a.wholeSuch", Math.max(least, 1));
        BigDecimal number = measure(text, expected).in(COUNT_PER_UNIT, expected, text);
        return whole(number, least, most, "scenario.a.count.", text);
    }

    private static long whole(BigDecimal value, long least, long most, String what, String text) {
        boolean fraction = value.stripTrailingZeros().scale() > 0;
        if (fraction
                || value.compareTo(BigDecimal.valueOf(least)) < 0
                || value.compareTo(BigDecimal.valueOf(most)) > 0) {
            Sentence range = most == Long.MAX_VALUE
                    ? Sentence.of(what + "least", least)
                    : Sentence.of(what + "range", least, most);
            throw InvalidValueException.expected(range, text);
        }
        return value.longValueExact();
    }

    /** A number from 0 to 1, or a percentage such as {@code 95%}. */
    public static double ratio(String text) {
        double ratio = number(text);
        InvalidValueException.unexpected(ratio < 0 || ratio > 1, RATIO, text);
        return ratio;
    }

    /** A decimal number, or a percentage. */
    public static double number(String text) {
        Sentence expected = Sentence.of("scenario.a.number", 0.95);
        Measure measure = measure(text, expected);
        return switch (measure.unit()) {
            case "" -> measure.number().doubleValue();
            case "%" -> measure.number().movePointLeft(2).doubleValue();
            default -> throw InvalidValueException.expected(expected, text);
        };
    }
}
