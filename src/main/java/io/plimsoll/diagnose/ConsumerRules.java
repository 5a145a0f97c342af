package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.Words.ms;
import static io.plimsoll.diagnose.Words.percent;
import static io.plimsoll.diagnose.Words.wholeMs;

import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Rules for consumers that do not keep up with what is produced, and why. */
final class ConsumerRules {
    /** What falls behind by less is told of by its latency alone. */
    private static final double LEAST_LAG = 0.005;

    private static final Rule<Reading> CONSUMER = Rule.named("consumer", ConsumerRules::reading)
            .where(e -> e.trial().consume() != null)
            .most(0.98)
            .provedBy(Perturbations.CONSUMERS)
            .easedBy(Remedy.MEMBERS, Remedy.POLL)
            .judged((e, r) -> {
                String outside = percent(1 - r.idle());
                Sign sign = Sign.at(r.slowest, r.late() * r.working()).explains(e.slowReading() * r.working());
                return (r.commits() > 0.3
                                ? sign.says("diagnose.says.committing", percent(r.lag), percent(r.commits()))
                                : r.lag < LEAST_LAG
                                        ? sign.says("diagnose.says.consumerLate", outside)
                                        : sign.says("diagnose.says.consumer", percent(r.lag), outside))
                        .with("diagnose.read", r.rate)
                        .with("diagnose.fallsBehind", percent(r.lag))
                        .with("diagnose.workAllows", r.allowed())
                        .with("diagnose.outsidePoll", outside)
                        .with("diagnose.inCommits", r.commits() > 0 ? percent(r.commits()) : null);
            });

    /** Of a partition a share group may have so many records in hand; whoever comes then gets none. */
    private static final Rule<Reading> LOCKS = Rule.named("recordLocks", ConsumerRules::reading)
            .where(ConsumerRules::shares)
            .silently()
            .most(0.97)
            .provedBy(Perturbations.CONSUMERS)
            .easedBy(Remedy.POLL_LESS, Remedy.PARTITIONS)
            .judged((e, r) -> Sign.at(r.slowest, r.late() * r.waiting() * locked(e, r))
                    .says("diagnose.says.recordLocks", Units.count(Math.round(r.locks())), percent(r.idle()))
                    .with("diagnose.read", r.rate)
                    .with("diagnose.workAllows", r.allowed())
                    .with("diagnose.inHand", Units.count(Math.round(inHand(e))), Units.count(Math.round(r.locks()))));

    /** A member of a share group asks for records when it has done what it had: each time, it waits for the way there and back. */
    private static final Rule<Reading> SMALL_POLLS = Rule.named("smallPolls", ConsumerRules::reading)
            .where(ConsumerRules::shares)
            .silently()
            .most(0.96)
            .lowered(1, "a share group has all its record locks", ConsumerRules::locked)
            .lowered(1, "brokers read from disk", (e, r) -> ramp(misses(e), 0.1, 0.5))
            .easedBy(Remedy.POLL)
            .judged((e, r) -> Sign.at(r.slowest, r.late() * r.waiting() * fullPolls(e, r))
                    .says("diagnose.says.smallPolls", Units.count(Math.round(r.mostPolled())), percent(r.idle()))
                    .with("diagnose.read", r.rate)
                    .with("diagnose.workAllows", r.allowed())
                    .with("diagnose.aFetch", ms(r.fetchMs())));

    /** Whoever reads what is committed waits for the end of each transaction, and whatever comes behind one that is open. */
    private static final Rule<Double> OPEN = Rule.named("openTransaction", e -> e.cluster("stuckSeconds"))
            .where(e -> e.trial().consume() != null)
            .silently()
            .judged((e, seconds) -> {
                double open = orElse(e.cluster("openRecords"), 0);
                double stuck = ramp(seconds, 2, 5);
                return Sign.of(ramp(e.behind(), 0.01, 0.1) * stuck)
                        .explains(e.slowReading() * stuck)
                        .says("diagnose.says.openTransaction", Units.duration(seconds), Units.count(Math.round(open)))
                        .with("diagnose.fallsBehind", e.behind() > 0 ? percent(e.behind()) : null)
                        .with("diagnose.openRecords", Units.count(Math.round(open)));
            });

    private static final Rule<Reading> CACHE = Rule.named("cache", ConsumerRules::reading)
            .where(e -> e.trial().consume() != null)
            .silently()
            .most(0.98)
            .provedBy(Perturbations.CONSUMERS)
            .judged((e, r) -> Sign.of(r.late() * r.waiting() * ramp(misses(e), 0.1, 0.5))
                    .says("diagnose.says.cache", percent(misses(e)))
                    .with("diagnose.read", r.rate)
                    .with("diagnose.fromDisk", Units.byteRate(e.sum("diskReadBytes")))
                    .with("diagnose.sent", Units.byteRate(e.sum("bytesOut"))));

    /** Nobody of a group reads while it hands out its partitions anew. */
    private static final Rule<Reading> REBALANCES = Rule.named("rebalances", ConsumerRules::reading)
            .where(e -> e.trial().consume() != null && rebalances(e) > 0)
            .silently()
            .most(0.97)
            .judged((e, r) -> Sign.at(r.slowest, r.late() * r.rebalancing())
                    .explains(e.slowReading() * r.rebalancing())
                    .says("diagnose.says.rebalances", Units.count(rebalances(e)), percent(r.rebalances()))
                    .with("diagnose.rebalanceShare", percent(r.rebalances()))
                    .with("diagnose.fallsBehind", r.lag > 0 ? percent(r.lag) : null));

    /** Who does not poll in time is put out of its group, and what it had is given to another, who takes as long. */
    private static final Rule<Reading> POLL_INTERVAL = Rule.named("pollInterval", ConsumerRules::reading)
            .where(e -> e.trial().consume() != null && rebalances(e) > 0)
            .silently()
            .most(0.99)
            .easedBy(Remedy.POLL_LESS)
            .judged((e, r) -> Sign.at(r.slowest, r.late() * r.pollsTooLate())
                    .explains(e.slowReading() * r.pollsTooLate())
                    .says(
                            "diagnose.says.pollInterval",
                            wholeMs(r.client.getOrDefault("betweenPollsMs", 0.0)),
                            wholeMs(r.client.getOrDefault("maxPollIntervalMs", 0.0)),
                            Units.count(rebalances(e)))
                    .with("diagnose.rebalanceShare", percent(r.rebalances())));

    /** A partition is read by one member of a group. */
    private static final Rule<Reading> IDLE_MEMBERS = Rule.named("idleMembers", ConsumerRules::reading)
            .where(e -> e.trial().consume() != null && !shares(e))
            .silently()
            .most(0.99)
            .easedBy(Remedy.PARTITIONS)
            .judged((e, r) -> {
                int partitions = e.trial().detail().partitions().size();
                int members = partitions == 0 ? 0 : members(e);
                double idle = members == 0 ? 0 : ramp(1 - (double) partitions / members, 0, 0.2);
                return Sign.at(r.slowest, r.late() * r.working() * idle)
                        .explains(e.slowReading() * r.working() * idle)
                        .says("diagnose.says.idleMembers", members, partitions)
                        .with("diagnose.read", r.rate)
                        .with("diagnose.workAllows", r.allowed());
            });

    private static final Rule<Reading> FETCH = Rule.named("fetch", ConsumerRules::reading)
            .where(e -> e.trial().consume() != null)
            .silently()
            .most(0.882)
            .lowered(1, "brokers read from disk", (e, r) -> ramp(misses(e), 0.1, 0.5))
            .lowered(1, "the group rebalances", (e, r) -> r.rebalancing())
            .lowered(1, "a share group has all its record locks", ConsumerRules::locked)
            .lowered(1, "polls of a share group are full", ConsumerRules::fullPolls)
            .provedBy(Perturbations.CONSUMERS)
            .easedBy(Remedy.MEMBERS, Remedy.FETCH_SIZE)
            .judged((e, r) -> {
                Sign sign = Sign.of(r.late() * r.waiting()).explains(e.slowReading() * r.waiting());
                return told(e, r, sign).with("diagnose.read", r.rate).with("diagnose.aFetch", ms(r.fetchMs()));
            });

    /** A broker answers a fetch when there is as much as was asked for, or when the time for that is over. */
    private static final Rule<Reading> FETCH_WAIT = Rule.named("fetchWait", ConsumerRules::reading)
            .where(e ->
                    e.latencyAsked() && e.consumers() != null && e.consumers().getOrDefault("fetchMinBytes", 1.0) > 1)
            .silently()
            .most(0.95)
            .easedBy(Remedy.FETCH_MIN)
            .judged((e, r) -> {
                double most = e.consumers().getOrDefault("fetchMaxWaitMs", 500.0);
                double waits = r.fetchMs() == null ? 0 : ramp(r.fetchMs() / Math.max(1, most), 0.1, 0.4);
                return Sign.of(0)
                        .explains(e.slowReading() * waits)
                        .says(
                                "diagnose.says.fetchWait",
                                Units.bytes(e.consumers().get("fetchMinBytes")),
                                ms(r.fetchMs()),
                                Words.whole(most))
                        .with("diagnose.aFetch", ms(r.fetchMs()))
                        .with("diagnose.outsidePoll", percent(1 - r.idle()));
            });

    static final List<Rule<?>> RULES = List.of(
            OPEN, POLL_INTERVAL, IDLE_MEMBERS, CONSUMER, CACHE, FETCH_WAIT, REBALANCES, LOCKS, SMALL_POLLS, FETCH);

    private ConsumerRules() {}

    /**
     * How consumers read.
     *
     * @param slowest the group with the most left to read; null if unknown
     * @param lag share of what was produced, or of what their work allows, that was not read in time
     * @param ofWork what was read ÷ what their work allows; null if they have none
     * @param client what the clients say of themselves
     */
    private record Reading(Sentence slowest, String rate, double lag, Double ofWork, Map<String, Double> client) {

        /** Share of their time that they wait in {@code poll}. */
        double idle() {
            return client.get("pollIdle");
        }

        double commits() {
            return client.getOrDefault("commitShare", 0.0);
        }

        /** Null if unknown. */
        Double fetchMs() {
            return client.get("fetchMs");
        }

        double rebalances() {
            return Math.min(1, client.getOrDefault("rebalanceShare", 0.0));
        }

        double late() {
            return ramp(lag, 0.01, 0.1);
        }

        /** The degree to which they wait for their own work, and not for data, 0 to 1. */
        double working() {
            double outside = ofWork == null ? ramp(1 - idle(), 0.4, 0.8) : ramp(ofWork, 0.8, 0.95);
            return Math.max(outside, ramp(commits(), 0.3, 0.6));
        }

        /** The degree to which they wait for data. Work that takes longer than it should leaves little of both. */
        double waiting() {
            return (1 - working()) * (ofWork == null ? 1 : ramp(idle(), 0.1, 0.4));
        }

        /** The degree to which they have no partitions to read, 0 to 1. */
        double rebalancing() {
            return ramp(rebalances(), 0.05, 0.3);
        }

        /** The degree to which their polls lie so far apart that they are put out of their group, 0 to 1. */
        double pollsTooLate() {
            Double most = client.get("maxPollIntervalMs");
            Double between = client.get("betweenPollsMs");
            return most == null || between == null ? 0 : ramp(between / Math.max(1, most), 0.9, 1);
        }

        /** Records that members of share groups may have in hand at a time; 0 if they are of other groups. */
        double locks() {
            return client.getOrDefault("recordLocks", 0.0);
        }

        double mostPolled() {
            return client.getOrDefault("maxPollRecords", 0.0);
        }

        /** What their work allows a second; null if they have none. */
        String allowed() {
            return ofWork == null ? null : Units.rate(client.get("workBound"));
        }
    }

    private static Reading reading(TrialEvidence e) {
        Map<String, Double> client = e.consumers();
        if (client == null) {
            return null;
        }
        Sentence slowest = e.trial().consume().groups().stream()
                .filter(g -> g.lagAtEnd() != null)
                .max(Comparator.comparing(Group::lagAtEnd))
                .map(g -> Sentence.of("diagnose.group", g.id()))
                .orElse(null);
        return new Reading(
                slowest, Units.rate(e.trial().consume().volume().recordsPerSecond()), e.behind(), e.ofWork(), client);
    }

    private static long rebalances(TrialEvidence e) {
        return e.trial().consume().groups().stream()
                .mapToLong(Group::rebalances)
                .sum();
    }

    /** Of the group that has most; each partition of the trial may be one of its. */
    private static int members(TrialEvidence e) {
        return e.trial().consume().groups().stream()
                .mapToInt(Group::members)
                .max()
                .orElse(0);
    }

    private static Sign told(TrialEvidence e, Reading r, Sign sign) {
        if (r.fetchMs() == null) {
            return sign.says("diagnose.says.fetch");
        }
        return e.slowReading() > 0
                ? sign.says("diagnose.says.lateFetch", percent(e.slowReading()), Words.wholeMs(r.fetchMs()))
                : sign.says("diagnose.says.slowFetch", Words.wholeMs(r.fetchMs()));
    }

    private static boolean shares(TrialEvidence e) {
        return e.consumers() != null && e.consumers().containsKey("recordLocks");
    }

    /** Records that members of share groups had in hand at a time. */
    private static double inHand(TrialEvidence e) {
        return e.trial().detail().figures().getOrDefault("share.inFlight", 0.0);
    }

    /** The degree to which the members of share groups have all the records that they may have. */
    private static double locked(TrialEvidence e, Reading r) {
        return r.locks() > 0 ? ramp(inHand(e) / r.locks(), 0.7, 0.95) : 0;
    }

    /** The degree to which a fetch of a share group brings as much as a poll may take. */
    private static double fullPolls(TrialEvidence e, Reading r) {
        Long fetches = e.trial().consume().fetches().requests();
        Long records = e.trial().consume().volume().records();
        return fetches == null || fetches == 0 || r.mostPolled() == 0
                ? 0
                : ramp(records / (fetches * r.mostPolled()), 0.5, 0.9);
    }

    private static double misses(TrialEvidence e) {
        double out = e.sum("bytesOut");
        return out > 0 ? Math.min(1, e.sum("diskReadBytes") / out) : 0;
    }
}
