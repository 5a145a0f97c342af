package io.plimsoll.payload;

import java.util.Arrays;
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
        double sum = Arrays.stream(weights).sum();
        this.cumulated = Arrays.stream(weights).map(weight -> weight / sum).toArray();
        Arrays.parallelPrefix(cumulated, Double::sum);
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
        return Arrays.stream(sizes).mapToInt(ValueGenerator::maxBytes).max().orElse(0);
    }

    /** True only if all are: latencies of some records alone would be those of the large ones. */
    @Override
    public boolean stamped() {
        return Arrays.stream(sizes).allMatch(ValueGenerator::stamped);
    }

    @Override
    public boolean identifiable() {
        return Arrays.stream(sizes).allMatch(ValueGenerator::identifiable);
    }
}
