package io.plimsoll.audit;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A set of sequences that start at 0, are dense, and arrive nearly in order. Not thread-safe.
 *
 * <p>{@link #add} counts duplicates in the same pass. A single bitmap or a tree of ranges does not fit: with keyed
 * records, neighboring sequences go to different partitions, so ranges shrink to one record. Blocks of {@value #BLOCK}
 * sequences are absent, full (no memory), or a bitmap (about 600 bytes). Memory grows with the number of gaps, to at
 * most 1.2 bits a sequence.
 */
public final class SequenceSet {
    /** Exclusive upper bound of sequences. */
    public static final long LIMIT = 1L << 42;

    private static final int BLOCK_BITS = 12;
    private static final int BLOCK = 1 << BLOCK_BITS;
    private static final Block FULL = new Block();

    private static final class Block {
        private final BitSet present = new BitSet(BLOCK);
        private int size;
    }

    /** Blocks from {@link #firstBlock} on; null for a block without sequences. */
    private @Nullable Block[] blocks = new Block[8];
    /** Index of the first block that can have gaps; all earlier blocks are full. */
    private int firstBlock;

    private long size;

    /** Adds sequences below {@link #LIMIT}; returns the number of sequences that were not yet in the set. */
    public long add(long first, long count) {
        if (first < 0 || count < 0 || first + count > LIMIT) {
            throw new IllegalArgumentException("sequences " + first + " to " + (first + count - 1));
        }
        long sizeBefore = size;
        long end = first + count;
        for (long at = first; at < end; ) {
            int block = (int) (at >> BLOCK_BITS);
            long blockEnd = Math.min(end, (long) (block + 1) << BLOCK_BITS);
            if (block >= firstBlock) {
                addWithin(block, (int) at & BLOCK - 1, (int) (blockEnd - at));
            }
            at = blockEnd;
        }
        return size - sizeBefore;
    }

    private void addWithin(int block, int from, int count) {
        int index = block - firstBlock;
        if (index >= blocks.length) {
            blocks = Arrays.copyOf(blocks, Math.max(index + 1, 2 * blocks.length));
        }
        Block within = blocks[index];
        if (within == FULL) {
            return;
        }
        if (count == BLOCK) {
            size += BLOCK - (within == null ? 0 : within.size);
            fill(index);
            return;
        }
        if (within == null) {
            within = blocks[index] = new Block();
        }
        int end = from + count;
        int added = 0;
        for (int at = within.present.nextClearBit(from); at < end; ) {
            int next = within.present.nextSetBit(at);
            int to = next < 0 ? end : Math.min(end, next);
            added += to - at;
            at = within.present.nextClearBit(to);
        }
        within.present.set(from, end);
        within.size += added;
        size += added;
        if (within.size == BLOCK) {
            fill(index);
        }
    }

    private void fill(int index) {
        blocks[index] = FULL;
        if (index > 0) {
            return;
        }
        int full = 1;
        while (full < blocks.length && blocks[full] == FULL) {
            full++;
        }
        System.arraycopy(blocks, full, blocks, 0, blocks.length - full);
        Arrays.fill(blocks, blocks.length - full, blocks.length, null);
        firstBlock += full;
    }

    public boolean contains(long sequence) {
        return sequence >= 0 && sequence < LIMIT && nextPresent(sequence) == sequence;
    }

    public long size() {
        return size;
    }

    /** The smallest sequence in the set at or above {@code from}; {@link Long#MAX_VALUE} if none. */
    public long nextPresent(long from) {
        int first = (int) (Math.min(from, LIMIT) >> BLOCK_BITS);
        if (first < firstBlock) {
            return from;
        }
        int bit = (int) from & BLOCK - 1;
        for (int index = first - firstBlock; index < blocks.length; index++, bit = 0) {
            Block block = blocks[index];
            if (block == FULL) {
                return at(index, bit);
            }
            int found = block == null ? -1 : block.present.nextSetBit(bit);
            if (found >= 0) {
                return at(index, found);
            }
        }
        return Long.MAX_VALUE;
    }

    /** The smallest sequence at or above {@code from} that is not in the set. */
    public long nextAbsent(long from) {
        int first = (int) (Math.min(from, LIMIT) >> BLOCK_BITS);
        int bit = (int) from & BLOCK - 1;
        if (first < firstBlock) {
            first = firstBlock;
            bit = 0;
        }
        for (int index = first - firstBlock; index < blocks.length; index++, bit = 0) {
            Block block = blocks[index];
            if (block != FULL) {
                int found = block == null ? bit : block.present.nextClearBit(bit);
                if (found < BLOCK) {
                    return at(index, found);
                }
            }
        }
        return Math.max(from, (long) (firstBlock + blocks.length) << BLOCK_BITS);
    }

    private long at(int index, int bit) {
        return ((long) (firstBlock + index) << BLOCK_BITS) + bit;
    }

    /** Approximate memory of the blocks in bytes. */
    public long memoryBytes() {
        long bytes = 4L * blocks.length;
        for (Block block : blocks) {
            bytes += block == null || block == FULL ? 0 : 72 + BLOCK / 8;
        }
        return bytes;
    }

    /** Receives ranges in ascending order. */
    public interface Ranges {
        /** @param end exclusive */
        void range(long first, long end);
    }

    private static long firstOf(SequenceSet[] in, SequenceSet[] notIn, long from) {
        long at = from;
        boolean moved = true;
        while (moved && at != Long.MAX_VALUE) {
            moved = false;
            for (SequenceSet set : in) {
                long next = set.nextPresent(at);
                moved |= next != at;
                at = next;
                if (at == Long.MAX_VALUE) {
                    return at;
                }
            }
            for (SequenceSet set : notIn) {
                long next = set.nextAbsent(at);
                moved |= next != at;
                at = next;
            }
        }
        return at;
    }

    /** The sequences that are in every set of {@code in} and in no set of {@code notIn}. */
    static SequenceSet of(SequenceSet[] in, SequenceSet... notIn) {
        SequenceSet set = new SequenceSet();
        ranges(in, notIn, LIMIT, (first, end) -> set.add(first, end - first));
        return set;
    }

    /**
     * Passes to the sink the ranges below {@code limit} that are in every set of {@code in} and in no set of
     * {@code notIn}; returns the number of sequences.
     */
    public static long ranges(SequenceSet[] in, SequenceSet[] notIn, long limit, Ranges sink) {
        long count = 0;
        for (long at = firstOf(in, notIn, 0); at < limit; at = firstOf(in, notIn, at)) {
            long end = limit;
            for (SequenceSet set : in) {
                end = Math.min(end, set.nextAbsent(at));
            }
            for (SequenceSet set : notIn) {
                end = Math.min(end, set.nextPresent(at));
            }
            sink.range(at, end);
            count += end - at;
            at = end;
        }
        return count;
    }
}
