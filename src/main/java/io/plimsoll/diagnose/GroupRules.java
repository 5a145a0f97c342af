package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.Words.percent;
import static io.plimsoll.diagnose.Words.wholeMs;

import io.plimsoll.result.Units;
import io.plimsoll.result.Unread;
import java.util.List;

/** Rules for how a group shares its partitions out: to whom, how evenly, and how often. */
final class GroupRules {
    /** Who does not poll in time is put out of its group, and what it had is given to another, who takes as long. */
    private static final Rule<ReadEvidence> POLL_INTERVAL = Rule.reading("pollInterval", ReadEvidence::all)
            .most(0.99)
            .easedBy(Remedy.POLL_LESS)
            .judged((e, r) -> Sign.at(r.slowest(), r.rebalanced() > 0 ? r.late() * r.pollsTooLate() : 0)
                    .explains(r.rebalanced() > 0 ? r.slow(e) * r.pollsTooLate() : 0)
                    .says(
                            "diagnose.says.pollInterval",
                            wholeMs(r.client().getOrDefault("betweenPollsMs", 0.0)),
                            wholeMs(r.client().getOrDefault("maxPollIntervalMs", 0.0)),
                            Units.count(r.rebalanced()))
                    .with("diagnose.rebalanceShare", percent(r.rebalances())));

    /** A partition is read by one member of a group. */
    private static final Rule<ReadEvidence> IDLE_MEMBERS = Rule.reading("idleMembers", ReadEvidence::ofPartitions)
            .most(0.99)
            .easedBy(Remedy.PARTITIONS)
            .judged((e, r) -> {
                int partitions = e.partitions().size();
                int members = partitions == 0 ? 0 : r.members();
                double idle = members == 0 ? 0 : ramp(1 - (double) partitions / members, 0, 0.2);
                return Sign.at(r.slowest(), r.late() * r.working() * idle)
                        .explains(r.slow(e) * r.working() * idle)
                        .says("diagnose.says.idleMembers", members, partitions)
                        .with("diagnose.read", r.rate())
                        .with("diagnose.workAllows", r.allowed());
            });

    /** Nobody of a group reads while it hands out its partitions anew. */
    private static final Rule<ReadEvidence> REBALANCES = Rule.reading("rebalances", ReadEvidence::all)
            .most(0.97)
            .judged((e, r) -> {
                Sign sign = Sign.at(r.slowest(), r.late() * r.rebalancing()).explains(r.slow(e) * r.rebalancing());
                return (r.rebalanced() > 0
                                ? sign.says(
                                        "diagnose.says.rebalances",
                                        Units.count(r.rebalanced()),
                                        percent(r.rebalances()))
                                : sign.says("diagnose.says.rebalancesOn", percent(r.rebalances())))
                        .with("diagnose.rebalanceShare", percent(r.rebalances()))
                        .with("diagnose.fallsBehind", r.lag() > 0 ? percent(r.lag()) : null);
            });

    /** What one member is assigned the others do not read, however many they are. */
    private static final Rule<ReadEvidence> UNEVEN = Rule.reading("unevenMembers", ReadEvidence::ofPartitions)
            .most(0.99)
            .judged((e, r) -> {
                double one = r.alone() * r.uneven();
                return Sign.at(r.slowest(), r.late() * one)
                        .explains(r.slow(e) * one)
                        .says(
                                "diagnose.says.unevenMembers",
                                Math.round(r.mostAssigned()),
                                Math.round(r.toRead()),
                                percent(1 - r.leastIdle()))
                        .with("diagnose.read", r.rate())
                        .with("diagnose.workAllows", r.allowed())
                        .with("diagnose.outsidePoll", percent(1 - r.idle()));
            });

    /** Most records are in one partition, which one member reads. */
    private static final Rule<ReadEvidence> HOT = Rule.reading("hotReading", ReadEvidence::ofPartitions)
            .of("hotPartition")
            .where(e -> PlacementRules.hot(e) != null)
            .most(0.99)
            .judged((e, r) -> {
                PlacementRules.Hot hot = PlacementRules.hot(e);
                double one = r.alone() * (1 - r.uneven()) * hot.strength();
                return Sign.at(hot.where(), r.late() * one)
                        .explains(r.slow(e) * one)
                        .says(
                                e.keyed() ? "diagnose.says.hotReading" : "diagnose.says.hotReadingUnkeyed",
                                hot.name(),
                                percent(hot.share()),
                                hot.of(),
                                percent(1 - r.leastIdle()))
                        .with("diagnose.ofRecords", percent(hot.share()))
                        .with("diagnose.read", r.rate())
                        .with("diagnose.outsidePoll", percent(1 - r.idle()));
            });

    /** Whoever joins with the same group id is given its part of the partitions. */
    private static final Rule<ReadEvidence> STRANGERS = Rule.reading("otherMembers", ReadEvidence::all)
            .lowered(1, "members may not read", (e, r) -> ErrorRules.failing(e))
            .judged((e, r) -> {
                double strangers = strangers(e, r);
                return Sign.at(r.slowest(), r.late() * strangers)
                        .explains(r.slow(e) * strangers)
                        .says(
                                "diagnose.says.otherMembers",
                                Math.round(r.toRead() - r.assigned()),
                                Math.round(r.toRead()))
                        .with("diagnose.read", r.rate())
                        .with("diagnose.fallsBehind", r.lag() > 0 ? percent(r.lag()) : null);
            });

    /** Members learn of partitions that were added when they ask for metadata again. */
    private static final Rule<ReadEvidence> UNREAD = Rule.reading("unreadPartitions", ReadEvidence::all)
            .where(e -> Unread.partitions(e.trial()) > 0)
            .most(0.99)
            .lowered(1, "members of others have partitions of the group", (e, r) -> strangers(e, r))
            .lowered(1, "a transaction is open", (e, r) -> ramp(orElse(e.cluster("stuckSeconds"), 0), 2, 5))
            .lowered(1, "partitions take no records", (e, r) -> Pressure.REFUSED.in(e))
            .judged((e, r) -> {
                int all = e.partitions().size();
                return Sign.at(r.slowest(), Math.max(r.late(), ramp(Unread.share(e.trial()), 0.02, 0.2)))
                        .says("diagnose.says.unreadPartitions", Unread.partitions(e.trial()), all)
                        .with("diagnose.read", r.rate())
                        .with("diagnose.fallsBehind", r.lag() > 0 ? percent(r.lag()) : null);
            });

    static final List<Rule<?>> RULES = List.of(UNREAD, STRANGERS, POLL_INTERVAL, IDLE_MEMBERS, UNEVEN, HOT, REBALANCES);

    private GroupRules() {}

    /**
     * The degree to which partitions of the groups are with nobody of this load, beyond what rebalances account for, 0 to 1. Members
     * that a fault takes away, and those of other processes, are not counted here.
     */
    static double strangers(TrialEvidence e, ReadEvidence r) {
        boolean all = e.trial().observed().workers().size() <= 1
                && e.trial().detail().faults().isEmpty();
        return !all || r.toRead() <= 0 ? 0 : ramp(1 - r.assigned() / r.toRead() - r.rebalances(), 0.05, 0.25);
    }
}
