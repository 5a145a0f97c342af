package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.LinuxRoot;
import io.plimsoll.lab.BrokerProcess.BrokerJvm;
import io.plimsoll.lab.LabNodes.Ports;
import io.plimsoll.lab.Readiness.StartFailure;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.scenario.LabSpec;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts the processes of one lab; cleans up after a failure. */
final class LabStarter {
    static final Duration START_PATIENCE = Duration.ofSeconds(90);
    private static final int MAX_ATTEMPTS = 3;
    private static final long MEGABYTE = 1_000_000;
    private static final long MEBIBYTE = 1 << 20;
    private static final long MIN_DISK_BYTES = 100 * MEGABYTE;
    private static final Path MEMINFO = LinuxRoot.PATH.resolve("proc/meminfo");

    private final LabOptions options;
    private final List<String> moreFlags;
    private final String newClusterId;
    private final Path directory;
    private final boolean ownDirectory;
    /** State file of the lab to continue; null for a new lab. */
    private final @Nullable LabFile earlier;
    /** Nodes of the last start attempt. */
    private List<LabNode> nodes = List.of();

    LabStarter(LabOptions options, List<String> moreFlags) {
        this(options, moreFlags, Lab.newClusterId());
    }

    /** @param newClusterId cluster id of a new lab */
    LabStarter(LabOptions options, List<String> moreFlags, String newClusterId) {
        this.moreFlags = moreFlags;
        this.newClusterId = newClusterId;
        Path asked = options.directory;
        try {
            boolean made = asked == null || !Files.exists(asked);
            Path place = asked == null ? Files.createTempDirectory("plimsoll-lab-") : Files.createDirectories(asked);
            this.directory = place.toRealPath();
            this.earlier = findEarlier(options);
            this.ownDirectory = earlier == null ? made : earlier.ownDirectory();
            this.options = asEarlier(options);
        } catch (IOException e) {
            throw asked == null
                    ? Exit.USAGE.because(e, "lab.noTemporaryDirectory", System.getProperty("java.io.tmpdir"), e)
                    : Exit.USAGE.because(e, "lab.directoryNotMade", asked, e);
        }
    }

    Lab start() {
        boolean started = false;
        try {
            preflight();
            for (int attempt = 1; ; attempt++) {
                try {
                    Lab lab = startOnce();
                    started = true;
                    return lab;
                } catch (StartFailure e) {
                    // Another process took a port that was free before.
                    if (!e.portTaken() || options.port > 0 || attempt == MAX_ATTEMPTS) {
                        throw e;
                    }
                }
            }
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.notStarted", directory, e);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "lab.interruptedStarting");
        } finally {
            if (!started) {
                removeIfNew();
            }
        }
    }

    private Lab startOnce() throws IOException, InterruptedException {
        nodes = new LabNodes(options, directory).all(earlier);
        String clusterId = earlier == null ? newClusterId : earlier.clusterId();
        Files.createDirectories(directory); // A failed attempt has removed the directory.
        LabOptions secured = secured().withStore(nodes.get(0).directory().resolve("tiered"));
        List<String> flags = new ArrayList<>(moreFlags);
        flags.addAll(secured.jvmFlags);
        String release = options.spec.get(LabSpec.KAFKA_VERSION);
        for (LabNode node : nodes) {
            writeConfig(node, BrokerConfig.of(node, nodes, ofRack(node, secured)));
        }
        LabDirectory place = new LabDirectory(directory, ownDirectory);
        // A failed start must not remove existing data.
        Warden warden = Warden.start(place.marker(), earlier == null ? place.made(nodes) : List.of());
        LabExtras extras = LabExtras.NONE;
        try {
            extras = LabExtras.start(options, nodes, warden);
            Warden kept = options.ephemeral ? warden : null;
            BrokerJvm jvm = new BrokerJvm(clusterId, options, flags, directory, kept);
            List<BrokerProcess> brokers = new ArrayList<>();
            for (LabNode node : nodes) {
                BrokerProcess broker = BrokerProcess.start(jvm, node, release);
                brokers.add(broker);
                warden.watch(broker.pid());
            }
            Lab lab = new Lab(secured, place, clusterId, brokers, kept, extras);
            if (!options.ephemeral) {
                lab.writeFile();
            }
            Readiness readiness = new Readiness(secured.clientConfig, START_PATIENCE);
            readiness.awaitAll(brokers);
            if (!options.brokerConfig().isEmpty()) {
                lab.unknownConfig(
                        readiness.unknown(brokers.get(0), options.brokerConfig().keySet()));
            }
            if (!options.ephemeral) {
                warden.release();
                for (BrokerProcess broker : brokers) {
                    broker.leave();
                }
            }
            return lab;
        } catch (IOException | InterruptedException | RuntimeException e) {
            warden.end();
            extras.close();
            throw e;
        }
    }

    /** The options with users and certificates, created if missing. */
    private LabOptions secured() throws IOException {
        if (options.security == null) {
            return options;
        }
        if (earlier == null) {
            // An interrupted start can leave incomplete files, or files for other settings.
            PrivateFiles.delete(LabLogins.in(directory));
        }
        return options.with(LabLogins.of(options.security, directory, options.host));
    }

    /** A continued lab keeps its settings and users, because SCRAM credentials are part of its data. */
    private LabOptions asEarlier(LabOptions now) {
        LabOptions asked = earlier == null || earlier.settings() == null ? now : now.after(earlier.settings());
        if (earlier == null || (earlier.security() == null && asked.security == null)) {
            return asked;
        }
        Exit.USAGE.when(
                asked.security != null && !asked.security.text().equals(earlier.security()),
                "lab.security.other",
                directory,
                earlier.security() == null ? "PLAINTEXT" : earlier.security());
        return asked.withSecurity(LabSecurity.parse(Objects.requireNonNull(earlier.security())));
    }

    private @Nullable LabFile findEarlier(LabOptions asked) {
        if (!Files.exists(LabFile.in(directory))) {
            // Files that are removed with the lab must not exist before its start.
            Stream<Path> ofBrokers = IntStream.rangeClosed(1, asked.brokers())
                    .boxed()
                    .flatMap(id -> Stream.concat(
                            Stream.of(LabNode.directoryOf(directory, id)),
                            LabNodes.disks(asked, directory, id).stream()));
            // ZooKeeper has the first id of separate controllers.
            int apart = Math.max(1, asked.spec.get(LabSpec.CONTROLLERS));
            Stream<Path> ofControllers = IntStream.range(LabNode.APART, LabNode.APART + apart)
                    .mapToObj(id -> LabNode.directoryOf(directory, id));
            Stream<Path> besides = Stream.of(LabLogins.in(directory), directory.resolve(LabDirectory.LAUNCHER));
            Stream.of(besides, ofBrokers, ofControllers)
                    .flatMap(paths -> paths)
                    // An interrupted start can leave its logins behind.
                    .filter(path -> Files.exists(path) && !LabLogins.areIn(path))
                    .findFirst()
                    .ifPresent(theirs -> {
                        throw Exit.USAGE.because("lab.notALabs", theirs);
                    });
            return null;
        }
        LabFile found = LabFile.read(directory);
        Lab left = Lab.open(directory);
        Exit.USAGE.when(left.isRunning(), "lab.alreadyRunning", directory);
        Exit.USAGE.when(asked.ephemeral, "lab.holdsData", directory);
        Exit.USAGE.when(found.size() != asked.brokers(), "lab.otherSize", directory, found.size(), asked.brokers());
        // Dedicated controllers and ZooKeeper can outlive the brokers.
        left.stop(true);
        return found;
    }

    static Map<String, String> ofRack(LabNode node, LabOptions options) {
        int racks = options.spec.get(LabSpec.RACKS);
        Map<String, String> config = new HashMap<>(options.brokerConfig());
        if (racks > 0 && node.role().serves()) {
            config.putIfAbsent("broker.rack", "rack-" + ((node.id() - 1) % racks + 1));
        }
        return config;
    }

    static void writeConfig(LabNode node, Map<String, String> config) throws IOException {
        Files.createDirectories(node.directory());
        for (Path disk : node.disks()) {
            Files.createDirectories(disk);
        }
        Properties properties = new Properties();
        properties.putAll(config);
        StringWriter text = new StringWriter();
        properties.store(
                text,
                "Broker " + node.id() + " of the lab in " + node.directory().getParent());
        // User properties can contain passwords.
        LabLogins.write(node.configFile(), text.toString());
    }

    private void removeIfNew() {
        if (earlier == null) {
            try {
                new LabDirectory(directory, ownDirectory).remove(nodes);
            } catch (IOException ignored) {
                // The original failure is reported instead.
            }
        }
    }

    /** Detects impossible labs before any process starts. */
    private void preflight() {
        checkMemory(options, availableMemoryBytes());
        checkDisk();
        for (int id = 1; options.port > 0 && id <= options.brokers(); id++) {
            int port = options.port + id - 1;
            Exit.USAGE.when(!Ports.isFree(options.host, port), "lab.portTaken", port, options.host, id);
        }
    }

    static void checkMemory(LabOptions options, OptionalLong availableBytes) {
        long wantedBytes = (long) options.brokers() * options.heapMegabytes * MEBIBYTE;
        if (availableBytes.isPresent() && wantedBytes > availableBytes.getAsLong()) {
            throw Exit.USAGE.because(
                    "lab.notEnoughMemory",
                    options.brokers(),
                    options.heapMegabytes,
                    availableBytes.getAsLong() / MEBIBYTE);
        }
    }

    private void checkDisk() {
        try {
            long usable = Files.getFileStore(directory).getUsableSpace();
            Exit.INTERNAL.when(
                    usable < options.brokers() * MIN_DISK_BYTES,
                    "lab.notEnoughDisk",
                    usable / MEGABYTE,
                    directory,
                    options.brokers(),
                    options.brokers() * MIN_DISK_BYTES / MEGABYTE);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.unusableDirectory", directory, e);
        }
    }

    /** Memory available to new processes without swapping; empty if unknown. */
    private static OptionalLong availableMemoryBytes() {
        try {
            long available = Files.readAllLines(MEMINFO).stream()
                    .filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
            // A container can have less memory than its host; the JVM reports the container's memory.
            if (ManagementFactory.getOperatingSystemMXBean()
                    instanceof com.sun.management.OperatingSystemMXBean system) {
                available = Math.min(available, system.getTotalMemorySize());
            }
            return OptionalLong.of(available);
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
