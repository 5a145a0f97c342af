package io.plimsoll.audit;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Decodes the blocks of a {@link JournalWriter}. The journal of a killed process is read up to its last complete block.
 */
public final class JournalReader {
    private static final int LARGEST_BLOCK = 1 << 26;

    private final List<String> topics;

    /** @param topics the list that the writer used */
    public JournalReader(List<String> topics) {
        this.topics = List.copyOf(topics);
    }

    /** Reads to the end, or to the first truncated or corrupt block; true if every byte was read. */
    public boolean read(InputStream stream, Journal sink) throws IOException {
        DataInputStream in = new DataInputStream(stream);
        CRC32C crc = new CRC32C();
        while (true) {
            int first = in.read();
            if (first < 0) {
                return true;
            }
            try {
                int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
                int checksum = in.readInt();
                if (length < Long.BYTES || length > LARGEST_BLOCK) {
                    return false;
                }
                byte[] block = new byte[length];
                in.readFully(block);
                crc.reset();
                crc.update(block, 0, length);
                if ((int) crc.getValue() != checksum) {
                    return false;
                }
                new Block(ByteBuffer.wrap(block)).read(sink);
            } catch (EOFException e) {
                return false;
            }
        }
    }

    private final class Block {
        private final ByteBuffer bytes;
        private long lastSequence;
        private long lastOffset;

        Block(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        void read(Journal sink) {
            sink.at(bytes.getLong());
            while (bytes.hasRemaining()) {
                entry(bytes.get(), sink);
            }
        }

        @SuppressWarnings("EnumOrdinal") // entries encode the ordinal of the ending
        private void entry(int kind, Journal sink) {
            switch (kind) {
                case JournalWriter.ACKNOWLEDGED -> acknowledged(sink);
                case JournalWriter.FAILED, JournalWriter.COMMITTED, JournalWriter.ABORTED ->
                    sink.ended(Journal.Ending.values()[kind - JournalWriter.FAILED], producer(), number(), number());
                case JournalWriter.SENT -> sink.sent(producer(), number());
                case JournalWriter.BATCHES ->
                    sink.batches(producer(), number(), (short) number(), partition(), number());
                case JournalWriter.ENDED -> sink.ended();
                default -> throw new IllegalStateException("journal entry of kind " + kind);
            }
        }

        private void acknowledged(Journal sink) {
            int producer = producer();
            long sequence = lastSequence + signed();
            long count = number();
            LogPartition partition = partition();
            long offset = lastOffset + signed();
            lastSequence = sequence + count;
            lastOffset = offset + count;
            sink.acknowledged(producer, sequence, count, partition, offset);
        }

        private int producer() {
            return (int) number();
        }

        private LogPartition partition() {
            return new LogPartition(topics.get((int) number()), (int) number());
        }

        private long number() {
            long value = 0;
            for (int shift = 0; ; shift += 7) {
                long b = bytes.get();
                value |= (b & 0x7f) << shift;
                if (b >= 0) {
                    return value;
                }
            }
        }

        private long signed() {
            long value = number();
            return value >>> 1 ^ -(value & 1);
        }
    }
}
