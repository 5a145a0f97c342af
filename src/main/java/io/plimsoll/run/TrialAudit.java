package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.TrialResult.ProducerShare;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The audit of one trial: acknowledged records against the logs, by record identity, or by offsets if records carry no
 * identities. Confined to the trial's thread; the snapshot thread calls {@link #count} before {@link #end}.
 */
final class TrialAudit implements AutoCloseable {
    private static final Duration AUDIT_LIMIT = Duration.ofSeconds(60);
    /** A leader waits 30 s for a hung follower (replica.lag.time.max.ms). */
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(35);

    private static final Duration INTERRUPTED_AUDIT_LIMIT = Duration.ofSeconds(1);

    private static final Set<String> UNKNOWN_KINDS =
            Set.of("timeout", "deliveryTimeout", "networkDisconnect", "notEnoughReplicasAfterAppend");

    private final String trial;
    private final Scenario scenario;
    private final Set<String> names;
    private final Topics topics;
    private final Interruption interruption;
    private final Consumer<Sentence> warnings;
    /** Null without an audit or without identities. */
    private final IdentityAudit identities;
    /** Records that may be in the log. */
    private final AtomicLong unknown = new AtomicLong();
    /** End offsets before the first record. */
    private LogEnds before = LogEnds.UNKNOWN;

    /**
     * @param identities null without an audit or without identities
     * @param warnings receives limitations of the audit
     */
    TrialAudit(
            String trial,
            Scenario scenario,
            Topics topics,
            IdentityAudit identities,
            Interruption interruption,
            Consumer<Sentence> warnings) {
        this.trial = trial;
        this.scenario = scenario;
        this.names = TrialRun.names(scenario);
        this.topics = topics;
        this.identities = identities;
        this.interruption = interruption;
        this.warnings = warnings;
    }

    static boolean wanted(Scenario scenario) {
        return scenario.audit() && !scenario.producers().isEmpty();
    }

    /** Starts after the producers exist and before the first record. */
    void begin(String clusterId) {
        before = LogEnds.of(topics, names);
        if (identities != null) {
            identities.begin(trial, scenario, clusterId, before.offsets());
        }
    }

    /** Counts unanswered and timed-out records, which may be in the log. */
    void count(Snapshot snapshot) {
        unknown.addAndGet(unknownIn(snapshot.warmup()) + unknownIn(snapshot.measured()));
    }

    private static long unknownIn(Counts counts) {
        long timedOut = counts.get(Produced.ERRORS).entrySet().stream()
                .filter(e -> UNKNOWN_KINDS.contains(e.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return counts.get(Produced.UNACKNOWLEDGED) + timedOut;
    }

    /** Returns the result after the load. Queries the cluster, with time limits. */
    TrialEnded end(TrialOutcome outcome) {
        Optional<Ends> ends = TimedClusterCall.ask(
                () -> ends(outcome),
                AUDIT_LIMIT,
                interruption::requested,
                INTERRUPTED_AUDIT_LIMIT,
                problem -> warnings.accept(Sentence.of("run.noEnds", problem)));
        // A missing end offset is not a finding if the user interrupted the wait.
        boolean possible = ends.isPresent() || outcome.complete();
        Ends known = ends.orElse(new Ends(LogEnds.UNKNOWN, Map.of()));
        AuditResult found = wanted(scenario) && possible ? audit(outcome, known) : null;
        return new TrialEnded(
                trial,
                Instant.now(),
                outcome.measuredSeconds(),
                outcome.consumeSeconds(),
                outcome.groupSeconds(),
                outcome.complete(),
                outcome.backlogOpenedSeconds(),
                found,
                partitions(outcome, known.leaders()),
                List.of(),
                outcome.producers().stream().map(TrialAudit::share).toList());
    }

    private static ProducerShare share(Producers.ClientShare s) {
        double seconds = Math.max(1e-9, s.seconds());
        return new ProducerShare(
                s.name(),
                s.clients(),
                s.records(),
                s.bytes(),
                s.seconds(),
                s.arrived() / seconds,
                s.arrivedBytes() / seconds);
    }

    private AuditResult audit(TrialOutcome outcome, Ends ends) {
        if (identities != null) {
            try {
                return identities.end(outcome, ends.leaders(), interruption::requested);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (PlimsollException e) {
                warnings.accept(Sentence.of("run.countsInstead", e.sentence()));
            }
        }
        AuditResult counted = LogEnds.audit(
                before,
                ends.logs(),
                outcome.produced().acknowledged(),
                outcome.produced().markers(),
                unknown.get());
        return identities == null ? counted : counted.incomplete();
    }

    private record Ends(LogEnds logs, Map<String, Integer> leaders) {}

    private Ends ends(TrialOutcome outcome) {
        Map<String, Integer> leaders = SettledEnds.byName(topics.leaders(names));
        Map<TopicPartition, Long> ends =
                SettledEnds.ask(topics, names, before, outcome.produced(), SETTLE_LIMIT, interruption::requested);
        LogEnds logs = LogEnds.of(topics.describe(names), ends);
        names.stream()
                .filter(name -> before.isAnew(name, logs.topics()))
                .forEach(name -> warnings.accept(Sentence.of("run.topicAnewMeanwhile", name)));
        return new Ends(logs, leaders);
    }

    private List<PartitionResult> partitions(TrialOutcome outcome, Map<String, Integer> leaders) {
        Set<String> names = new TreeSet<>(outcome.produced().acknowledged().keySet());
        names.addAll(outcome.consumed().keySet());
        List<PartitionResult> results = new ArrayList<>();
        for (String name : names) {
            int dash = name.lastIndexOf('-');
            results.add(new PartitionResult(
                    name.substring(0, dash),
                    Integer.parseInt(name.substring(dash + 1)),
                    leaders.get(name),
                    outcome.produced().acknowledged().getOrDefault(name, 0L),
                    outcome.consumed().getOrDefault(name, 0L),
                    null,
                    null));
        }
        results.sort(Comparator.comparing(PartitionResult::topic).thenComparing(PartitionResult::partition));
        return results;
    }

    @Override
    public void close() {
        if (identities != null) {
            identities.close();
        }
    }
}
