package io.plimsoll.load;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Hands over the bytes of a fetched record as they lie in the fetch buffer, without copying them. They must not be
 * written to.
 */
public final class BorrowedBytesDeserializer implements Deserializer<ByteBuffer> {

    @Override
    public ByteBuffer deserialize(String topic, byte[] data) {
        return data == null ? null : ByteBuffer.wrap(data);
    }

    @Override
    public ByteBuffer deserialize(String topic, Headers headers, ByteBuffer data) {
        return data;
    }
}
