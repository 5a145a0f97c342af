package io.plimsoll.watch;

import java.util.BitSet;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Holds what was acknowledged in one partition against what is read of it, record by record, for ever: whatever was
 * acknowledged at an offset is there when reading comes by, once, and after what was sent before it. Sequences only grow, also
 * from one process to the next. Not thread-safe.
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
    private Counts counts;

    /**
     * @param acknowledged records
     * @param confirmed of them, those that were read where they should be
     * @param lost of them, those that are not there
     * @param duplicated times that a record was read once more
     * @param disordered records read after one that was sent later
     * @param unknown acknowledged ones that nobody can tell of: they were deleted with their age before they were read
     */
    record Counts(long acknowledged, long confirmed, long lost, long duplicated, long disordered, long unknown) {
        static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

        Counts plus(Counts o) {
            return new Counts(
                    acknowledged + o.acknowledged,
                    confirmed + o.confirmed,
                    lost + o.lost,
                    duplicated + o.duplicated,
                    disordered + o.disordered,
                    unknown + o.unknown);
        }
    }

    /**
     * What is kept between two processes.
     *
     * @param position the offset to read next
     * @param highest sequence that was read
     * @param waiting sequences that were acknowledged and not read yet, by offset
     */
    record Saved(long position, long highest, SortedMap<Long, Long> waiting, Counts counts) {}

    /** @param position the offset that reading begins at */
    PartitionAudit(long position) {
        this(new Saved(position, -1, new TreeMap<>(), Counts.NONE));
    }

    PartitionAudit(Saved saved) {
        position = saved.position;
        highest = saved.highest;
        waiting = new TreeMap<>(saved.waiting);
        counts = saved.counts;
    }

    Saved save() {
        return new Saved(position, highest, new TreeMap<>(waiting), counts);
    }

    Counts counts() {
        return counts;
    }

    /** The offset to read next. */
    long position() {
        return position;
    }

    long waiting() {
        return waiting.size();
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
            count(0, 0, 1, 0, 0, 0);
        }
    }

    /** The next record of ours that the partition has. */
    void read(long offset, long sequence) {
        reached(offset);
        Long expected = waiting.remove(offset);
        if (expected != null) {
            boolean same = expected == sequence;
            count(0, same ? 1 : 0, same ? 0 : 1, 0, 0, 0);
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
        count(0, 0, passed.size(), 0, 0, 0);
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
        Map<Long, Long> cut = waiting.tailMap(offset);
        count(0, 0, cut.size() + Math.max(0, position - offset), 0, 0, 0);
        cut.clear();
        position = Math.min(position, offset);
    }

    private void count(long acknowledged, long confirmed, long lost, long duplicated, long disordered, long unknown) {
        counts = counts.plus(new Counts(acknowledged, confirmed, lost, duplicated, disordered, unknown));
    }
}
