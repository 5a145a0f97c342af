package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.Rate.Quantity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Connections without records, and their schedule in nanoseconds after the start. Connections are opened in waves; the
 * next wave begins after the hold time of the previous one. Without a hold time, there is only one wave.
 *
 * @param settings values of the keys of an entry of {@code connections}
 */
public record ConnectionSpec(Settings settings) {
    private static final Key<Integer> COUNT = Key.count("count", 1, 200_000).required();
    private static final Key<Quantity> RATE = Key.scalar(
                    "rate", "scenario.a.connectRate", new Quantity(100, Rate.Unit.RECORDS), ConnectionSpec::rate)
            .shown(Quantities::text);
    private static final Key<Optional<Duration>> HOLD = Key.time("hold", Quantities::duration);
    private static final Key<String> CHURN = Key.scalar("churn", "scenario.a.churn", "", text -> {
                churnPerSecond(text);
                return text.strip();
            })
            .noneByDefault();
    public static final Section ALL = Section.of("{count: 5000, rate: 500/s}", COUNT, RATE, HOLD, CHURN);
    private static final double SECOND = 1e9;

    private static Quantity rate(String text) {
        Quantity rate = Quantities.rate(text);
        InvalidValueException.unexpected(rate.unit() != Rate.Unit.RECORDS, "scenario.a.connectRate", text);
        return rate;
    }

    /** Share of the connections to close and reopen per second, from a text such as {@code 10%/min}. */
    private static double churnPerSecond(String text) {
        int slash = text.indexOf('/');
        List<String> units = List.of("s", "min", "h");
        int unit = slash < 0 ? -1 : units.indexOf(text.substring(slash + 1).strip());
        InvalidValueException.unexpected(unit < 0, "scenario.a.churn", text);
        double share = Quantities.number(text.substring(0, slash));
        InvalidValueException.unexpected(share < 0, "scenario.a.churn", text);
        return share / Math.pow(60, unit);
    }

    public int count() {
        return settings.get(COUNT);
    }

    /** Number of connections opened per second, above 0. */
    public double ratePerSecond() {
        return settings.get(RATE).value();
    }

    /** Number of connections closed and reopened per second. */
    public double churnPerSecond() {
        String churn = settings.get(CHURN);
        return churn.isEmpty() ? 0 : count() * churnPerSecond(churn);
    }

    /**
     * Time at which to open a connection in a wave, both counted from 0; fractions are allowed, because workers divide
     * the connections.
     */
    public long opens(double connection, int wave) {
        return (wave == 0 ? 0 : ends(wave - 1)) + Math.round(connection / ratePerSecond() * SECOND);
    }

    /** End of a wave; {@link Long#MAX_VALUE} without a hold time. */
    public long ends(int wave) {
        long opening = Math.round(count() / ratePerSecond() * SECOND);
        return settings.get(HOLD)
                .map(time -> (wave + 1) * (opening + time.toNanos()))
                .orElse(Long.MAX_VALUE);
    }

    /** Time of the n-th closing and reopening of a connection, counted from 0; {@link Long#MAX_VALUE} without churn. */
    public long churns(double n) {
        double perSecond = churnPerSecond();
        return perSecond == 0 ? Long.MAX_VALUE : Math.round((n + 1) / perSecond * SECOND);
    }
}
