package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.LinuxRoot;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Proxies and size-limited disks of a lab. Thread-safe. */
final class LabExtras implements AutoCloseable {
    private static final long MOUNT_SECONDS = 10;
    private static final int BLOCK_BYTES = 1 << 16;
    private static final int SMALLEST_BLOCK_BYTES = 1 << 10;
    /** File that fills a disk; Kafka ignores plain files in a log directory. */
    private static final String BALLAST = "plimsoll-ballast";

    static final LabExtras NONE = new LabExtras(LabOptions.ephemeral(1));

    private final LabOptions options;
    private final Map<Integer, BrokerProxy> clients = new ConcurrentHashMap<>();
    private final Map<Integer, BrokerProxy> between = new ConcurrentHashMap<>();
    /** Impairments in effect, by broker, the latest last. Guarded by this object. */
    private final Map<Integer, List<Impairment>> impairments = new HashMap<>();

    /** Disks that are mounted file systems; complete before the brokers start. */
    private final Set<Path> small = new HashSet<>();

    private @Nullable Sentence diskProblem;

    private LabExtras(LabOptions options) {
        this.options = options;
    }

    /** Sets up all extras before the brokers start; cleans up on failure. */
    static LabExtras start(LabOptions options, List<LabNode> nodes, Warden warden) throws IOException {
        LabExtras extras = new LabExtras(options);
        try {
            extras.mount(nodes, warden);
            for (LabNode node : nodes) {
                extras.add(node);
            }
        } catch (IOException | RuntimeException e) {
            extras.close();
            throw e;
        }
        return extras;
    }

    private void mount(List<LabNode> nodes, Warden warden) throws IOException {
        List<String> sizes = options.spec.get(LabSpec.DISKS);
        for (LabNode node : nodes) {
            for (int i = 0; node.role().serves() && i < sizes.size(); i++) {
                if (!sizes.get(i).isEmpty() && !sizes.get(i).startsWith("/")) {
                    Path disk = node.disks().get(i);
                    Optional<Sentence> problem = mount(Quantities.amount(sizes.get(i)), disk, warden);
                    Exit.USAGE.when(problem.isPresent(), "lab.disks.impossible", problem.orElse(Sentence.NONE));
                }
            }
            // Sizes apply only to brokers.
            boolean unsized =
                    sizes.isEmpty() || sizes.get(0).isEmpty() || !node.role().serves();
            if (options.diskBytes() > 0 && unsized && diskProblem == null) {
                diskProblem =
                        mount(options.diskBytes(), node.dataDirectory(), warden).orElse(null);
            }
        }
    }

    void addIfNew(LabNode node) throws IOException {
        if (!clients.containsKey(node.id())) {
            add(node);
        }
    }

    private void add(LabNode node) throws IOException {
        if (!options.proxied() || !node.role().serves()) {
            return;
        }
        clients.put(node.id(), new BrokerProxy(node.id(), node.ports().advertised(), node.port()));
        if (node.ports().internal() > 0) {
            between.put(
                    node.id(),
                    new BrokerProxy(
                            node.id(),
                            node.ports().internalAdvertised(),
                            node.ports().internal()));
        }
        apply(node.id(), Impairment.NONE);
    }

    /** Impairs a broker's network until {@link #relieve}; the latest of several impairments applies. */
    synchronized void impair(int id, Impairment impairment) {
        apply(id, impairment);
        impairments.computeIfAbsent(id, broker -> new ArrayList<>()).add(impairment);
    }

    /** Ends one of a broker's impairments. Without another one, the scenario's network applies. */
    synchronized void relieve(int id, Impairment impairment) {
        List<Impairment> left = impairments.getOrDefault(id, new ArrayList<>());
        left.remove(impairment);
        apply(id, left.isEmpty() ? Impairment.NONE : left.get(left.size() - 1));
    }

    private void apply(int id, Impairment impairment) {
        BrokerProxy proxy = clients.get(id);
        if (proxy == null) {
            throw Exit.USAGE.because("lab.noProxies");
        }
        impair(proxy, impairment, LabSpec.CLIENTS);
        if (between.containsKey(id)) {
            impair(between.get(id), impairment, LabSpec.BETWEEN);
        }
    }

    private void impair(BrokerProxy proxy, Impairment impairment, Key<LabSpec.Link> described) {
        LabSpec.Link link = options.spec.get(LabSpec.NETWORK).get(described);
        proxy.impair(
                impairment.equals(Impairment.NONE)
                        ? Impairment.slow(link.delay(), link.jitter(), link.bytesPerSecond())
                        : impairment);
    }

    Optional<Sentence> diskProblem() {
        return Optional.ofNullable(diskProblem);
    }

    /** Filling any other disk would fill a file system of this host. */
    private void requireSmallDisk(Path disk) {
        if (!small.contains(disk)) {
            throw new PlimsollException(
                    Exit.USAGE, diskProblem == null ? Sentence.of("lab.noSmallDisks", disk) : diskProblem);
        }
    }

    /** Makes a disk fail: fills a mounted file system, or replaces any other directory with a file. */
    void takeDisk(Path path) {
        if (small.contains(path)) {
            fill(path);
            return;
        }
        try {
            Files.move(path, lost(path));
            Files.createFile(path);
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.diskNotTaken", path, e);
        }
    }

    void giveDisk(Path path) {
        if (small.contains(path)) {
            free(path);
            return;
        }
        try {
            if (Files.exists(lost(path))) {
                Files.deleteIfExists(path);
                Files.move(lost(path), path);
            }
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.diskNotTaken", path, e);
        }
    }

    /** Path to which a removed disk is moved. */
    static Path lost(Path disk) {
        return disk.resolveSibling(disk.getFileName() + ".lost");
    }

    /** Closes the proxies. The warden unmounts the disks, even after SIGKILL. */
    @Override
    public void close() {
        clients.values().forEach(BrokerProxy::close);
        between.values().forEach(BrokerProxy::close);
    }

    /**
     * Mounts a size-limited in-memory file system (tmpfs) for a broker's data, which can be filled safely. Requires
     * root. The warden always unmounts it.
     * @return the reason in one sentence why mounting is impossible here; empty after success
     */
    private Optional<Sentence> mount(long bytes, Path disk, Warden warden) throws IOException {
        if (!LinuxRoot.isHere()) {
            return Optional.of(Sentence.of("lab.noTmpfs"));
        }
        Path directory = Files.createDirectories(disk);
        // Register first, so that the warden knows every mount.
        warden.unmount(directory);
        String size = "mode=700,size=" + bytes;
        Process mount;
        try {
            mount = new ProcessBuilder("mount", "-t", "tmpfs", "-o", size, "plimsoll-lab", directory.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            return Optional.of(Sentence.of("lab.noMount"));
        }
        mount.getOutputStream().close();
        boolean done;
        String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .replaceAll("\\s+", " ");
        try {
            done = mount.waitFor(MOUNT_SECONDS, TimeUnit.SECONDS) && mount.exitValue() == 0;
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "lab.interruptedStarting");
        }
        if (done) {
            small.add(disk);
        }
        Object why = said.isEmpty() ? Sentence.of("lab.mountFailed") : said;
        return done ? Optional.empty() : Optional.of(Sentence.of("lab.mayNotMount", why));
    }

    /** Fills a size-limited disk until less than one kibibyte is free. */
    void fill(Path dataDirectory) {
        requireSmallDisk(dataDirectory);
        int block = BLOCK_BYTES;
        try (OutputStream ballast = Files.newOutputStream(dataDirectory.resolve(BALLAST))) {
            while (block >= SMALLEST_BLOCK_BYTES) {
                try {
                    ballast.write(new byte[block]);
                } catch (IOException full) {
                    block /= 4;
                }
            }
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.diskNotFilled", dataDirectory, e);
        }
    }

    /** Frees the space used by {@link #fill}. */
    void free(Path dataDirectory) {
        requireSmallDisk(dataDirectory);
        try {
            Files.deleteIfExists(dataDirectory.resolve(BALLAST));
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.diskNotFreed", dataDirectory, e);
        }
    }
}
