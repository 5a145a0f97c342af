package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The keys of an entry of {@code connections}. */
public final class ConnectionKeys {
    private static final int MOST = 200_000;
    public static final Key<Integer> COUNT = Key.count("count", 1, MOST).required();
    public static final Key<Quantity> RATE = Key.scalar(
                    "rate",
                    Sentence.of("scenario.a.connectRate"),
                    new Quantity(100, Rate.Unit.RECORDS),
                    ConnectionKeys::rate)
            .shown(Quantities::text);
    public static final Key<Optional<Duration>> HOLD = Key.time("hold", Quantities::duration);
    public static final Key<String> CHURN = Key.scalar("churn", Sentence.of("scenario.a.churn"), "", text -> {
                churnPerSecond(text);
                return text.strip();
            })
            .noneByDefault();
    public static final Section ALL = Section.of("{count: 5000, rate: 500/s}", COUNT, RATE, HOLD, CHURN);

    private ConnectionKeys() {}

    private static Quantity rate(String text) {
        Quantity rate = Quantities.rate(text);
        InvalidValueException.unexpected(rate.unit() != Rate.Unit.RECORDS, "scenario.a.connectRate", text);
        return rate;
    }

    /** The share of a second, of a text such as {@value #EXAMPLE}. */
    static double churnPerSecond(String text) {
        int slash = text.indexOf('/');
        List<String> units = List.of("s", "min", "h");
        int unit = slash < 0 ? -1 : units.indexOf(text.substring(slash + 1).strip());
        InvalidValueException.unexpected(unit < 0, "scenario.a.churn", text);
        return Quantities.number(text.substring(0, slash)) / Math.pow(60, unit);
    }
}
