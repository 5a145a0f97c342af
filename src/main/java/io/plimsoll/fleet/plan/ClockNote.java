package io.plimsoll.fleet.plan;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Snapshot;
import java.util.Locale;
import java.util.Optional;

/** What the error of the hosts' clocks means for end-to-end latencies of a trial. Not thread-safe. */
public final class ClockNote {
    private long errorNanos;
    private Latencies endToEnd = Latencies.EMPTY;

    /** @param nanos of one agent's clock against ours */
    public void error(long nanos) {
        errorNanos = Math.max(errorNanos, nanos);
    }

    public void add(Snapshot snapshot) {
        endToEnd = endToEnd.plus(snapshot.measured().consume().endToEnd());
    }

    /** Empty where the error is small against the median, or nothing was read. */
    public Optional<String> sentence() {
        // A record may have been stamped on one host and read on another, each off by this much.
        long between = 2 * errorNanos / 1000;
        if (endToEnd.isEmpty() || between * 10 < endToEnd.percentileMicros(50)) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "the clocks of the agents are known to ±%.3f ms against each other: end-to-end latencies are that"
                        + " uncertain, and those below it say nothing",
                between / 1e3));
    }
}
