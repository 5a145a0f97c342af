package io.plimsoll.payload;

import java.util.SplittableRandom;

/**
 * Values of one size: the stamp or the identity (if there is room for it), then the random bytes, then zeros. Only those
 * are written per record, always into the same array.
 */
final class BlockValues implements ValueGenerator {
    private final PayloadRegion region;
    private final byte[] value;
    private final boolean stamped;
    private final int randomStart;
    private final int randomBytes;
    private final long runId;
    /** Negative if values carry a stamp alone. */
    private final int producer;

    /** Chooses among the contents of the pool. */
    private final SplittableRandom picks;

    private final int pool;
    private final PayloadRegion.Walk walk;

    /**
     * @param region at least as long as {@code size}, and as all contents of the pool together
     * @param randomBytesRatio 0 to 1
     * @param walk where this thread is in the region, shared by its values of all sizes
     * @param pool how many contents there are, of which each value has one at random; 0: the values follow each other in
     *     the region
     * @param producer of the identities; negative for none
     */
    BlockValues(
            PayloadRegion region,
            int size,
            double randomBytesRatio,
            PayloadRegion.Walk walk,
            int pool,
            SplittableRandom picks,
            long runId,
            int producer) {
        this.region = region;
        this.value = new byte[size];
        this.stamped = size >= Stamp.BYTES;
        this.producer = size >= Identity.BYTES ? producer : -1;
        this.randomStart = this.producer >= 0 ? Identity.BYTES : stamped ? Stamp.BYTES : 0;
        this.randomBytes = (int) Math.min(Math.round(randomBytesRatio * size), size - randomStart);
        this.walk = walk;
        this.runId = runId;
        this.pool = pool;
        this.picks = picks;
    }

    @Override
    public byte[] next(long sequence, long intendedEpochNanos) {
        if (randomBytes > 0) {
            int position = pool > 0 ? picks.nextInt(pool) * randomBytes : walk.take(randomBytes);
            region.copy(position, value, randomStart, randomBytes);
        }
        if (producer >= 0) {
            Identity.write(value, 0, value.length, runId, intendedEpochNanos, producer, sequence);
        } else if (stamped) {
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
