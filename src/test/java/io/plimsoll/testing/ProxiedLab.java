package io.plimsoll.testing;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;

/**
 * A lab of one broker that can only be reached through a proxy.
 *
 * @param <P> a {@link TcpProxy} to hold things up, a {@link FrameProxy} to change them
 */
public final class ProxiedLab<P extends LoopbackProxy> implements AutoCloseable {
    private final P proxy;
    private final Lab lab;

    public ProxiedLab(P proxy, Map<String, String> brokerConfig) throws IOException {
        this.proxy = proxy;
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        proxy.target(port);
        Map<String, String> config = new HashMap<>(brokerConfig);
        config.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + proxy.port());
        lab = Lab.start(
                LabOptions.ephemeral(1).withHeapMegabytes(384).withPort(port).withBrokerConfig(config));
    }

    public P proxy() {
        return proxy;
    }

    public Lab lab() {
        return lab;
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
