package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Proxies and small disks around the brokers of a lab, so that more than their processes can be disturbed. Thread-safe. */
final class LabExtras implements AutoCloseable {
    /** Nothing. */
    static final LabExtras NONE = new LabExtras(Map.of(), null, null);

    private final Map<Integer, BrokerProxy> proxies;
    private final SmallDisk disk;
    private final Sentence diskProblem;

    private LabExtras(Map<Integer, BrokerProxy> proxies, SmallDisk disk, Sentence diskProblem) {
        this.proxies = proxies;
        this.disk = disk;
        this.diskProblem = diskProblem;
    }

    /** Before the brokers start. Nothing is left if this fails. */
    static LabExtras start(LabOptions options, List<LabNode> nodes, Warden warden) throws IOException {
        SmallDisk disk = null;
        Sentence problem = null;
        if (options.diskBytes() > 0) {
            try {
                disk = SmallDisk.mount(options.diskBytes(), nodes, warden);
            } catch (SmallDisk.Impossible e) {
                problem = e.sentence;
            }
        }
        Map<Integer, BrokerProxy> proxies = new HashMap<>();
        try {
            for (LabNode node : nodes) {
                if (options.proxied()) {
                    proxies.put(node.id(), new BrokerProxy(node.id(), node.advertisedPort(), node.port()));
                }
            }
        } catch (IOException e) {
            proxies.values().forEach(BrokerProxy::close);
            throw e;
        }
        return new LabExtras(Map.copyOf(proxies), disk, problem);
    }

    BrokerProxy proxy(int id) {
        BrokerProxy proxy = proxies.get(id);
        if (proxy == null) {
            throw Exit.USAGE.because("lab.noProxies");
        }
        return proxy;
    }

    Optional<Sentence> diskProblem() {
        return Optional.ofNullable(diskProblem);
    }

    SmallDisk disk() {
        if (disk == null) {
            throw new PlimsollException(
                    Exit.USAGE, diskProblem == null ? Sentence.of("lab.noSmallDisks") : diskProblem);
        }
        return disk;
    }

    /** The disks are unmounted by the warden, which must do so anyway if this JVM is killed. */
    @Override
    public void close() {
        proxies.values().forEach(BrokerProxy::close);
    }
}
