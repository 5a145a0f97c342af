package io.plimsoll.result;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Computes the drain of groups with a delayed start from the lag in the snapshots. The groups have caught up once their
 * total lag is at most the number of records that became available within a second. Between two snapshots, the lag is
 * interpolated. Used by one thread.
 */
final class BacklogFold {
    private final Map<String, List<String>> topics;
    private final boolean ofLabel;
    private final List<Point> points = new ArrayList<>();

    /**
     * @param topics topics of the groups with a delayed start, by group id
     * @param ofLabel whether the snapshots are of the clients with a label; then only groups in the snapshots count
     */
    BacklogFold(Map<String, List<String>> topics, boolean ofLabel) {
        this.topics = topics;
        this.ofLabel = ofLabel;
    }

    /**
     * @param at end of the interval, in seconds of the trial
     * @param lag total lag of all groups; −1 if unknown
     * @param live records that became available in this interval: for each group, the records written to its topics
     * @param response encoded by {@link Latencies#encode}, because decoded histograms of some hours would fill the
     *     memory
     */
    private record Point(double at, double seconds, long lag, long read, long readBytes, long live, String response) {
        Latencies latencies() {
            return Latencies.decode(response);
        }
    }

    /** @param produced records that all producers wrote in this interval, by partition */
    void accept(Snapshot s, Map<String, Long> produced) {
        Set<String> groups = groups(s);
        if (groups.isEmpty()) {
            return;
        }
        Map<String, Long> lags = s.whole().get(Consumed.LAG);
        long lag = lags.keySet().containsAll(groups) ? sum(groups, lags) : -1;
        boolean measured = s.phase() == Phase.MEASURE;
        points.add(new Point(
                s.toNanos() / 1e9,
                Math.max(1, s.toNanos() - s.fromNanos()) / 1e9,
                lag,
                sum(groups, s.measured().get(Consumed.GROUP_RECORDS)),
                sum(groups, s.measured().get(Consumed.GROUP_BYTES)),
                live(groups, produced),
                measured ? s.measured().get(Produced.RESPONSE_TIME).encode() : ""));
    }

    private Set<String> groups(Snapshot s) {
        Set<String> groups = new TreeSet<>(topics.keySet());
        if (ofLabel) {
            Set<String> labeled =
                    new TreeSet<>(s.warmup().get(Consumed.GROUP_RECORDS).keySet());
            labeled.addAll(s.measured().get(Consumed.GROUP_RECORDS).keySet());
            groups.retainAll(labeled);
        }
        return groups;
    }

    private static long sum(Set<String> groups, Map<String, Long> counts) {
        return groups.stream()
                .mapToLong(group -> counts.getOrDefault(group, 0L))
                .sum();
    }

    private long live(Set<String> groups, Map<String, Long> produced) {
        return produced.entrySet().stream()
                .mapToLong(of -> {
                    String topic = of.getKey().substring(0, of.getKey().lastIndexOf('-'));
                    return of.getValue()
                            * groups.stream()
                                    .filter(group -> topics.getOrDefault(group, List.of())
                                            .contains(topic))
                                    .count();
                })
                .sum();
    }

    /**
     * The drain; null without a backlog.
     * @param openedSeconds start of reading, in seconds of the trial; null if the groups never started to read
     */
    @Nullable
    Backlog result(@Nullable Double openedSeconds) {
        if (openedSeconds == null) {
            return null;
        }
        int first =
                (int) points.stream().takeWhile(p -> p.at() <= openedSeconds).count();
        if (first == points.size()) {
            return null;
        }
        Latencies usual =
                points.subList(0, first).stream().map(Point::latencies).reduce(Latencies.EMPTY, Latencies::plus);
        Point opening = points.get(first);
        double share = 1 - (opening.at() - openedSeconds) / opening.seconds();
        long before = first == 0 ? 0 : Math.max(0, points.get(first - 1).lag());
        long backlog = before + Math.round(opening.live() * Math.max(0, share));
        double live = opening.live() * Math.min(1, 1 - share);
        double lagBefore = backlog;
        double from = openedSeconds;
        long read = 0;
        long bytes = 0;
        Latencies during = Latencies.EMPTY;
        Double caughtUp = null;
        for (int i = first; i < points.size() && caughtUp == null; i++) {
            Point p = points.get(i);
            read += p.read();
            bytes += p.readBytes();
            live += i == first ? 0 : p.live();
            during = during.plus(p.latencies());
            if (p.lag() < 0) {
                continue;
            }
            double enough = p.live() / p.seconds();
            if (p.lag() <= enough) {
                double way = lagBefore - p.lag();
                double part = way <= 0 ? 0 : Math.max(0, lagBefore - enough) / way;
                caughtUp = from + (p.at() - from) * part;
                // The backlog: records read since the start plus the remaining lag, less the records produced since the
                // start. The lag sampled before the start is older and less exact.
                backlog = Math.max(0, Math.round(read + p.lag() - live));
            }
            lagBefore = p.lag();
            from = p.at();
        }
        double end = caughtUp == null ? points.get(points.size() - 1).at() : caughtUp;
        double readSeconds = Math.max(1e-3, from - openedSeconds);
        double records = read / readSeconds;
        double rate = bytes / readSeconds;
        return new Backlog(
                backlog,
                openedSeconds,
                caughtUp != null,
                end - openedSeconds,
                records,
                rate,
                Statistic.P99.percentile(usual),
                Statistic.P99.percentile(during));
    }
}
