package io.plimsoll.payload;

import java.util.SplittableRandom;

/** Values of several sizes, one picked at random each time. */
final class MixValues implements ValueGenerator {
    private final ValueGenerator[] sizes;
    /** Share of all values of this size and those before it. */
    private final double[] cumulated;

    private final SplittableRandom random;

    /**
     * @param sizes at least one
     * @param weights of the same length, each more than 0
     */
    MixValues(ValueGenerator[] sizes, double[] weights, long seed) {
        this.sizes = sizes;
        this.random = new SplittableRandom(seed);
        this.cumulated = new double[weights.length];
        double sum = 0;
        for (int i = 0; i < weights.length; i++) {
            sum += weights[i];
            cumulated[i] = sum;
        }
        for (int i = 0; i < weights.length; i++) {
            cumulated[i] /= sum;
        }
    }

    @Override
    public byte[] next(long sequence, long intendedEpochNanos) {
        double pick = random.nextDouble();
        int i = 0;
        while (i < sizes.length - 1 && pick >= cumulated[i]) {
            i++;
        }
        return sizes[i].next(sequence, intendedEpochNanos);
    }

    @Override
    public double meanBytes() {
        double mean = 0;
        double before = 0;
        for (int i = 0; i < sizes.length; i++) {
            mean += (cumulated[i] - before) * sizes[i].meanBytes();
            before = cumulated[i];
        }
        return mean;
    }

    @Override
    public int maxBytes() {
        int max = 0;
        for (ValueGenerator size : sizes) {
            max = Math.max(max, size.maxBytes());
        }
        return max;
    }

    /** True only if all are: latencies of some records alone would be those of the large ones. */
    @Override
    public boolean stamped() {
        for (ValueGenerator size : sizes) {
            if (!size.stamped()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean identifiable() {
        for (ValueGenerator size : sizes) {
            if (!size.identifiable()) {
                return false;
            }
        }
        return true;
    }
}
