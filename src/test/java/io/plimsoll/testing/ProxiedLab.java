package io.plimsoll.testing;

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
    private final P proxy;
    private final Lab lab;

    public ProxiedLab(P proxy, Map<String, String> brokerConfig) throws IOException {
        this.proxy = proxy;
        // Not one that the system gives to whoever asks for any: what other tests connect from could take it meanwhile.
        int port = FreePort.outsideOfTheSystems();
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
