package io.plimsoll.wire.server;

import io.plimsoll.wire.BatchLayout;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.Errors;

/** The fields of a record batch's header that a server looks at. Belongs to one thread; used again and again. */
final class ProducedBatch {
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
        records = source.getInt(start + BatchLayout.RECORDS_COUNT);
        crc = source.getInt(start + BatchLayout.CRC);
        bytes = batchBytes;
        if (source.get(start + BatchLayout.MAGIC) != BatchLayout.MAGIC_2) {
            return Errors.INVALID_RECORD;
        }
        if (source.getInt(start + BatchLayout.LENGTH) != batchBytes - BatchLayout.LENGTH_COUNTS_FROM) {
            return Errors.CORRUPT_MESSAGE;
        }
        boolean counted = records > 0 && source.getInt(start + BatchLayout.LAST_OFFSET_DELTA) == records - 1;
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
