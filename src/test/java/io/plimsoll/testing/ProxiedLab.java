package io.plimsoll.testing;

import io.plimsoll.PlimsollException;
import io.plimsoll.lab.FreePort;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A lab of one broker that is reachable only through a proxy.
 *
 * @param <P> a {@link TcpProxy} to delay data, a {@link FrameProxy} to change it
 */
public final class ProxiedLab<P extends LoopbackProxy> implements AutoCloseable {
    private static final int CHOICES = 3;

    private final P proxy;
    private final Lab lab;

    public ProxiedLab(P proxy, Map<String, String> brokerConfig) throws IOException {
        this.proxy = proxy;
        Map<String, String> config = new HashMap<>(brokerConfig);
        config.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + proxy.port());
        lab = start(proxy, LabOptions.ephemeral(1).withHeapMegabytes(384).withBrokerConfig(config));
    }

    private static Lab start(LoopbackProxy proxy, LabOptions options) throws IOException {
        for (int choice = 1; ; choice++) {
            // Not from the ephemeral range, where a client connection of another test could take it.
            int port = FreePort.outsideOfTheSystems();
            proxy.target(port);
            try {
                return Lab.start(options.withPort(port));
            } catch (PlimsollException e) {
                // Another process took the port first.
                if (choice == CHOICES || !e.getMessage().contains("taken by another process")) {
                    throw e;
                }
            }
        }
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
