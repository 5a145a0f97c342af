package io.plimsoll.load.raw;

import io.plimsoll.wire.Codec;
import java.util.OptionalInt;

/**
 * How batches are formed, from the producer's settings.
 * @param level {@code compression.<codec>.level}; empty for the codec's default
 * @param batchBytes {@code batch.size}, which includes the header; a batch of one record can be larger
 * @param maxRecords 1 or more
 */
public record BatchShape(Codec codec, OptionalInt level, int batchBytes, int maxRecords) {

    public BatchShape {
        if (batchBytes < 0 || maxRecords < 1) {
            throw new IllegalArgumentException("batches of " + batchBytes + " bytes and " + maxRecords + " records");
        }
    }
}
