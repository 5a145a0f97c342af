package io.plimsoll.payload;

import java.util.SplittableRandom;

/**
 * Values of one size: the stamp (if there is room for it), then the random bytes, then zeros. Only stamp and random
 * bytes are written per record, always into the same array.
 */
final class BlockValues implements ValueGenerator {
    /** Each lap through the region begins elsewhere, so that no value of one lap comes again in the next. */
    private static final int LAP_SHIFTS = 61;

    private final PayloadRegion region;
    private final byte[] value;
    private final boolean stamped;
    private final int randomStart;
    private final int randomBytes;
    private final int lastPosition;
    private final long runId;
    /** Null if the values follow each other in the region. */
    private final SplittableRandom picks;

    private final int pool;
    private int position;
    private int lap;

    /**
     * @param region at least as long as {@code size}
     * @param randomBytesRatio 0 to 1
     * @param start where in the region this thread begins, 0 to 1: threads that send into one batch stay apart
     */
    BlockValues(PayloadRegion region, int size, double randomBytesRatio, double start, long runId) {
        this(region, size, randomBytesRatio, start, runId, 0, null);
    }

    /**
     * One of so many contents each time, at random.
     *
     * @param region at least {@code pool} times as long as {@code size}
     */
    static BlockValues ofPool(
            PayloadRegion region, int size, double randomBytesRatio, int pool, long seed, long runId) {
        return new BlockValues(region, size, randomBytesRatio, 0, runId, pool, new SplittableRandom(seed));
    }

    private BlockValues(
            PayloadRegion region,
            int size,
            double randomBytesRatio,
            double start,
            long runId,
            int pool,
            SplittableRandom picks) {
        this.region = region;
        this.value = new byte[size];
        this.stamped = size >= Stamp.BYTES;
        this.randomStart = stamped ? Stamp.BYTES : 0;
        this.randomBytes = (int) Math.min(Math.round(randomBytesRatio * size), size - randomStart);
        this.lastPosition = region.length() - randomBytes;
        this.position = (int) (start * lastPosition);
        this.runId = runId;
        this.pool = pool;
        this.picks = picks;
    }

    @Override
    public byte[] next(long sequence, long intendedEpochNanos) {
        if (randomBytes > 0) {
            if (picks != null) {
                position = picks.nextInt(pool) * randomBytes;
            } else if (position > lastPosition) {
                lap++;
                position = Math.min(lap % LAP_SHIFTS, lastPosition);
            }
            region.copy(position, value, randomStart, randomBytes);
            position += randomBytes;
        }
        if (stamped) {
            Stamp.write(value, runId, intendedEpochNanos);
        }
        return value;
    }

    @Override
    public double meanBytes() {
        return value.length;
    }

    @Override
    public int maxBytes() {
        return value.length;
    }

    @Override
    public boolean stamped() {
        return stamped;
    }
}
