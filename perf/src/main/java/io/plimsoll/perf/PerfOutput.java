package io.plimsoll.perf;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.Text;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.PrintWriter;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Prints a run in the output format of a Kafka performance tool. Standard output contains only these lines; other messages
 * go to standard error before the last line, because scripts read the last line. Thread-safe.
 */
public abstract class PerfOutput implements Progress {
    static final double MB = 1024.0 * 1024.0;
    /** Tolerance for an interval of five snapshots that seems slightly too short. */
    private static final double INTERVAL_SLACK = 0.99;

    private final PrintWriter out;
    private final PrintWriter err;
    private final double intervalNanos;

    PerfOutput(PrintWriter out, PrintWriter err, long intervalMillis) {
        this.out = out;
        this.err = err;
        this.intervalNanos = intervalMillis * 1e6 * INTERVAL_SLACK;
    }

    public void begin() {}

    /** @param metrics metrics of the client; empty to omit them */
    public final synchronized void end(RunResult result, Map<String, Object> metrics, Language language) {
        result.verdict().warnings().forEach(w -> warn(w.in(language)));
        remarks(result).forEach(remark -> warn(remark.in(language)));
        err.flush();
        summary(result);
        metrics(metrics).forEach(this::line);
        out.flush();
    }

    abstract void summary(RunResult result);

    List<Sentence> remarks(RunResult result) {
        return List.of();
    }

    private void warn(String text) {
        err.println("plimsoll: " + Text.printable(text));
    }

    final boolean intervalOver(long nanos) {
        return nanos >= intervalNanos;
    }

    final void line(String text) {
        out.println(text);
        out.flush();
    }

    @Override
    public void close() {
        out.flush();
        err.flush();
    }

    /** A table of a client's metrics below an empty line; empty without metrics. */
    static List<String> metrics(Map<String, Object> metrics) {
        List<String> lines = new ArrayList<>();
        if (metrics.isEmpty()) {
            return lines;
        }
        int width = metrics.keySet().stream().mapToInt(String::length).max().orElse(1);
        lines.add("");
        lines.add(format("%-" + width + "s   %s", "Metric Name", "Value"));
        metrics.forEach((name, value) ->
                lines.add(format("%-" + width + "s : " + (value instanceof Double ? "%.3f" : "%s"), name, value)));
        return lines;
    }

    static double per(double amount, double seconds) {
        return seconds > 0 ? amount / seconds : 0;
    }

    static double millis(double micros) {
        return micros / 1000.0;
    }

    /** A percentile in ms, rounded to the nearest integer, whereas Kafka's tools truncate to milliseconds of the wall clock. */
    static long wholeMillis(Latencies latencies, double percentile) {
        return Math.round(latencies.percentileMicros(percentile) / 1000.0);
    }

    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /**
     * The lines of {@code kafka-consumer-perf-test}. Rebalance time ends when the group has partitions and positions;
     * fetch time lasts from then until the last record. Rates exclude a final wait without records.
     */
    public static class ConsumerPerf extends PerfOutput {
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

        /**
         * @param time first columns of the row
         * @param joinMillis time in which the group formed, in ms
         */
        record Read(
                String time,
                long bytes,
                long records,
                long newBytes,
                long newRecords,
                long joinMillis,
                double fetchSeconds) {
            private double perSecond(double amount) {
                return per(amount, fetchSeconds + joinMillis / 1e3);
            }

            private long fetchMillis() {
                return Math.round(fetchSeconds * 1e3);
            }

            String row() {
                return format(
                        "%s, %.4f, %.4f, %d, %.4f, %d, %d, %.4f, %.4f",
                        time,
                        bytes / MB,
                        perSecond(newBytes / MB),
                        records,
                        perSecond(newRecords),
                        joinMillis,
                        fetchMillis(),
                        per(newBytes / MB, fetchSeconds),
                        per(newRecords, fetchSeconds));
            }

            /** The row for share groups, in which times begin before the members join. */
            String shareRow() {
                return format(
                        "%s, %.4f, %.4f, %.4f, %d, %d",
                        time,
                        bytes / MB,
                        perSecond(newBytes / MB),
                        perSecond(newRecords),
                        records,
                        joinMillis + fetchMillis());
            }
        }

        @Override
        public synchronized void begin() {
            if (options.header()) {
                line(header(options.detailed()));
            }
        }

        String header(boolean detailed) {
            return (detailed ? "time, threadId" : "start.time, end.time")
                    + ", data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, fetch.time.ms,"
                    + " fetch.MB.sec, fetch.nMsg.sec";
        }

        @Override
        public synchronized void phase(@Nullable String trial, String phase, double fraction, double etaSeconds) {
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
            String time = time(endMillis) + ", 0";
            line(new Read(time, bytes, records, windowBytes, windowRecords, join, nanos / 1e9).row());
        }

        @Override
        void summary(RunResult result) {
            if (records < options.records()) {
                line(shortfall(options.timeoutMillis()));
            }
            double fetch = result.trials().stream()
                    .mapToDouble(t -> t.course().measuredSeconds())
                    .sum();
            long start = startMillis == 0 ? result.head().startedAt().toEpochMilli() : startMillis;
            String time = time(start) + ", " + time(start + joinMillis() + Math.round(fetch * 1e3));
            sum(new Read(time, bytes, records, bytes, records, joinMillis(), fetch));
        }

        static String shortfall(long timeoutMillis) {
            return format(
                    "WARNING: Exiting before consuming the expected number of records: timeout (%d ms) exceeded. You can"
                            + " use the --timeout option to increase the timeout.",
                    timeoutMillis);
        }

        void sum(Read all) {
            if (!options.detailed()) {
                line(all.row());
            }
        }

        private long joinMillis() {
            return readyMillis == 0 ? 0 : Math.max(0, readyMillis - startMillis);
        }

        @SuppressWarnings("JavaUtilDate") // Users pass formats for the class that Kafka's tool uses.
        final String time(long epochMillis) {
            return options.dateFormat().format(new Date(epochMillis));
        }

        /** The lines of {@code kafka-share-consumer-perf-test}; its times begin before the members have joined. */
        public static final class Share extends ConsumerPerf {
            private static final String MEMBER = "member.";
            private static final String RECORDS = ".records";

            private final @Nullable String clientId;

            private final Map<String, Long> counts = new TreeMap<>();

            private final Map<String, Long> before = new TreeMap<>();

            /** @param clientId prefix of the client ids to sum at the end; null if consumers are not listed individually */
            public Share(PrintWriter out, PrintWriter err, Options options, @Nullable String clientId) {
                super(out, err, options);
                this.clientId = clientId;
            }

            @Override
            String header(boolean detailed) {
                return "start.time, end.time, data.consumed.in.MB, MB.sec, nMsg.sec, data.consumed.in.nMsg, fetch.time.ms";
            }

            @Override
            public synchronized void snapshot(Snapshot s) {
                s.warmup()
                        .plus(s.measured())
                        .get(Consumed.EVENTS)
                        .forEach((event, n) -> counts.merge(event, n, Long::sum));
                super.snapshot(s);
            }

            @Override
            void interval(long nanos, long endMillis) {
                String time = time(endMillis - nanos / 1_000_000) + ", " + time(endMillis);
                for (Member m : members()) {
                    long more = since(MEMBER + (m.number - 1) + RECORDS, m.records);
                    long moreBytes = since(MEMBER + (m.number - 1) + ".bytes", m.bytes);
                    Read read = new Read(time, m.bytes, m.records, moreBytes, more, 0, nanos / 1e9);
                    line(read.shareRow() + " for share consumer " + m.number);
                }
            }

            private long since(String count, long now) {
                Long last = before.put(count, now);
                return now - (last == null ? 0 : last);
            }

            @Override
            void sum(Read all) {
                for (Member m : clientId == null ? List.<Member>of() : members()) {
                    Read its = new Read(
                            all.time(), m.bytes, m.records, m.bytes, m.records, all.joinMillis(), all.fetchSeconds());
                    line("Share consumer " + m.number + " having client id " + clientId + "-" + m.number
                            + " consumption metrics- " + its.shareRow());
                }
                line(all.shareRow());
            }

            private record Member(int number, long records, long bytes) {}

            private List<Member> members() {
                int last = counts.keySet().stream()
                        .filter(name -> name.startsWith(MEMBER) && name.endsWith(RECORDS))
                        .map(name -> name.substring(MEMBER.length(), name.length() - RECORDS.length()))
                        .mapToInt(Integer::parseInt)
                        .max()
                        .orElse(0);
                return IntStream.rangeClosed(0, last)
                        .mapToObj(m -> new Member(
                                m + 1,
                                counts.getOrDefault(MEMBER + m + RECORDS, 0L),
                                counts.getOrDefault(MEMBER + m + ".bytes", 0L)))
                        .toList();
            }
        }
    }

    /**
     * The lines of {@code kafka-producer-perf-test}. Latencies are response times of all records, measured from the due
     * time or, without a rate, from sending.
     */
    public static final class ProducerPerf extends PerfOutput {

        /** Minimum share of the requested rate that counts as reached; below it, records were sent late. */
        private static final double REACHED = 0.95;

        private final double recordsPerSecond;
        private final long warmupRecords;
        private final List<String> payloadLines;
        private final Map<String, Sent> totals = new LinkedHashMap<>();
        private Sent window = Sent.NONE;
        private long windowNanos;

        /**
         * @param recordsPerSecond 0 for unlimited
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

        record Sent(long records, long bytes, double seconds, Latencies latencies) {
            static final Sent NONE = new Sent(0, 0, 0, Latencies.EMPTY);

            Sent plus(Sent more) {
                return new Sent(
                        records + more.records,
                        bytes + more.bytes,
                        seconds + more.seconds,
                        latencies.plus(more.latencies));
            }

            private String rates(int decimals) {
                return format(
                        "%." + decimals + "f records/sec (%.2f MB/sec)",
                        per(records, seconds),
                        per(bytes / MB, seconds));
            }

            String interval() {
                return format(
                        "%d records sent, %s, %.1f ms avg latency, %.1f ms max latency.",
                        records, rates(1), millis(latencies.meanMicros()), millis(latencies.maxMicros()));
            }

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
            // Both windows, because these trials have no separate warm-up.
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
            // As in Kafka's tool, an interval without acknowledgments continues.
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
                TrialResult.Produce sends = trial.produce();
                if (sends == null || !trial.course().complete()) {
                    continue;
                }
                TrialResult.Latency service = sends.times().serviceTime();
                Double rate = sends.volume().recordsPerSecond();
                boolean reached = rate == null || rate >= REACHED * recordsPerSecond;
                if (!reached && service != null && service.mean() != null && service.max() != null) {
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
                // The time up to the last acknowledgment, because snapshots continue until the clients are closed.
                last = new Sent(sent.records(), sent.bytes(), trial.course().measuredSeconds(), sent.latencies());
                all = all.plus(last);
            }
            line(all.summary(""));
            if (warmupRecords > 0 && result.trials().size() == 2) {
                line(last.summary(" steady state"));
            }
        }
    }

    /** The lines of {@code kafka-e2e-latency}, one per thousand records with the mean since the previous line. */
    public static final class EndToEndPerf extends PerfOutput {
        private static final long EVERY_RECORDS = 1000;

        private final Optional<String> created;
        private Latencies all = Latencies.EMPTY;
        private Latencies recent = Latencies.EMPTY;
        private long next;

        /** @param created the topic if it was created for this run; empty if it existed */
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
}
