package io.plimsoll.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A proxy of a real broker that changes the advertised port, to emulate a wrong {@code advertised.listeners}. */
final class AdvertisingProxy implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int brokerPort;
    private final byte[] from;
    private final byte[] to;

    AdvertisingProxy(int brokerPort, int advertisedPort) throws IOException {
        this.brokerPort = brokerPort;
        this.from = ByteBuffer.allocate(4).putInt(brokerPort).array();
        this.to = ByteBuffer.allocate(4).putInt(advertisedPort).array();
        start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    private void accept() throws IOException {
        while (!server.isClosed()) {
            Socket client = server.accept();
            Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
            start(() -> copy(client, broker, false));
            start(() -> copy(broker, client, true));
        }
    }

    private void copy(Socket source, Socket target, boolean rewrite) throws IOException {
        try (source;
                target) {
            InputStream in = source.getInputStream();
            OutputStream out = target.getOutputStream();
            byte[] buffer = new byte[65536];
            // The affected responses are small and arrive in one piece over the loopback interface.
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (rewrite) {
                    replace(buffer, length);
                }
                out.write(buffer, 0, length);
            }
        }
    }

    private void replace(byte[] buffer, int length) {
        for (int i = 0; i + from.length <= length; i++) {
            if (ByteBuffer.wrap(buffer, i, from.length).equals(ByteBuffer.wrap(from))) {
                System.arraycopy(to, 0, buffer, i, to.length);
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // One side disconnected, or the test is over.
                    }
                },
                "advertising-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
