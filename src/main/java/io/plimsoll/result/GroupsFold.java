package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import io.plimsoll.stats.Trend;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Derives figures of third-party groups in the measured window. Used by one thread. */
public final class GroupsFold {
    /** Prefix of the observations of a group; the group's id follows. */
    public static final String GROUP = "group ";

    /** Prefix of the observations of a group's state at its coordinator; the group's id follows. */
    public static final String COORDINATED = "coordinator of ";
    /** Name of the sum of seconds in which the group was not stable. */
    public static final String UNSTABLE = "unstableSeconds";

    private static final int MOST_BUCKETS = 300;

    /** Prefix of a gauge of a partition: number of its records, if the group has no commit there. */
    public static final String UNKNOWN = "unknown:";
    /** Prefix of a gauge of a partition: the part of its lag in open transactions. */
    public static final String OPEN = "open:";
    /** Prefix of a gauge of a partition: number of records that were deleted before the group committed them. */
    public static final String DELETED = "deleted:";
    /** Prefix of a gauge of a partition: the offset of the last commit. */
    public static final String COMMITTED = "committed:";
    /** Prefix of a gauge of a partition: the offset of the next record. */
    public static final String END = "end:";

    private static final String LAG = "lag:";
    private static final String LAG_MS = "lagMs:";
    private static final String CONSUMED = "consumed:";
    private static final String MEMBER = "member:";

    private final Map<String, GroupTally> seen = new TreeMap<>();

    private static final class GroupTally {
        private final Map<String, Double> sums = new TreeMap<>();
        private final Map<String, Double> most = new TreeMap<>();
        private final List<Double> settled = new ArrayList<>();
        private final List<GroupPace.Look> looks = new ArrayList<>();
        private double settledSeconds;
        private double countedSeconds;
        private double producedSoFar;
        private Map<String, Double> last = Map.of();

        void add(Observation o) {
            o.sums().forEach((name, value) -> sums.merge(name, value, Double::sum));
            o.gauges().keySet().forEach(name -> most.merge(name, o.most(name), Math::max));
            Double behind = o.gauges().get("settled");
            double seconds = o.sums().getOrDefault("seconds", (double) o.seconds());
            // The progress of a group without a commit is unknown.
            if (behind != null) {
                settled.addAll(Collections.nCopies(o.seconds(), behind));
                settledSeconds += seconds;
            }
            producedSoFar += o.sums().getOrDefault("produced", 0.0);
            if (behind != null) {
                look(new GroupPace.Look(settledSeconds, true, behind, behind, producedSoFar), o.seconds());
            }
            countedSeconds += o.sums().containsKey("produced") ? seconds : 0;
            last = o.gauges();
        }

        /** Adds a sample. Samples must be evenly spaced, so a folded minute counts as its seconds. */
        private void look(GroupPace.Look now, int seconds) {
            GroupPace.Look before = looks.isEmpty() ? null : looks.get(looks.size() - 1);
            for (int second = before == null ? seconds : 1; second <= seconds; second++) {
                looks.add(now.since(before, (double) second / seconds));
            }
        }

        /** Replaces the last values with more exact values; a maximum that equals the last value is also replaced. */
        void correct(Map<String, Double> gauges) {
            Map<String, Double> corrected = new TreeMap<>(last);
            gauges.forEach((name, value) -> {
                most.computeIfPresent(
                        name, (n, before) -> value < before && before.equals(last.get(n)) ? value : before);
                corrected.put(name, value);
            });
            last = corrected;
        }

        double sum(String kind) {
            return last.entrySet().stream()
                    .filter(gauge -> gauge.getKey().startsWith(kind))
                    .mapToDouble(Map.Entry::getValue)
                    .sum();
        }

        /** The rate per second over the seconds with commits, which can be fewer than the seconds of the window. */
        double rate(String sum) {
            return countedSeconds > 0 ? sums.getOrDefault(sum, 0.0) / countedSeconds : 0;
        }

        double growth(double[] values) {
            int each = (values.length + MOST_BUCKETS - 1) / MOST_BUCKETS;
            return values.length == 0
                    ? 0
                    : Trend.theilSenSlope(Trend.coarsen(values, MOST_BUCKETS))
                            / each
                            * (values.length / settledSeconds);
        }
    }

    /** Adds an observation of the measured window if it concerns a group. */
    public void accept(Observation o) {
        if (o.what().startsWith(GROUP)) {
            seen.computeIfAbsent(o.what().substring(GROUP.length()), id -> new GroupTally())
                    .add(o);
        }
    }

    /** Corrects gauges of a group's last observation with later counts. */
    public void correct(String group, Map<String, Double> gauges) {
        GroupTally tally = seen.get(group);
        if (tally != null) {
            tally.correct(gauges);
        }
    }

    /** Whether the observation includes the age of the first uncommitted record of each partition. */
    public static boolean timed(Observation o) {
        return o.gauges().keySet().stream().filter(name -> name.startsWith(LAG)).allMatch(name -> o.gauges()
                .containsKey(LAG_MS + name.substring(LAG.length())));
    }

    /** All groups by id, as in {@code groups} of a trial. */
    public List<Map<String, Object>> groups() {
        List<Map<String, Object>> groups = new ArrayList<>();
        seen.forEach((id, s) -> groups.add(group(id, s)));
        return List.copyOf(groups);
    }

    private static Map<String, Object> group(String id, GroupTally s) {
        double[] settled = s.settled.stream().mapToDouble(v -> v).toArray();
        double growth = s.growth(settled);
        double produced = s.rate("produced");
        // A rate from commits, which come in bursts, can be wrong by the records of a whole commit.
        double consumed = settled.length < Trend.LEAST ? s.rate("consumed") : Math.max(0, produced - growth);
        boolean known = settled.length > 0;
        double unknown = s.sum(UNKNOWN);
        GroupPace pace = pace(s.looks, unknown);
        Map<String, Object> g = new LinkedHashMap<>();
        g.put("id", id);
        g.put("members", s.most.get("members"));
        g.put("rebalances", s.sums.get("rebalances"));
        g.put("produced", known ? produced : null);
        g.put("consumed", known ? consumed : null);
        g.put("lag", s.most.get("lag"));
        g.put("lagMs", s.most.get("lagMs"));
        g.put("lagAtEnd", s.last.get("lag"));
        g.put("lagAtEndMs", s.last.get("lagMs"));
        g.put("growth", known ? growth : null);
        g.put("growing", (known && (!pace.isUndecided() || pace.receivedPerSecond() > 0)) ? pace.isBehind() : null);
        g.put(GroupPace.PACE, pace.outcome());
        g.put(GroupPace.DECIDABLE, pace.decidableSeconds());
        g.put("drainMs", unknown > 0 ? null : drainMs(s.last.get("lag"), consumed - produced));
        g.put("unknownRecords", unknown);
        g.put("openRecords", s.sum(OPEN));
        g.put("deletedRecords", s.sum(DELETED));
        g.put("partitions", partitions(s));
        return g;
    }

    /**
     * The pace of a group. Undecided if the group keeps up in partitions with a known lag, but partitions without a
     * commit have records.
     */
    private static GroupPace pace(List<GroupPace.Look> looks, double unknown) {
        GroupPace pace = GroupPace.of(looks, GroupPace.Source.COMMITTED, false);
        return pace.isBehind() || unknown == 0 ? pace : GroupPace.UNKNOWN;
    }

    /** Time in ms until the lag is drained; null if it is never drained, or is unknown. */
    private static @Nullable Double drainMs(@Nullable Double lag, double faster) {
        if (lag == null) {
            return null;
        }
        return lag == 0 ? Double.valueOf(0) : faster > 0 ? lag / faster * 1e3 : null;
    }

    private static List<Map<String, Object>> partitions(GroupTally s) {
        List<Map<String, Object>> partitions = new ArrayList<>();
        Set<String> names = s.last.keySet().stream()
                .filter(name -> name.startsWith(LAG) || name.startsWith(UNKNOWN))
                .map(name -> name.substring(name.indexOf(':') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
        for (String partition : names) {
            Double lag = s.last.get(LAG + partition);
            Map<String, Object> p = new LinkedHashMap<>();
            p.put("partition", partition);
            p.put("consumed", lag == null ? null : s.rate(CONSUMED + partition));
            p.put("lag", s.most.get(LAG + partition));
            p.put("lagMs", s.most.get(LAG_MS + partition));
            p.put("lagAtEnd", lag);
            p.put("lagAtEndMs", s.last.get(LAG_MS + partition));
            p.put("unknownRecords", s.last.get(UNKNOWN + partition));
            p.put("openRecords", s.last.get(OPEN + partition));
            p.put("deletedRecords", s.last.get(DELETED + partition));
            p.put("committed", s.last.get(COMMITTED + partition));
            p.put("end", s.last.get(END + partition));
            Double member = s.last.get(MEMBER + partition);
            if (member != null) {
                p.put("member", member.intValue());
            }
            partitions.add(p);
        }
        return partitions;
    }
}
