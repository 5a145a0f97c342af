package io.plimsoll.watch;

import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Continuously compares acknowledged records of one partition with the records read from it: each must be read once, at
 * its offset and in order. Sequences only increase, even across processes. A missing record counts as lost once it is
 * certain that the topic was not recreated. Not thread-safe.
 */
final class PartitionAudit {
    /** Number of recent sequences for which reads are recorded exactly. */
    private static final int RECENT = 1 << 14;
    /** Maximum number of waiting records; additional records are not audited. */
    private static final int MOST_WAITING = 1 << 20;

    private final TreeMap<Long, Long> waiting;
    private final BitSet recent = new BitSet(RECENT);
    private long position;
    private long highest;
    /** First sequence for which the order is checked. */
    private final long orderedFrom;

    /** Missing acknowledged records that were never read. */
    private long unread;
    /** Missing records that were read before. */
    private long cut;

    private Counts counts;

    /** The counts of {@link WatchStatus.Audit}. */
    record Counts(
            long acknowledged,
            long confirmed,
            long lost,
            long duplicated,
            long disordered,
            long unknown,
            long lostAfterRead) {
        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0);

        Counts plus(Counts o) {
            return new Counts(
                    acknowledged + o.acknowledged,
                    confirmed + o.confirmed,
                    lost + o.lost,
                    duplicated + o.duplicated,
                    disordered + o.disordered,
                    unknown + o.unknown,
                    lostAfterRead + o.lostAfterRead);
        }
    }

    /** The state of an audit that a later process continues. */
    record Saved(
            long position,
            long highest,
            long orderedFrom,
            SortedMap<Long, Long> waiting,
            long unread,
            long cut,
            Counts counts) {}

    PartitionAudit(long position) {
        this(new Saved(position, -1, 0, new TreeMap<>(), 0, 0, Counts.NONE));
    }

    PartitionAudit(Saved saved) {
        position = saved.position;
        highest = saved.highest;
        orderedFrom = saved.orderedFrom;
        waiting = new TreeMap<>(saved.waiting);
        unread = saved.unread;
        cut = saved.cut;
        counts = saved.counts;
    }

    Saved save() {
        return new Saved(position, highest, orderedFrom, new TreeMap<>(waiting), unread, cut, counts);
    }

    Counts counts() {
        return counts;
    }

    long position() {
        return position;
    }

    /** Number of acknowledged records without a result yet. */
    long waiting() {
        return waiting.size() + unread;
    }

    /** Number of missing records, whether read before or not, until the identity of the log is confirmed. */
    long missing() {
        return unread + cut;
    }

    /** Counts missing records as lost, after the log proved to be the same. */
    void judge(long lost) {
        long first = Math.min(lost, unread);
        unread -= first;
        cut -= lost - first;
        counts = counts.plus(new Counts(0, 0, lost, 0, 0, 0, lost - first));
    }

    /**
     * Starts again with a new log; the outcome of the old log's waiting records becomes unknown. Records in flight at
     * that time can reach the new log in any order: it does not know their producer, so it accepts a later batch before
     * a retried one.
     * @param next first sequence that is not sent yet
     */
    PartitionAudit restarted(long next) {
        Counts left = counts.plus(new Counts(0, 0, 0, 0, 0, waiting(), 0));
        return new PartitionAudit(new Saved(0, -1, next, new TreeMap<>(), 0, 0, left));
    }

    void acknowledged(long offset, long sequence) {
        count(1, 0, 0, 0, 0, 0);
        // An offset below the position with a new sequence is in a log that was truncated.
        if (offset >= position || sequence > highest) {
            waiting.put(offset, sequence);
            if (waiting.size() > MOST_WAITING) {
                waiting.pollFirstEntry();
                count(0, 0, 0, 0, 0, 1);
            }
        } else if (sequence <= highest - RECENT) {
            count(0, 0, 0, 0, 0, 1);
        } else if (sequence <= highest && recent.get(slot(sequence))) {
            count(0, 1, 0, 0, 0, 0);
        } else {
            unread++;
        }
    }

    void read(long offset, long sequence) {
        reached(offset);
        Long expected = waiting.remove(offset);
        if (expected != null) {
            if (expected == sequence) {
                count(0, 1, 0, 0, 0, 0);
            } else {
                unread++;
            }
        }
        position = offset + 1;
        if (sequence > highest) {
            forgetUpTo(sequence);
            highest = sequence;
        } else if (sequence > highest - RECENT && recent.get(slot(sequence))) {
            count(0, 0, 0, 1, 0, 0);
        } else if (sequence >= orderedFrom) {
            count(0, 0, 0, 0, 1, 0);
        }
        recent.set(slot(sequence));
    }

    private void forgetUpTo(long sequence) {
        if (sequence - highest >= RECENT) {
            recent.clear();
        } else {
            for (long s = highest + 1; s <= sequence; s++) {
                recent.clear(slot(s));
            }
        }
    }

    private static int slot(long sequence) {
        return (int) Math.floorMod(sequence, (long) RECENT);
    }

    /** Advances to an offset: acknowledged records before it that were not read are missing. */
    void reached(long offset) {
        Map<Long, Long> passed = waiting.headMap(offset);
        unread += passed.size();
        passed.clear();
        position = Math.max(position, offset);
    }

    void deletedBefore(long offset) {
        Map<Long, Long> gone = waiting.headMap(offset);
        count(0, 0, 0, 0, 0, gone.size());
        gone.clear();
        position = Math.max(position, offset);
    }

    /** Handles a truncation: all records from this offset on are missing, whether read or not. */
    void truncatedTo(long offset) {
        // Waiting records below the position were acknowledged after the truncation, so they are in the new log.
        Map<Long, Long> gone = waiting.tailMap(Math.max(offset, position));
        unread += gone.size();
        cut += Math.max(0, position - offset);
        gone.clear();
        position = Math.min(position, offset);
    }

    private void count(long acknowledged, long confirmed, long lost, long duplicated, long disordered, long unknown) {
        counts = counts.plus(new Counts(acknowledged, confirmed, lost, duplicated, disordered, unknown, 0));
    }
}
