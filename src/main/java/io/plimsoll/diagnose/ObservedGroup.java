package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * A third-party consumer group that was observed during the load, and the rules for one that falls behind. Only its
 * commits, members and partitions are known. The group itself is the first suspect, because a slow broker, a quota or
 * the network would affect the load as well.
 *
 * @param figures entry of {@code groups} of a trial
 */
record ObservedGroup(Map<String, Object> figures) {
    static final List<Rule<?>> RULES = List.of(
            rule("stoppedMembers").judged((e, g) -> {
                int still = g.still(e.seconds());
                int stopped = g.stopped(e.seconds());
                Finding finding = Finding.at(g.name(), g.late() * still(e, g));
                return g.shown(
                        stopped > 0
                                ? finding.says(
                                        "diagnose.says.stoppedMembers",
                                        g.id(),
                                        stopped,
                                        g.members(),
                                        still,
                                        g.partitions())
                                : finding.says("diagnose.says.stillPartitions", g.id(), still, g.partitions()));
            }),
            rule("groupMembers")
                    .of("idleMembers")
                    .lowered(1, "still", ObservedGroup::still)
                    .judged((e, g) -> {
                        int members = g.members();
                        double idle = members == 0 ? 0 : ramp(1 - (double) g.assigned() / members, 0, 0.2);
                        return g.shown(Finding.at(g.name(), g.late() * idle)
                                .says(
                                        "diagnose.says.groupMembers",
                                        g.id(),
                                        members,
                                        g.assigned(),
                                        g.partitions(),
                                        Units.rate(g.get("consumed"))));
                    }),
            rule("groupRebalances")
                    .of("rebalances")
                    .lowered(1, "still", ObservedGroup::still)
                    .judged((e, g) -> g.shown(Finding.at(g.name(), g.late() * ramp(g.get("rebalances"), 1, 3))
                            .says("diagnose.says.groupRebalances", g.id(), Format.count(g.get("rebalances"))))),
            rule("groupHot")
                    .of("hotPartition")
                    .lowered(1, "still", ObservedGroup::still)
                    .judged((e, g) -> {
                        Hot hot = g.hot(e.seconds());
                        return g.shown(Finding.at(g.name(), g.late() * hot.strength())
                                .says(
                                        "diagnose.says.groupHot",
                                        g.id(),
                                        hot.partition,
                                        percent(hot.share),
                                        g.partitions(),
                                        Units.rate(hot.consumed)));
                    }),
            rule("groupWork")
                    .of("consumer")
                    .most(0.97)
                    .lowered(1, "still", ObservedGroup::still)
                    .lowered(0.5, "rebalances", (e, g) -> ramp(g.get("rebalances"), 1, 3))
                    .judged((e, g) -> g.shown(Finding.at(g.name(), g.late())
                            .says(
                                    "diagnose.says.groupWork",
                                    g.id(),
                                    Units.rate(g.get("consumed")),
                                    g.members(),
                                    Units.rate(g.get("consumed") / Math.max(1, g.assigned())),
                                    g.partitions()))));

    /** Lag growth, as a share of written records, that the timing of commits alone can cause. */
    private static final double CHANCE = 0.01;

    private static final double BEHIND = 0.05;

    /** Minimum records per second of a partition at which missing reads are significant. */
    private static final double LEAST_COMING = 0.5;

    /** If the load itself is not sustained, the lag of observed groups is not evidence. */
    private static Rule<ObservedGroup> rule(String name) {
        return Rule.each(name, TrialEvidence::groups)
                .silently()
                .most(0.99)
                .lowered(0.6, "late", (e, g) -> e.produces() && !e.closedLoop() ? e.late() : 0);
    }

    private static double still(TrialEvidence e, ObservedGroup g) {
        return ramp(g.stillShare(e.seconds()), 0, 0.05);
    }

    private Finding shown(Finding finding) {
        double produced = get("produced");
        Double behind = produced <= 0 ? null : Double.valueOf(get("growth") / produced);
        return finding.with("diagnose.read", Units.rate(get("consumed")))
                .with("diagnose.fallsBehind", percent(behind))
                .with("diagnose.groupLag", Format.count(get("lagAtEnd")))
                .with("diagnose.groupShape", members(), partitions());
    }

    /** The partition with the most lag, and the excess of its shares of records and lag over even shares. */
    private record Hot(@Nullable Object partition, double consumed, double share, double excess, double lagExcess) {
        double strength() {
            return ramp(excess, 0.1, 0.5) * ramp(lagExcess, 0.5, 0.8);
        }
    }

    /** A partition of the group, with records read per second, lag, and member. */
    private record Part(
            @Nullable Object name,
            double consumed,
            double lag,
            @Nullable Integer member) {
        /** Number of records that arrived within this time, if the partition had no lag before. */
        double arrived(double seconds) {
            return consumed * seconds + lag;
        }

        /** Whether the partition has unread records, but none was read for this time. */
        boolean still(double seconds) {
            return consumed <= 0 && lag > LEAST_COMING * seconds;
        }
    }

    @Nullable
    Object id() {
        return figures.get("id");
    }

    Sentence name() {
        return Sentence.of("result.group", id());
    }

    double get(String figure) {
        return number(figures.get(figure));
    }

    /** Lag growth of the group, as a score from 0 to 1. */
    double late() {
        double produced = get("produced");
        return produced <= 0 ? 0 : ramp(get("growth") / produced, CHANCE, BEHIND);
    }

    int members() {
        return (int) get("members");
    }

    int partitions() {
        return parts().size();
    }

    /** Number of members with a partition; all members if unknown. */
    int assigned() {
        Map<Integer, Boolean> members = stillByMember(0);
        return members.isEmpty() ? Math.min(members(), partitions()) : members.size();
    }

    /** Number of partitions with records that were not read within this time. */
    int still(double seconds) {
        return (int) parts().stream().filter(p -> p.still(seconds)).count();
    }

    /** Number of members that read none of their partitions although each partition has records; 0 if unknown. */
    int stopped(double seconds) {
        return (int)
                stillByMember(seconds).values().stream().filter(still -> still).count();
    }

    /** Share of the group's partitions that are not read while other partitions are read, 0 to 1. */
    double stillShare(double seconds) {
        int still = still(seconds);
        return still == partitions() ? 0 : (double) still / partitions();
    }

    private Hot hot(double seconds) {
        List<Part> parts = parts();
        Part most = parts.stream().max(Comparator.comparingDouble(Part::lag)).orElse(new Part(null, 0, 0, null));
        double share = share(most.arrived(seconds), parts.stream().mapToDouble(part -> part.arrived(seconds)));
        double lag = share(most.lag, parts.stream().mapToDouble(Part::lag));
        return new Hot(most.name, most.consumed, share, excess(share, parts.size()), excess(lag, parts.size()));
    }

    private static double share(double part, DoubleStream all) {
        double sum = all.sum();
        return sum > 0 ? part / sum : 0;
    }

    /** (share − 1/n) ÷ (1 − 1/n) for n partitions: 0 for an even share, 1 for the whole; 0 for a single partition. */
    private static double excess(double share, int partitions) {
        double fair = 1.0 / Math.max(1, partitions);
        return partitions > 1 ? (share - fair) / (1 - fair) : 0;
    }

    private Map<Integer, Boolean> stillByMember(double seconds) {
        Map<Integer, Boolean> members = new TreeMap<>();
        parts().stream()
                .filter(p -> p.member != null)
                .forEach(p -> members.merge(p.member, p.still(seconds), Boolean::logicalAnd));
        return members;
    }

    private List<Part> parts() {
        return figures.get("partitions") instanceof List<?> list
                ? list.stream()
                        .filter(Map.class::isInstance)
                        .map(p -> (Map<?, ?>) p)
                        .map(p -> new Part(
                                p.get("partition"),
                                number(p.get("consumed")),
                                number(p.get(p.get("lagAtEnd") == null ? "unknownRecords" : "lagAtEnd")),
                                p.get("member") instanceof Number n ? Integer.valueOf(n.intValue()) : null))
                        .toList()
                : List.of();
    }

    private static double number(@Nullable Object value) {
        return value instanceof Number n ? n.doubleValue() : 0;
    }
}
