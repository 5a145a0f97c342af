package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.List;

/**
 * What was read from all partitions of a trial: which sequences of each producer, and what was wrong at first sight.
 * Thread-safe.
 */
public final class ReadLedger {
    /** Fields of a run: producer, first sequence, first offset, records, how many lie below an earlier one, time. */
    static final int RUN_FIELDS = 6;

    private final long runId;
    private final Registry registry;
    private final List<SequenceSet> read = new ArrayList<>();
    private final AuditFindings findings = new AuditFindings();
    private long records;

    /** @param runId of the identities of our records */
    public ReadLedger(long runId, Registry registry) {
        this.runId = runId;
        this.registry = registry;
    }

    long runId() {
        return runId;
    }

    boolean known(int producer) {
        return registry.profile(producer) != null;
    }

    /** Takes runs of records of one partition in the order of their offsets. */
    synchronized void add(LogPartition partition, long[] runs, int count) {
        for (int i = 0; i < count; i++) {
            int at = i * RUN_FIELDS;
            add(partition, (int) runs[at], runs[at + 1], runs[at + 2], runs[at + 3], runs[at + 4], runs[at + 5]);
        }
    }

    private void add(
            LogPartition partition, int producer, long first, long offset, long all, long below, long epochMillis) {
        long count = Math.max(0, Math.min(all, registry.sent(producer) - first));
        if (count < all) {
            findings.add(Finding.at(
                    Verdict.PHANTOM,
                    partition,
                    offset + count,
                    all - count,
                    producer,
                    first + count,
                    epochMillis,
                    true));
        }
        records += count;
        SequenceSet set = read(producer);
        long present = set.nextPresent(first);
        if (present >= first + count) {
            set.add(first, count);
            reordered(partition, producer, first, offset, Math.min(below, count), epochMillis);
            return;
        }
        for (long s = first; s < first + count; s++) {
            if (set.add(s, 1) == 0) {
                findings.add(Finding.at(
                        Verdict.DUPLICATED,
                        partition,
                        offset + s - first,
                        1,
                        producer,
                        s,
                        epochMillis,
                        registry.profile(producer).idempotent()));
            } else if (s - first < below) {
                reordered(partition, producer, s, offset + s - first, 1, epochMillis);
            }
        }
    }

    private void reordered(
            LogPartition partition, int producer, long first, long offset, long count, long epochMillis) {
        if (count > 0) {
            boolean promised = registry.profile(producer).ordered();
            findings.add(
                    Finding.at(Verdict.REORDERED, partition, offset, count, producer, first, epochMillis, promised));
        }
    }

    /** Something that was found in a log. */
    public synchronized void add(Finding finding) {
        findings.add(finding);
    }

    /** Records of this run, copies included. */
    public synchronized long records() {
        return records;
    }

    /** What was found while reading; not to be used while reading goes on. */
    public synchronized AuditFindings findings() {
        return findings;
    }

    /** The sequences of a producer that were read; not to be used while reading goes on. */
    public synchronized SequenceSet read(int producer) {
        while (read.size() <= producer) {
            read.add(new SequenceSet());
        }
        return read.get(producer);
    }
}
