package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.Check.Dimension;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers are written with the appropriate unit and digits. */
class UnitsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0 µs",
        "999.4, 999 µs",
        "999.6, 1.0 ms",
        "2100, 2.1 ms",
        "63200, 63.2 ms",
        "99949, 99.9 ms",
        "99951, 100 ms",
        "142000, 142 ms",
        "999400, 999 ms",
        "999600, 1.00 s",
        "1250000, 1.25 s",
        "12300000, 12.3 s",
        "120000000, 120 s",
        "-40, -40 µs"
    })
    void formatsLatencies(double micros, String text) {
        assertThat(Units.micros(micros)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "100, 100 B",
        "1000, 1 KB",
        "1024, 1.02 KB",
        "999600, 1 MB",
        "182300000, 182 MB",
        "1250000000, 1.25 GB",
        "20500000, 20.5 MB",
        "3e12, 3 TB"
    })
    void formatsSizes(double bytes, String text) {
        assertThat(Units.bytes(bytes)).isEqualTo(text);
        assertThat(Units.byteRate(bytes)).isEqualTo(text + "/s");
        assertThat(Units.figure(bytes, Units.of(Dimension.BYTES))).isEqualTo(text);
        assertThat(Units.figure(bytes, Units.of(Dimension.BYTES_PER_SECOND))).isEqualTo(text + "/s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "178432; 178,000",
                "5000; 5,000",
                "4998.3; 5,000",
                "999.5; 1,000",
                "12.34; 12.3",
                "1234567; 1,230,000"
            })
    void roundsNumbersForSentences(double number, String text) {
        assertThat(Units.about(number)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 s",
        "0.34, 0.3 s",
        "5, 5 s",
        "9.94, 9.9 s",
        "15.2, 15 s",
        "60, 1 min",
        "125, 2 min 5 s",
        "3600, 1 h",
        "3720, 1 h 2 min"
    })
    void formatsDurations(double seconds, String text) {
        assertThat(Units.duration(seconds)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.62, 62 %", "0.004, 0.4 %", "1, 100 %", "0, 0 %", "0.0995, 10 %", "0.05, 5 %"})
    void formatsPercentages(double ratio, String text) {
        assertThat(Units.percent(ratio)).isEqualTo(text);
    }

    /** A measured value must not look like the limit that it misses. */
    @ParameterizedTest
    @CsvSource({
        "0.987, ratio, 0.987",
        "0.9964, ratio, 0.9964",
        "0.004, ratio, 0.004",
        "0.5, ratio, 0.5",
        "0, ratio, 0",
        "1.236, ratio, 1.24",
        "0.967, share of seconds, 96.7 % of seconds",
        "0.99972222, share of seconds, 99.9722 % of seconds",
        "0.99999999, share of seconds, 99.9999 % of seconds",
        "1, share of seconds, 100 % of seconds",
        "0.94, count, 0.94",
        "0.0042, count, 0.0042",
        "0.5, count, 0.5",
        "12.34, count, 12.3",
        "7, count, 7"
    })
    void keepsDigitsBelowOne(double value, String unit, String text) {
        assertThat(Units.figure(value, unit)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0.987, 98.7 %", "0.9996, 99.96 %", "0.02, 2 %", "1, 100 %"})
    void keepsDecimalsOfPercentages(double ratio, String text) {
        assertThat(Units.exactPercent(ratio)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"33554432, 32 MiB", "1048577, 1.05 MB", "500, 500 B"})
    void formatsConfiguredSizes(long bytes, String text) {
        assertThat(Units.configuredBytes(bytes)).isEqualTo(text);
    }

    @Property
    void neverPrintsNegativeZero(@ForAll @DoubleRange(min = -0.04, max = 0) double tiny) {
        assertThat(Units.decimals(tiny, 1)).isEqualTo("0.0");
    }
}
