package io.plimsoll.cluster;

import io.plimsoll.cluster.GroupWatch.Members;
import io.plimsoll.cluster.GroupWatch.Position;
import io.plimsoll.cluster.GroupWatch.Progress;
import io.plimsoll.measure.Observation;
import io.plimsoll.result.GroupsFold;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Converts readings of {@link GroupWatch} to one observation per second. A group that commits every few seconds seems
 * to fall behind between commits. The minimum lag of the whole group since its last commits is therefore also reported;
 * it rises only if the group does not keep up. The lag of a single partition can reach 0 even in a lagging group. Time
 * is an argument. Used by one thread.
 */
public final class GroupLag {
    /** Longest plausible commit interval of a group that keeps up. */
    private static final long MOST_GAP_NANOS = 12_000_000_000L;

    private static final int GAPS = 5;

    private final String group;
    private final Map<TopicPartition, Commits> commits = new HashMap<>();
    private final Deque<Point> lags = new ArrayDeque<>();
    private @Nullable Progress last;
    private long lastNanos;
    private @Nullable Progress reported;
    private long reportedNanos;
    private long rebalances;
    private long rebalancesReported;
    private boolean moving;
    private @Nullable Map<String, Set<TopicPartition>> assigned;

    public GroupLag(String group) {
        this.group = group;
    }

    private static final class Commits {
        private final Deque<Long> gaps = new ArrayDeque<>();
        private long committed = -1;
        private long sinceNanos;

        void add(long nanos, long offset, long lag) {
            if (offset != committed || lag == 0) {
                if (committed >= 0 && offset != committed) {
                    gaps.addLast(Math.min(MOST_GAP_NANOS, nanos - sinceNanos));
                }
                while (gaps.size() > GAPS) {
                    gaps.removeFirst();
                }
                committed = offset;
                sinceNanos = nanos;
            }
        }

        /**
         * The median time between commits of a partition, because commits come in bursts while the member is busy with
         * other partitions.
         */
        long gapNanos() {
            return gaps.stream().sorted().skip(gaps.size() / 2).findFirst().orElse(0L);
        }
    }

    private record Point(long nanos, long lag) {}

    private void settle(long nanos, Progress progress) {
        lags.addLast(new Point(
                nanos,
                progress.known().values().stream().mapToLong(Position::unread).sum()));
        long reach =
                commits.values().stream().mapToLong(Commits::gapNanos).max().orElse(0);
        while (lags.size() > 1 && nanos - lags.getFirst().nanos() > reach) {
            lags.removeFirst();
        }
    }

    /** Adds a reading of offsets. Frequent readings determine the time of commits more precisely. */
    public void accept(long nanos, Progress progress) {
        progress.known().forEach((partition, at) -> commits.computeIfAbsent(partition, p -> new Commits())
                .add(nanos, at.committed(), at.unread()));
        settle(nanos, progress);
        last = progress;
        lastNanos = nanos;
        if (reported == null) {
            reported = progress;
            reportedNanos = nanos;
        }
    }

    /** Adds a reading of the members. A rebalance between two readings that changes nothing is not detected. */
    public void accept(Members members) {
        boolean changed = members.stable() && assigned != null && !assigned.equals(members.assigned());
        if (!moving && (!members.stable() || changed)) {
            rebalances++;
        }
        moving = !members.stable();
        if (members.stable()) {
            assigned = members.assigned();
        }
    }

    /**
     * The observation since the previous call. The times of the last reading and of the first unread records are in ms
     * since 1970.
     */
    public Optional<Observation> observation(
            long startNanos, long nowMillis, Map<TopicPartition, Long> firstUnread, Optional<Members> members) {
        if (last == null || reported == null || lastNanos <= reportedNanos) {
            return Optional.empty();
        }
        Map<String, Double> sums = new HashMap<>();
        Map<String, Double> gauges = new HashMap<>();
        Map<TopicPartition, Position> before = reported.known();
        long settled = lags.stream().mapToLong(Point::lag).min().orElse(0);
        last.positions().forEach((partition, at) -> {
            gauges.putAll(exceptions(partition, at));
            if (!at.known()) {
                return;
            }
            long lag = at.unread();
            Long since = lag == 0 ? Long.valueOf(nowMillis) : firstUnread.get(partition);
            gauges.merge("lag", (double) lag, Double::sum);
            gauges.put("settled", (double) settled);
            gauges.put("lag:" + partition, (double) lag);
            if (since != null) {
                double millis = Math.max(0, nowMillis - since);
                gauges.merge("lagMs", millis, Math::max);
                gauges.put("lagMs:" + partition, millis);
            }
            if (before.containsKey(partition)) {
                Position then = before.get(partition);
                double read = Math.max(0, at.committed() - then.committed());
                sums.merge("consumed", read, Double::sum);
                sums.put("consumed:" + partition, read);
                sums.merge("produced", (double) Math.max(0, at.end() - then.end()), Double::sum);
            }
        });
        sums.put("seconds", (lastNanos - reportedNanos) / 1e9);
        sums.put("rebalances", (double) (rebalances - rebalancesReported));
        members.ifPresent(m -> shares(m, gauges));
        Observation seen = new Observation(
                GroupsFold.GROUP + group, "admin", reportedNanos - startNanos, lastNanos - startNanos, sums, gauges);
        reported = last;
        reportedNanos = lastNanos;
        rebalancesReported = rebalances;
        return Optional.of(seen);
    }

    private static Map<String, Double> exceptions(TopicPartition partition, Position at) {
        Map<String, Double> gauges = new HashMap<>();
        gauges.put(GroupsFold.OPEN + partition, at.known() ? (double) at.open() : 0);
        gauges.put(GroupsFold.DELETED + partition, (double) at.deleted());
        gauges.values().removeIf(records -> records == 0);
        if (!at.known()) {
            gauges.put(GroupsFold.UNKNOWN + partition, (double) at.unread());
        }
        return gauges;
    }

    /** Gauges of the latest progress, corrected by {@link GroupWatch#withoutRecord}. */
    public static Map<String, Double> counted(Progress progress, Map<TopicPartition, Long> withoutRecord) {
        Map<String, Double> gauges = new HashMap<>();
        progress.positions().forEach((partition, at) -> {
            double records = at.unread() - withoutRecord.getOrDefault(partition, 0L);
            gauges.put((at.known() ? "lag:" : GroupsFold.UNKNOWN) + partition, records);
            if (at.known()) {
                gauges.merge("lag", records, Double::sum);
            }
            if (at.committed() >= 0) {
                gauges.put(GroupsFold.COMMITTED + partition, (double) at.committed());
            }
            gauges.put(GroupsFold.END + partition, (double) at.end());
        });
        return gauges;
    }

    /** Adds the distribution of partitions over members, in the order of member ids. */
    private static void shares(Members members, Map<String, Double> gauges) {
        gauges.put("members", (double) members.assigned().size());
        int number = 0;
        for (Set<TopicPartition> partitions : new TreeMap<>(members.assigned()).values()) {
            double member = ++number;
            partitions.forEach(partition -> gauges.put("member:" + partition, member));
        }
    }
}
