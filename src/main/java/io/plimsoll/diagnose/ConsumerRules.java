package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.Words.ms;
import static io.plimsoll.diagnose.Words.percent;

import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Rules for consumers that do not keep up with what is produced, and why. */
final class ConsumerRules {
    private static final Rule<Reading> CONSUMER = Rule.named("consumer", ConsumerRules::reading)
            .where(e -> e.trial().consume() != null)
            .most(0.98)
            .provedBy(Perturbations.CONSUMERS)
            .easedBy(Remedy.MEMBERS, Remedy.POLL)
            .judged((e, r) -> {
                String outside = percent(1 - r.idle);
                Sign sign = Sign.at(r.slowest, r.late() * r.working()).explains(e.slowReading() * r.working());
                return (r.commits > 0.3
                                ? sign.says("diagnose.says.committing", percent(r.lag), percent(r.commits))
                                : sign.says("diagnose.says.consumer", percent(r.lag), outside))
                        .with("diagnose.read", r.rate)
                        .with("diagnose.fallsBehind", percent(r.lag))
                        .with("diagnose.outsidePoll", outside)
                        .with("diagnose.inCommits", r.commits > 0 ? percent(r.commits) : null);
            });

    private static final Rule<Reading> CACHE = Rule.named("cache", ConsumerRules::reading)
            .where(e -> e.trial().consume() != null)
            .silently()
            .most(0.98)
            .provedBy(Perturbations.CONSUMERS)
            .judged((e, r) -> Sign.of(r.late() * (1 - r.working()) * ramp(misses(e), 0.1, 0.5))
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
                    .says("diagnose.says.rebalances", Units.count(rebalances(e)), percent(r.rebalances))
                    .with("diagnose.rebalanceShare", percent(r.rebalances))
                    .with("diagnose.fallsBehind", r.lag > 0 ? percent(r.lag) : null));

    private static final Rule<Reading> FETCH = Rule.named("fetch", ConsumerRules::reading)
            .where(e -> e.trial().consume() != null)
            .silently()
            .most(0.882)
            .lowered(1, "brokers read from disk", (e, r) -> ramp(misses(e), 0.1, 0.5))
            .lowered(1, "the group rebalances", (e, r) -> r.rebalancing())
            .provedBy(Perturbations.CONSUMERS)
            .easedBy(Remedy.MEMBERS, Remedy.FETCH_SIZE)
            .judged((e, r) -> {
                Sign sign = Sign.of(r.late() * (1 - r.working())).explains(e.slowReading() * (1 - r.working()));
                return told(e, r, sign).with("diagnose.read", r.rate).with("diagnose.aFetch", ms(r.fetchMs));
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
                double waits = r.fetchMs == null ? 0 : ramp(r.fetchMs / Math.max(1, most), 0.1, 0.4);
                return Sign.of(0)
                        .explains(e.slowReading() * waits)
                        .says(
                                "diagnose.says.fetchWait",
                                Units.bytes(e.consumers().get("fetchMinBytes")),
                                ms(r.fetchMs),
                                Words.whole(most))
                        .with("diagnose.aFetch", ms(r.fetchMs))
                        .with("diagnose.outsidePoll", percent(1 - r.idle));
            });

    static final List<Rule<?>> RULES = List.of(CONSUMER, CACHE, FETCH_WAIT, REBALANCES, FETCH);

    private ConsumerRules() {}

    /**
     * How consumers read.
     *
     * @param slowest the group with the most left to read; null if unknown
     * @param lag share of what was produced that was not read in time
     * @param idle share of their time that they wait in {@code poll}
     * @param fetchMs null if unknown
     * @param rebalances share of their time in rebalances; 0 if unknown
     */
    private record Reading(
            Sentence slowest, String rate, double lag, double idle, double commits, Double fetchMs, double rebalances) {

        double late() {
            return ramp(lag, 0.01, 0.1);
        }

        /** The degree to which they wait for their own work, and not for data, 0 to 1. */
        double working() {
            return Math.max(ramp(1 - idle, 0.4, 0.8), ramp(commits, 0.3, 0.6));
        }

        /** The degree to which they have no partitions to read, 0 to 1. */
        double rebalancing() {
            return ramp(rebalances, 0.05, 0.3);
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
                slowest,
                Units.rate(e.trial().consume().volume().recordsPerSecond()),
                e.behind(),
                client.get("pollIdle"),
                client.getOrDefault("commitShare", 0.0),
                client.get("fetchMs"),
                Math.min(1, client.getOrDefault("rebalanceShare", 0.0)));
    }

    private static long rebalances(TrialEvidence e) {
        return e.trial().consume().groups().stream()
                .mapToLong(Group::rebalances)
                .sum();
    }

    private static Sign told(TrialEvidence e, Reading r, Sign sign) {
        if (r.fetchMs == null) {
            return sign.says("diagnose.says.fetch");
        }
        return e.slowReading() > 0
                ? sign.says("diagnose.says.lateFetch", percent(e.slowReading()), Words.wholeMs(r.fetchMs))
                : sign.says("diagnose.says.slowFetch", Words.wholeMs(r.fetchMs));
    }

    private static double misses(TrialEvidence e) {
        double out = e.sum("bytesOut");
        return out > 0 ? Math.min(1, e.sum("diskReadBytes") / out) : 0;
    }
}
