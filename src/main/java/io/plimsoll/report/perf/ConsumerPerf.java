package io.plimsoll.report.perf;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.RunResult;
import java.io.PrintWriter;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The lines of {@code kafka-consumer-perf-test}. Rebalance time ends when the group has its partitions and positions; fetch
 * time runs from then to its last record. Their sum is the time of the run, so that a final wait without records does not
 * lower the rate.
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

    /**
     * Records that were read.
     *
     * @param time first columns of the row
     * @param bytes in all, as {@code records} are
     * @param newBytes in this time, as {@code newRecords} are
     * @param joinMillis in which the group formed
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

        /** For share groups: times begin before the members join. */
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

    @SuppressWarnings("JavaUtilDate") // the formats that users give are those of its own formatter, as in Kafka's tool
    final String time(long epochMillis) {
        return options.dateFormat().format(new Date(epochMillis));
    }

    /** The lines of {@code kafka-share-consumer-perf-test}; its times begin before the members have joined. */
    public static final class Share extends ConsumerPerf {
        private static final String MEMBER = "member.";
        private static final String RECORDS = ".records";

        /** Null if consumers are not shown each. */
        private final String clientId;
        /** By member and counter name. */
        private final Map<String, Long> counts = new TreeMap<>();

        private final Map<String, Long> before = new TreeMap<>();

        /** @param clientId prefix of the client ids to sum at the end; null for none */
        public Share(PrintWriter out, PrintWriter err, Options options, String clientId) {
            super(out, err, options);
            this.clientId = clientId;
        }

        @Override
        String header(boolean detailed) {
            return "start.time, end.time, data.consumed.in.MB, MB.sec, nMsg.sec, data.consumed.in.nMsg, fetch.time.ms";
        }

        @Override
        public synchronized void snapshot(Snapshot s) {
            s.warmup().plus(s.measured()).get(Consumed.EVENTS).forEach((event, n) -> counts.merge(event, n, Long::sum));
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

        /** @param number from 1 */
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
