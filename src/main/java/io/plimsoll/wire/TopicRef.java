package io.plimsoll.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.Uuid;

/**
 * A topic as addressed in requests: by id if both sides support it, otherwise by name. Immutable.
 *
 * @param id {@link Uuid#ZERO_UUID} if the broker provides none
 */
public record TopicRef(String name, byte[] nameBytes, Uuid id) {
    public TopicRef(String name, Uuid id) {
        this(name, name.getBytes(StandardCharsets.UTF_8), id);
    }

    boolean hasId() {
        return !id.equals(Uuid.ZERO_UUID);
    }

    void write(ByteBuffer buffer, boolean byId, boolean flexible) {
        if (byId) {
            buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
            return;
        }
        if (flexible) {
            VarInts.writeUnsigned(buffer, nameBytes.length + 1);
        } else {
            buffer.putShort((short) nameBytes.length);
        }
        buffer.put(nameBytes);
    }

    /** Whether the buffer contains this topic: a name of {@code nameLength} bytes, or an id if negative. */
    boolean isAt(ByteBuffer buffer, int position, int nameLength) {
        return nameLength < 0 ? isIdAt(buffer, position) : isNameAt(buffer, position, nameLength);
    }

    public boolean isIdAt(ByteBuffer buffer, int position) {
        return buffer.getLong(position) == id.getMostSignificantBits()
                && buffer.getLong(position + 8) == id.getLeastSignificantBits();
    }

    public boolean isNameAt(ByteBuffer buffer, int position, int length) {
        if (length != nameBytes.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (buffer.get(position + i) != nameBytes[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other == this || (other instanceof TopicRef that && name.equals(that.name) && id.equals(that.id));
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
