package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What lab is wanted.
 *
 * @param brokers how many brokers, 1 to 9, with the ids 1 to {@code brokers}
 * @param directory where the brokers keep data and logs; null means a new directory under the system's temporary one
 * @param brokerConfig broker properties that win over the lab's own; not those that make the nodes one cluster
 * @param ephemeral true: processes and data end with this JVM, however that ends; false: both stay until
 *     {@link Lab#stop}
 * @param heapMegabytes the largest heap of each broker's JVM
 * @param port the port of broker 1, the others follow it; 0 means free ports
 * @param clientConfig client properties with which the lab looks whether its brokers are ready; only needed where
 *     {@code brokerConfig} asks for security on the clients' listener
 * @param proxied whether a proxy stands before each broker, so that {@link Lab#impair} can disturb its network;
 *     ephemeral labs only
 * @param diskBytes size of a small disk in memory for each broker's data, so that {@link Lab#fillDisk} can fill it; 0
 *     for none; ephemeral labs only
 * @param host address of this machine on which brokers listen for clients, and which they give to clients; whoever
 *     reaches it may use them. Other than {@code 127.0.0.1} for labs that stay only
 */
public record LabOptions(
        int brokers,
        Path directory,
        Map<String, String> brokerConfig,
        boolean ephemeral,
        int heapMegabytes,
        int port,
        Map<String, String> clientConfig,
        boolean proxied,
        long diskBytes,
        String host) {

    public static final int MAX_BROKERS = 9;
    /** Where brokers are reached by this machine alone. */
    public static final String LOOPBACK = LabNode.HOST;

    /** As in the start script that comes with Kafka, so that figures compare with a broker started by hand. */
    public static final int DEFAULT_HEAP_MEGABYTES = 1024;

    private static final int MIN_HEAP_MEGABYTES = 128;

    /** Checks the ranges; {@link PlimsollException} with {@link Exit#USAGE} says which was left. */
    public LabOptions {
        brokerConfig = Map.copyOf(brokerConfig);
        clientConfig = Map.copyOf(clientConfig);
        require(brokers >= 1 && brokers <= MAX_BROKERS, "A lab has 1 to 9 brokers, not " + brokers + ".");
        require(
                heapMegabytes >= MIN_HEAP_MEGABYTES,
                "A heap of " + heapMegabytes + " MB is too small for a broker; give at least " + MIN_HEAP_MEGABYTES
                        + " MB.");
        require(port >= 0 && port + brokers - 1 <= 65535, "Port " + port + " is out of range (1 to 65535).");
        require(ephemeral || (!proxied && diskBytes == 0), "Proxies and small disks are for short-lived labs.");
        requireHost(host, ephemeral);
        for (String key : BrokerConfig.OWNED) {
            require(
                    !brokerConfig.containsKey(key),
                    "The broker property '" + key + "' cannot be set: the lab sets it itself to make one cluster of its"
                            + " brokers.");
        }
    }

    /** A lab with Kafka's usual heap on free ports in a temporary directory, gone when this JVM ends. */
    public static LabOptions ephemeral(int brokers) {
        return new LabOptions(
                brokers, null, Map.of(), true, DEFAULT_HEAP_MEGABYTES, 0, Map.of(), false, 0, LabNode.HOST);
    }

    /** A lab that stays, in {@code directory}. */
    public static LabOptions persistent(int brokers, Path directory) {
        return new LabOptions(
                brokers, directory, Map.of(), false, DEFAULT_HEAP_MEGABYTES, 0, Map.of(), false, 0, LabNode.HOST);
    }

    public LabOptions withDirectory(Path newDirectory) {
        return with(draft -> draft.directory = newDirectory);
    }

    public LabOptions withBrokerConfig(Map<String, String> newBrokerConfig) {
        return with(draft -> draft.brokerConfig = newBrokerConfig);
    }

    public LabOptions withHeapMegabytes(int newHeapMegabytes) {
        return with(draft -> draft.heapMegabytes = newHeapMegabytes);
    }

    public LabOptions withPort(int newPort) {
        return with(draft -> draft.port = newPort);
    }

    public LabOptions withClientConfig(Map<String, String> newClientConfig) {
        return with(draft -> draft.clientConfig = newClientConfig);
    }

    public LabOptions withProxies() {
        return with(draft -> draft.proxied = true);
    }

    public LabOptions withDiskBytes(long newDiskBytes) {
        return with(draft -> draft.diskBytes = newDiskBytes);
    }

    /** @param newHost an address of this machine */
    public LabOptions withHost(String newHost) {
        return with(draft -> draft.host = newHost);
    }

    private LabOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new LabOptions(
                brokers,
                draft.directory,
                draft.brokerConfig,
                ephemeral,
                draft.heapMegabytes,
                draft.port,
                draft.clientConfig,
                draft.proxied,
                draft.diskBytes,
                draft.host);
    }

    /** What of a lab may be changed. */
    private static final class Draft {
        private Path directory;
        private Map<String, String> brokerConfig;
        private int heapMegabytes;
        private int port;
        private Map<String, String> clientConfig;
        private boolean proxied;
        private long diskBytes;
        private String host;

        Draft(LabOptions of) {
            directory = of.directory;
            brokerConfig = of.brokerConfig;
            heapMegabytes = of.heapMegabytes;
            port = of.port;
            clientConfig = of.clientConfig;
            proxied = of.proxied;
            diskBytes = of.diskBytes;
            host = of.host;
        }
    }

    private static void requireHost(String host, boolean ephemeral) {
        if (host.equals(LabNode.HOST)) {
            return;
        }
        require(!ephemeral, "A short-lived lab is reached on " + LabNode.HOST + " alone.");
        boolean own;
        try {
            InetAddress address = InetAddress.getByName(host);
            require(
                    !address.isAnyLocalAddress(),
                    "Brokers give their address to clients, so it cannot be " + host
                            + "; give the one address of this machine that clients reach.");
            own = NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException e) {
            own = false;
        }
        require(own, "This machine has no address " + host + " on which brokers could listen.");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new PlimsollException(Exit.USAGE, otherwise);
        }
    }
}
