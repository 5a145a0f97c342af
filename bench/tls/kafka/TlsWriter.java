package io.plimsoll.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.apache.kafka.common.network.SslTransportLayer;
import org.apache.kafka.common.network.TransferableChannel;

/** Replaces the program's class of this name, for comparison: leaves all writes to Kafka's transport layer. */
final class TlsWriter {
    final SslTransportLayer channel = null;

    static TlsWriter of(TransferableChannel channel, ArrayDeque<ByteBuffer> spare) {
        return null;
    }

    boolean hasPendingWrites() {
        return false;
    }

    long write(ByteBuffer[] buffers, int first, int count) {
        return 0;
    }
}
