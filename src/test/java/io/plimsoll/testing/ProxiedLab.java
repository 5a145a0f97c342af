package io.plimsoll.testing;

import io.plimsoll.PlimsollException;
import io.plimsoll.lab.FreePort;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A lab of one broker that can only be reached through a proxy.
 *
 * @param <P> a {@link TcpProxy} to hold things up, a {@link FrameProxy} to change them
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
            // Not one that the system gives to whoever asks for any: what other tests connect from could take it.
            int port = FreePort.outsideOfTheSystems();
            proxy.target(port);
            try {
                return Lab.start(options.withPort(port));
            } catch (PlimsollException e) {
                // A process beside this one was faster to the port, as it may be for any lab that chooses its own.
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
