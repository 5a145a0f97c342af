package io.plimsoll.wire.server;

import io.plimsoll.wire.VarInts;
import java.nio.ByteBuffer;

/**
 * Reads the fields of a frame that can be incomplete. Fields are read in steps: {@link #begin()}, reads, {@link
 * #complete()}. If bytes are missing, the same step is repeated from its start after more bytes have arrived. Callers
 * therefore never store partial fields, and the records of a produce request need not be in memory completely. Used by
 * one thread.
 */
public final class FrameReader {
    private final ByteBuffer in;
    private int frameRemaining;
    private int position;
    private int end;
    private boolean truncated;

    /** @param in buffer that is readable from its position to its limit */
    public FrameReader(ByteBuffer in) {
        this.in = in;
    }

    public void startFrame(int frameBytes) {
        frameRemaining = frameBytes;
    }

    /** Number of unconsumed bytes of the frame, including bytes that have not arrived yet. */
    public int frameRemaining() {
        return frameRemaining;
    }

    public ByteBuffer buffer() {
        return in;
    }

    /** Buffer index of the next read. */
    public int position() {
        return position;
    }

    public void begin() {
        position = in.position();
        end = position + Math.min(in.remaining(), frameRemaining);
        truncated = false;
    }

    /** Ends a step. False if bytes are missing; fails if the frame ends before the step. */
    public boolean complete() throws MalformedFrameException {
        if (truncated) {
            if (end - in.position() == frameRemaining) {
                throw new MalformedFrameException("a frame ends within a field");
            }
            if (in.position() == 0 && in.limit() == in.capacity()) {
                throw new MalformedFrameException("a field is longer than any a client sends");
            }
            return false;
        }
        frameRemaining -= position - in.position();
        in.position(position);
        return true;
    }

    /** Consumes the received bytes, at most {@code most}; afterward, they are before the buffer's position. */
    public int consume(int most) {
        int bytes = Math.min(Math.min(in.remaining(), frameRemaining), most);
        in.position(in.position() + bytes);
        frameRemaining -= bytes;
        return bytes;
    }

    private boolean take(int bytes) {
        if (truncated || bytes > end - position) {
            truncated = true;
            return false;
        }
        position += bytes;
        return true;
    }

    public boolean isTruncated() {
        return truncated;
    }

    public void skip(int bytes) throws MalformedFrameException {
        if (bytes < 0) {
            throw new MalformedFrameException("a negative length");
        }
        take(bytes);
    }

    public short readShort() {
        return take(Short.BYTES) ? in.getShort(position - Short.BYTES) : 0;
    }

    public int readInt() {
        return take(Integer.BYTES) ? in.getInt(position - Integer.BYTES) : 0;
    }

    private int readUnsignedVarint() throws MalformedFrameException {
        long field = truncated ? VarInts.CUT : VarInts.unsigned(in, position, end);
        if (field == VarInts.TOO_LONG) {
            throw new MalformedFrameException("a varint of more than five bytes");
        }
        truncated = field == VarInts.CUT;
        position += truncated ? 0 : VarInts.bytes(field);
        return truncated ? 0 : (int) VarInts.value(field);
    }

    /** @return the length; −1 for null */
    public int readStringLength(boolean flexible) throws MalformedFrameException {
        int length = flexible ? readUnsignedVarint() - 1 : readShort();
        if (length < -1 || length > Short.MAX_VALUE) {
            throw new MalformedFrameException("a string of " + length + " bytes");
        }
        return truncated ? 0 : length;
    }

    /** @return the length; −1 for null */
    public int readLength(boolean flexible) throws MalformedFrameException {
        int length = flexible ? readUnsignedVarint() - 1 : readInt();
        if (length < -1 || length > frameRemaining) {
            throw new MalformedFrameException("an array of " + length + " elements");
        }
        return truncated ? 0 : length;
    }

    public void skipTags() throws MalformedFrameException {
        int count = readUnsignedVarint();
        for (int i = 0; i < count && !truncated; i++) {
            readUnsignedVarint();
            skip(readUnsignedVarint());
        }
    }
}
