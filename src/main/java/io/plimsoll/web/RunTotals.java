package io.plimsoll.web;

import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.Window;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures of a run for others: counters since the trial began, and more of its last second. Thread-safe. */
final class RunTotals {
    static final Name DUE = new Name("plimsoll_records_due", "Records that the schedule asked for.");
    static final Name ACKNOWLEDGED = new Name("plimsoll_records_acknowledged", "Records that were acknowledged.");
    static final Name BYTES = new Name("plimsoll_bytes_acknowledged", "Their keys and values.");
    static final Name CONSUMED = new Name("plimsoll_records_consumed", "Records that consumers received.");
    static final Name ERRORS = new Name("plimsoll_errors", "Failures of producing and consuming.");
    static final List<Name> COUNTERS = List.of(DUE, ACKNOWLEDGED, BYTES, CONSUMED, ERRORS);

    static final Name RESPONSE = new Name("plimsoll_response_seconds", "Response times of the last second.");
    static final Name END_TO_END = new Name("plimsoll_end_to_end_seconds", "End-to-end latencies of the last second.");
    static final List<Name> QUANTILES = List.of(RESPONSE, END_TO_END);

    static final Name LAG = new Name("plimsoll_lag_records", "Records not yet read, by consumer group.");
    static final Name CORES = new Name("plimsoll_generator_cores", "CPU of the load generator in the last second.");

    private Totals now;

    record Name(String name, String help) {}

    record Totals(
            String trial,
            Map<Name, Long> counts,
            Latencies response,
            Latencies endToEnd,
            Map<String, Long> lag,
            double cores) {
        long count(Name counter) {
            return counts.getOrDefault(counter, 0L);
        }

        /** Seconds by quantile; empty without samples. */
        Map<String, Double> quantiles(Name of) {
            Latencies latencies = of.equals(RESPONSE) ? response : endToEnd;
            Map<String, Double> quantiles = new LinkedHashMap<>();
            if (!latencies.isEmpty()) {
                for (String quantile : List.of("0.5", "0.99", "0.999", "1.0")) {
                    quantiles.put(quantile, latencies.percentileMicros(Double.parseDouble(quantile) * 100) / 1e6);
                }
            }
            return quantiles;
        }
    }

    synchronized void accept(Snapshot s) {
        Map<Name, Long> counts = new LinkedHashMap<>();
        if (now != null && now.trial().equals(s.trial())) {
            counts.putAll(now.counts());
        }
        Latencies response = Latencies.EMPTY;
        Latencies endToEnd = Latencies.EMPTY;
        for (Window window : List.of(s.warmup(), s.measured())) {
            counts.merge(DUE, window.produce().due(), Long::sum);
            counts.merge(ACKNOWLEDGED, window.produce().volume().acknowledged(), Long::sum);
            counts.merge(BYTES, window.produce().volume().acknowledgedBytes(), Long::sum);
            counts.merge(CONSUMED, window.consume().records(), Long::sum);
            long failed = window.consume().errors().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            counts.merge(ERRORS, window.produce().errorTotal() + failed, Long::sum);
            response = response.plus(window.produce().times().responseTime());
            endToEnd = endToEnd.plus(window.consume().endToEnd());
        }
        double nanos = Math.max(1, s.toNanos() - s.fromNanos());
        now = new Totals(
                s.trial(),
                Map.copyOf(counts),
                response,
                endToEnd,
                s.lag(),
                s.generator().cpuNanos() / nanos);
    }

    /** Null before the first second. */
    synchronized Totals figures() {
        return now;
    }
}
