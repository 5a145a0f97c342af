package io.plimsoll.load.raw;

import io.plimsoll.wire.Codec;
import java.util.OptionalInt;

/**
 * How batches are to be formed, as the producer's settings say it.
 *
 * @param level {@code compression.<codec>.level}; empty for the codec's own
 * @param batchBytes {@code batch.size}, the bytes of a batch with its header; a batch of one record may be larger
 * @param maxRecords 1 or more; a batch has no more, however small the records are
 */
public record BatchShape(Codec codec, OptionalInt level, int batchBytes, int maxRecords) {

    public BatchShape {
        if (batchBytes < 0 || maxRecords < 1) {
            throw new IllegalArgumentException("batches of " + batchBytes + " bytes and " + maxRecords + " records");
        }
    }
}
