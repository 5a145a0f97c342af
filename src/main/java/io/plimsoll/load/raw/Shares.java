package io.plimsoll.load.raw;

import java.util.Arrays;

/**
 * Keeps the records of a closed loop in the proportions in which {@link Partitioner} would spread them, although whole
 * batches are taken wherever a broker is ready for one. Owned by one thread.
 */
final class Shares {
    private final double[] weights;
    private final long[] taken;
    private final long ahead;
    private long total;

    /**
     * @param weights of the groups of partitions, by their {@link PartitionQueue#share}; together 1
     * @param aheadRecords so many records, divided among all groups, they may be ahead of their proportions
     */
    Shares(double[] weights, long aheadRecords) {
        this.weights = weights.clone();
        this.taken = new long[weights.length];
        this.ahead = aheadRecords;
        if (Math.abs(Arrays.stream(weights).sum() - 1) > 1e-6) {
            throw new IllegalArgumentException(
                    "the weights are together " + Arrays.stream(weights).sum());
        }
    }

    /** Always true for the group that is furthest behind. */
    boolean mayTake(int group) {
        return taken.length == 1 || taken[group] < weights[group] * (total + ahead);
    }

    void took(int group, int records) {
        taken[group] += records;
        total += records;
    }
}
