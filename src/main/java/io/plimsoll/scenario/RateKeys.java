package io.plimsoll.scenario;

import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The forms of {@code rate}. */
final class RateKeys {
    private static final Quantity NOTHING = new Quantity(0, Rate.Unit.RECORDS);

    private static final Key<List<Quantity>> RAMP =
            rates("ramp", Sentence.of("scenario.a.ramp", "[1000/s, 50000/s]"), Quantities::rateOrZero);
    private static final Key<Duration> OVER = scaled("over");
    private static final Key<List<Quantity>> STEPS =
            rates("steps", Sentence.of("scenario.a.rates", "[1000/s, 5000/s]"), Quantities::rate);
    private static final Key<Duration> EACH = scaled("each");
    private static final Key<Quantity> MEAN =
            Key.scalar("mean", Quantities.RATE, NOTHING, Quantities::rate).required();
    private static final Key<Double> AMPLITUDE =
            Key.scalar("amplitude", Quantities.RATIO, 0.0, Quantities::ratio).required();
    private static final Key<Duration> PERIOD = scaled("period").required();
    private static final Key<Rate> DAILY = Key.<Rate>section(
            "daily",
            KeyShape.Section.of("{mean: 1000/s, amplitude: 0.5, period: 24h}", MEAN, AMPLITUDE, PERIOD),
            Rate.UNLIMITED,
            daily -> new Rate.Daily(daily.get(MEAN), daily.get(AMPLITUDE), daily.get(PERIOD)));

    private RateKeys() {}

    static Key<Rate> rate(String name) {
        Sentence expected = Sentence.of(
                "scenario.a.rateOr",
                Sentence.or(List.of(
                        "50000/s",
                        "20MB/s",
                        "20MB/s wire",
                        "unlimited",
                        "{ramp: [1000/s, 50000/s], over: 30s}",
                        "{steps: [1000/s, 5000/s], each: 10s}")));
        return new Forms<Rate>()
                .word("unlimited", Rate.UNLIMITED)
                .scalar(RateKeys::constant)
                .form(RAMP, RateKeys::ramp, OVER)
                .form(STEPS, (entry, levels) -> new Rate.Steps(levels, entry.needed(EACH)), EACH)
                .form(DAILY, daily -> daily)
                .key(name, expected, Rate.UNLIMITED, Rate.class);
    }

    private static Rate constant(String text) {
        Sentence near = Suggestions.didYouMean(text, List.of("unlimited"));
        InvalidValueException.when(
                !near.equals(Sentence.NONE),
                "scenario.expected",
                Sentence.of("scenario.a.rate", "50000/s"),
                Texts.quoted(text),
                near);
        return new Rate.Constant(Quantities.rate(text));
    }

    private static Rate ramp(EntryReading entry, List<Quantity> ends) {
        Duration over = entry.needed(OVER);
        if (!ends.isEmpty()
                && (ends.size() != 2 || ends.get(0).value() + ends.get(1).value() == 0)) {
            entry.problemAt("ramp", "scenario.twoRates");
        }
        return ends.size() == 2 ? new Rate.Ramp(ends.get(0), ends.get(1), over) : Rate.UNLIMITED;
    }

    private static Key<Duration> scaled(String name) {
        return Key.of(name, new KeyShape.Value(Quantities.DURATION), Duration.ofSeconds(1), (entry, key) -> entry.read(
                        key, Quantities::duration)
                .map(entry.scale()::time));
    }

    private static Key<List<Quantity>> rates(String name, Sentence expected, Function<String, Quantity> parser) {
        return Key.of(name, new KeyShape.Value(expected), List.of(), (entry, key) -> {
            Optional<List<Quantity>> rates = entry.list(key, false, parser);
            if (rates.stream()
                            .flatMap(List::stream)
                            .map(Quantity::unit)
                            .distinct()
                            .count()
                    > 1) {
                entry.problemAt(key, "scenario.mixedUnits");
                return Optional.empty();
            }
            return rates;
        });
    }
}
