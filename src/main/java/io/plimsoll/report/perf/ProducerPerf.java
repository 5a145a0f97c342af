package io.plimsoll.report.perf;

import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.perf.PerfLines.Sent;
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
    private static final Sent NONE = new Sent(0, 0, 0, Latencies.EMPTY);

    /** The share of the rate asked for that must be reached: with less, records were sent later than they were due. */
    private static final double REACHED = 0.95;

    private final double recordsPerSecond;
    private final long warmupRecords;
    private final List<String> payloadLines;
    private final Map<String, Sent> totals = new LinkedHashMap<>();
    private Sent window = NONE;
    private long windowNanos;

    /**
     * @param recordsPerSecond that were asked for; 0 for as many as possible
     * @param warmupRecords sent in a trial of their own, before the others; 0 for none
     * @param payloadLines what is said beforehand about a payload file
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

    @Override
    public synchronized void begin() {
        lines(payloadLines);
        if (warmupRecords > 0) {
            line("Warmup first " + warmupRecords
                    + " records. Steady state results will print after the complete test summary.");
        }
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        if (totals.putIfAbsent(s.trial(), NONE) == null) {
            window = NONE;
            windowNanos = 0;
            if (totals.size() == 2) {
                line("In steady state.");
            }
        }
        // All of it: these trials have no warm-up of their own.
        Counts counts = s.measured().plus(s.warmup());
        long nanos = s.toNanos() - s.fromNanos();
        totals.computeIfPresent(s.trial(), (trial, sum) -> plus(sum, counts, nanos));
        window = plus(window, counts, nanos);
        windowNanos += nanos;
        // As there: where nothing is acknowledged, the interval goes on.
        if (intervalOver(windowNanos) && window.records() > 0) {
            line(PerfLines.interval(window));
            window = NONE;
            windowNanos = 0;
        }
    }

    private static Sent plus(Sent sum, Counts counts, long nanos) {
        return new Sent(
                sum.records() + counts.get(Produced.ACKNOWLEDGED),
                sum.bytes() + counts.get(Produced.ACKNOWLEDGED_BYTES),
                sum.seconds() + nanos / 1e9,
                sum.latencies().plus(counts.get(Produced.RESPONSE_TIME)));
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
        Sent all = NONE;
        Sent last = NONE;
        for (TrialResult trial : result.trials()) {
            Sent measured = totals.getOrDefault(trial.name(), NONE);
            // To the last acknowledgement: the snapshots go on until the clients are closed.
            last = new Sent(
                    measured.records(), measured.bytes(), trial.course().measuredSeconds(), measured.latencies());
            all = new Sent(
                    all.records() + last.records(),
                    all.bytes() + last.bytes(),
                    all.seconds() + last.seconds(),
                    all.latencies().plus(last.latencies()));
        }
        line(PerfLines.summary(all, ""));
        if (warmupRecords > 0 && result.trials().size() == 2) {
            line(PerfLines.summary(last, " steady state"));
        }
    }
}
