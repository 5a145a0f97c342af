package io.plimsoll.payload;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Hands out one of the given pieces at random, as it is: the arrays are shared by all threads and never written. */
final class PieceValues implements ValueGenerator {
    private final byte[][] pieces;
    private final SplittableRandom random;

    PieceValues(List<byte[]> pieces, long seed) {
        this.pieces = pieces.toArray(new byte[0][]);
        this.random = new SplittableRandom(seed);
    }

    @Override
    public byte[] next(long sequence, long intendedEpochNanos) {
        return pieces[random.nextInt(pieces.length)];
    }

    @Override
    public double meanBytes() {
        return Arrays.stream(pieces).mapToInt(p -> p.length).average().orElse(0);
    }

    @Override
    public int maxBytes() {
        return Arrays.stream(pieces).mapToInt(p -> p.length).max().orElse(0);
    }
}
