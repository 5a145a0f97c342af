package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Rate.Unit;
import io.plimsoll.testing.Said;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations, sizes and rates are read with their units, and any other text is rejected. */
class QuantitiesTest {

    @ParameterizedTest
    @CsvSource({
        "500ms, 500000000", "15s, 15000000000", "10m, 600000000000", "1h, 3600000000000", "2d, 172800000000000",
        "1.5s, 1500000000", "20us, 20000", "20µs, 20000", "7ns, 7", "15 s, 15000000000"
    })
    void readsDurations(String text, long nanos) {
        assertThat(Quantities.duration(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @CsvSource({
        "50000/s, 50000, RECORDS",
        "50k/s, 50000, RECORDS",
        "1.5M/s, 1500000, RECORDS",
        "0.1/s, 0.1, RECORDS",
        "20MB/s, 20000000, PAYLOAD_BYTES",
        "1.5GB/s, 1500000000, PAYLOAD_BYTES",
        "1KiB/s, 1024, PAYLOAD_BYTES",
        "8 MiB / s, 8388608, PAYLOAD_BYTES",
        "500B/s, 500, PAYLOAD_BYTES",
        "20MB/s wire, 20000000, WIRE_BYTES"
    })
    void readsRates(String text, double value, Unit unit) {
        assertThat(Quantities.rate(text)).isEqualTo(new Quantity(value, unit));
    }

    @ParameterizedTest
    @CsvSource({"100, 100", "0, 0", "1KB, 1000", "1kB, 1000", "1KiB, 1024", "1.5MB, 1500000", "12B, 12"})
    void readsSizes(String text, int bytes) {
        assertThat(Quantities.size(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1_000_000, 1000000", "10k, 10000", "1.5M, 1500000"})
    void readsCounts(String text, long count) {
        assertThat(Quantities.count(text, 1, Long.MAX_VALUE)).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        30      | «scenario.durationUnit¦30»
        0s      | expected «scenario.a.someDuration», found "0s"
        -5s     | expected «scenario.a.durationUpTo», found "-5s"
        99999d  | expected «scenario.a.durationUpTo», found "99999d"
        5 weeks | expected a duration such as 500ms, 15s, 10m or 1h, found "5 weeks"
        soon    | expected a duration such as 500ms, 15s, 10m or 1h, found "soon"
        """)
    void reportsInvalidDurations(String text, String message) {
        assertThatThrownBy(() -> Quantities.duration(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(Said.text(message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        1000        | «scenario.rateUnit¦1000»
        0/s         | «scenario.noRate¦"0/s"»
        -1/s        | expected «scenario.a.sensibleRate», found "-1/s"
        1000/m      | expected a rate such as 50000/s, 20MB/s or 20MB/s wire, found "1000/m"
        20mb/s      | expected a rate such as 50000/s, 20MB/s or 20MB/s wire, found "20mb/s"
        1000/s wire | expected a rate in bytes such as 20MB/s wire, found "1000/s wire"
        fast        | expected a rate such as 50000/s, 20MB/s or 20MB/s wire, found "fast"
        """)
    void reportsInvalidRates(String text, String message) {
        assertThatThrownBy(() -> Quantities.rate(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(Said.text(message));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "3GB", "1mb", "", "x", "99999999999999999999999"})
    void refusesInvalidSizes(String text) {
        assertThatThrownBy(() -> Quantities.size(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "11", "1k", "1 MB", "", "0x1F", "1e3", "99999999999999999999999"})
    void refusesInvalidCounts(String text) {
        assertThatThrownBy(() -> Quantities.count(text, 1, 10)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsRatios() {
        assertThat(Quantities.ratio("0.95")).isEqualTo(0.95);
        assertThat(Quantities.ratio("95%")).isEqualTo(0.95);
        assertThat(Quantities.ratio(String.valueOf(0.0005))).isEqualTo(0.0005);
        assertThatThrownBy(() -> Quantities.ratio("1.01")).hasMessage("expected a number from 0 to 1, found \"1.01\"");
    }

    @Test
    void boundsExponents() {
        assertThat(Quantities.number("-2.5E+1")).isEqualTo(-25);
        assertThat(Quantities.count("1e3", 1, 1000)).isEqualTo(1000);
        assertThat(Quantities.durationOrZero("1e-99s")).isZero();
        assertThatThrownBy(() -> Quantities.duration("1e99s")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> Quantities.amount("1e99GB")).isInstanceOf(InvalidValueException.class);
        assertThatThrownBy(() -> Quantities.number("1e100")).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void formatsInReadableUnits() {
        assertThat(Quantities.text(Duration.ofMillis(1500))).isEqualTo("1500ms");
        assertThat(Quantities.text(Duration.ofHours(2))).isEqualTo("2h");
        assertThat(Quantities.text(Duration.ZERO)).isEqualTo("0s");
        assertThat(Quantities.text(new Quantity(50_000, Unit.RECORDS))).isEqualTo("50000/s");
        assertThat(Quantities.text(new Quantity(1_500_000, Unit.WIRE_BYTES))).isEqualTo("1.5MB/s wire");
    }

    @Property
    void durationsRoundTrip(@ForAll @LongRange(min = 0, max = 315_360_000_000_000_000L) long nanos) {
        Duration duration = Duration.ofNanos(nanos);
        assertThat(Quantities.durationOrZero(Quantities.text(duration))).isEqualTo(duration);
    }

    @Property
    void ratesRoundTrip(@ForAll @DoubleRange(min = 0, max = 1e15) double value, @ForAll Unit unit) {
        Quantity rate = new Quantity(value, unit);
        assertThat(Quantities.rateOrZero(Quantities.text(rate))).isEqualTo(rate);
    }
}
