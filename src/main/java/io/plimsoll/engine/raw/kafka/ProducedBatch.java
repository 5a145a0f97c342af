package io.plimsoll.engine.raw.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;

/** The fields of a record batch's header that a null broker looks at. Belongs to one thread; used again and again. */
final class ProducedBatch {
    // Each offset is the one before plus the length of the field before; all numbers are big-endian.
    private static final int LENGTH = Long.BYTES;
    private static final int MAGIC = LENGTH + Integer.BYTES + Integer.BYTES;
    private static final int CRC = MAGIC + Byte.BYTES;
    /** Where the part begins that the CRC covers; it goes on to the end of the batch. */
    static final int CRC_START = CRC + Integer.BYTES;

    private static final int LAST_OFFSET_DELTA = CRC_START + Short.BYTES;
    private static final int TIMESTAMPS = LAST_OFFSET_DELTA + Integer.BYTES;
    private static final int PRODUCER = TIMESTAMPS + 2 * Long.BYTES;
    private static final int RECORDS = PRODUCER + Long.BYTES + Short.BYTES + Integer.BYTES;
    /** Of the whole header. */
    static final int BYTES = RECORDS + Integer.BYTES;

    /** What the field "length" does not count: itself and what lies before it. */
    private static final int BEFORE_LENGTH_ENDS = LENGTH + Integer.BYTES;

    private static final byte MAGIC_V2 = 2;

    private int records;
    private int bytes;
    private int crc;

    /**
     * Reads the header that begins there.
     *
     * @param batchBytes that the request gives the partition
     * @return what a broker would refuse the batch for
     */
    Errors read(ByteBuffer source, int start, int batchBytes) {
        records = source.getInt(start + RECORDS);
        crc = source.getInt(start + CRC);
        bytes = batchBytes;
        if (source.get(start + MAGIC) != MAGIC_V2) {
            return Errors.INVALID_RECORD;
        }
        if (source.getInt(start + LENGTH) != batchBytes - BEFORE_LENGTH_ENDS) {
            return Errors.CORRUPT_MESSAGE;
        }
        boolean counted = records > 0 && source.getInt(start + LAST_OFFSET_DELTA) == records - 1;
        return counted ? Errors.NONE : Errors.INVALID_RECORD;
    }

    int records() {
        return records;
    }

    int bytes() {
        return bytes;
    }

    int crc() {
        return crc;
    }
}
