package io.plimsoll.audit;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Encodes a journal in self-contained blocks:
 *
 * <pre>
 *  0  4  length of the bytes after the checksum
 *  4  4  CRC-32C of these bytes
 *  8  8  time of writing, ms since the epoch
 * 16    entries: type (one byte), then varints; acknowledgments are deltas to the previous one
 * </pre>
 *
 * <p>Not thread-safe.
 */
public final class JournalWriter implements Journal {
    static final int ACKNOWLEDGED = 1;
    static final int FAILED = 2;
    static final int COMMITTED = 3;
    static final int ABORTED = 4;
    static final int SENT = 5;
    static final int BATCHES = 6;
    static final int ENDED = 7;

    static final int HEADER_BYTES = 8;
    private static final int MOST_ENTRY_BYTES = 64;

    private final List<String> topics;
    private byte[] bytes = new byte[1 << 12];
    private int length;
    private long lastSequence;
    private long lastOffset;
    private boolean empty;
    private final int mostBytes;
    private final Consumer<ByteBuffer> full;
    private long epochMillis;

    /** @param topics topics that the journal refers to by index; acknowledgments of other topics are not written */
    public JournalWriter(List<String> topics) {
        this(topics, Integer.MAX_VALUE, block -> {});
    }

    /** @param full receives each block that exceeds {@code mostBytes}, before the next block is started */
    public JournalWriter(List<String> topics, int mostBytes, Consumer<ByteBuffer> full) {
        this.topics = List.copyOf(topics);
        this.mostBytes = mostBytes;
        this.full = full;
        begin(0);
    }

    public void begin(long epochMillis) {
        this.epochMillis = epochMillis;
        length = HEADER_BYTES + Long.BYTES;
        lastSequence = 0;
        lastOffset = 0;
        empty = true;
        ByteBuffer.wrap(bytes).putLong(HEADER_BYTES, epochMillis);
    }

    public boolean empty() {
        return empty;
    }

    /** Finishes the block; the buffer is valid until the next entry is written. */
    public ByteBuffer end() {
        CRC32C crc = new CRC32C();
        crc.update(bytes, HEADER_BYTES, length - HEADER_BYTES);
        ByteBuffer block = ByteBuffer.wrap(bytes, 0, length);
        block.putInt(0, length - HEADER_BYTES);
        block.putInt(4, (int) crc.getValue());
        return block;
    }

    private void kind(int kind) {
        if (length > mostBytes) {
            full.accept(end());
            begin(epochMillis);
        }
        if (length + MOST_ENTRY_BYTES > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        bytes[length++] = (byte) kind;
        empty = false;
    }

    private void number(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            bytes[length++] = (byte) ((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    private void signed(long value) {
        number(value << 1 ^ value >> 63);
    }

    private void partition(LogPartition partition) {
        number(topics.indexOf(partition.topic()));
        number(partition.partition());
    }

    @Override
    public void acknowledged(int producer, long firstSequence, long count, LogPartition partition, long firstOffset) {
        kind(ACKNOWLEDGED);
        number(producer);
        signed(firstSequence - lastSequence);
        number(count);
        partition(partition);
        signed(firstOffset - lastOffset);
        lastSequence = firstSequence + count;
        lastOffset = firstOffset + count;
    }

    @Override
    @SuppressWarnings("EnumOrdinal") // entries encode the ordinal of the ending
    public void ended(Ending ending, int producer, long firstSequence, long count) {
        kind(FAILED + ending.ordinal());
        number(producer);
        number(firstSequence);
        number(count);
    }

    @Override
    public void sent(int producer, long sequences) {
        kind(SENT);
        number(producer);
        number(sequences);
    }

    @Override
    public void batches(int producer, long kafkaProducerId, short epoch, LogPartition partition, long sequence) {
        kind(BATCHES);
        number(producer);
        number(kafkaProducerId);
        number(epoch);
        partition(partition);
        number(sequence);
    }

    @Override
    public void ended() {
        kind(ENDED);
    }
}
