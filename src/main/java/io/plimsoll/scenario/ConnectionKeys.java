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

    public static final Key<Integer> COUNT = Key.count("count", 1, MOST)
            .required()
            .about("how many connections are to stand, evenly over the brokers", "要保持多少个连接，均匀分布到各 broker");

    public static final Key<Quantity> RATE = Key.scalar(
                    "rate",
                    Sentence.of("scenario.a.connectRate"),
                    new Quantity(100, Rate.Unit.RECORDS),
                    ConnectionKeys::rate)
            .shown(Quantities::text)
            .about("how many are opened a second, until all stand", "每秒打开多少个，直到全部建立");

    public static final Key<Optional<Duration>> HOLD = Key.time("hold", Quantities::duration)
            .byDefault("to the end", "直到结束")
            .about(
                    "how long all of them are held; then they are closed, and opened again in the same way",
                    "全部建立后保持多久；之后全部关闭，并以同样方式重新打开");

    public static final Key<String> CHURN = Key.scalar("churn", Sentence.of("scenario.a.churn"), "", text -> {
                churnPerSecond(text);
                return text.strip();
            })
            .noneByDefault()
            .about(
                    "the share that is closed and opened again in a time, one after the other: `10%/min`, `1%/s`",
                    "一段时间内逐个关闭并重新打开的比例：`10%/min`、`1%/s`");

    /** All of them, in the order in which they are read. */
    public static final Section ALL = Section.of("{count: 5000, rate: 500/s}", COUNT, RATE, HOLD, CHURN);

    private ConnectionKeys() {}

    private static Quantity rate(String text) {
        Quantity rate = Quantities.rate(text);
        if (rate.unit() != Rate.Unit.RECORDS) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.connectRate"), text);
        }
        return rate;
    }

    /** The share of a second, of a text such as {@value #EXAMPLE}. */
    static double churnPerSecond(String text) {
        int slash = text.indexOf('/');
        List<String> units = List.of("s", "min", "h");
        int unit = slash < 0 ? -1 : units.indexOf(text.substring(slash + 1).strip());
        if (unit < 0) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.churn"), text);
        }
        return Quantities.number(text.substring(0, slash)) / Math.pow(60, unit);
    }
}
