package io.plimsoll.testing;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;

/** A lab of one broker that can only be reached through a {@link FrameProxy}. */
public final class TamperedLab implements AutoCloseable {
    private final FrameProxy proxy;
    private final Lab lab;

    public TamperedLab() throws IOException {
        proxy = new FrameProxy();
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        proxy.target(port);
        lab = Lab.start(LabOptions.ephemeral(1)
                .withHeapMegabytes(384)
                .withPort(port)
                .withBrokerConfig(Map.of("advertised.listeners", "PLAINTEXT://127.0.0.1:" + proxy.port())));
    }

    public FrameProxy proxy() {
        return proxy;
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + proxy.port();
    }

    @Override
    public void close() throws IOException {
        lab.close();
        proxy.close();
    }
}
