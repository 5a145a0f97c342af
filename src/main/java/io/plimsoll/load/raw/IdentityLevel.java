package io.plimsoll.load.raw;

import io.plimsoll.payload.Identity;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.payload.Stamp;
import io.plimsoll.wire.Codec;

/** Says what can be written into each record of a batch when it is sent. */
public enum IdentityLevel {
    /** {@link Identity}: values of 32 bytes and more. */
    IDENTITY,
    /** {@link Stamp}: values of 16 to 31 bytes. */
    STAMP,
    /**
     * Nothing: smaller values, values that the user gave (files and texts stay as they are), and all compressed records.
     * The batch itself can be known by its producer id and sequence.
     */
    BATCH;

    static IdentityLevel of(RecordGenerator generator, Codec codec) {
        if (codec != Codec.NONE || !generator.stamped()) {
            return BATCH;
        }
        return generator.maxValueBytes() >= Identity.BYTES ? IDENTITY : STAMP;
    }
}
