package io.plimsoll.wire;

import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import org.apache.kafka.common.network.SslTransportLayer;
import org.apache.kafka.common.network.TransferableChannel;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts requests for one TLS connection. The parts of a request share TLS records, and several records are written
 * to the socket at once; Kafka's transport layer encrypts and writes each part separately. That layer and its engine
 * still perform the handshake, the verification of the peer, reads and the shutdown. Used by one thread.
 */
final class TlsWriter {
    /** Number of full TLS records per write. */
    private static final int RECORDS = 8;

    private static final @Nullable Field ENGINE = engineField();

    /** The transport layer of the connection that this object writes to. */
    final SslTransportLayer channel;

    private final SSLEngine engine;
    private final SocketChannel socket;
    private final ArrayDeque<ByteBuffer> spare;
    /** Encrypted bytes that the socket has not accepted yet; null if none. */
    private @Nullable ByteBuffer pending;

    private TlsWriter(SslTransportLayer channel, SSLEngine engine, ArrayDeque<ByteBuffer> spare) {
        this.channel = channel;
        this.engine = engine;
        this.socket = (SocketChannel) channel.selectionKey().channel();
        this.spare = spare;
    }

    private static @Nullable Field engineField() {
        try {
            Field engine = SslTransportLayer.class.getDeclaredField("sslEngine");
            engine.setAccessible(true);
            return engine;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    /**
     * @param spare unused buffers shared by the connections of this thread
     * @return the writer; null without TLS, or if the client version is incompatible, so that Kafka's transport layer
     *     must encrypt
     */
    static @Nullable TlsWriter of(TransferableChannel channel, ArrayDeque<ByteBuffer> spare) {
        try {
            return ENGINE != null && channel instanceof SslTransportLayer tls
                    ? new TlsWriter(tls, (SSLEngine) ENGINE.get(tls), spare)
                    : null;
        } catch (IllegalAccessException e) {
            return null;
        }
    }

    boolean hasPendingWrites() {
        return pending != null;
    }

    /**
     * Writes until all data is written or the socket is full.
     * @return number of bytes taken from the buffers; the last bytes can still be {@linkplain #hasPendingWrites
     *     pending}
     */
    long write(ByteBuffer[] buffers, int first, int count) throws IOException {
        if (channel.hasPendingWrites()) {
            channel.write(buffers[first].slice(buffers[first].position(), 0));
            if (channel.hasPendingWrites()) {
                return 0;
            }
        }
        long taken = 0;
        int from = first;
        int end = first + count;
        while (flush()) {
            while (from < end && !buffers[from].hasRemaining()) {
                from++;
            }
            if (from == end) {
                break;
            }
            taken += encrypt(buffers, from, end - from);
        }
        return taken;
    }

    private boolean flush() throws IOException {
        if (pending != null) {
            socket.write(pending);
            if (pending.hasRemaining()) {
                return false;
            }
            spare.push(pending);
            pending = null;
        }
        return true;
    }

    private long encrypt(ByteBuffer[] buffers, int first, int count) throws IOException {
        int packetBytes = engine.getSession().getPacketBufferSize();
        ByteBuffer out = buffer(RECORDS * packetBytes);
        pending = out;
        long taken = 0;
        SSLEngineResult result;
        do {
            result = engine.wrap(buffers, first, count, out);
            check(result);
            taken += result.bytesConsumed();
        } while (result.bytesConsumed() > 0
                && out.remaining() >= packetBytes
                && buffers[first + count - 1].hasRemaining());
        out.flip();
        return taken;
    }

    /** Rejects renegotiation but permits key updates of TLS 1.3, like Kafka's transport layer. */
    private void check(SSLEngineResult result) throws IOException {
        if (result.getStatus() == Status.CLOSED) {
            throw new EOFException("the TLS connection is closed");
        }
        boolean renegotiates = result.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING
                && !engine.getSession().getProtocol().equals("TLSv1.3");
        boolean stuck = result.bytesConsumed() + result.bytesProduced() == 0;
        if (renegotiates || stuck || result.getStatus() != Status.OK) {
            throw new IOException("TLS writes end with " + result.getStatus() + ", " + result.getHandshakeStatus());
        }
    }

    /** A buffer for encryption. The JDK's ciphers use arrays; engines of native libraries use memory outside the heap. */
    private ByteBuffer buffer(int bytes) {
        ByteBuffer found = spare.poll();
        if (found != null && found.capacity() >= bytes) {
            return found.clear();
        }
        boolean heap = engine.getClass().getName().startsWith("sun.security.ssl.");
        return heap ? ByteBuffer.allocate(bytes) : ByteBuffer.allocateDirect(bytes);
    }
}
