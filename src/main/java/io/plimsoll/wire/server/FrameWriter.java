package io.plimsoll.wire.server;

import io.plimsoll.wire.VarInts;
import java.nio.ByteBuffer;

/** Writes response fields into a reusable, growing buffer. Used by one thread. */
public final class FrameWriter {
    private ByteBuffer out;

    public FrameWriter(boolean direct, int initialBytes) {
        out = direct ? ByteBuffer.allocateDirect(initialBytes) : ByteBuffer.allocate(initialBytes);
    }

    /** The current buffer, which is replaced when it grows. */
    public ByteBuffer buffer() {
        return out;
    }

    public void clear() {
        out.clear();
    }

    public int position() {
        return out.position();
    }

    private ByteBuffer room(int bytes) {
        if (out.remaining() < bytes) {
            int capacity = Math.max(out.capacity() * 2, out.position() + bytes);
            ByteBuffer larger = out.isDirect() ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
            out = larger.put(out.flip());
        }
        return out;
    }

    private void writeByte(int value) {
        room(Byte.BYTES).put((byte) value);
    }

    public void writeShort(int value) {
        room(Short.BYTES).putShort((short) value);
    }

    public void writeInt(int value) {
        room(Integer.BYTES).putInt(value);
    }

    public void writeLong(long value) {
        room(Long.BYTES).putLong(value);
    }

    private void writeUnsignedVarint(int value) {
        VarInts.writeUnsigned(room(Integer.BYTES + 1), value);
    }

    /** @param length length of the string; −1 for null */
    public void writeStringLength(int length, boolean flexible) {
        if (flexible) {
            writeUnsignedVarint(length + 1);
        } else {
            writeShort(length);
        }
    }

    /** @param length number of elements or bytes; −1 for null */
    public void writeLength(int length, boolean flexible) {
        if (flexible) {
            writeUnsignedVarint(length + 1);
        } else {
            writeInt(length);
        }
    }

    /** Writes an empty set of tagged fields in flexible versions. */
    public void writeNoTags(boolean flexible) {
        if (flexible) {
            writeByte(0);
        }
    }

    public void writeBytes(ByteBuffer source, int start, int length) {
        ByteBuffer target = room(length);
        target.put(target.position(), source, start, length);
        target.position(target.position() + length);
    }

    public void setInt(int position, int value) {
        out.putInt(position, value);
    }

    public void setLong(int position, long value) {
        out.putLong(position, value);
    }
}
