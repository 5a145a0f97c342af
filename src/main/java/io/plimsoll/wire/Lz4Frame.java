package io.plimsoll.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.xxhash.XXHashFactory;

/**
 * The LZ4 frame format as Kafka's clients write it: independent blocks of 64 KiB, no block checksums, no content size,
 * no content checksum. Owned by one thread.
 */
final class Lz4Frame extends OutputStream {
    /** At this level Kafka's clients use the fast compressor, at any other the thorough one. */
    static final int DEFAULT_LEVEL = 9;

    private static final int MAGIC = 0x184d2204;
    private static final byte VERSION_1_INDEPENDENT_BLOCKS = 0b0110_0000;
    private static final byte BLOCKS_OF_64_KIB = 4 << 4;
    private static final int BLOCK_BYTES = 1 << 16;
    private static final int NOT_COMPRESSED = 1 << 31;
    private static final int END = 0;

    private final OutputStream out;
    private final LZ4Compressor compressor;
    private final byte[] block = new byte[BLOCK_BYTES];
    private final byte[] compressed;
    private final ByteBuffer number = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private int filled;

    Lz4Frame(OutputStream out, int level) throws IOException {
        LZ4Factory factory = LZ4Factory.fastestInstance();
        this.out = out;
        this.compressor = level == DEFAULT_LEVEL ? factory.fastCompressor() : factory.highCompressor(level);
        this.compressed = new byte[compressor.maxCompressedLength(BLOCK_BYTES)];
        byte[] descriptor = {VERSION_1_INDEPENDENT_BLOCKS, BLOCKS_OF_64_KIB};
        int hash = XXHashFactory.fastestInstance().hash32().hash(descriptor, 0, descriptor.length, 0);
        writeNumber(MAGIC);
        out.write(descriptor);
        out.write(hash >> 8);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        int end = offset + length;
        while (from < end) {
            int part = Math.min(end - from, BLOCK_BYTES - filled);
            System.arraycopy(bytes, from, block, filled, part);
            filled += part;
            from += part;
            if (filled == BLOCK_BYTES) {
                writeBlock();
            }
        }
    }

    private void writeBlock() throws IOException {
        if (filled == 0) {
            return;
        }
        int length = compressor.compress(block, 0, filled, compressed, 0);
        if (length < filled) {
            writeNumber(length);
            out.write(compressed, 0, length);
        } else {
            writeNumber(filled | NOT_COMPRESSED);
            out.write(block, 0, filled);
        }
        filled = 0;
    }

    private void writeNumber(int value) throws IOException {
        number.putInt(0, value);
        out.write(number.array());
    }

    @Override
    public void close() throws IOException {
        writeBlock();
        writeNumber(END);
        out.close();
    }
}
