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

    private static final Key<List<Quantity>> RAMP = rates(
                    "ramp", Sentence.of("scenario.a.ramp", "[1000/s, 50000/s]"), Quantities::rateOrZero)
            .about(
                    "linear between two rates during `over`, then constant at the second; the first may be `0/s`",
                    "在 `over` 时间内于两个速率之间线性变化，之后保持第二个速率；第一个可以是 `0/s`");
    private static final Key<Duration> OVER = scaled("over").about("for `ramp`: how long it takes", "用于 `ramp`：变化持续多久");
    private static final Key<List<Quantity>> STEPS = rates(
                    "steps", Sentence.of("scenario.a.rates", "[1000/s, 5000/s]"), Quantities::rate)
            .about(
                    "each rate of a list for as long as `each` says, then constant at the last",
                    "列表中的每个速率各保持 `each` 所述时间，之后保持最后一个");
    private static final Key<Duration> EACH =
            scaled("each").about("for `steps`: how long each lasts", "用于 `steps`：每级持续多久");
    private static final Key<Quantity> MEAN = Key.scalar("mean", Quantities.RATE, NOTHING, Quantities::rate)
            .required()
            .about("the rate around which it goes", "围绕其变化的速率");
    private static final Key<Double> AMPLITUDE = Key.scalar("amplitude", Quantities.RATIO, 0.0, Quantities::ratio)
            .required()
            .about("the share of it by which it goes up and down", "上下变化的幅度所占比例");
    private static final Key<Duration> PERIOD = scaled("period").required().about("how long a day is", "一天有多长");
    private static final Key<Rate> DAILY = Key.<Rate>section(
                    "daily",
                    KeyShape.Section.of("{mean: 1000/s, amplitude: 0.5, period: 24h}", MEAN, AMPLITUDE, PERIOD),
                    Rate.UNLIMITED,
                    daily -> new Rate.Daily(daily.get(MEAN), daily.get(AMPLITUDE), daily.get(PERIOD)))
            .about(
                    "a day's curve around `mean`, up and down by the share `amplitude` (0 to 1), one day being a"
                            + " `period`",
                    "围绕 `mean` 的日变化曲线，按比例 `amplitude`（0 到 1）上下变化，一天为一个 `period`");

    private RateKeys() {}

    static Key.Draft<Rate> rate(String name) {
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
                .key(name, expected, Rate.UNLIMITED, Rate.class)
                .byDefault("`unlimited`", "`unlimited`");
    }

    private static Rate constant(String text) {
        Sentence near = Suggestions.didYouMean(text, List.of("unlimited"));
        if (!near.equals(Sentence.NONE)) {
            throw new InvalidValueException(
                    "scenario.expected", Sentence.of("scenario.a.rate", "50000/s"), Texts.quoted(text), near);
        }
        return new Rate.Constant(Quantities.rate(text));
    }

    private static Rate ramp(EntryReading entry, List<Quantity> ends) {
        Duration over = entry.needed(OVER);
        if (!ends.isEmpty()
                && (ends.size() != 2 || ends.get(0).value() + ends.get(1).value() == 0)) {
            entry.problemAt("ramp", Sentence.of("scenario.twoRates"));
        }
        return ends.size() == 2 ? new Rate.Ramp(ends.get(0), ends.get(1), over) : Rate.UNLIMITED;
    }

    private static Key.Draft<Duration> scaled(String name) {
        return Key.of(name, new KeyShape.Value(Quantities.DURATION), Duration.ofSeconds(1), (entry, key) -> entry.read(
                        key, Quantities::duration)
                .map(entry.scale()::time));
    }

    /** A list of rates in one unit. */
    private static Key.Draft<List<Quantity>> rates(String name, Sentence expected, Function<String, Quantity> parser) {
        return Key.of(name, new KeyShape.Value(expected), List.of(), (entry, key) -> {
            Optional<List<Quantity>> rates = entry.list(key, false, parser);
            if (rates.stream()
                            .flatMap(List::stream)
                            .map(Quantity::unit)
                            .distinct()
                            .count()
                    > 1) {
                entry.problemAt(key, Sentence.of("scenario.mixedUnits"));
                return Optional.empty();
            }
            return rates;
        });
    }
}
