package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The sequences of each producer that the audit of a trial read, and the anomalies visible while reading. Thread-safe. */
public final class ReadLedger {
    /** Consecutive records; {@code below} counts the records that follow a record with a higher sequence. */
    record Run(RecordRange range, long below) {}

    final long runId;
    private final Registry registry;
    private final List<SequenceSet> read = new ArrayList<>();
    private final AuditFindings findings = new AuditFindings();
    private long records;

    /** @param runId run id in the identities of the run's records */
    public ReadLedger(long runId, Registry registry) {
        this.runId = runId;
        this.registry = registry;
    }

    boolean known(int producer) {
        return registry.profile(producer) != null;
    }

    synchronized void add(List<Run> runs) {
        runs.forEach(run -> add(run.range(), run.below()));
    }

    private void add(RecordRange range, long below) {
        int producer = range.producer();
        long first = range.firstSequence();
        long count = Math.max(0, Math.min(range.records(), registry.sent(producer) - first));
        if (count < range.records()) {
            findings.add(new AuditFinding(Verdict.PHANTOM, range.part(count, range.records() - count), true));
        }
        records += count;
        SequenceSet set = read(producer);
        long present = set.nextPresent(first);
        if (present >= first + count) {
            set.add(first, count);
            reordered(range.part(0, Math.min(below, count)));
            return;
        }
        boolean idempotent = Objects.requireNonNull(registry.profile(producer)).idempotent();
        for (long i = 0; i < count; i++) {
            if (set.add(first + i, 1) == 0) {
                findings.add(new AuditFinding(Verdict.DUPLICATED, range.part(i, 1), idempotent));
            } else if (i < below) {
                reordered(range.part(i, 1));
            }
        }
    }

    private void reordered(RecordRange range) {
        if (range.records() > 0) {
            boolean promised =
                    Objects.requireNonNull(registry.profile(range.producer())).ordered();
            findings.add(new AuditFinding(Verdict.REORDERED, range, promised));
        }
    }

    public synchronized void add(AuditFinding finding) {
        findings.add(finding);
    }

    /** Number of records of this run, duplicates included. */
    public synchronized long records() {
        return records;
    }

    /** Findings made while reading. Call only after reading has ended. */
    public synchronized AuditFindings findings() {
        return findings;
    }

    /** Sequences read from a producer. Call only after reading has ended. */
    public synchronized SequenceSet read(int producer) {
        while (read.size() <= producer) {
            read.add(new SequenceSet());
        }
        return read.get(producer);
    }

    /** The producers of a run. Its answers must include every record that is already in the log. */
    public interface Registry {
        /** The profile of a producer; null if the id is unknown. */
        @Nullable
        ProducerProfile profile(int producer);

        /** Exclusive upper bound of the sequences that the producer has sent. */
        long sent(int producer);
    }
}
