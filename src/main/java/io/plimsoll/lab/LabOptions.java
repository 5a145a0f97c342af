package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Settings;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a lab, built from {@link #ephemeral} or {@link #persistent} with {@code with...} methods. Immutable.
 * Values out of range throw a {@link PlimsollException} with {@link Exit#USAGE}.
 */
public final class LabOptions implements Cloneable {
    public static final int MAX_BROKERS = 9;
    /** Listen address that only this machine can reach. */
    public static final String LOOPBACK = LabNode.HOST;

    /** Maximum heap in Kafka's start script, for results comparable with manually started brokers. */
    public static final int DEFAULT_HEAP_MEGABYTES = 1024;

    private static final int MIN_HEAP_MEGABYTES = 128;

    private final int brokers;
    final boolean ephemeral;
    /** Null to create a temporary directory. */
    @Nullable
    Path directory;

    private Map<String, String> brokerConfig = Map.of();
    Map<String, String> clientConfig = Map.of();
    int heapMegabytes = DEFAULT_HEAP_MEGABYTES;
    int port;
    String host = LOOPBACK;
    private boolean proxied;
    private boolean apart;
    private boolean tiered;
    private long diskBytes;

    @Nullable
    LabSecurity security;
    /** JVM flags that the brokers' security settings require. */
    List<String> jvmFlags = List.of();

    /** Whether brokers record their own pauses and slow operations. */
    boolean flight;

    boolean requestLog;

    LabSpec spec = LabSpec.USUAL;
    private List<String> settings = List.of();

    private LabOptions(int brokers, boolean ephemeral) {
        require(brokers >= 1 && brokers <= MAX_BROKERS, Sentence.of("lab.wrongSize", brokers));
        this.brokers = brokers;
        this.ephemeral = ephemeral;
    }

    /**
     * An ephemeral lab with the default heap on free ports in a temporary directory; its processes and data always end
     * with this JVM.
     *
     * @param brokers 1 to {@link #MAX_BROKERS}; ids are 1 to {@code brokers}
     */
    public static LabOptions ephemeral(int brokers) {
        return new LabOptions(brokers, true);
    }

    /** A lab in {@code directory} that runs until {@link Lab#stop}. */
    public static LabOptions persistent(int brokers, Path directory) {
        return new LabOptions(brokers, false).with(copy -> copy.directory = directory);
    }

    private LabOptions with(Consumer<LabOptions> change) {
        try {
            LabOptions copy = (LabOptions) clone();
            change.accept(copy);
            return copy;
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes brokers record their own pauses and slow operations in a flight recording below {@link LabBroker#directory}. */
    public LabOptions withFlight() {
        return with(copy -> copy.flight = true);
    }

    /** Makes brokers log slow produce requests with their stages in {@link LabBroker#requestLog}. */
    public LabOptions withRequestLog() {
        return with(copy -> copy.requestLog = true);
    }

    LabOptions withDirectory(Path newDirectory) {
        return with(copy -> copy.directory = newDirectory);
    }

    /** @param newBrokerConfig broker properties that override the lab's, except for cluster membership */
    public LabOptions withBrokerConfig(Map<String, String> newBrokerConfig) {
        requireNone(BrokerConfig.OWNED, newBrokerConfig);
        return with(copy -> copy.brokerConfig = Map.copyOf(newBrokerConfig));
    }

    private static void requireNone(Set<String> keys, Map<String, String> config) {
        for (String key : keys) {
            require(!config.containsKey(key), Sentence.of("lab.ownProperty", key));
        }
    }

    /** @param newHeapMegabytes maximum heap of each broker JVM */
    public LabOptions withHeapMegabytes(int newHeapMegabytes) {
        require(
                newHeapMegabytes >= MIN_HEAP_MEGABYTES,
                Sentence.of("lab.heapTooSmall", newHeapMegabytes, MIN_HEAP_MEGABYTES));
        return with(copy -> copy.heapMegabytes = newHeapMegabytes);
    }

    /** @param newPort port of broker 1; other brokers use the following ports. 0 for free ports */
    public LabOptions withPort(int newPort) {
        require(newPort >= 0 && newPort + brokers - 1 <= 65535, Sentence.of("lab.portOutOfRange", newPort));
        return with(copy -> copy.port = newPort);
    }

    /**
     * @param newClientConfig client properties for readiness checks; needed only if broker properties secure the client
     *     listener
     */
    public LabOptions withClientConfig(Map<String, String> newClientConfig) {
        return with(copy -> copy.clientConfig = Map.copyOf(newClientConfig));
    }

    /** @param newSecurity security of the brokers; users and certificates are created in the lab's directory */
    public LabOptions withSecurity(LabSecurity newSecurity) {
        return with(copy -> copy.security = newSecurity);
    }

    /** @param newSpec section {@code lab} of the scenario; explicit broker properties override it */
    public LabOptions with(LabSpec newSpec) {
        boolean small = newSpec.get(LabSpec.DISKS).stream().anyMatch(disk -> !disk.isEmpty() && !disk.startsWith("/"));
        require(
                ephemeral || (!small && newSpec.get(LabSpec.NETWORK).equals(Settings.NONE)),
                Sentence.of("lab.onlyShortLived"));
        Map<String, String> config = new HashMap<>(newSpec.get(LabSpec.CONFIG));
        config.putAll(brokerConfig);
        // A run's own lab has no guards, so it must not direct clients to another cluster.
        requireNone(ephemeral ? BrokerConfig.ADVERTISED : Set.of(), config);
        LabOptions described = with(copy -> copy.spec = newSpec).withBrokerConfig(config);
        long heapBytes = newSpec.get(LabSpec.JVM).get(LabSpec.HEAP);
        if (heapBytes > 0) {
            described = described.withHeapMegabytes((int) Math.min(Integer.MAX_VALUE, heapBytes >> 20));
        }
        if (newSpec.get(LabSpec.TIERED)) {
            described = described.withTieredStorage();
        }
        String asked = newSpec.get(LabSpec.SECURITY);
        return asked.isEmpty() || security != null ? described : described.withSecurity(LabSecurity.parse(asked));
    }

    /** @param newSettings lab keys of a scenario as {@code name=value} */
    public LabOptions described(List<String> newSettings) {
        return with(LabSpec.of(newSettings)).with(copy -> copy.settings = List.copyOf(newSettings));
    }

    /** Applies earlier {@linkplain #described settings} as defaults. */
    LabOptions after(List<String> before) {
        Set<String> said = settings.stream().map(LabOptions::name).collect(Collectors.toSet());
        return described(Stream.concat(before.stream().filter(text -> !said.contains(name(text))), settings.stream())
                .toList());
    }

    private static String name(String setting) {
        return setting.split("=", 2)[0].strip();
    }

    /** Adds the broker and client properties of the lab's security as defaults. */
    LabOptions with(LabLogins logins) {
        Map<String, String> config = new HashMap<>(logins.broker());
        config.putAll(brokerConfig);
        Map<String, String> client = new HashMap<>(logins.client());
        client.putAll(clientConfig);
        return with(copy -> {
            copy.brokerConfig = config;
            copy.clientConfig = client;
            copy.jvmFlags = logins.flags(config);
        });
    }

    /** Adds a proxy per broker, as {@link Lab#impair} requires; ephemeral labs only. */
    public LabOptions withProxies() {
        requireEphemeral();
        return with(copy -> copy.proxied = true);
    }

    /**
     * Adds a plaintext inter-broker listener, so that {@link LabRehearsal#expire} affects only clients and can be
     * undone. Only for ephemeral labs with TLS.
     */
    public LabOptions withBrokersApart() {
        requireEphemeral();
        requireTls();
        return with(copy -> copy.apart = true);
    }

    /** Returns this, or throws a {@link PlimsollException} without TLS. */
    public LabOptions requireTls() {
        require(security != null && security.tls(), Sentence.of("lab.noCertificates"));
        return this;
    }

    /** Enables tiered storage for topics with {@code remote.storage.enable}, see {@link BrokerConfig#tiered}. */
    public LabOptions withTieredStorage() {
        String own = KafkaRelease.of(KafkaRelease.OWN).version();
        require(release().version().equals(own), Sentence.of("lab.tieredOwnRelease", own));
        return with(copy -> copy.tiered = true);
    }

    /** Adds the properties of tiered storage in this directory, if enabled. */
    LabOptions withStore(Path store) throws IOException {
        Map<String, String> config = tiered ? BrokerConfig.tiered(brokers, store, brokerConfig) : brokerConfig;
        return with(copy -> copy.brokerConfig = config);
    }

    /**
     * Sets the size of an in-memory disk per broker for {@link Lab#fillDisk}; 0 for none. Only for ephemeral labs in
     * which the scenario sets no directory for the first disk.
     */
    public LabOptions withDiskBytes(long newDiskBytes) {
        requireEphemeral();
        List<String> disks = spec.get(LabSpec.DISKS);
        require(disks.isEmpty() || !disks.get(0).startsWith("/"), Sentence.of("lab.disks.notFilled", disks));
        return with(copy -> copy.diskBytes = newDiskBytes);
    }

    /** Adds log directories to the disks of the scenario until each broker has at least this number. */
    public LabOptions withDisks(int least) {
        List<String> disks = new ArrayList<>(spec.get(LabSpec.DISKS));
        while (disks.size() < least) {
            disks.add("");
        }
        return with(copy -> copy.spec = new LabSpec(spec.settings().with(LabSpec.DISKS, List.copyOf(disks))));
    }

    /**
     * @param newHost address of this machine for client listeners; every host that reaches the address can use the
     *     brokers. Addresses other than {@link #LOOPBACK} require a persistent lab
     */
    public LabOptions withHost(String newHost) {
        boolean own = newHost.equals(LOOPBACK);
        if (!own) {
            require(!ephemeral, Sentence.of("lab.loopbackOnly", LOOPBACK));
            try {
                InetAddress address = InetAddress.getByName(newHost);
                require(!address.isAnyLocalAddress(), Sentence.of("lab.anyAddress", newHost));
                own = NetworkInterface.getByInetAddress(address) != null;
            } catch (IOException e) {
                // The invalid address is reported below.
            }
        }
        require(own, Sentence.of("lab.noSuchAddress", newHost));
        return with(copy -> copy.host = newHost);
    }

    public int brokers() {
        return brokers;
    }

    public Map<String, String> brokerConfig() {
        return brokerConfig;
    }

    /** The Kafka release of a lab with this specification; {@link Exit#USAGE} if a lab cannot run it. */
    public static String version(LabSpec spec) {
        return KafkaRelease.of(spec.get(LabSpec.KAFKA_VERSION)).version();
    }

    /**
     * Downloads a Kafka release if necessary; {@link Exit#USAGE} if unavailable.
     *
     * @param release see {@link LabSpec#release}; empty for the bundled one
     */
    public static void fetch(String release) {
        var unused = KafkaRelease.of(release).jars();
    }

    /** Whether a {@linkplain #fetch release} needs ZooKeeper; {@link Exit#USAGE} if a lab cannot run it. */
    public static boolean needsZooKeeper(String release) {
        return KafkaRelease.of(release).needsZooKeeper();
    }

    /** Whether {@code release}, such as {@code 4.2.0}, is {@code first} or later. */
    public static boolean isSince(String release, String first) {
        return !KafkaRelease.isBefore(release, first);
    }

    /** The {@link #described} settings without broker properties, which can contain secrets. */
    List<String> settings() {
        return settings.stream().filter(text -> !text.startsWith("config")).toList();
    }

    KafkaRelease release() {
        return KafkaRelease.of(spec.get(LabSpec.KAFKA_VERSION));
    }

    /** Whether the scenario simulates a network to clients or between brokers. */
    private boolean networked() {
        return !spec.get(LabSpec.NETWORK).equals(Settings.NONE);
    }

    /** Whether brokers have a separate inter-broker listener. */
    boolean apart() {
        return apart || networked();
    }

    boolean proxied() {
        return proxied || networked();
    }

    /** Size in bytes of each broker's in-memory disk; 0 for none. */
    public long diskBytes() {
        return diskBytes;
    }

    private void requireEphemeral() {
        require(ephemeral, Sentence.of("lab.onlyShortLived"));
    }

    private static void require(boolean holds, Sentence otherwise) {
        if (!holds) {
            throw new PlimsollException(Exit.USAGE, otherwise);
        }
    }

    /** A summary of the lab before its start; {@link Exit#USAGE} if a lab cannot run its Kafka release. */
    public Sentence description() {
        Settings jvm = spec.get(LabSpec.JVM);
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("lab.told.brokers", brokers, release().version()));
        int controllers = spec.get(LabSpec.CONTROLLERS);
        Sentence.addIf(controllers > 0, parts, "lab.told.controllers", controllers);
        Sentence.addIf(release().needsZooKeeper(), parts, "lab.told.zooKeeper");
        List<String> flags = Stream.of(jvm.get(LabSpec.COLLECTOR), jvm.get(LabSpec.FLAGS))
                .filter(flag -> !flag.isEmpty())
                .map(flag -> Secrets.isSecret(flag) ? Secrets.HIDDEN : flag)
                .toList();
        parts.add(Sentence.of("lab.told.jvm", heapMegabytes, flags));
        List<String> disks = spec.get(LabSpec.DISKS);
        boolean alike = disks.stream().allMatch(String::isEmpty);
        parts.add(
                alike
                        ? Sentence.of("lab.told.directories", Math.max(1, disks.size()))
                        : Sentence.of(
                                "lab.told.disks",
                                disks.stream()
                                        .map(disk -> disk.isEmpty()
                                                ? Sentence.of("lab.told.plainDisk")
                                                : Sentence.verbatim(disk))
                                        .toList()));
        Sentence.addIf(diskBytes > 0, parts, "lab.told.smallDisks", Units.configuredBytes(diskBytes));
        Sentence.addIf(!spec.get(LabSpec.CPUS).isEmpty(), parts, "lab.told.cpus", spec.get(LabSpec.CPUS));
        List<Sentence> clients = network(spec.get(LabSpec.NETWORK).get(LabSpec.CLIENTS));
        Sentence.addIf(!clients.isEmpty(), parts, "lab.told.clients", clients);
        List<Sentence> between = network(spec.get(LabSpec.NETWORK).get(LabSpec.BETWEEN));
        Sentence.addIf(!between.isEmpty(), parts, "lab.told.between", between);
        Sentence.addIf(proxied(), parts, "lab.told.proxied");
        if (security != null) {
            parts.add(Sentence.verbatim(security.protocol()
                    + security.mechanisms().stream().map(" "::concat).collect(Collectors.joining())));
        }
        Sentence.addIf(spec.get(LabSpec.RACKS) > 0, parts, "lab.told.racks", spec.get(LabSpec.RACKS));
        Sentence.addIf(tiered, parts, "lab.told.tiered");
        String config = new TreeMap<>(Secrets.redact(brokerConfig))
                .entrySet().stream()
                        .map(e -> "; " + e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining());
        return Sentence.of("lab.told", parts, config);
    }

    private static List<Sentence> network(LabSpec.Link link) {
        List<Sentence> parts = new ArrayList<>();
        Sentence.addIf(!link.delay().isZero(), parts, "lab.told.delay", Quantities.text(link.delay()));
        Sentence.addIf(!link.jitter().isZero(), parts, "lab.told.jitter", Quantities.text(link.jitter()));
        if (link.bytesPerSecond() > 0) {
            parts.add(Sentence.verbatim(Units.byteRate(link.bytesPerSecond())));
        }
        return parts;
    }
}
