package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.audit.AuditFinding;
import io.plimsoll.audit.AuditFindings;
import io.plimsoll.audit.Journal;
import io.plimsoll.audit.JournalReader;
import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.LogReading.OffsetRanges;
import io.plimsoll.audit.Outcomes;
import io.plimsoll.audit.Reconciliation;
import io.plimsoll.audit.Reconciliation.Examined;
import io.plimsoll.audit.RecordRange;
import io.plimsoll.audit.Verdict;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.raw.AuditReader;
import io.plimsoll.result.AuditHeader;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.AuditResult.Anomaly;
import io.plimsoll.result.AuditResult.GroupAudit;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records that no consumer of the trial has read, and compares the logs with the journal. Used at the end of
 * a trial and by {@code verify}. Single use, by one thread.
 */
final class LogAudit {
    private static final Duration READ_LIMIT = Duration.ofMinutes(10);
    private static final int MOST_GAPS_READ = 200;
    /** Margin added to the age of records, because the brokers' clocks can differ from this host's clock. */
    private static final Duration RETENTION_SLACK = Duration.ofMinutes(5);
    /** Maximum number of anomalies in a result; the most severe come first. */
    private static final int MOST_ANOMALIES = 10_000;

    private final AuditHeader header;
    private final Path journal;
    private final LoadContext context;
    private final AuditTrail trail;
    private final Topics topics;
    private final BooleanSupplier hurry;
    private final Map<TopicPartition, Long> begins = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();
    /** End offsets that include open transactions. */
    private final Map<TopicPartition, Long> trueEnds = new HashMap<>();

    private Map<String, Map<String, String>> configs = Map.of();
    private Set<String> recreated = Set.of();
    private boolean allRead = true;

    /** @param trail contains the records that consumers have already read */
    LogAudit(
            AuditHeader header,
            Path journal,
            LoadContext context,
            AuditTrail trail,
            Topics topics,
            BooleanSupplier hurry) {
        this.header = header;
        this.journal = journal;
        this.context = context;
        this.trail = trail;
        this.topics = topics;
        this.hurry = hurry;
    }

    /** @throws PlimsollException if the cluster or a topic is missing, or the journal is unreadable */
    Reconciliation.Result run() throws InterruptedException {
        long deadline = System.nanoTime() + READ_LIMIT.toNanos();
        ask();
        readRest(deadline);
        readGaps(deadline);
        Outcomes outcomes = new Outcomes(header.producers());
        boolean whole = replay(outcomes);
        Map<LogPartition, Examined> examined = examined();
        Reconciliation reconciliation = new Reconciliation(outcomes, trail.ledger(), examined, allRead && whole);
        reconciliation.compare();
        if (reconciliation.anyMissing()) {
            replay(reconciliation.locator());
        }
        if (reconciliation.wanted()) {
            readPlaces(reconciliation, deadline);
        }
        return reconciliation.outcome();
    }

    /**
     * Topics that were deleted and recreated since the start of the trial, so that their acknowledged records are lost.
     */
    Set<String> recreated() {
        return recreated;
    }

    private void ask() {
        Map<String, String> ids = LogEnds.ids(topics.describe(header.topics()));
        recreated = header.topics().stream()
                .filter(name -> {
                    String was = header.topicIds().get(name);
                    return was != null && !was.equals(ids.get(name));
                })
                .collect(Collectors.toSet());
        List<String> names = header.topics().stream()
                .filter(name -> !recreated.contains(name))
                .toList();
        begins.putAll(topics.earliestOffsets(names));
        trueEnds.putAll(topics.endOffsets(names));
        ends.putAll(header.transactional() ? topics.stableOffsets(names) : trueEnds);
        configs = topics.effectiveConfigs(names);
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            reading(end.getKey()).begin(begins.getOrDefault(end.getKey(), 0L));
        }
    }

    private LogReading reading(TopicPartition partition) {
        return trail.reading(partition, began(partition));
    }

    /** The end offset before the trial; 0 for a partition that was added later. */
    private long began(TopicPartition partition) {
        List<Long> known = header.begins().getOrDefault(partition.topic(), List.of());
        return partition.partition() < known.size() ? known.get(partition.partition()) : 0;
    }

    private void readRest(long deadline) throws InterruptedException {
        List<AuditReader.Part> parts = new ArrayList<>();
        ends.forEach((partition, end) -> {
            LogReading reading = reading(partition);
            // A log that ends before the consumers' position was truncated, and new records can reuse the lost offsets.
            allRead &= reading.next() <= trueEnds.getOrDefault(partition, Long.MAX_VALUE);
            if (reading.next() < end) {
                parts.add(new AuditReader.Part(partition, reading.next(), end, reading));
            }
        });
        Map<TopicPartition, Long> reached = read(parts, deadline);
        for (AuditReader.Part part : parts) {
            LogReading reading = reading(part.partition());
            boolean done = reached.getOrDefault(part.partition(), part.from()) >= part.to();
            if (done) {
                reading.end(part.to());
            }
            reading.flush();
            allRead &= done;
        }
        header.begins()
                .forEach((topic, offsets) -> allRead &= IntStream.range(0, offsets.size())
                        .allMatch(p -> ends.containsKey(new TopicPartition(topic, p))));
    }

    /** @return the offset up to which each partition was read */
    private Map<TopicPartition, Long> read(List<AuditReader.Part> parts, long deadline) throws InterruptedException {
        return new AuditReader(context, header.transactional()).read(parts, deadline, hurry);
    }

    private void readGaps(long deadline) throws InterruptedException {
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            TopicPartition partition = end.getKey();
            if (compacts(partition.topic())) {
                continue;
            }
            LogReading reading = reading(partition);
            OffsetRanges gaps = reading.gaps();
            int read = Math.min(gaps.count(), MOST_GAPS_READ);
            for (int gap = 0; gap < read; gap++) {
                long last = gaps.last(gap);
                readGap(partition, reading.of(gap), last, Math.min(end.getValue(), last + 1), deadline);
            }
            // Unread gaps are not findings, but they make the audit incomplete.
            allRead &= read == gaps.count();
        }
    }

    private void readGap(TopicPartition partition, LogReading again, long last, long end, long deadline)
            throws InterruptedException {
        again.begin(begins.getOrDefault(partition, 0L));
        long from = again.next();
        if (from <= last) {
            long reached = read(List.of(new AuditReader.Part(partition, from, end, again)), deadline)
                    .getOrDefault(partition, from);
            reading(partition).filled(again);
            if (reached < end) {
                allRead = false;
                return;
            }
            again.end(last + 1);
            again.flush();
            OffsetRanges left = again.gaps();
            for (int i = 0; i < left.count(); i++) {
                note(again, left.first(i), left.last(i));
            }
        }
    }

    private void note(LogReading reading, long first, long last) {
        trail.ledger()
                .add(new AuditFinding(
                        Verdict.OFFSET_GAP,
                        RecordRange.inLog(reading.partition(), first, last - first + 1, RecordRange.UNKNOWN),
                        false));
    }

    private boolean compacts(String topic) {
        return cleans(topic, "compact") && number(topic, "min.compaction.lag.ms", 0) < age().toMillis();
    }

    private boolean cleans(String topic, String policy) {
        return configs.getOrDefault(topic, Map.of())
                .getOrDefault("cleanup.policy", "delete")
                .contains(policy);
    }

    private long number(String topic, String setting, long otherwise) {
        return Long.parseLong(configs.getOrDefault(topic, Map.of()).getOrDefault(setting, String.valueOf(otherwise)));
    }

    /** The maximum age of the trial's records according to the brokers' clocks. */
    private Duration age() {
        return Duration.between(header.startedAt(), Instant.now()).plus(RETENTION_SLACK);
    }

    private Map<LogPartition, Examined> examined() {
        Map<LogPartition, Examined> examined = new HashMap<>();
        for (TopicPartition partition : ends.keySet()) {
            LogReading reading = reading(partition);
            boolean compacts = compacts(partition.topic());
            long trueEnd = trueEnds.getOrDefault(partition, Long.MAX_VALUE);
            // Compaction can remove any record before the end of a log, so only records beyond the end are certainly
            // lost.
            long begin = compacts ? trueEnd : begins.getOrDefault(partition, 0L);
            // Acknowledged records beyond the end of a completely read log are lost.
            boolean whole = reading.next() >= trueEnd;
            examined.put(
                    reading.partition(),
                    new Examined(
                            begin, whole ? Long.MAX_VALUE : reading.next(), compacts || expires(partition.topic())));
        }
        return examined;
    }

    private boolean expires(String topic) {
        long millis = number(topic, "retention.ms", -1);
        boolean old = millis >= 0 && millis < age().toMillis();
        return cleans(topic, "delete") && (number(topic, "retention.bytes", -1) >= 0 || old);
    }

    private boolean replay(Journal sink) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(journal), 1 << 16)) {
            return new JournalReader(header.topics()).read(in, sink);
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "run.journalNotRead", journal, e.getMessage());
        }
    }

    private void readPlaces(Reconciliation reconciliation, long deadline) throws InterruptedException {
        List<AuditReader.Part> parts = new ArrayList<>();
        ends.forEach((partition, end) -> {
            long from = Math.max(began(partition), begins.getOrDefault(partition, 0L));
            if (from < end) {
                LogPartition name = new LogPartition(partition.topic(), partition.partition());
                parts.add(new AuditReader.Part(partition, from, end, reconciliation.places(name, header.runIdBits())));
            }
        });
        read(parts, deadline);
    }

    /** @param leaders leader of each {@code topic-partition} */
    AuditResult result(Reconciliation.Result result, Map<String, Integer> leaders, List<GroupAudit> groups) {
        AuditFindings found = result.findings();
        List<AuditFinding> all = found.all();
        List<Anomaly> anomalies =
                all.stream().limit(MOST_ANOMALIES).map(f -> anomaly(f, leaders)).toList();
        long left = all.size() - anomalies.size() + found.left();
        long foreign = found.records(Verdict.FOREIGN);
        return new AuditResult(
                "identities",
                new AuditResult.Counts(
                        result.acknowledged(),
                        result.read(),
                        found.records(Verdict.LOST),
                        found.records(Verdict.DUPLICATED),
                        found.records(Verdict.REORDERED),
                        found.records(Verdict.CORRUPTED),
                        result.unknown(),
                        found.records(Verdict.UNKNOWN_AND_PRESENT)),
                new AuditResult.Identified(
                        found.records(Verdict.PHANTOM) + foreign,
                        foreign,
                        found.records(Verdict.ABORTED_YET_VISIBLE),
                        found.records(Verdict.OFFSET_GAP),
                        found.records(Verdict.EXPIRED),
                        found.violations()),
                result.complete(),
                AuditResult.sentences(anomalies, left),
                anomalies,
                left,
                groups);
    }

    private Anomaly anomaly(AuditFinding finding, Map<String, Integer> leaders) {
        RecordRange range = finding.range();
        LogPartition partition = range.partition();
        boolean ours = range.producer() >= 0;
        return new Anomaly(
                finding.verdict().toString(),
                new AuditResult.Place(
                        partition == null ? null : partition.topic(),
                        partition == null ? null : partition.partition(),
                        known(range.firstOffset()),
                        known(range.lastOffset()),
                        partition == null ? null : leaders.get(partition.toString())),
                range.records(),
                new AuditResult.Origin(
                        ours ? header.producers().get(range.producer()).entry() + "/" + range.producer() : null,
                        known(range.firstSequence()),
                        known(range.lastSequence()),
                        range.epochMillis() < 0 ? null : Instant.ofEpochMilli(range.epochMillis())),
                finding.violation(),
                null);
    }

    private static @Nullable Long known(long value) {
        return value < 0 ? null : value;
    }
}
