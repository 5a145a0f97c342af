package io.plimsoll.scenario;

import java.time.Duration;
import java.util.Optional;

/**
 * A number of connections that carry no records, and when each is due, in nanoseconds after the start. All are opened in
 * waves, the next of which begins when the one before has been held; without an end to that there is one wave.
 *
 * @param settings values of {@link ConnectionKeys}
 */
public record ConnectionSpec(Settings settings) {
    private static final double SECOND = 1e9;

    public int count() {
        return settings.get(ConnectionKeys.COUNT);
    }

    /** How many are opened a second until all stand; more than 0. */
    public double ratePerSecond() {
        return settings.get(ConnectionKeys.RATE).value();
    }

    /** How many of them are closed and opened again a second; 0 for none. */
    public double churnPerSecond() {
        String churn = settings.get(ConnectionKeys.CHURN);
        return churn.isEmpty() ? 0 : count() * ConnectionKeys.churnPerSecond(churn);
    }

    /** When a connection is opened in a wave; both are counted from 0. */
    public long opens(int connection, int wave) {
        return (wave == 0 ? 0 : ends(wave - 1)) + Math.round(connection / ratePerSecond() * SECOND);
    }

    /** When a wave is over; {@link Long#MAX_VALUE} if it never is. */
    public long ends(int wave) {
        Optional<Duration> hold = settings.get(ConnectionKeys.HOLD);
        long opening = Math.round(count() / ratePerSecond() * SECOND);
        return hold.map(time -> (wave + 1) * (opening + time.toNanos())).orElse(Long.MAX_VALUE);
    }

    /** When the n-th, from 0, is closed and opened again; {@link Long#MAX_VALUE} if none is. */
    public long churns(long n) {
        double perSecond = churnPerSecond();
        return perSecond == 0 ? Long.MAX_VALUE : Math.round((n + 1) / perSecond * SECOND);
    }
}
