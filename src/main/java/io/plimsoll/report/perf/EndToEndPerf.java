package io.plimsoll.report.perf;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.RunResult;
import java.io.PrintWriter;
import java.util.Optional;

/**
 * The lines of {@code kafka-e2e-latency}: from when a record is sent to when a consumer has it. The line of every
 * thousandth record shows the mean of those since the line before.
 */
public final class EndToEndPerf extends PerfOutput {
    private static final long EVERY_RECORDS = 1000;

    private final Optional<String> created;
    private Latencies all = Latencies.EMPTY;
    private Latencies recent = Latencies.EMPTY;
    private long next;

    /** @param created the topic if it was made for this; empty if it was there */
    public EndToEndPerf(PrintWriter out, PrintWriter err, Optional<String> created) {
        super(out, err, 1);
        this.created = created;
    }

    @Override
    public synchronized void begin() {
        created.ifPresent(topic -> line("Topic \"" + topic
                + "\" does not exist. Will create topic with 1 partition(s) and replication factor = 1"));
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        Latencies more = s.measured().plus(s.warmup()).get(Consumed.END_TO_END);
        recent = recent.plus(more);
        all = all.plus(more);
        boolean reached = all.count() > next;
        for (; all.count() > next; next += EVERY_RECORDS) {
            line(next + "\t" + millis(recent.meanMicros()));
        }
        recent = reached ? Latencies.EMPTY : recent;
    }

    @Override
    void summary(RunResult result) {
        line(average(all));
        line(percentiles(all));
    }

    static String average(Latencies latencies) {
        return format("Avg latency: %.4f ms", millis(latencies.meanMicros()));
    }

    static String percentiles(Latencies latencies) {
        return format(
                "Percentiles: 50th = %d, 99th = %d, 99.9th = %d",
                wholeMillis(latencies, 50), wholeMillis(latencies, 99), wholeMillis(latencies, 99.9));
    }
}
