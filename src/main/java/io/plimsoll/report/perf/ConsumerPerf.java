package io.plimsoll.report.perf;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.perf.PerfLines.Rates;
import io.plimsoll.report.perf.PerfLines.Read;
import io.plimsoll.result.RunResult;
import java.io.PrintWriter;
import java.text.SimpleDateFormat;
import java.util.Date;

/**
 * The lines of {@code kafka-consumer-perf-test}. Rebalance time is what the group takes until it has its partitions and
 * positions, fetch time what it takes from then to its last record; their sum is the time of the run, so waiting in
 * vain for more records makes no rate smaller.
 */
public class ConsumerPerf extends PerfOutput {
    /** The options of the tool that say what to show. */
    public record Options(
            long records,
            long timeoutMillis,
            long intervalMillis,
            boolean detailed,
            boolean header,
            SimpleDateFormat dateFormat) {}

    final Options options;
    private long startMillis;
    private long readyMillis;
    private long records;
    private long bytes;
    private long windowRecords;
    private long windowBytes;
    private long windowNanos;
    private boolean firstWindow = true;

    public ConsumerPerf(PrintWriter out, PrintWriter err, Options options) {
        super(out, err, options.intervalMillis());
        this.options = options;
    }

    @Override
    public synchronized void begin() {
        if (options.header()) {
            line(header());
        }
    }

    String header() {
        return PerfLines.consumerHeader(options.detailed());
    }

    @Override
    public synchronized void phase(String trial, String phase, double fraction, double etaSeconds) {
        if (phase.equals("preparing")) {
            startMillis = System.currentTimeMillis();
        } else if (phase.equals("measuring") && readyMillis == 0) {
            readyMillis = System.currentTimeMillis();
        }
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        long newRecords = s.measured().get(Consumed.RECORDS) + s.warmup().get(Consumed.RECORDS);
        long newBytes = s.measured().get(Consumed.BYTES) + s.warmup().get(Consumed.BYTES);
        records += newRecords;
        bytes += newBytes;
        windowRecords += newRecords;
        windowBytes += newBytes;
        windowNanos += s.toNanos() - s.fromNanos();
        if (!intervalOver(windowNanos) || windowRecords == 0) {
            return;
        }
        if (options.detailed()) {
            interval(windowNanos, readyMillis + s.toNanos() / 1_000_000);
        }
        windowRecords = 0;
        windowBytes = 0;
        windowNanos = 0;
        firstWindow = false;
    }

    void interval(long nanos, long endMillis) {
        long join = firstWindow ? joinMillis() : 0;
        double fetch = windowNanos / 1e9;
        double mb = windowBytes / PerfLines.MB;
        line(PerfLines.consumerRow(new Read(
                time(endMillis) + ", 0",
                bytes / PerfLines.MB,
                records,
                join,
                Math.round(fetch * 1e3),
                Rates.of(mb, windowRecords, fetch + join / 1e3),
                Rates.of(mb, windowRecords, fetch))));
    }

    @Override
    void summary(RunResult result) {
        if (records < options.records()) {
            line(PerfLines.consumerShortfall(options.timeoutMillis()));
        }
        if (!summarises()) {
            return;
        }
        double fetch = result.trials().stream()
                .mapToDouble(t -> t.course().measuredSeconds())
                .sum();
        double mb = bytes / PerfLines.MB;
        long start = startMillis == 0 ? result.head().startedAt().toEpochMilli() : startMillis;
        long fetchMillis = Math.round(fetch * 1e3);
        double seconds = fetch + joinMillis() / 1e3;
        sum(new Read(
                time(start) + ", " + time(start + joinMillis() + fetchMillis),
                mb,
                records,
                joinMillis(),
                fetchMillis,
                Rates.of(mb, records, seconds),
                Rates.of(mb, records, fetch)));
    }

    boolean summarises() {
        return !options.detailed();
    }

    void sum(Read all) {
        line(PerfLines.consumerRow(all));
    }

    private long joinMillis() {
        return readyMillis == 0 ? 0 : Math.max(0, readyMillis - startMillis);
    }

    @SuppressWarnings("JavaUtilDate") // the formats that users give are those of its own formatter, as in Kafka's tool
    final String time(long epochMillis) {
        return options.dateFormat().format(new Date(epochMillis));
    }
}
