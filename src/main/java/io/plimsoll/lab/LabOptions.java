package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.LabKeys;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Settings;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a lab: made by {@link #ephemeral} or {@link #persistent}, then by one {@code with...} after the other.
 * Immutable. Where a value is out of its range, {@link PlimsollException} with {@link Exit#USAGE} says so.
 */
public final class LabOptions implements Cloneable {
    public static final int MAX_BROKERS = 9;
    /** Where brokers are reached by this machine alone. */
    public static final String LOOPBACK = LabNode.HOST;

    /** The heap of the start script that comes with Kafka, so that figures compare with a broker started by hand. */
    public static final int DEFAULT_HEAP_MEGABYTES = 1024;

    private static final int MIN_HEAP_MEGABYTES = 128;

    private final int brokers;
    private final boolean ephemeral;
    private Path directory;
    private Map<String, String> brokerConfig = Map.of();
    private Map<String, String> clientConfig = Map.of();
    private int heapMegabytes = DEFAULT_HEAP_MEGABYTES;
    private int port;
    private String host = LOOPBACK;
    private boolean proxied;
    private boolean apart;
    private boolean tiered;
    private long diskBytes;
    private LabSecurity security;
    private List<String> jvmFlags = List.of();
    private LabSpec spec = LabSpec.USUAL;
    private List<String> settings = List.of();

    private LabOptions(int brokers, boolean ephemeral) {
        require(brokers >= 1 && brokers <= MAX_BROKERS, Sentence.of("lab.wrongSize", brokers));
        this.brokers = brokers;
        this.ephemeral = ephemeral;
    }

    /**
     * A lab with Kafka's usual heap on free ports in a temporary directory, whose processes and data end with this JVM,
     * however that ends.
     *
     * @param brokers 1 to {@link #MAX_BROKERS}; their ids are 1 to {@code brokers}
     */
    public static LabOptions ephemeral(int brokers) {
        return new LabOptions(brokers, true);
    }

    /** A lab that stays until {@link Lab#stop}, in {@code directory}. */
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

    LabOptions withDirectory(Path newDirectory) {
        return with(copy -> copy.directory = newDirectory);
    }

    /** @param newBrokerConfig broker properties that win over the lab's own; not those that make the nodes one cluster */
    public LabOptions withBrokerConfig(Map<String, String> newBrokerConfig) {
        for (String key : BrokerConfig.OWNED) {
            require(!newBrokerConfig.containsKey(key), Sentence.of("lab.ownProperty", key));
        }
        return with(copy -> copy.brokerConfig = Map.copyOf(newBrokerConfig));
    }

    /** @param newHeapMegabytes the largest heap of each broker's JVM */
    public LabOptions withHeapMegabytes(int newHeapMegabytes) {
        require(
                newHeapMegabytes >= MIN_HEAP_MEGABYTES,
                Sentence.of("lab.heapTooSmall", newHeapMegabytes, MIN_HEAP_MEGABYTES));
        return with(copy -> copy.heapMegabytes = newHeapMegabytes);
    }

    /** @param newPort the port of broker 1, the others follow it; 0 means free ports */
    public LabOptions withPort(int newPort) {
        require(newPort >= 0 && newPort + brokers - 1 <= 65535, Sentence.of("lab.portOutOfRange", newPort));
        return with(copy -> copy.port = newPort);
    }

    /**
     * @param newClientConfig client properties with which the lab looks whether its brokers are ready; only needed where
     *     the broker properties ask for security on the clients' listener
     */
    public LabOptions withClientConfig(Map<String, String> newClientConfig) {
        return with(copy -> copy.clientConfig = Map.copyOf(newClientConfig));
    }

    /** @param newSecurity what brokers ask of their clients; users and certificates for it are made in the lab's directory */
    public LabOptions withSecurity(LabSecurity newSecurity) {
        return with(copy -> copy.security = newSecurity);
    }

    /** @param newSpec what a scenario says of the lab; broker properties that were given win over its own */
    public LabOptions with(LabSpec newSpec) {
        boolean small = newSpec.get(LabKeys.DISKS).stream().anyMatch(disk -> !disk.isEmpty() && !disk.startsWith("/"));
        require(
                ephemeral || (!small && newSpec.get(LabKeys.NETWORK).equals(Settings.NONE)),
                Sentence.of("lab.onlyShortLived"));
        Map<String, String> config = new HashMap<>(newSpec.get(LabKeys.CONFIG));
        config.putAll(brokerConfig);
        LabOptions described = with(copy -> copy.spec = newSpec).withBrokerConfig(config);
        long heapBytes = newSpec.get(LabKeys.JVM).get(LabKeys.HEAP);
        if (heapBytes > 0) {
            described = described.withHeapMegabytes((int) Math.min(Integer.MAX_VALUE, heapBytes >> 20));
        }
        if (newSpec.get(LabKeys.TIERED)) {
            described = described.withTieredStorage();
        }
        String asked = newSpec.get(LabKeys.SECURITY);
        return asked.isEmpty() || security != null ? described : described.withSecurity(LabSecurity.parse(asked));
    }

    /** @param newSettings what a scenario would say of the lab, as {@code name=value} */
    public LabOptions described(List<String> newSettings) {
        return with(LabSpec.of(newSettings)).with(copy -> copy.settings = List.copyOf(newSettings));
    }

    /** What has been {@linkplain #described} before holds where nothing else is said now. */
    LabOptions after(List<String> before) {
        Set<String> said = settings.stream().map(LabOptions::name).collect(Collectors.toSet());
        return described(Stream.concat(before.stream().filter(text -> !said.contains(name(text))), settings.stream())
                .toList());
    }

    private static String name(String setting) {
        return setting.split("=", 2)[0].strip();
    }

    /** The same with properties of brokers and clients that its security asks for, where none were given. */
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

    /** A proxy before each broker, so that {@link Lab#impair} can disturb its network; ephemeral labs only. */
    public LabOptions withProxies() {
        requireEphemeral();
        return with(copy -> copy.proxied = true);
    }

    /**
     * Brokers reach each other over a listener of their own, in the clear, so that {@link LabRehearsal#expire} concerns clients
     * alone and can be undone; ephemeral labs with TLS only.
     */
    public LabOptions withBrokersApart() {
        requireEphemeral();
        requireTls();
        return with(copy -> copy.apart = true);
    }

    /** The same, or {@link PlimsollException} if brokers show no certificates. */
    public LabOptions requireTls() {
        require(security != null && security.tls(), Sentence.of("lab.noCertificates"));
        return this;
    }

    /** A second tier for topics with {@code remote.storage.enable}, see {@link BrokerConfig#tiered}. */
    public LabOptions withTieredStorage() {
        String own = KafkaRelease.of(KafkaRelease.OWN).version();
        require(release().version().equals(own), Sentence.of("lab.tieredOwnRelease", own));
        return with(copy -> copy.tiered = true);
    }

    /** The same with the properties that a second tier in this directory asks for, if there is to be one. */
    LabOptions withStore(Path store) throws IOException {
        Map<String, String> config = tiered ? BrokerConfig.tiered(brokers, store, brokerConfig) : brokerConfig;
        return with(copy -> copy.brokerConfig = config);
    }

    /** A disk in memory for each broker's data, which {@link Lab#fillDisk} fills; 0: none. Ephemeral labs only. */
    public LabOptions withDiskBytes(long newDiskBytes) {
        requireEphemeral();
        return with(copy -> copy.diskBytes = newDiskBytes);
    }

    /** At least so many disks for each broker, as directories if the scenario does not say otherwise. */
    public LabOptions withDisks(int least) {
        return spec.get(LabKeys.DISKS).size() < least
                ? with(copy ->
                        copy.spec = new LabSpec(spec.settings().with(LabKeys.DISKS, Collections.nCopies(least, ""))))
                : this;
    }

    /**
     * @param newHost address of this machine on which brokers listen for clients, and which they give to clients;
     *     whoever reaches it may use them. Other than {@link #LOOPBACK} for labs that stay only
     */
    public LabOptions withHost(String newHost) {
        requireHost(newHost, ephemeral);
        return with(copy -> copy.host = newHost);
    }

    public int brokers() {
        return brokers;
    }

    boolean ephemeral() {
        return ephemeral;
    }

    /** Null means a new directory under the system's temporary one. */
    Path directory() {
        return directory;
    }

    public Map<String, String> brokerConfig() {
        return brokerConfig;
    }

    Map<String, String> clientConfig() {
        return clientConfig;
    }

    /** Null: none. */
    LabSecurity security() {
        return security;
    }

    /** Of the brokers' JVMs, for what their security needs. */
    List<String> jvmFlags() {
        return jvmFlags;
    }

    int heapMegabytes() {
        return heapMegabytes;
    }

    /**
     * The Kafka release of the brokers of a lab that is described so; it is there when this returns.
     *
     * @throws PlimsollException {@link Exit#USAGE} if it cannot be had
     */
    public static String version(LabSpec spec) {
        return KafkaRelease.of(spec.get(LabKeys.KAFKA_VERSION)).version();
    }

    LabSpec spec() {
        return spec;
    }

    /** As {@link #described} took them, but for broker properties, among which may be secrets. */
    List<String> settings() {
        return settings.stream().filter(text -> !text.startsWith("config")).toList();
    }

    KafkaRelease release() {
        return KafkaRelease.of(spec.get(LabKeys.KAFKA_VERSION));
    }

    /** Whether the way of clients to brokers, and that between brokers, are described. */
    private boolean networked() {
        return !spec.get(LabKeys.NETWORK).equals(Settings.NONE);
    }

    /** Whether brokers reach each other otherwise than clients do. */
    boolean apart() {
        return apart || networked();
    }

    int port() {
        return port;
    }

    String host() {
        return host;
    }

    boolean proxied() {
        return proxied || networked();
    }

    /** The size of each broker's small disk; 0 if there are none. */
    public long diskBytes() {
        return diskBytes;
    }

    private void requireEphemeral() {
        require(ephemeral, Sentence.of("lab.onlyShortLived"));
    }

    private static void requireHost(String host, boolean ephemeral) {
        if (host.equals(LabNode.HOST)) {
            return;
        }
        require(!ephemeral, Sentence.of("lab.loopbackOnly", LabNode.HOST));
        boolean own;
        try {
            InetAddress address = InetAddress.getByName(host);
            require(!address.isAnyLocalAddress(), Sentence.of("lab.anyAddress", host));
            own = NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException e) {
            own = false;
        }
        require(own, Sentence.of("lab.noSuchAddress", host));
    }

    private static void require(boolean holds, Sentence otherwise) {
        if (!holds) {
            throw new PlimsollException(Exit.USAGE, otherwise);
        }
    }

    /**
     * Says what the lab would be, for someone who wants to know before it is started.
     *
     * @throws PlimsollException {@link Exit#USAGE} if its release cannot be had
     */
    public Sentence told() {
        Settings jvm = spec.get(LabKeys.JVM);
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("lab.told.brokers", brokers, release().version()));
        int controllers = spec.get(LabKeys.CONTROLLERS);
        Sentence.addIf(controllers > 0, parts, "lab.told.controllers", controllers);
        Sentence.addIf(release().needsZooKeeper(), parts, "lab.told.zooKeeper");
        List<String> flags = Stream.of(jvm.get(LabKeys.COLLECTOR), jvm.get(LabKeys.FLAGS))
                .filter(flag -> !flag.isEmpty())
                .toList();
        parts.add(Sentence.of("lab.told.jvm", heapMegabytes, flags));
        parts.add(disks(spec.get(LabKeys.DISKS)));
        Sentence.addIf(diskBytes > 0, parts, "lab.told.smallDisks", Units.configuredBytes(diskBytes));
        Sentence.addIf(!spec.get(LabKeys.CPUS).isEmpty(), parts, "lab.told.cpus", spec.get(LabKeys.CPUS));
        List<Sentence> clients = network(spec.get(LabKeys.NETWORK).get(LabKeys.CLIENTS));
        Sentence.addIf(!clients.isEmpty(), parts, "lab.told.clients", clients);
        List<Sentence> between = network(spec.get(LabKeys.NETWORK).get(LabKeys.BETWEEN));
        Sentence.addIf(!between.isEmpty(), parts, "lab.told.between", between);
        Sentence.addIf(proxied(), parts, "lab.told.proxied");
        if (security != null) {
            parts.add(Sentence.verbatim(security.protocol()
                    + security.mechanisms().stream().map(" "::concat).collect(Collectors.joining())));
        }
        Sentence.addIf(spec.get(LabKeys.RACKS) > 0, parts, "lab.told.racks", spec.get(LabKeys.RACKS));
        Sentence.addIf(tiered, parts, "lab.told.tiered");
        return Sentence.of("lab.told", parts, config(brokerConfig));
    }

    private static Sentence disks(List<String> disks) {
        boolean alike = disks.stream().allMatch(String::isEmpty);
        return alike
                ? Sentence.of("lab.told.directories", Math.max(1, disks.size()))
                : Sentence.of("lab.told.disks", disks);
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

    private static String config(Map<String, String> config) {
        return new TreeMap<>(Secrets.redact(config))
                .entrySet().stream()
                        .map(e -> "; " + e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining());
    }
}
