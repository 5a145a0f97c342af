package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.ms;
import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.Format.wholeMs;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.total;

import io.plimsoll.result.ReadGaps;
import io.plimsoll.result.Units;
import java.util.List;
import java.util.Objects;

/** Rules for consumers that fall behind: assignment, processing and fetches. */
final class ConsumerRules {
    /** Lag, as a share of the load, below which the finding does not mention the lag. */
    private static final double LEAST_LAG = 0.005;

    /** Share of the fetch limits above which they bound a fetch; a fetch can exceed them by one batch. */
    private static final double FULL_FETCH = 0.5;

    /** Share of max.poll.records above which polls count as full. */
    private static final double FULL_POLL = 0.7;

    /** Share of the processing capacity above which processing is the limit. */
    private static final double ALL_WORK = 0.8;

    private static final double MOSTLY = 0.5;
    private static final double SLACK_MS = 4;

    static final List<Rule<?>> RULES = List.of(
            // Members discover added partitions with their next metadata refresh.
            Rule.reading("unreadPartitions", ReadEvidence::all)
                    .where(e -> ReadGaps.partitions(e.trial()) > 0)
                    .most(0.99)
                    .lowered(1, "strangers", ConsumerRules::strangers)
                    .lowered(1, "open", (e, r) -> heldBack(e))
                    .lowered(1, "REFUSED", (e, r) -> Confounder.REFUSED.in(e))
                    .judged((e, r) -> Finding.at(
                                    r.slowest(), Math.max(r.late(), ramp(ReadGaps.share(e.trial()), 0.02, 0.2)))
                            .says(
                                    "diagnose.says.unreadPartitions",
                                    ReadGaps.partitions(e.trial()),
                                    e.partitions().size())
                            .with(r::shown, "diagnose.read", "diagnose.fallsBehind")),
            // Every consumer that joins with the same group id is assigned partitions.
            Rule.reading("otherMembers", ReadEvidence::all)
                    .lowered(1, "failing", (e, r) -> FailureRules.failing(e))
                    .judged((e, r) -> r.finding(e, strangers(e, r))
                            .says(
                                    "diagnose.says.otherMembers",
                                    Math.round(r.toRead() - r.assigned()),
                                    Math.round(r.toRead()))
                            .with(r::shown, "diagnose.read", "diagnose.fallsBehind")),
            // A member that polls too late is removed, and the next owner of its partitions is equally slow.
            Rule.reading("pollInterval", ReadEvidence::all)
                    .most(0.99)
                    .easedBy(Remedy.POLL_LESS)
                    .judged((e, r) -> r.finding(e, r.rebalanced() > 0 ? r.pollsTooLate() : 0)
                            .says(
                                    "diagnose.says.pollInterval",
                                    wholeMs(r.client().getOrDefault("betweenPollsMs", 0.0)),
                                    wholeMs(r.client().getOrDefault("maxPollIntervalMs", 0.0)),
                                    Units.count(r.rebalanced()))
                            .with(r::shown, "diagnose.rebalanceShare")),
            // In a group, each partition has only one reader.
            Rule.reading("idleMembers", ReadEvidence::ofPartitions)
                    .most(0.99)
                    .easedBy(Remedy.PARTITIONS)
                    .judged((e, r) -> {
                        int partitions = e.partitions().size();
                        int members = partitions == 0 ? 0 : r.members();
                        double idle = members == 0 ? 0 : ramp(1 - (double) partitions / members, 0, 0.2);
                        return r.finding(e, r.working() * idle)
                                .says("diagnose.says.idleMembers", members, partitions)
                                .with(r::shown, "diagnose.read", "diagnose.workAllows");
                    }),
            // Other members cannot read the partitions of an overloaded member.
            Rule.reading("unevenMembers", ReadEvidence::ofPartitions).most(0.99).judged((e, r) -> r.finding(
                            e, r.alone() * r.uneven())
                    .says(
                            "diagnose.says.unevenMembers",
                            Math.round(r.mostAssigned()),
                            Math.round(r.toRead()),
                            percent(1 - r.leastIdle()))
                    .with(r::shown, "diagnose.read", "diagnose.workAllows", "diagnose.outsidePoll")),
            // Most records are in one partition, which one member reads.
            Rule.reading("hotReading", ReadEvidence::ofPartitions)
                    .of("hotPartition")
                    .where(e -> NetworkRules.hot(e) != null)
                    .most(0.99)
                    .judged((e, r) -> {
                        NetworkRules.Hot hot = Objects.requireNonNull(NetworkRules.hot(e));
                        return r.finding(e, hot.where(), r.alone() * (1 - r.uneven()) * hot.strength())
                                .says(
                                        e.keyed() ? "diagnose.says.hotReading" : "diagnose.says.hotReadingUnkeyed",
                                        hot.name(),
                                        percent(hot.share()),
                                        hot.of(),
                                        percent(1 - r.leastIdle()))
                                .with("diagnose.ofRecords", percent(hot.share()))
                                .with(r::shown, "diagnose.read", "diagnose.outsidePoll");
                    }),
            // No member reads during a rebalance.
            Rule.reading("rebalances", ReadEvidence::all).most(0.97).judged((e, r) -> {
                Finding finding = r.finding(e, r.rebalancing());
                String share = percent(r.rebalances());
                return (r.rebalanced() > 0
                                ? finding.says("diagnose.says.rebalances", Units.count(r.rebalanced()), share)
                                : finding.says("diagnose.says.rebalancesOn", share))
                        .with(r::shown, "diagnose.rebalanceShare", "diagnose.fallsBehind");
            }),
            // A read_committed consumer waits for the end of every transaction and cannot read past an open one.
            Rule.quiet("openTransaction", e -> e.cluster("stuckSeconds"))
                    .where(e -> e.consumes())
                    .judged((e, seconds) -> {
                        String open = Format.count(orElse(e.cluster("openRecords"), 0));
                        double stuck = heldBack(e);
                        return Finding.of(ramp(e.behind(), 0.01, 0.1) * stuck)
                                .explains(e.slowReading() * stuck)
                                .says("diagnose.says.openTransaction", Units.duration(seconds), open)
                                .with("diagnose.fallsBehind", e.behind() > 0 ? percent(e.behind()) : null)
                                .with("diagnose.openRecords", open);
                    }),
            // Records deleted before they are read are not part of the lag.
            Rule.reading("retention", ReadEvidence::all)
                    .where(TrialEvidence::produces)
                    .judged((e, r) -> {
                        double share = ReadGaps.deleted(e.trial());
                        String deleted = Format.count(orElse(e.cluster("recordsDeleted"), 0));
                        return Finding.at(r.slowest(), ramp(share, 0.02, 0.2))
                                .says("diagnose.says.retention", deleted, percent(share))
                                .with(r::shown, "diagnose.read", "diagnose.fallsBehind");
                    }),
            // A record with an expired lock was processed in vain, because it is delivered again.
            Rule.reading("lockTime", ReadEvidence::ofShares)
                    .most(0.98)
                    .easedBy(Remedy.POLL_LESS)
                    .judged((e, r) -> {
                        long late = e.consume().events().getOrDefault("lockTimeouts", 0L);
                        Long records = e.consume().volume().records();
                        double share = records == null ? 0 : (double) late / Math.max(1, late + records);
                        return Finding.at(r.slowest(), r.late() * ramp(share, 0.02, 0.2))
                                .says("diagnose.says.lockTime", Units.count(late), percent(share))
                                .with(r::shown, "diagnose.read", "diagnose.workAllows");
                    }),
            // A record that a member gives back takes processing time at each delivery.
            Rule.reading("redelivery", ReadEvidence::ofShares).most(0.98).judged((e, r) -> {
                long released = e.consume().events().getOrDefault("released", 0L);
                long deliveries = e.consume().events().getOrDefault("deliveries", 0L);
                double share = (double) released / Math.max(1, deliveries);
                return Finding.at(r.slowest(), r.late() * ramp(share, 0.1, 0.4))
                        .says("diagnose.says.redelivery", Units.count(released), percent(share))
                        .with(r::shown, "diagnose.read", "diagnose.workAllows");
            }),
            Rule.each("consumer", ReadEvidence::all)
                    .where(e -> e.consumes())
                    .most(0.98)
                    .provedBy(Perturbation.CONSUMERS)
                    .easedBy(Remedy.MEMBERS, Remedy.POLL)
                    .judged((e, r) -> slowness(r, r.finding(e, r.working()))
                            .with(r::shown, "diagnose.read")
                            .with("diagnose.fallsBehind", percent(r.lag()))
                            .with(r::shown, "diagnose.workAllows", "diagnose.outsidePoll")
                            .with("diagnose.inCommits", r.commits() > 0 ? percent(r.commits()) : null)),
            Rule.reading("cache", ReadEvidence::all)
                    .most(0.98)
                    .provedBy(Perturbation.CONSUMERS)
                    .judged((e, r) -> Finding.of(r.late() * r.waiting() * ramp(misses(e), 0.1, 0.5))
                            .says("diagnose.says.cache", percent(misses(e)))
                            .with(r::shown, "diagnose.read")
                            .with("diagnose.fromDisk", Units.byteRate(e.sum("diskReadBytes")))
                            .with("diagnose.sent", Units.byteRate(e.sum("bytesOut")))),
            // A broker answers a fetch as soon as it can return fetch.min.bytes, or after fetch.max.wait.ms.
            Rule.reading("fetchWait", ReadEvidence::all)
                    .where(TrialEvidence::latencyAsked)
                    .most(0.95)
                    .easedBy(Remedy.FETCH_MIN)
                    .judged(ConsumerRules::fetchWait),
            // A share group locks a limited number of records per partition; additional members receive none.
            Rule.reading("recordLocks", ReadEvidence::ofShares)
                    .most(0.97)
                    .provedBy(Perturbation.CONSUMERS)
                    .easedBy(Remedy.POLL_LESS, Remedy.PARTITIONS)
                    .judged((e, r) -> Finding.at(r.slowest(), r.late() * r.waiting() * locked(e, r))
                            .says("diagnose.says.recordLocks", Format.count(r.locks()), percent(r.idle()))
                            .with(r::shown, "diagnose.read", "diagnose.workAllows")
                            .with("diagnose.inHand", Format.count(inHand(e)), Format.count(r.locks()))),
            // A member of a share group fetches after it has processed its records, and waits for a round trip.
            Rule.reading("smallPolls", ReadEvidence::ofShares)
                    .most(0.96)
                    .lowered(1, "locked", ConsumerRules::locked)
                    .lowered(1, "disk", (e, r) -> ramp(misses(e), 0.1, 0.5))
                    .easedBy(Remedy.POLL)
                    .judged((e, r) -> Finding.at(r.slowest(), r.late() * r.waiting() * fullPolls(e, r))
                            .says("diagnose.says.smallPolls", Format.count(r.mostPolled()), percent(r.idle()))
                            .with(r::shown, "diagnose.read", "diagnose.workAllows", "diagnose.aFetch")),
            Rule.reading("fetch", ReadEvidence::all)
                    .most(0.882)
                    .lowered(1, "disk", (e, r) -> ramp(misses(e), 0.1, 0.5))
                    .lowered(1, "rebalances", (e, r) -> r.rebalancing())
                    .lowered(1, "strangers", ConsumerRules::strangers)
                    .lowered(1, "alone", (e, r) -> r.alone())
                    .lowered(1, "locked", ConsumerRules::locked)
                    .lowered(1, "fullPolls", ConsumerRules::fullPolls)
                    .lowered(1, "open", (e, r) -> heldBack(e))
                    .provedBy(Perturbation.CONSUMERS)
                    .easedBy(Remedy.MEMBERS, Remedy.FETCH_SIZE)
                    .judged((e, r) -> limitOfFetch(e, r, r.finding(e, null, r.waiting()))
                            .with(r::shown, "diagnose.read", "diagnose.aFetch")));

    /**
     * Time for which open transactions hold back committed records, as a score. The last stable offset is read once a
     * second, so a transaction of 3 s shows as 2 s. Transactions of this load move the offset in steps of their own.
     */
    private static double heldBack(TrialEvidence e) {
        double seconds = orElse(e.cluster("stuckSeconds"), 0);
        return e.produces() && ClientRules.commits(e) > 0 ? ramp(seconds, 2, 5) : ramp(seconds, 0.9, 2);
    }

    private static Finding fetchWait(TrialEvidence e, ReadEvidence r) {
        double most = r.client().getOrDefault("fetchMaxWaitMs", 500.0);
        double least = r.client().getOrDefault("fetchMinBytes", 1.0);
        double waits = r.fetchMs() == null || least <= 1 ? 0 : ramp(r.fetchMs() / Math.max(1, most), 0.1, 0.4);
        return Finding.of(0)
                .explains(r.slow(e) * waits)
                .says("diagnose.says.fetchWait", Units.bytes(least), ms(r.fetchMs()), Format.whole(most))
                .with(r::shown, "diagnose.aFetch", "diagnose.outsidePoll");
    }

    /**
     * Partitions that no member of this load owns, beyond the effect of rebalances, as a score from 0 to 1. Faults and
     * other processes of a fleet are excluded.
     */
    static double strangers(TrialEvidence e, ReadEvidence r) {
        boolean all = e.trial().observed().workers().size() <= 1
                && e.trial().detail().faults().isEmpty();
        return !all || r.toRead() <= 0 ? 0 : ramp(1 - r.assigned() / r.toRead() - r.rebalances(), 0.05, 0.25);
    }

    private static Finding slowness(ReadEvidence r, Finding finding) {
        String outside = percent(1 - r.idle());
        if (r.commits() > 0.3) {
            return finding.says("diagnose.says.committing", percent(r.lag()), percent(r.commits()));
        }
        if (r.ofWork() != null && r.ofWork() > ALL_WORK && r.slowest() != null) {
            return finding.says("diagnose.says.work", r.slowest(), r.members(), r.allowed(), percent(r.lag()));
        }
        if (r.perPoll() > FULL_POLL * r.mostPolled()) {
            String work = wholeMs(r.client().get("workPerPollMs"));
            return finding.says("diagnose.says.perPoll", work, Format.count(r.mostPolled()), outside);
        }
        return r.lag() < LEAST_LAG
                ? finding.says("diagnose.says.consumerLate", outside)
                : finding.says("diagnose.says.consumer", percent(r.lag()), outside);
    }

    /** Names the limit of a fetch: its size limits, network distance, or bandwidth. */
    private static Finding limitOfFetch(TrialEvidence e, ReadEvidence r, Finding finding) {
        if (r.fetchMs() == null) {
            return finding.says("diagnose.says.fetch");
        }
        String took = wholeMs(r.fetchMs());
        Double bytes = r.fetchBytes();
        double idle = orElse(e.cluster("idleRoundTripMs"), 0);
        double away = r.fetchMs() - fetchMsOnBrokers(e);
        if (bytes != null && bytes > FULL_FETCH * r.mostFetched()) {
            return finding.says("diagnose.says.fullFetch", Units.bytes(bytes), Units.bytes(r.mostFetched()), took);
        }
        if (e.slowReading() > 0) {
            return finding.says("diagnose.says.lateFetch", percent(e.slowReading()), took);
        }
        if (away < MOSTLY * r.fetchMs() || away < SLACK_MS) {
            return finding.says("diagnose.says.slowFetch", took);
        }
        return idle > MOSTLY * away
                ? finding.says("diagnose.says.farFetch", took, wholeMs(idle))
                : finding.says("diagnose.says.narrowFetch", took, wholeMs(away), Units.byteRate(r.fetchedPerSecond()));
    }

    /** Mean fetch time on brokers, including the wait for records, weighted by fetches; 0 if unknown. */
    private static double fetchMsOnBrokers(TrialEvidence e) {
        double fetches = e.sum("fetchRequests");
        return fetches <= 0
                ? 0
                : total(e.brokers(), b -> b.get("fetchRequests", 0) * b.of("fetch", "totalMs")) / fetches;
    }

    /** Mean number of records locked by members of share groups. */
    private static double inHand(TrialEvidence e) {
        return e.trial().detail().figures().getOrDefault("share.inFlight", 0.0);
    }

    /** Utilization of the record locks of share groups, as a score. */
    private static double locked(TrialEvidence e, ReadEvidence r) {
        return r.locks() > 0 ? ramp(inHand(e) / r.locks(), 0.7, 0.95) : 0;
    }

    /** Records per fetch of a share group relative to max.poll.records, as a score from 0 to 1. */
    private static double fullPolls(TrialEvidence e, ReadEvidence r) {
        Long fetches = e.consume().fetches().requests();
        Long records = e.consume().volume().records();
        return !r.shares() || fetches == null || fetches == 0 || r.mostPolled() == 0
                ? 0
                : ramp(orElse(records, 0) / (fetches * r.mostPolled()), 0.5, 0.9);
    }

    private static double misses(TrialEvidence e) {
        double out = e.sum("bytesOut");
        return out > 0 ? Math.min(1, e.sum("diskReadBytes") / out) : 0;
    }
}
