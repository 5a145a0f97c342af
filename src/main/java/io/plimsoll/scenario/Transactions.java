package io.plimsoll.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Transactions of a producer entry. A client with transactions has exactly one sending thread.
 *
 * @param every commit when a transaction is this old
 * @param records commit when a transaction has this many records
 * @param abortRatio 0 to 1: the share of transactions that is aborted instead (seeded)
 */
public record Transactions(Optional<Duration> every, OptionalLong records, double abortRatio) {
    public static final Transactions NONE = new Transactions(Optional.empty(), OptionalLong.empty(), 0);

    public boolean enabled() {
        return every.isPresent() || records.isPresent();
    }

    String text() {
        String time = every.map(t -> "of " + Quantities.text(t)).orElse("");
        String number = records.isPresent() ? "of " + records.getAsLong() + " records" : "";
        return enabled() ? (time + " " + number).strip() : "none";
    }
}
