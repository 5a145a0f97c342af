package io.plimsoll.load.raw;

import java.nio.ByteBuffer;

/**
 * The shape that the records of a batch mostly have in common: the same length, no key, a value of the same length at the same
 * place. Whether the next record is like the last takes two comparisons instead of decoding six fields. Owned by one
 * thread.
 */
final class RecordShape {
    private long mask;
    private long bits;
    private short valueMask;
    private short valueBits;
    private int valueLengthAt;
    private int valueAt;
    private int valueBytes;
    private int totalBytes = Integer.MAX_VALUE;

    /** Nothing is like it until it has learned. */
    void forget() {
        totalBytes = Integer.MAX_VALUE;
    }

    /** Bytes of a record that is {@link #fits like} the one learned, its length field included. */
    int totalBytes() {
        return totalBytes;
    }

    /** Where the value begins, from the record's start. */
    int valueAt() {
        return valueAt;
    }

    int valueBytes() {
        return valueBytes;
    }

    /** True if the record at {@code at} differs in nothing but its deltas, its value and its headers. */
    boolean fits(ByteBuffer data, int at, int end) {
        return totalBytes <= end - at
                && (data.getLong(at) & mask) == bits
                && (data.getShort(at + valueLengthAt) & valueMask) == valueBits;
    }

    /**
     * Learns from a record that was decoded and has no key. Records whose fields do not fit into eight bytes are not
     * learned.
     *
     * @param at where its length field begins
     * @param deltasAt from there, where the timestamp's delta begins, behind the length and the attributes
     * @param keyAt where the length of the key is, in one byte
     * @param valueOffset where the value begins
     */
    void learn(ByteBuffer data, int at, int deltasAt, int keyAt, int valueOffset, int valueLength, int total) {
        int valueFieldBytes = valueOffset - keyAt - 1;
        if (keyAt >= Long.BYTES || valueFieldBytes > Short.BYTES || total < Long.BYTES + Short.BYTES) {
            forget();
            return;
        }
        // Length in full, nothing of the attributes, the widths of the deltas, the key's length in full.
        long learned = 0;
        for (int i = 0; i <= keyAt; i++) {
            long ofByte = i < deltasAt - 1 || i == keyAt ? 0xff : i == deltasAt - 1 ? 0 : 0x80;
            learned |= ofByte << (8 * (Long.BYTES - 1 - i));
        }
        mask = learned;
        bits = data.getLong(at) & mask;
        valueLengthAt = keyAt + 1;
        valueMask = (short) (valueFieldBytes == 1 ? 0xff00 : 0xffff);
        valueBits = (short) (data.getShort(at + valueLengthAt) & valueMask);
        valueAt = valueOffset;
        valueBytes = valueLength;
        totalBytes = total;
    }
}
