package io.plimsoll.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Transactions of a producer entry. A client with transactions has exactly one sending thread.
 *
 * @param every age at which a transaction is committed
 * @param records number of records after which a transaction is committed
 * @param abortRatio share of transactions that are aborted instead, 0 to 1, chosen from a seed
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
