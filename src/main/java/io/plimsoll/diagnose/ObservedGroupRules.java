package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.Words.percent;

import io.plimsoll.result.Units;
import java.util.List;

/**
 * Rules for groups of others that do not keep up with the load. Of the group itself only its commits, members and partitions are
 * known, and it is the first suspect: a broker, a quota or the way to it would show in the load's own figures as well.
 */
final class ObservedGroupRules {
    private static final Rule<ObservedGroup> STOPPED = rule("stoppedMembers").judged((e, g) -> {
        double seconds = e.seconds();
        double strength = g.late() * ramp(g.stillShare(seconds), 0, 0.05);
        int stopped = g.stopped(seconds);
        Sign sign = Sign.at(g.name(), strength);
        return told(
                g,
                stopped > 0
                        ? sign.says(
                                "diagnose.says.stoppedMembers",
                                g.id(),
                                stopped,
                                g.members(),
                                g.still(seconds),
                                g.partitions())
                        : sign.says("diagnose.says.stillPartitions", g.id(), g.still(seconds), g.partitions()));
    });

    private static final Rule<ObservedGroup> IDLE_MEMBERS = rule("groupMembers")
            .of("idleMembers")
            .lowered(1, "partitions of a group are not read at all", (e, g) -> still(e, g))
            .judged((e, g) -> {
                int members = g.members();
                double idle = members == 0 ? 0 : ramp(1 - (double) g.assigned() / members, 0, 0.2);
                return told(
                        g,
                        Sign.at(g.name(), g.late() * idle)
                                .says(
                                        "diagnose.says.groupMembers",
                                        g.id(),
                                        members,
                                        g.assigned(),
                                        g.partitions(),
                                        Units.rate(g.get("consumed"))));
            });

    private static final Rule<ObservedGroup> REBALANCES = rule("groupRebalances")
            .of("rebalances")
            .lowered(1, "partitions of a group are not read at all", (e, g) -> still(e, g))
            .judged((e, g) -> told(
                    g,
                    Sign.at(g.name(), g.late() * ramp(g.get("rebalances"), 1, 3))
                            .says(
                                    "diagnose.says.groupRebalances",
                                    g.id(),
                                    Units.count(Math.round(g.get("rebalances"))))));

    private static final Rule<ObservedGroup> WORK = rule("groupWork")
            .of("consumer")
            .most(0.97)
            .lowered(1, "partitions of a group are not read at all", (e, g) -> still(e, g))
            .lowered(0.5, "the group rebalances", (e, g) -> ramp(g.get("rebalances"), 1, 3))
            .judged((e, g) -> told(
                    g,
                    Sign.at(g.name(), g.late())
                            .says(
                                    "diagnose.says.groupWork",
                                    g.id(),
                                    Units.rate(g.get("consumed")),
                                    g.members(),
                                    Units.rate(g.get("consumed") / Math.max(1, g.assigned())),
                                    g.partitions())));

    static final List<Rule<?>> RULES = List.of(STOPPED, IDLE_MEMBERS, REBALANCES, WORK);

    private ObservedGroupRules() {}

    /** A load that is not carried itself says nothing about a group that reads it. */
    private static Rule<ObservedGroup> rule(String name) {
        return Rule.each(name, TrialEvidence::groups)
                .silently()
                .most(0.99)
                .lowered(0.6, "producing is held back", (e, g) -> e.produces() && !e.closedLoop() ? e.late() : 0);
    }

    private static double still(TrialEvidence e, ObservedGroup g) {
        return ramp(g.stillShare(e.seconds()), 0, 0.05);
    }

    private static Sign told(ObservedGroup g, Sign sign) {
        double produced = g.get("produced");
        return sign.with("diagnose.read", Units.rate(g.get("consumed")))
                .with(
                        "diagnose.fallsBehind",
                        percent(produced <= 0 ? null : Double.valueOf(g.get("growth") / produced)))
                .with("diagnose.groupLag", Units.count(Math.round(g.get("lagAtEnd"))))
                .with("diagnose.groupShape", g.members(), g.partitions());
    }
}
