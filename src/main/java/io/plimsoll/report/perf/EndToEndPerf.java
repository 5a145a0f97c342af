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
                + "\" does not exist. Will create topic with 1 partition(s) and" + " replication factor = 1"));
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        Latencies more = s.measured().plus(s.warmup()).get(Consumed.END_TO_END);
        recent = recent.plus(more);
        all = all.plus(more);
        boolean reached = all.count() > next;
        while (all.count() > next) {
            line(PerfLines.endToEndProgress(next, recent));
            next += EVERY_RECORDS;
        }
        if (reached) {
            recent = Latencies.EMPTY;
        }
    }

    @Override
    void summary(RunResult result) {
        line(PerfLines.endToEndAverage(all));
        line(PerfLines.endToEndPercentiles(all));
    }
}
