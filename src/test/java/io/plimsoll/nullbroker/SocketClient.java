package io.plimsoll.nullbroker;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A blocking connection that sends raw bytes; every wait is limited to ten seconds. */
final class SocketClient implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private final DataInputStream in;

    SocketClient(NullBroker broker) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), broker.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        in = new DataInputStream(socket.getInputStream());
    }

    void send(ByteBuffer frame) throws IOException {
        socket.getOutputStream().write(frame.array(), frame.arrayOffset() + frame.position(), frame.remaining());
    }

    /** @return the next response without its size */
    ByteBuffer receive() throws IOException {
        byte[] response = new byte[in.readInt()];
        in.readFully(response);
        return ByteBuffer.wrap(response);
    }

    /** Closes the output: no more bytes will be sent. */
    void end() throws IOException {
        socket.shutdownOutput();
    }

    /** Reads until the server closes the connection. */
    void awaitClose() throws IOException {
        byte[] buffer = new byte[1 << 12];
        try {
            while (in.read(buffer) >= 0) {
                // earlier responses do not matter
            }
        } catch (java.net.SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            // closed with a reset because of unread input
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
