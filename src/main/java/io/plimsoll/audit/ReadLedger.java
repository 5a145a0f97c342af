package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.List;

/** The sequences of each producer that were read in a trial, and what was wrong at first sight. Thread-safe. */
public final class ReadLedger {
    /** Records that were read in a row, so many of them below an earlier one. */
    record Run(RecordRange range, long below) {}

    final long runId;
    private final Registry registry;
    private final List<SequenceSet> read = new ArrayList<>();
    private final AuditFindings findings = new AuditFindings();
    private long records;

    /** @param runId of the identities of our records */
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
            findings.add(new Finding(Verdict.PHANTOM, range.part(count, range.records() - count), true));
        }
        records += count;
        SequenceSet set = read(producer);
        long present = set.nextPresent(first);
        if (present >= first + count) {
            set.add(first, count);
            reordered(range.part(0, Math.min(below, count)));
            return;
        }
        boolean idempotent = registry.profile(producer).idempotent();
        for (long i = 0; i < count; i++) {
            if (set.add(first + i, 1) == 0) {
                findings.add(new Finding(Verdict.DUPLICATED, range.part(i, 1), idempotent));
            } else if (i < below) {
                reordered(range.part(i, 1));
            }
        }
    }

    private void reordered(RecordRange range) {
        if (range.records() > 0) {
            boolean promised = registry.profile(range.producer()).ordered();
            findings.add(new Finding(Verdict.REORDERED, range, promised));
        }
    }

    public synchronized void add(Finding finding) {
        findings.add(finding);
    }

    /** Records of this run, copies included. */
    public synchronized long records() {
        return records;
    }

    /** The findings made while reading; not to be used while reading goes on. */
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

    /** Knows who sends. Its answers hold for every record that is in a log already. */
    public interface Registry {
        /** Null if there is none with this id. */
        ProducerProfile profile(int producer);

        /** All sequences below it may have been sent, none of the others was. */
        long sent(int producer);
    }
}
