package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.measure.Endings;
import io.plimsoll.result.ErrorAdvice;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.TrialResult.Errors;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rules for failures: injected faults, partitions that accept no records (no leader, too few in-sync replicas, moving
 * leaders), and client errors.
 */
final class FailureRules {
    /** Factor by which the p99 response time must rise during a fault to count as an effect of the fault. */
    private static final double ROSE = 2;

    /** Stages in which a record waits while no broker accepts it. */
    private static final String[] WAITING = {"late", "buffer", "batch"};

    private static final String COMMITS = "commit.";

    /** Errors that report a missing response without a reason; any other finding explains more. */
    private static final List<String> UNEXPLAINED = List.of("timeout", "networkDisconnect", "bufferExhausted");

    private static final double UNEXPLAINED_WEIGHT = 0.5;

    static final List<Rule<?>> RULES = List.of(
            Rule.quiet("fault", FailureRules::worst)
                    .where(e -> !e.trial().detail().faults().isEmpty())
                    .judged((e, fault) -> {
                        Double gap = fault.effect().longestGapSeconds();
                        Sentence what = fault.deed().what();
                        return Finding.at(what, 1)
                                .says("diagnose.says.fault", what, Units.duration(lasted(e, fault)))
                                .with(silence(fault.silenced()))
                                .with("diagnose.faultGap", gap == null ? null : Units.duration(gap));
                    }),
            // Clients request metadata of a missing topic before each record, for up to max.block.ms.
            Rule.quiet("missingTopic", e -> e.cluster("missingTopics")).judged((e, topics) -> {
                double behind = !e.consumes() ? 0 : ramp(e.behind(), 0.01, 0.1);
                return Finding.of(ramp(topics, 0, 1) * Math.max(e.heldBack(), behind))
                        .explains(ramp(topics, 0, 1) * e.slowness(WAITING))
                        .says("diagnose.says.missingTopic", Format.count(topics))
                        .with("diagnose.missingTopics", Format.count(topics));
            }),
            // A failed disk takes partitions offline while their broker stays up.
            Rule.producing("offlineDirs", e -> e.most("offlineLogDirs"))
                    .heldBack(1)
                    .judged((e, b) -> Finding.at(b.name(), offline(e))
                            .explainsPart(e.slowness(WAITING))
                            .says(
                                    "diagnose.says.offlineDirs",
                                    b.name(),
                                    Units.count((long) Math.ceil(b.known("offlineLogDirs"))),
                                    Format.count(orElse(e.cluster("leaderless"), 0)))
                            .with("diagnose.ofPartitions", e.partitions().size())),
            Rule.producing("leaderless", e -> e.cluster("leaderless"))
                    .heldBack(1)
                    .lowered(0.5, "offline", (e, partitions) -> offline(e))
                    .judged((e, partitions) -> Finding.of(ramp(partitions, 0, 1))
                            .explainsPart(e.slowness(WAITING))
                            .says("diagnose.says.leaderless", Format.count(partitions))
                            .with("diagnose.ofPartitions", e.partitions().size())),
            Rule.quiet("minIsr", e -> e.sum("underMinIsr"))
                    .where(e -> e.produces() && waitsForAll(e))
                    .heldBack(1)
                    .judged((e, partitions) -> Finding.of(ramp(partitions, 0, 1))
                            .explainsPart(e.slowness(WAITING))
                            .says("diagnose.says.minIsr", Units.count((long) Math.ceil(partitions)))
                            .with("diagnose.sentAgain", Units.count(retries(e)))),
            // After a leader change, clients must find the new leader and resend requests.
            Rule.producing("leaderChanges", FailureRules::changesPerPartition)
                    .heldBack(0.98)
                    .judged((e, each) -> Finding.of(moving(e, each))
                            .explainsPart(e.slowness(WAITING))
                            .says("diagnose.says.leaderChanges", Format.count(orElse(e.cluster("leaderChanges"), 0)))
                            .with("diagnose.sentAgain", Units.count(retries(e)))),
            // Consumers see a record when all in-sync replicas have it; without acks=all, the acknowledgment is
            // earlier. If a fetch with a minimum of one byte waits while records are appended, it waits for followers.
            Rule.reading("uncopied", ReadEvidence::all)
                    .of("replication")
                    .where(e -> e.latencyAsked() && e.produces() && !waitsForAll(e) && e.sum("followerRequests") > 0)
                    .most(0.96)
                    .judged((e, r) -> Finding.of(0)
                            .explains(r.slow(e) * uncopied(e, r))
                            .says("diagnose.says.uncopied", Format.wholeMs(orElse(r.fetchMs(), 0)))
                            .with(r::shown, "diagnose.aFetch", "diagnose.outsidePoll")),
            Rule.producing("failed", FailureRules::producing).heldBack(0.995).judged(FailureRules::failed),
            // Members without access, or with other fatal errors, stop or restart.
            Rule.quiet("failedReads", FailureRules::reading)
                    .where(e -> e.consumes())
                    .most(0.995)
                    .judged(FailureRules::failedReads),
            // Commits depend on the leader of the group's partition of __consumer_offsets.
            Rule.reading("coordinator", ReadEvidence::all)
                    .where(e -> e.consumes() && unanswered(e) > 0)
                    .most(0.99)
                    .judged((e, r) -> {
                        String commits = percent(Math.min(1, r.commits()));
                        return r.finding(e, ramp(r.commits(), 0.2, 0.5))
                                .says("diagnose.says.coordinator", Units.count(unanswered(e)), commits)
                                .with(r::shown, "diagnose.read")
                                .with("diagnose.inCommits", commits);
                    }));

    private static Finding failed(TrialEvidence e, Errors errors) {
        Map.Entry<String, Long> reason = reason(errors);
        Sentence advice = ErrorAdvice.of(reason.getKey());
        Finding finding;
        if (!ended(e).isEmpty()) {
            // Records can be on schedule until the producer ends, so the finding must not depend on the schedule.
            finding = Finding.of(1).explains(1).says("diagnose.says.endedEarly", errors.total(), advice);
        } else {
            long all = errors.total() + (long) e.produced();
            double share = (double) errors.total() / all;
            boolean unexplained = UNEXPLAINED.contains(reason.getKey()) || (expired(reason) && !impatient(e));
            finding = Finding.of((unexplained ? UNEXPLAINED_WEIGHT : 1) * ramp(share, 0.01, 0.1))
                    .says("diagnose.says.failed", Units.count(errors.total()), Units.count(all), advice)
                    .with("diagnose.failedShare", percent(share));
        }
        return finding.with("diagnose.errorKind", reason.getKey(), Units.count(reason.getValue()));
    }

    private static Finding failedReads(TrialEvidence e, Errors errors) {
        Map.Entry<String, Long> reason = reason(errors);
        Map<String, Long> ended = Endings.byKind(e.consume().events());
        Finding finding;
        if (!ended.isEmpty()) {
            Errors last = new Errors(total(ended), ended);
            finding = Finding.of(1)
                    .explains(e.slowReading())
                    .says(
                            "diagnose.says.membersEnded",
                            last.total(),
                            ErrorAdvice.of(reason(last).getKey()));
        } else {
            double degree = UNEXPLAINED.contains(reason.getKey())
                    ? UNEXPLAINED_WEIGHT * ramp(errors.total() / Math.max(1, e.seconds()), 0.1, 1)
                    : ErrorAdvice.isKnown(reason.getKey()) ? 1 : UNEXPLAINED_WEIGHT;
            finding = Finding.of(degree * ramp(e.behind(), 0.01, 0.1))
                    .explains(degree * e.slowReading())
                    .says("diagnose.says.failedReads", Units.count(errors.total()), ErrorAdvice.of(reason.getKey()))
                    .with("diagnose.fallsBehind", percent(e.behind()));
        }
        return finding.with("diagnose.errorKind", reason.getKey(), Units.count(reason.getValue()));
    }

    /** The fault with the longest effect; null if no fault had an effect. */
    private static @Nullable FaultResult worst(TrialEvidence e) {
        return e.trial().detail().faults().stream()
                .filter(FailureRules::held)
                .max(Comparator.comparingDouble(f -> lasted(e, f)))
                .orElse(null);
    }

    private static boolean held(FaultResult fault) {
        Double back = fault.effect().throughputBackSeconds();
        boolean fell = fault.effect().longestGapSeconds() != null && (back == null || back > 0);
        boolean silenced = fault.silenced() != null && fault.silenced().partitions() > 0;
        return fault.span().inEffect() != null && (fell || silenced || slowed(fault.response()));
    }

    private static boolean slowed(FaultResult.@Nullable Response r) {
        return r != null && p99(r.before()) > 0 && p99(r.during()) > ROSE * p99(r.before());
    }

    private static long p99(FaultResult.@Nullable Around around) {
        return around == null || around.p99() == null ? 0 : around.p99();
    }

    /**
     * Seconds from the request of a fault until throughput was restored and no partition was silent, or until the end
     * of a fault that only slowed responses. The interval ends with the load at the latest.
     */
    private static double lasted(TrialEvidence e, FaultResult fault) {
        double asked = fault.span().asked();
        double end = orElse(e.trial().course().warmupSeconds(), 0) + e.seconds() - asked;
        double over = fault.span().over() == null ? end : fault.span().over() - asked;
        double normal = orElse(fault.backSeconds(), end);
        return Math.max(0, Math.min(end, normal > 0 ? normal : over));
    }

    private static Sentence silence(FaultResult.@Nullable Silenced s) {
        return s == null || s.longestSeconds() == null
                ? Sentence.of("diagnose.silencedNone")
                : Sentence.of("diagnose.silenced", s.partitions(), s.of(), Units.duration(s.longestSeconds()));
    }

    /** Share of the time in which partitions accept no records, as a score from 0 to 1; waiting records then fill the buffers. */
    static double refusing(TrialEvidence e) {
        double leaderless = ramp(orElse(e.cluster("leaderless"), 0), 0, 1);
        double underMinIsr = waitsForAll(e) ? ramp(e.sum("underMinIsr"), 0, 1) : 0;
        return Math.max(Math.max(leaderless, underMinIsr), moving(e, orElse(changesPerPartition(e), 0)));
    }

    /** Share of the fetch time that is a wait for followers, beyond network and record interval, as a score from 0 to 1. */
    private static double uncopied(TrialEvidence e, ReadEvidence r) {
        double least = r.client().getOrDefault("fetchMinBytes", 1.0);
        double committed = r.client().getOrDefault("readCommitted", 0.0);
        double rate = e.producedPerSecond();
        if (r.fetchMs() == null || least > 1 || committed > 0 || rate <= 0) {
            return 0;
        }
        double next = 1e3 * Math.max(1, e.brokers().size()) / rate;
        double left = r.fetchMs() - next - orElse(e.cluster("idleRoundTripMs"), 0);
        return r.waiting() * ramp(left, 5, 40) * ramp(left / r.fetchMs(), 0.5, 0.9);
    }

    /** Share of the time with an offline log directory on a broker, as a score from 0 to 1. */
    private static double offline(TrialEvidence e) {
        return ramp(e.highest("offlineLogDirs"), 0, 0.2);
    }

    private static boolean waitsForAll(TrialEvidence e) {
        return orElse(e.entry("acks", Math::min), 1) < 0;
    }

    /** Rate of leader changes that caused resent records, as a score from 0 to 1. */
    private static double moving(TrialEvidence e, double changesPerPartition) {
        return ramp(changesPerPartition, 0.02, 0.2) * ramp(sentAgain(e), 0.002, 0.02);
    }

    /** Leader changes per partition and second; null if unknown. */
    private static @Nullable Double changesPerPartition(TrialEvidence e) {
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

    /** Records resent ÷ records acknowledged. */
    static double sentAgain(TrialEvidence e) {
        return retries(e) / Math.max(1.0, e.produced());
    }

    /** Produce errors; null if no record failed. */
    private static @Nullable Errors producing(TrialEvidence e) {
        Errors errors = ended(e).isEmpty() ? e.produce().errors() : new Errors(total(ended(e)), ended(e));
        return errors == null || errors.total() == 0 ? null : errors;
    }

    private static long total(Map<String, Long> kinds) {
        return kinds.values().stream().mapToLong(n -> n).sum();
    }

    /** Producers that stopped, by error. */
    private static Map<String, Long> ended(TrialEvidence e) {
        return Endings.byKind(e.produce().events());
    }

    /** Whether records expired. With the default delivery.timeout.ms, the cause is the delay before the expiry. */
    private static boolean expired(Map.Entry<String, Long> reason) {
        return reason.getKey().equals("deliveryTimeout");
    }

    private static boolean impatient(TrialEvidence e) {
        return e.setup("producers").anyMatch(p -> p.containsKey("delivery.timeout.ms"));
    }

    /** 1 if reads fail for a known reason, 0 otherwise. */
    static double failing(TrialEvidence e) {
        Errors errors = !e.consumes() ? null : reading(e);
        return errors != null
                        && ErrorAdvice.isKnown(reason(errors).getKey())
                        && !UNEXPLAINED.contains(reason(errors).getKey())
                ? 1
                : 0;
    }

    /** Failed polls; null if no poll failed. Failed commits belong to another rule. */
    private static @Nullable Errors reading(TrialEvidence e) {
        Errors errors = e.consume().errors();
        Map<String, Long> polls = errors == null
                ? Map.of()
                : errors.byKind().entrySet().stream()
                        .filter(kind -> kind.getKey().indexOf('.') < 0)
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        return total(polls) == 0 ? null : new Errors(total(polls), polls);
    }

    /** The most frequent error with a known reason, because the other records of a rejected batch fail without a reason. */
    private static Map.Entry<String, Long> reason(Errors errors) {
        return errors.byKind().entrySet().stream()
                .max(Comparator.<Map.Entry<String, Long>>comparingInt(
                                kind -> ErrorAdvice.isKnown(kind.getKey()) ? 1 : 0)
                        .thenComparing(Map.Entry.comparingByValue()))
                .orElseThrow();
    }

    private static long unanswered(TrialEvidence e) {
        Errors errors = e.consume().errors();
        return errors == null
                ? 0
                : errors.byKind().entrySet().stream()
                        .filter(kind -> kind.getKey().startsWith(COMMITS))
                        .filter(kind -> kind.getKey().endsWith("timeout")
                                || kind.getKey().contains("oordinator"))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
    }
}
