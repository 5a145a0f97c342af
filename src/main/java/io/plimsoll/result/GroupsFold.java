package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import io.plimsoll.stats.Trend;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes figures of what groups of others did within the measured window: how far behind they were, how fast they read, and
 * whether they kept up. Used by one thread.
 */
public final class GroupsFold {
    /** Begins what is observed of a group; its name follows. */
    public static final String GROUP = "group ";

    /** Growth of what a group has not read, as a part of what comes. */
    private static final double GROWTH = 0.01;
    /** Commits are seen a moment late: growth by less than so many seconds of what comes may be chance. */
    private static final double CHANCE_SECONDS = 0.5;

    private static final int MOST_BUCKETS = 300;

    private static final String LAG = "lag:";
    private static final String LAG_MS = "lagMs:";
    private static final String CONSUMED = "consumed:";

    private final Map<String, Seen> seen = new TreeMap<>();

    private static final class Seen {
        private final Map<String, Double> sums = new TreeMap<>();
        private final Map<String, Double> most = new TreeMap<>();
        private final List<Double> settled = new ArrayList<>();
        private double settledSeconds;
        private double countedSeconds;
        private Map<String, Double> last = Map.of();

        void add(Observation o) {
            o.sums().forEach((name, value) -> sums.merge(name, value, Double::sum));
            o.gauges().keySet().forEach(name -> most.merge(name, o.most(name), Math::max));
            Double behind = o.gauges().get("settled");
            double seconds = o.sums().getOrDefault("seconds", (double) o.seconds());
            // A group that has committed nothing tells nobody how far it is.
            if (behind != null) {
                settled.addAll(Collections.nCopies(o.seconds(), behind));
                settledSeconds += seconds;
            }
            countedSeconds += o.sums().containsKey("produced") ? seconds : 0;
            last = o.gauges();
        }

        /** A second, of those in which the group had committed something; they may be fewer than those of the window. */
        double rate(String sum) {
            return countedSeconds > 0 ? sums.getOrDefault(sum, 0.0) / countedSeconds : 0;
        }

        /** Likewise. */
        double growth(double[] values) {
            int each = (values.length + MOST_BUCKETS - 1) / MOST_BUCKETS;
            return values.length == 0
                    ? 0
                    : Trend.theilSenSlope(Trend.coarsen(values, MOST_BUCKETS))
                            / each
                            * (values.length / settledSeconds);
        }
    }

    /** Takes an observation of the measured window, if it is of a group. */
    public void accept(Observation o) {
        if (o.what().startsWith(GROUP)) {
            seen.computeIfAbsent(o.what().substring(GROUP.length()), id -> new Seen())
                    .add(o);
        }
    }

    /** Whether it tells of each partition how old the first record is that the group has not committed. */
    public static boolean timed(Observation o) {
        return o.gauges().keySet().stream().filter(name -> name.startsWith(LAG)).allMatch(name -> o.gauges()
                .containsKey(LAG_MS + name.substring(LAG.length())));
    }

    /** All groups by id, as {@code groups} of a trial has them. */
    public List<Map<String, Object>> groups() {
        List<Map<String, Object>> groups = new ArrayList<>();
        seen.forEach((id, s) -> groups.add(group(id, s)));
        return List.copyOf(groups);
    }

    private static Map<String, Object> group(String id, Seen s) {
        double[] settled = s.settled.stream().mapToDouble(v -> v).toArray();
        double growth = s.growth(settled);
        double produced = s.rate("produced");
        // Counted by its commits, which come in lumps, it would be wrong by one of them.
        double consumed = settled.length < Trend.LEAST ? s.rate("consumed") : Math.max(0, produced - growth);
        boolean known = settled.length > 0;
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
        g.put("growing", known ? Trend.grows(settled, produced, GROWTH, CHANCE_SECONDS) : null);
        g.put("drainMs", drainMs(s.last.get("lag"), consumed - produced));
        g.put("partitions", partitions(s));
        return g;
    }

    /** Null if it never ends, or is unknown. */
    private static Double drainMs(Double lag, double faster) {
        if (lag == null) {
            return null;
        }
        return lag == 0 ? Double.valueOf(0) : faster > 0 ? lag / faster * 1e3 : null;
    }

    private static List<Map<String, Object>> partitions(Seen s) {
        List<Map<String, Object>> partitions = new ArrayList<>();
        s.last.forEach((name, lag) -> {
            if (name.startsWith(LAG)) {
                String partition = name.substring(LAG.length());
                Map<String, Object> p = new LinkedHashMap<>();
                p.put("partition", partition);
                p.put("consumed", s.rate(CONSUMED + partition));
                p.put("lag", s.most.get(name));
                p.put("lagMs", s.most.get(LAG_MS + partition));
                p.put("lagAtEnd", lag);
                p.put("lagAtEndMs", s.last.get(LAG_MS + partition));
                partitions.add(p);
            }
        });
        return partitions;
    }
}
