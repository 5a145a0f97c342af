package io.plimsoll.report.perf;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines of {@code kafka-producer-perf-test}. Latencies are response times: from when a record was due, which without
 * a rate is when it was sent, to its acknowledgement. Each record counts; nothing is sampled.
 */
public final class ProducerPerf extends PerfOutput {

    /** The share of the rate asked for that must be reached: with less, records were sent later than they were due. */
    private static final double REACHED = 0.95;

    private final double recordsPerSecond;
    private final long warmupRecords;
    private final List<String> payloadLines;
    private final Map<String, Sent> totals = new LinkedHashMap<>();
    private Sent window = Sent.NONE;
    private long windowNanos;

    /**
     * @param recordsPerSecond target rate; 0 for unlimited
     * @param warmupRecords records of a separate warm-up trial; 0 for none
     * @param payloadLines messages about a payload file, printed first
     */
    public ProducerPerf(
            PrintWriter out,
            PrintWriter err,
            long intervalMillis,
            double recordsPerSecond,
            long warmupRecords,
            List<String> payloadLines) {
        super(out, err, intervalMillis);
        this.recordsPerSecond = recordsPerSecond;
        this.warmupRecords = warmupRecords;
        this.payloadLines = List.copyOf(payloadLines);
    }

    /** Records of some time. */
    record Sent(long records, long bytes, double seconds, Latencies latencies) {
        static final Sent NONE = new Sent(0, 0, 0, Latencies.EMPTY);

        Sent plus(Sent more) {
            return new Sent(
                    records + more.records, bytes + more.bytes, seconds + more.seconds, latencies.plus(more.latencies));
        }

        private String rates(int decimals) {
            return format(
                    "%." + decimals + "f records/sec (%.2f MB/sec)", per(records, seconds), per(bytes / MB, seconds));
        }

        String interval() {
            return format(
                    "%d records sent, %s, %.1f ms avg latency, %.1f ms max latency.",
                    records, rates(1), millis(latencies.meanMicros()), millis(latencies.maxMicros()));
        }

        /** @param which empty, or {@code " steady state"} */
        String summary(String which) {
            // Kafka's tool prints NaN without records.
            double mean = latencies.isEmpty() ? Double.NaN : millis(latencies.meanMicros());
            return format(
                    "%d%s records sent, %s, %.2f ms avg latency, %.2f ms max latency, %d ms 50th, %d ms 95th,"
                            + " %d ms 99th, %d ms 99.9th.",
                    records,
                    which,
                    rates(6),
                    mean,
                    millis(latencies.maxMicros()),
                    wholeMillis(latencies, 50),
                    wholeMillis(latencies, 95),
                    wholeMillis(latencies, 99),
                    wholeMillis(latencies, 99.9));
        }
    }

    @Override
    public synchronized void begin() {
        payloadLines.forEach(this::line);
        if (warmupRecords > 0) {
            line("Warmup first " + warmupRecords
                    + " records. Steady state results will print after the complete test summary.");
        }
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        if (totals.putIfAbsent(s.trial(), Sent.NONE) == null) {
            window = Sent.NONE;
            windowNanos = 0;
            if (totals.size() == 2) {
                line("In steady state.");
            }
        }
        // All of it: these trials have no warm-up of their own.
        Counts counts = s.measured().plus(s.warmup());
        long nanos = s.toNanos() - s.fromNanos();
        Sent more = new Sent(
                counts.get(Produced.ACKNOWLEDGED),
                counts.get(Produced.ACKNOWLEDGED_BYTES),
                nanos / 1e9,
                counts.get(Produced.RESPONSE_TIME));
        totals.merge(s.trial(), more, Sent::plus);
        window = window.plus(more);
        windowNanos += nanos;
        // As in Kafka: an interval without acknowledgments continues.
        if (intervalOver(windowNanos) && window.records() > 0) {
            line(window.interval());
            window = Sent.NONE;
            windowNanos = 0;
        }
    }

    @Override
    List<Sentence> remarks(RunResult result) {
        List<Sentence> remarks = new ArrayList<>();
        for (TrialResult trial : result.trials()) {
            TrialResult.Latency service =
                    trial.produce() == null ? null : trial.produce().times().serviceTime();
            if (service != null
                    && service.mean() != null
                    && trial.course().complete()
                    && trial.produce().volume().recordsPerSecond() < REACHED * recordsPerSecond) {
                remarks.add(Sentence.of(
                        "report.rateNotReached", Units.micros(service.mean()), Units.micros(service.max())));
            }
        }
        return remarks;
    }

    @Override
    void summary(RunResult result) {
        Sent all = Sent.NONE;
        Sent last = Sent.NONE;
        for (TrialResult trial : result.trials()) {
            Sent sent = totals.getOrDefault(trial.name(), Sent.NONE);
            // Up to the last acknowledgment: snapshots continue until the clients are closed.
            last = new Sent(sent.records(), sent.bytes(), trial.course().measuredSeconds(), sent.latencies());
            all = all.plus(last);
        }
        line(all.summary(""));
        if (warmupRecords > 0 && result.trials().size() == 2) {
            line(last.summary(" steady state"));
        }
    }
}
