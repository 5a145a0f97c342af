package io.plimsoll.watch;

import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds what was acknowledged in one partition against what is read of it, record by record, for ever: whatever was
 * acknowledged at an offset is there when reading comes by, once, and after what was sent before it. Sequences only grow, also
 * from one process to the next. What is missing is held to be lost when it is certain that the log is still the same one. Not
 * thread-safe.
 */
final class PartitionAudit {
    /** For so many sequences it is known one by one which were read. */
    private static final int RECENT = 1 << 14;
    /** More cannot wait to be read; what comes beyond is not audited. */
    private static final int MOST_WAITING = 1 << 20;

    private final TreeMap<Long, Long> waiting;
    private final BitSet recent = new BitSet(RECENT);
    private long position;
    private long highest;
    /** Acknowledged records that are not there, and were never read. */
    private long unread;
    /** Records that were read and are not there any more. */
    private long cut;

    private Counts counts;

    /**
     * @param acknowledged records
     * @param confirmed of them, those that were read where they should be
     * @param lost of them, those that are not there
     * @param lostAfterRead of those, those that had been read, and were confirmed
     * @param duplicated times that a record was read once more
     * @param disordered records read after one that was sent later
     * @param unknown acknowledged ones that nobody can tell of: they were deleted with their age, or with the whole topic, before
     *     they were read
     */
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

    /**
     * What is kept between two processes.
     *
     * @param position the offset to read next
     * @param highest sequence that was read
     * @param waiting sequences that were acknowledged and not read yet, by offset
     * @param unread records that are not there, of which it is to be found out whether the log is the same one
     * @param cut likewise, of those that had been read
     */
    record Saved(long position, long highest, SortedMap<Long, Long> waiting, long unread, long cut, Counts counts) {}

    /** @param position the offset that reading begins at */
    PartitionAudit(long position) {
        this(new Saved(position, -1, new TreeMap<>(), 0, 0, Counts.NONE));
    }

    PartitionAudit(Saved saved) {
        position = saved.position;
        highest = saved.highest;
        waiting = new TreeMap<>(saved.waiting);
        unread = saved.unread;
        cut = saved.cut;
        counts = saved.counts;
    }

    Saved save() {
        return new Saved(position, highest, new TreeMap<>(waiting), unread, cut, counts);
    }

    Counts counts() {
        return counts;
    }

    /** The offset to read next. */
    long position() {
        return position;
    }

    /** Acknowledged ones of which is not known yet what has become of them. */
    long waiting() {
        return waiting.size() + unread;
    }

    /** Those that are not there, whether they had been read or not, of which is not known yet whether the log is the same one. */
    long missing() {
        return unread + cut;
    }

    /** The log was still the same one after so many were known to be missing. */
    void judge(long lost) {
        long first = Math.min(lost, unread);
        unread -= first;
        cut -= lost - first;
        counts = counts.plus(new Counts(0, 0, lost, 0, 0, 0, lost - first));
    }

    /** The log is another one, which is read from its begin; what has become of the records in the old one cannot be told. */
    PartitionAudit anew() {
        Counts left = counts.plus(new Counts(0, 0, 0, 0, 0, waiting(), 0));
        return new PartitionAudit(new Saved(0, -1, new TreeMap<>(), 0, 0, left));
    }

    void acknowledged(long offset, long sequence) {
        count(1, 0, 0, 0, 0, 0);
        if (offset >= position) {
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

    /** The next record of ours that the partition has. */
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
        } else {
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

    /** Reading has come to an offset: what was acknowledged before it and not read is not there. */
    void reached(long offset) {
        Map<Long, Long> passed = waiting.headMap(offset);
        unread += passed.size();
        passed.clear();
        position = Math.max(position, offset);
    }

    /** The log begins at an offset only: what was before it has gone with its age. */
    void deletedBefore(long offset) {
        Map<Long, Long> gone = waiting.headMap(offset);
        count(0, 0, 0, 0, 0, gone.size());
        gone.clear();
        position = Math.max(position, offset);
    }

    /** The log ends at an offset that was written beyond before: all of that has been lost, whether it was read or not. */
    void truncatedTo(long offset) {
        Map<Long, Long> gone = waiting.tailMap(offset);
        unread += gone.size();
        cut += Math.max(0, position - offset);
        gone.clear();
        position = Math.min(position, offset);
    }

    private void count(long acknowledged, long confirmed, long lost, long duplicated, long disordered, long unknown) {
        counts = counts.plus(new Counts(acknowledged, confirmed, lost, duplicated, disordered, unknown, 0));
    }
}
