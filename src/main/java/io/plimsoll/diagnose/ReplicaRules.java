package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.Units;
import java.util.List;

/**
 * Rules for partitions that cannot take records for a while, or at all: nobody leads them, too few of their replicas are in sync, or
 * their leader is always another one. Clients wait and try again, so that no error tells of it.
 */
final class ReplicaRules {
    /** The stages of a record that no broker will take. */
    private static final String[] WAITING = {"late", "buffer", "batch"};

    /** A disk that failed takes partitions away while their broker goes on. */
    private static final Rule<BrokerEvidence> OFFLINE = Rule.named("offlineDirs", e -> e.most("offlineLogDirs"))
            .where(TrialEvidence::produces)
            .silently()
            .heldBack()
            .judged((e, b) -> Sign.at(b.name(), offline(e))
                    .explains(offline(e) * e.slowness(WAITING))
                    .says(
                            "diagnose.says.offlineDirs",
                            b.name(),
                            Units.count((long) Math.ceil(b.get("offlineLogDirs"))),
                            Units.count(Math.round(orElse(e.cluster("leaderless"), 0))))
                    .with("diagnose.ofPartitions", e.partitions().size()));

    /** Clients ask for a topic that is gone for as long as they may, before each record of it. */
    private static final Rule<Double> MISSING = Rule.named("missingTopic", e -> e.cluster("missingTopics"))
            .silently()
            .judged((e, topics) -> {
                double behind = e.consume() == null ? 0 : ramp(e.behind(), 0.01, 0.1);
                return Sign.of(ramp(topics, 0, 1) * Math.max(e.heldBack(), behind))
                        .explains(ramp(topics, 0, 1) * e.slowness(WAITING))
                        .says("diagnose.says.missingTopic", Units.count(Math.round(topics)))
                        .with("diagnose.missingTopics", Units.count(Math.round(topics)));
            });

    private static final Rule<Double> LEADERLESS = Rule.named("leaderless", e -> e.cluster("leaderless"))
            .where(TrialEvidence::produces)
            .silently()
            .heldBack()
            .lowered(0.5, "a log directory is offline", (e, partitions) -> offline(e))
            .judged((e, partitions) -> Sign.of(ramp(partitions, 0, 1))
                    .explains(ramp(partitions, 0, 1) * e.slowness(WAITING))
                    .says("diagnose.says.leaderless", Units.count(Math.round(partitions)))
                    .with("diagnose.ofPartitions", e.partitions().size()));

    private static final Rule<Double> MIN_ISR = Rule.named("minIsr", e -> e.sum("underMinIsr"))
            .where(e -> e.produces() && waitsForAll(e))
            .silently()
            .heldBack()
            .judged((e, partitions) -> Sign.of(ramp(partitions, 0, 1))
                    .explains(ramp(partitions, 0, 1) * e.slowness(WAITING))
                    .says("diagnose.says.minIsr", Units.count((long) Math.ceil(partitions)))
                    .with("diagnose.sentAgain", Units.count(retries(e))));

    /** A leader that changes costs each partition the time until clients have heard of it, and whatever they had sent to the old one. */
    private static final Rule<Double> LEADERS = Rule.named("leaderChanges", ReplicaRules::changesPerPartition)
            .where(TrialEvidence::produces)
            .silently()
            .most(0.98)
            .heldBack()
            .judged((e, each) -> {
                double strength = moving(e, each);
                Double changes = e.cluster("leaderChanges");
                return Sign.of(strength)
                        .explains(strength * e.slowness(WAITING))
                        .says("diagnose.says.leaderChanges", Units.count(Math.round(changes)))
                        .with("diagnose.sentAgain", Units.count(retries(e)));
            });

    /**
     * Consumers are given what all replicas in sync have, producers without {@code acks=all} an answer before that. A fetch that asks
     * for a single byte and waits while records are appended waits for followers.
     */
    private static final Rule<ReadEvidence> UNCOPIED = Rule.each("uncopied", ReadEvidence::all)
            .of("replication")
            .where(e -> e.latencyAsked() && e.produces() && !waitsForAll(e) && e.sum("followerRequests") > 0)
            .silently()
            .most(0.96)
            .judged((e, r) -> {
                double unseen = uncopied(e, r);
                return Sign.of(0)
                        .explains(r.slow(e) * unseen)
                        .says("diagnose.says.uncopied", Words.wholeMs(orElse(r.fetchMs(), 0)))
                        .with("diagnose.aFetch", Words.ms(r.fetchMs()))
                        .with("diagnose.outsidePoll", Words.percent(1 - r.idle()));
            });

    static final List<Rule<?>> RULES = List.of(MISSING, OFFLINE, LEADERLESS, MIN_ISR, LEADERS, UNCOPIED);

    private ReplicaRules() {}

    /** The degree to which there are partitions that take no records, for a time or at all: what waits for them fills buffers. */
    static double refusing(TrialEvidence e) {
        double leaderless = ramp(orElse(e.cluster("leaderless"), 0), 0, 1);
        double underMinIsr = waitsForAll(e) ? ramp(e.sum("underMinIsr"), 0, 1) : 0;
        return Math.max(Math.max(leaderless, underMinIsr), moving(e, orElse(changesPerPartition(e), 0)));
    }

    /** The degree to which fetches wait for records that leaders have already, beyond the way to them and the next record. */
    private static double uncopied(TrialEvidence e, ReadEvidence r) {
        double least = r.client().getOrDefault("fetchMinBytes", 1.0);
        double committed = r.client().getOrDefault("readCommitted", 0.0);
        double rate = e.produce().volume().recordsPerSecond();
        if (r.fetchMs() == null || least > 1 || committed > 0 || rate <= 0) {
            return 0;
        }
        double next = 1e3 * Math.max(1, e.brokers().size()) / rate;
        double left = r.fetchMs() - next - orElse(e.cluster("idleRoundTripMs"), 0);
        return r.waiting() * ramp(left, 5, 40) * ramp(left / r.fetchMs(), 0.5, 0.9);
    }

    /** The degree to which a broker had a log directory offline, for a time or all along. */
    private static double offline(TrialEvidence e) {
        BrokerEvidence most = e.most("offlineLogDirs");
        return most == null ? 0 : ramp(most.get("offlineLogDirs"), 0, 0.2);
    }

    private static boolean waitsForAll(TrialEvidence e) {
        return orElse(e.entry("acks", Math::min), 1) < 0;
    }

    /** The degree to which leaders change all the time, and records are sent again for it. */
    private static double moving(TrialEvidence e, double changesPerPartition) {
        return ramp(changesPerPartition, 0.02, 0.2) * ramp(sentAgain(e), 0.002, 0.02);
    }

    /** How often each partition got another leader, a second; null if unknown. */
    private static Double changesPerPartition(TrialEvidence e) {
        Double changes = e.cluster("leaderChanges");
        int partitions = e.partitions().size();
        double seconds = e.seconds();
        return changes == null || partitions == 0 || seconds <= 0
                ? null
                : Double.valueOf(changes / partitions / seconds);
    }

    static long retries(TrialEvidence e) {
        Long retries = e.produce().wire().retries();
        return retries == null ? 0 : retries;
    }

    /** Records that were sent again ÷ those that were acknowledged. */
    static double sentAgain(TrialEvidence e) {
        return retries(e) / Math.max(1.0, e.produce().volume().records());
    }
}
