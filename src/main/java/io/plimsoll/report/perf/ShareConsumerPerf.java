package io.plimsoll.report.perf;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.perf.PerfLines.Rates;
import io.plimsoll.report.perf.PerfLines.Read;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The lines of {@code kafka-share-consumer-perf-test}; its times begin before the members have joined. */
public final class ShareConsumerPerf extends ConsumerPerf {
    private static final String MEMBER = "member.";
    private static final String RECORDS = ".records";

    /** Null if consumers are not shown each. */
    private final String clientId;

    /** By member and what is counted. */
    private final Map<String, Long> counts = new TreeMap<>();

    private final Map<String, Long> before = new TreeMap<>();

    /** @param clientId what the ids of the consumers begin with, whose sums are shown at the end; null for none */
    public ShareConsumerPerf(PrintWriter out, PrintWriter err, Options options, String clientId) {
        super(out, err, options);
        this.clientId = clientId;
    }

    @Override
    String header() {
        return PerfLines.SHARE_HEADER;
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        s.warmup().plus(s.measured()).get(Consumed.EVENTS).forEach((event, n) -> counts.merge(event, n, Long::sum));
        super.snapshot(s);
    }

    @Override
    void interval(long nanos, long endMillis) {
        double seconds = nanos / 1e9;
        for (Member m : members()) {
            double mb = since(MEMBER + (m.number - 1) + ".bytes", m.bytes) / PerfLines.MB;
            long more = since(MEMBER + (m.number - 1) + RECORDS, m.records);
            Read read = new Read(
                    time(endMillis - nanos / 1_000_000) + ", " + time(endMillis),
                    m.bytes / PerfLines.MB,
                    m.records,
                    0,
                    nanos / 1_000_000,
                    Rates.of(mb, more, seconds),
                    Rates.NONE);
            line(PerfLines.shareRow(read) + " for share consumer " + m.number);
        }
    }

    private long since(String count, long now) {
        Long last = before.put(count, now);
        return now - (last == null ? 0 : last);
    }

    @Override
    boolean summarises() {
        return true;
    }

    @Override
    void sum(Read all) {
        long millis = all.joinMillis() + all.fetchMillis();
        if (clientId != null) {
            for (Member m : members()) {
                double mb = m.bytes / PerfLines.MB;
                Rates rates = Rates.of(mb, m.records, millis / 1e3);
                line("Share consumer " + m.number + " having client id " + clientId + "-" + m.number
                        + " consumption metrics- "
                        + PerfLines.shareRow(new Read(all.time(), mb, m.records, 0, millis, rates, Rates.NONE)));
            }
        }
        line(PerfLines.shareRow(
                new Read(all.time(), all.totalMb(), all.records(), 0, millis, all.rates(), Rates.NONE)));
    }

    /** @param number from 1 */
    private record Member(int number, long records, long bytes) {}

    private List<Member> members() {
        int last = counts.keySet().stream()
                .filter(name -> name.startsWith(MEMBER) && name.endsWith(RECORDS))
                .mapToInt(name -> Integer.parseInt(name.substring(MEMBER.length(), name.length() - RECORDS.length())))
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
