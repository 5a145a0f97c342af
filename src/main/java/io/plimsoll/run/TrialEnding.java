package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.TrialResult.ProducerShare;
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
 * Says what a trial came to when its load is over: what its audit found, and what each partition and each client did.
 * {@link #count} may be called by another thread than {@link #of}.
 *
 * @param audited whether the scenario asks for an audit
 * @param audit null if there is none, or records carry no identities: then offsets are compared
 * @param unknown counts the records of which nobody knows whether they are in the log
 */
record TrialEnding(
        String trial,
        boolean audited,
        TrialAudit audit,
        Topics topics,
        Interruption interruption,
        Consumer<Sentence> warnings,
        AtomicLong unknown) {
    private static final Duration AUDIT_LIMIT = Duration.ofSeconds(60);
    /** A leader waits 30 s for a follower that stands still (replica.lag.time.max.ms), before it goes on alone. */
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(35);

    private static final Duration INTERRUPTED_AUDIT_LIMIT = Duration.ofSeconds(1);

    private static final Set<String> UNKNOWN_KINDS =
            Set.of("timeout", "deliveryTimeout", "networkDisconnect", "notEnoughReplicasAfterAppend");

    /** An unanswered record may be in the log or not, and so may one whose answer was a time-out. */
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

    /**
     * Asks the cluster, for as long as that may take.
     *
     * @param before how the logs ended before the first record
     */
    TrialEnded of(TrialOutcome outcome, LogEnds before, Set<String> names) {
        Optional<Ends> ends = TimedClusterCall.ask(
                () -> ends(outcome, before, names),
                AUDIT_LIMIT,
                interruption::requested,
                INTERRUPTED_AUDIT_LIMIT,
                problem -> warnings.accept(Sentence.of("run.noEnds", problem)));
        // Nothing to compare with is no finding if the user did not want to wait for it.
        boolean possible = ends.isPresent() || outcome.complete();
        Ends known = ends.orElse(new Ends(LogEnds.UNKNOWN, Map.of()));
        AuditResult found = audited && possible ? audit(outcome, before, known) : null;
        return new TrialEnded(
                trial,
                Instant.now(),
                new TimelineEvent.Length(
                        outcome.measuredSeconds(),
                        outcome.consumeSeconds(),
                        outcome.complete(),
                        outcome.backlogOpenedSeconds()),
                found,
                partitions(outcome, known.leaders()),
                List.of(),
                outcome.producers().stream().map(TrialEnding::share).toList());
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

    private AuditResult audit(TrialOutcome outcome, LogEnds before, Ends ends) {
        if (audit != null) {
            try {
                return audit.end(outcome, ends.leaders(), interruption::requested);
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
        return audit == null ? counted : counted.incomplete();
    }

    private record Ends(LogEnds logs, Map<String, Integer> leaders) {}

    private Ends ends(TrialOutcome outcome, LogEnds before, Set<String> names) {
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
}
