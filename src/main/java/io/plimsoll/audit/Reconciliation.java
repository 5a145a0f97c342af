package io.plimsoll.audit;

import io.plimsoll.payload.Identity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares acknowledged records with the records read. Steps: {@link #compare}; if records are missing, replay the
 * journal into {@link #locator} to find their offsets; if records that were read need a location ({@link #wanted}),
 * read the log again into {@link #place}; then {@link #outcome}. Not thread-safe.
 */
public final class Reconciliation {
    private static final SequenceSet[] NONE = {};

    private final Outcomes outcomes;
    private final ReadLedger ledger;
    private final Map<LogPartition, Examined> examined;
    private final boolean allExamined;
    private final AuditFindings findings = new AuditFindings();
    private final List<SequenceSet> missing = new ArrayList<>();
    private final List<Map<Verdict, SequenceSet>> wanted = new ArrayList<>();
    private final List<SequenceSet> placed = new ArrayList<>();
    private long durable;
    private long unknown;
    private long unexamined;

    /** @param allExamined whether every partition was read to its end */
    public Reconciliation(
            Outcomes outcomes, ReadLedger ledger, Map<LogPartition, Examined> examined, boolean allExamined) {
        this.outcomes = outcomes;
        this.ledger = ledger;
        this.examined = Map.copyOf(examined);
        this.allExamined = allExamined;
    }

    /**
     * Records that must be in the log, records read (duplicates included), records with an unknown outcome, and whether
     * every partition was read completely.
     */
    public record Result(long acknowledged, long read, long unknown, boolean complete, AuditFindings findings) {}

    /** Finds missing and unexpected records. */
    public void compare() {
        for (ProducerProfile profile : outcomes.profiles()) {
            compare(profile.id());
        }
    }

    private void compare(int producer) {
        SequenceSet must = outcomes.durable(producer);
        SequenceSet failed = outcomes.of(Journal.Ending.FAILED, producer);
        SequenceSet aborted = outcomes.of(Journal.Ending.ABORTED, producer);
        SequenceSet read = ledger.read(producer);
        durable += must.size();
        missing.add(difference(must, read));
        // After a crash, the journal can lack sent records; every record that was read was also sent.
        SequenceSet present = difference(read, must, failed, aborted);
        long unknownAbsent = SequenceSet.ranges(
                NONE,
                new SequenceSet[] {must, failed, aborted, read},
                outcomes.sent(producer),
                (first, end) -> findings.add(unplaced(Verdict.UNKNOWN_AND_ABSENT, producer, first, end - first)));
        unknown += present.size() + unknownAbsent;
        if (!outcomes.profiles().get(producer).acknowledges()) {
            // With acks=0, the outcome of every record is unknown, so locations are not needed.
            SequenceSet.ranges(
                    new SequenceSet[] {present},
                    NONE,
                    SequenceSet.LIMIT,
                    (first, end) -> findings.add(unplaced(Verdict.UNKNOWN_AND_PRESENT, producer, first, end - first)));
            present = new SequenceSet();
        }
        SequenceSet visible = SequenceSet.of(new SequenceSet[] {read, aborted});
        SequenceSet refused = SequenceSet.of(new SequenceSet[] {read, failed}, aborted);
        placed.add(new SequenceSet());
        wanted.add(Map.of(
                Verdict.UNKNOWN_AND_PRESENT, present, Verdict.ABORTED_YET_VISIBLE, visible, Verdict.PHANTOM, refused));
    }

    private static SequenceSet difference(SequenceSet of, SequenceSet... without) {
        return SequenceSet.of(new SequenceSet[] {of}, without);
    }

    private static AuditFinding unplaced(Verdict verdict, int producer, long first, long count) {
        return new AuditFinding(verdict, RecordRange.unplaced(producer, first, count), isViolation(verdict));
    }

    /** Whether records are missing, so that the journal must be replayed into {@link #locator}. */
    public boolean anyMissing() {
        return missing.stream().anyMatch(set -> set.size() > 0);
    }

    /** A sink for a second replay of the journal; it finds the offsets of the missing records. */
    public Journal locator() {
        return new Journal() {
            private long epochMillis = RecordRange.UNKNOWN;

            @Override
            public void at(long millis) {
                epochMillis = millis;
            }

            @Override
            public void acknowledged(
                    int producer, long firstSequence, long count, LogPartition partition, long firstOffset) {
                SequenceSet lacking = missing.get(producer);
                long end = firstSequence + count;
                RecordRange all = new RecordRange(partition, firstOffset, producer, firstSequence, count, epochMillis);
                for (long at = lacking.nextPresent(firstSequence); at < end; ) {
                    long to = Math.min(end, lacking.nextAbsent(at));
                    judge(all.part(at - firstSequence, to - at));
                    at = lacking.nextPresent(to);
                }
            }
        };
    }

    private void judge(RecordRange range) {
        Examined state = examined.get(range.partition());
        long offset = range.firstOffset();
        long done = 0;
        while (done < range.records()) {
            long at = offset < 0 ? offset : offset + done;
            long same = range.records() - done;
            Verdict verdict = Verdict.LOST;
            if (state == null || (offset < 0 ? !allExamined || state.deletes() : at >= state.next())) {
                verdict = null;
            } else if (offset >= 0 && state.expires() && at < state.begin()) {
                verdict = Verdict.EXPIRED;
                same = Math.min(same, state.begin() - at);
            } else if (offset >= 0) {
                same = Math.min(same, state.next() - at);
                if (anyDamaged(range.part(done, same))) {
                    same = 1;
                    verdict = anyDamaged(range.part(done, 1)) ? Verdict.CORRUPTED : Verdict.LOST;
                }
            }
            record(verdict, range.part(done, same));
            done += same;
        }
    }

    /** @param verdict null if unknown, because the log was not read at these offsets */
    private void record(@Nullable Verdict verdict, RecordRange range) {
        if (verdict == null) {
            unexamined += range.records();
        } else if (verdict != Verdict.CORRUPTED) {
            // Corrupted records were reported while reading.
            findings.add(new AuditFinding(verdict, range, verdict == Verdict.LOST));
        }
    }

    private boolean anyDamaged(RecordRange range) {
        return ledger.findings()
                .any(
                        Verdict.CORRUPTED,
                        f -> Objects.equals(range.partition(), f.range().partition())
                                && f.range().firstOffset() <= range.lastOffset()
                                && f.range().lastOffset() >= range.firstOffset());
    }

    /** Whether records that were read need a location, which {@link #place} provides. */
    public boolean wanted() {
        return wanted.stream().anyMatch(sets -> sets.values().stream().anyMatch(s -> s.size() > 0));
    }

    /** The location of a record; the first location of a duplicated record counts. */
    public void place(LogPartition partition, long offset, int producer, long sequence, long epochMillis) {
        if (producer < 0 || producer >= wanted.size()) {
            return;
        }
        wanted.get(producer).forEach((verdict, sequences) -> {
            if (sequences.contains(sequence) && placed.get(producer).add(sequence, 1) == 1) {
                RecordRange one = new RecordRange(partition, offset, producer, sequence, 1, epochMillis);
                findings.add(new AuditFinding(verdict, one, isViolation(verdict)));
            }
        });
    }

    private void addUnplaced() {
        for (int producer = 0; producer < wanted.size(); producer++) {
            int of = producer;
            wanted.get(of)
                    .forEach((verdict, sequences) -> SequenceSet.ranges(
                            new SequenceSet[] {sequences},
                            new SequenceSet[] {placed.get(of)},
                            SequenceSet.LIMIT,
                            (first, end) -> findings.add(unplaced(verdict, of, first, end - first))));
        }
    }

    private static boolean isViolation(Verdict verdict) {
        return verdict != Verdict.UNKNOWN_AND_PRESENT && verdict != Verdict.UNKNOWN_AND_ABSENT;
    }

    /** The result of the audit. Call it only once, because it adds findings for records without a location. */
    public Result outcome() {
        addUnplaced();
        AuditFindings all = new AuditFindings();
        all.addAll(ledger.findings());
        all.addAll(findings);
        boolean complete = allExamined && unexamined == 0 && all.records(Verdict.EXPIRED) == 0;
        return new Result(durable, ledger.records(), unknown, complete, all);
    }

    /**
     * The part of a partition that was read: from {@code begin} to {@code next} (exclusive; {@link Long#MAX_VALUE} if
     * read to its end). {@code expires}: the topic's settings can delete records.
     */
    public record Examined(long begin, long next, boolean expires) {
        /** Whether the topic's settings can have deleted records. */
        boolean deletes() {
            return expires && begin > 0;
        }
    }

    /** A sink that passes the locations of a partition's records to {@link #place} while holding this object's lock. */
    public LogSink places(LogPartition partition, long runId) {
        return new LogSink() {
            @Override
            public void record(long offset, ByteBuffer bytes, int valueAt, int valueBytes, long epochMillis) {
                if (valueBytes >= Identity.BYTES && Identity.runId(bytes, valueAt) == runId) {
                    records(
                            offset,
                            Identity.producer(bytes, valueAt),
                            Identity.sequence(bytes, valueAt),
                            1,
                            epochMillis);
                }
            }

            @Override
            public void records(long offset, int of, long sequence, long records, long epochMillis) {
                synchronized (Reconciliation.this) {
                    for (long i = 0; i < records; i++) {
                        place(partition, offset + i, of, sequence + i, epochMillis);
                    }
                }
            }
        };
    }
}
