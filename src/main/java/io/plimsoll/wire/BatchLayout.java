package io.plimsoll.wire;

/**
 * Field offsets of a record batch (magic 2) in bytes from its start; integers are big-endian. Each offset is derived
 * from the preceding field.
 */
public final class BatchLayout {
    public static final int BASE_OFFSET = 0;
    public static final int LENGTH = BASE_OFFSET + Long.BYTES;
    public static final int PARTITION_LEADER_EPOCH = LENGTH + Integer.BYTES;
    public static final int MAGIC = PARTITION_LEADER_EPOCH + Integer.BYTES;
    public static final int CRC = MAGIC + Byte.BYTES;
    public static final int ATTRIBUTES = CRC + Integer.BYTES;
    public static final int LAST_OFFSET_DELTA = ATTRIBUTES + Short.BYTES;
    public static final int BASE_TIMESTAMP = LAST_OFFSET_DELTA + Integer.BYTES;
    public static final int MAX_TIMESTAMP = BASE_TIMESTAMP + Long.BYTES;
    public static final int PRODUCER_ID = MAX_TIMESTAMP + Long.BYTES;
    public static final int PRODUCER_EPOCH = PRODUCER_ID + Long.BYTES;
    public static final int BASE_SEQUENCE = PRODUCER_EPOCH + Short.BYTES;
    public static final int RECORDS_COUNT = BASE_SEQUENCE + Integer.BYTES;
    public static final int RECORDS = RECORDS_COUNT + Integer.BYTES;

    /** The length field counts the bytes that follow it. */
    public static final int LENGTH_COUNTS_FROM = PARTITION_LEADER_EPOCH;

    /** The CRC covers everything from here to the end; brokers can change earlier fields. */
    public static final int CRC_COUNTS_FROM = ATTRIBUTES;

    public static final byte MAGIC_2 = 2;
}
