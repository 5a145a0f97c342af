package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.audit.JournalWriter;
import io.plimsoll.audit.LogReading;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.ProducerKind.Identity;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.AuditHeader;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.Json;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.TrialResult.ProducerShare;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The audit of one trial: compares acknowledged records with the logs, by record identity or, if records have no
 * identities, by offsets. Used by the trial's thread; the snapshot thread calls {@link #count} before {@link #end}.
 */
final class TrialAudit implements AutoCloseable {
    private static final Duration AUDIT_LIMIT = Duration.ofSeconds(60);
    /**
     * Time limit for stable end offsets, above the 30 s that a leader waits for a hung follower
     * (replica.lag.time.max.ms).
     */
    private static final Duration SETTLE_LIMIT = Duration.ofSeconds(35);

    private static final Duration INTERRUPTED_AUDIT_LIMIT = Duration.ofSeconds(1);

    private static final Set<String> UNKNOWN_KINDS =
            Set.of("timeout", "deliveryTimeout", "networkDisconnect", "notEnoughReplicasAfterAppend");

    private final Run run;
    private final String trial;
    private final Scenario scenario;
    private final Set<String> names;
    private final Topics topics;
    /** The context of the load, with a trail if records are audited by identity. */
    private final LoadContext context;

    private final int index;
    /** Null if records are not audited by identity. */
    private @Nullable AuditJournal journal;
    /** Number of records without a known outcome, which can be in the log. */
    private final AtomicLong unknown = new AtomicLong();
    /** End offsets before the first record. */
    private LogEnds before = LogEnds.UNKNOWN;

    TrialAudit(Run run, String trial, Scenario scenario, LoadContext context, int index) {
        this.run = run;
        this.trial = trial;
        this.scenario = scenario;
        this.names = TrialRun.names(scenario);
        this.topics = run.cluster().topics();
        this.context = context;
        this.index = index;
    }

    /** Whether the scenario has an audit and every record has an identity; otherwise an audit can only compare counts. */
    static boolean identifies(Scenario scenario, LoadContext context) {
        return wanted(scenario)
                && scenario.producers().stream()
                        .noneMatch(spec -> ProducerKind.marksOf(context, spec).identity() == Identity.NONE);
    }

    private static boolean wanted(Scenario scenario) {
        return scenario.audit() && !scenario.producers().isEmpty();
    }

    /** Starts the audit, after the producers are created and before the first record. */
    void begin() {
        before = LogEnds.of(topics, names);
        AuditTrail trail = context.trail();
        if (trail == null) {
            return;
        }
        List<String> produced = scenario.producedTopics();
        Map<String, TopicDescription> described = topics.describe(produced);
        Map<String, String> ids = new TreeMap<>();
        Map<String, List<Long>> begins = new TreeMap<>();
        described.forEach((name, topic) -> {
            ids.put(name, topic.topicId().toString());
            List<Long> offsets = new ArrayList<>();
            for (int p = 0; p < topic.partitions().size(); p++) {
                TopicPartition partition = new TopicPartition(name, p);
                offsets.add(before.offsets().getOrDefault(partition.toString(), 0L));
                trail.reading(partition, offsets.get(p));
            }
            begins.put(name, offsets);
        });
        AuditHeader header = new AuditHeader(
                trial,
                Instant.now(),
                String.valueOf(context.clientProperties().get("bootstrap.servers")),
                run.cluster().description().clusterId(),
                Long.toHexString(context.runId()),
                produced,
                ids,
                begins,
                trail.profiles());
        run.files().write(RunDirectory.auditHeader(index), Json.pretty(header));
        try {
            journal = new AuditJournal(header, trail, run.files().path().resolve(RunDirectory.auditJournal(index)));
        } catch (IOException e) {
            throw run.files().cannotWrite(RunDirectory.auditJournal(index), e);
        }
    }

    /** Counts records without a known outcome, such as unanswered and timed-out records. */
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

    /** Audits the trial after the load; returns the end event with the result. Limits the time of cluster queries. */
    TrialEnded end(TrialOutcome outcome) {
        Optional<Ends> ends = LogEnds.inTime(
                () -> ends(outcome),
                AUDIT_LIMIT,
                run.interruption::requested,
                INTERRUPTED_AUDIT_LIMIT,
                problem -> context.notes().accept(Sentence.of("run.noEnds", problem)));
        // If the user interrupted the wait, a missing end offset is not a finding.
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
        if (journal != null) {
            try {
                return identified(journal, outcome, ends.leaders());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (PlimsollException e) {
                context.notes().accept(Sentence.of("run.countsInstead", e.sentence()));
            }
        }
        AuditResult counted = LogEnds.audit(
                before,
                ends.logs(),
                outcome.produced().acknowledged(),
                outcome.produced().markers(),
                unknown.get());
        return journal == null ? counted : counted.incomplete();
    }

    /** @throws PlimsollException if the cluster does not respond */
    private AuditResult identified(AuditJournal journal, TrialOutcome outcome, Map<String, Integer> leaders)
            throws InterruptedException {
        journal.close();
        LogAudit audit = new LogAudit(journal.header, journal.path, context, journal.trail, topics, hurry());
        AuditResult found = audit.result(audit.run(), leaders, groups(journal, outcome, audit.recreated()));
        return !journal.broken && journal.trail.adopted().complete() ? found : found.incomplete();
    }

    private BooleanSupplier hurry() {
        long[] since = {0};
        return () -> {
            if (since[0] == 0 && run.interruption.requested()) {
                since[0] = System.nanoTime();
            }
            return since[0] != 0 && System.nanoTime() - since[0] > INTERRUPTED_AUDIT_LIMIT.toNanos();
        };
    }

    private static List<GroupAudit> groups(AuditJournal journal, TrialOutcome outcome, Set<String> recreated) {
        boolean hidden = journal.header.transactional();
        Map<String, GroupAudit> groups = new TreeMap<>();
        for (GroupDelivery delivery : outcome.deliveries()) {
            LogReading reading = journal.trail.reading(new TopicPartition(delivery.topic(), delivery.partition()));
            if (reading == null) {
                continue;
            }
            long behind = Math.max(0, reading.next() - Math.max(delivery.position(), reading.from()));
            Long skipped = hidden || recreated.contains(delivery.topic())
                    ? null
                    : Math.max(0, reading.visible() - delivery.distinct() - behind);
            groups.merge(
                    delivery.group(),
                    new GroupAudit(delivery.group(), delivery.again(), skipped, delivery.givenUp()),
                    TrialAudit::plus);
        }
        return List.copyOf(groups.values());
    }

    private static GroupAudit plus(GroupAudit a, GroupAudit b) {
        return new GroupAudit(
                a.group(),
                a.processedTwice() + b.processedTwice(),
                sum(a.skipped(), b.skipped()),
                sum(a.givenUp(), b.givenUp()));
    }

    private static @Nullable Long sum(@Nullable Long a, @Nullable Long b) {
        return a == null || b == null ? null : Long.valueOf(a + b);
    }

    private record Ends(LogEnds logs, Map<String, Integer> leaders) {}

    private Ends ends(TrialOutcome outcome) {
        Map<String, Integer> leaders = LogEnds.byName(topics.leaders(names));
        Map<TopicPartition, Long> ends =
                before.settled(topics, names, outcome.produced(), SETTLE_LIMIT, run.interruption::requested);
        LogEnds logs = LogEnds.of(topics.describe(names), ends);
        names.stream().filter(name -> before.isRecreated(name, logs.topics())).forEach(name -> context.notes()
                .accept(Sentence.of("run.topicAnewMeanwhile", name)));
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
        if (journal != null) {
            journal.close();
        }
    }

    /** Writes the outcomes of records once a second, so that they can be audited even if this process is killed. */
    private final class AuditJournal implements AutoCloseable {
        private static final long EVERY_NANOS = 1_000_000_000L;
        /** Maximum size of a block, even after the disk was slow, because readers reject blocks several times larger. */
        private static final int BLOCK_BYTES = 1 << 20;

        private final AuditHeader header;
        private final AuditTrail trail;
        private final JournalWriter writer;
        private final Path path;
        private final RandomAccessFile file;
        private final PeriodicTask task;
        private boolean closed;
        private volatile boolean broken;

        AuditJournal(AuditHeader header, AuditTrail trail, Path path) throws IOException {
            this.header = header;
            this.trail = trail;
            this.writer = new JournalWriter(header.topics(), BLOCK_BYTES, this::append);
            this.path = path;
            PrivateFiles.file(path);
            this.file = new RandomAccessFile(path.toFile(), "rw");
            this.task = PeriodicTask.each("plimsoll-audit", System.nanoTime(), EVERY_NANOS, 1, () -> write(false));
        }

        private synchronized void write(boolean last) {
            writer.begin(System.currentTimeMillis());
            trail.drain(writer);
            if (last && trail.adopted().complete()) {
                writer.ended();
            }
            if (!writer.empty()) {
                append(writer.end());
            }
        }

        private void append(ByteBuffer block) {
            if (broken) {
                return;
            }
            try {
                file.write(block.array(), block.arrayOffset(), block.limit());
            } catch (IOException e) {
                broken = true;
                context.notes().accept(Sentence.of("run.journalFailed", path, String.valueOf(e.getMessage())));
            }
        }

        /** Writes the remaining outcomes. Call it after the last send. */
        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            task.end(0);
            write(true);
            try {
                file.close();
            } catch (IOException e) {
                broken = true;
            }
        }
    }
}
