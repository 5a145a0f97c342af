package io.plimsoll.payload;

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
        long sum = 0;
        for (byte[] piece : pieces) {
            sum += piece.length;
        }
        return (double) sum / pieces.length;
    }

    @Override
    public int maxBytes() {
        int max = 0;
        for (byte[] piece : pieces) {
            max = Math.max(max, piece.length);
        }
        return max;
    }
}
