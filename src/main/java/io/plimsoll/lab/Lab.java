package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.BrokerProcess.BrokerJvm;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * A local cluster of real Apache Kafka brokers, one process each. They listen on 127.0.0.1 unless {@link
 * LabOptions#host} differs.
 *
 * <p>{@link #close()} removes the processes and data of an ephemeral lab, and so does the end of this JVM, even by
 * SIGKILL. A persistent lab stays until {@link #stop}; later processes access it with {@link #open}.
 *
 * <p>Thread-safe. Faults ({@link #kill}, {@link #restart}, and similar) of one broker run one after the other. They do
 * not block faults of other brokers, queries or {@link #close}.
 */
public final class Lab implements AutoCloseable {
    /** Prefix of the cluster ids of labs and null brokers. */
    private static final String OWN = "plimsoll";

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    final LabOptions options;
    private final LabDirectory directory;
    private final String clusterId;
    /** Null for a persistent lab. */
    private final @Nullable Warden warden;

    /** Proxies and size-limited disks of the lab. */
    final LabExtras extras;

    private final ConcurrentSkipListMap<Integer, BrokerProcess> processes = new ConcurrentSkipListMap<>();
    /** Number of pauses in effect, by broker. */
    private final Map<Integer, Integer> pauses = new ConcurrentHashMap<>();
    /** Locks by broker, so that faults of one broker run one after the other. */
    private final Map<Integer, Object> locks = new ConcurrentHashMap<>();

    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Set<String> unknownConfig = Set.of();

    Lab(
            LabOptions options,
            LabDirectory directory,
            String clusterId,
            Collection<BrokerProcess> started,
            @Nullable Warden warden,
            LabExtras extras) {
        this.options = options;
        this.directory = directory;
        this.clusterId = clusterId;
        this.warden = warden;
        this.extras = extras;
        started.forEach(each -> processes.put(each.node().id(), each));
    }

    /**
     * Starts the brokers and returns when all of them see each other and topics can be created. In the directory of a
     * stopped or crashed persistent lab, the brokers continue with the existing data.
     *
     * @throws PlimsollException with the reason in the first line, followed by the broker's last log lines; everything
     *     started is removed
     */
    public static Lab start(LabOptions options) {
        return new LabStarter(options, List.of()).start();
    }

    /**
     * Opens the persistent lab in {@code directory}, running or not.
     *
     * @throws PlimsollException with {@link Exit#USAGE} if none exists
     */
    public static Lab open(Path directory) {
        return open(directory, Map.of());
    }

    /** Opens a lab in order to restart brokers; {@code clientConfig} as in {@link LabOptions#withClientConfig}. */
    public static Lab open(Path directory, Map<String, String> clientConfig) {
        Exit.USAGE.when(!Files.exists(LabFile.in(directory)), "lab.noLab", directory);
        try {
            Path real = directory.toRealPath();
            return LabFile.read(real).lab(real, clientConfig);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.cannotReadLab", directory, e);
        }
    }

    /** The {@code bootstrap.servers} with all brokers. */
    public String bootstrapServers() {
        return brokers().stream().map(LabBroker::address).collect(Collectors.joining(","));
    }

    /** The lab's users and their credentials; empty without {@link LabOptions#withSecurity security}. */
    public Optional<LabLogins> logins() {
        return Optional.ofNullable(options.security)
                .map(security -> LabLogins.of(
                        security, directory.path(), brokers().get(0).host()));
    }

    /** Current state of the brokers, by id. */
    public List<LabBroker> brokers() {
        return processes.values().stream()
                .filter(each -> each.node().role().serves())
                .map(BrokerProcess::describe)
                .toList();
    }

    /** @throws PlimsollException with {@link Exit#USAGE} if the id does not exist */
    public LabBroker describe(int id) {
        return broker(id).describe();
    }

    public Path directory() {
        return directory.path();
    }

    public String clusterId() {
        return clusterId;
    }

    /** Whether a cluster with this id can be this lab. Brokers with ZooKeeper choose the id, so it can be any. */
    public boolean canBe(String otherId) {
        return clusterId.equals(otherId) || nodes().stream().anyMatch(node -> node.role() == LabNode.Role.ZOOKEEPER);
    }

    static String newClusterId() {
        return OWN + Uuid.randomUuid().toString().substring(OWN.length());
    }

    /** Whether a cluster id belongs to a lab or a null broker, which hold no third-party data. */
    public static boolean isOwn(@Nullable String clusterId) {
        return clusterId != null && clusterId.startsWith(OWN);
    }

    public boolean isEphemeral() {
        return warden != null;
    }

    /**
     * Broker properties set by the user that the brokers do not know: misspelled, or meant for plug-ins. Empty for a
     * lab that was {@linkplain #open opened}.
     */
    public Set<String> unknownConfig() {
        return unknownConfig;
    }

    void unknownConfig(Set<String> names) {
        unknownConfig = Collections.unmodifiableSet(names);
    }

    /** Whether at least one broker process exists. */
    public boolean isRunning() {
        return brokers().stream().anyMatch(LabBroker::alive);
    }

    /** Current size in bytes of a broker's record and state files. */
    public long dataBytes(int id) {
        return LabDirectory.dataBytes(broker(id).node().disks());
    }

    /** Kills a broker with SIGKILL, like a crash; its data is kept. No effect if the broker is not running. */
    public void kill(int id) {
        synchronized (lock(id)) {
            BrokerProcess broker = broker(id);
            broker.kill();
            broker.endBy(System.nanoTime());
        }
    }

    /**
     * Shuts a broker down properly (it transfers leadership first), kills it if it is still running after {@code
     * patience}, and returns when it has ended. No effect if the broker is not running.
     */
    public void shutDown(int id, Duration patience) {
        synchronized (lock(id)) {
            BrokerProcess broker = broker(id);
            broker.terminate();
            broker.endBy(System.nanoTime() + patience.toNanos());
        }
    }

    /**
     * Speeds up broker starts on this host by recording the classes that a broker loads. Optional; takes about ten
     * seconds once per build.
     *
     * @return whether the recording exists, so that starts are faster
     */
    public static boolean prepare() {
        return BrokerFiles.makeArchive();
    }

    /** Pauses a broker process (SIGSTOP) with its connections open. Each pause needs a {@link #resume}. */
    public void pause(int id) {
        synchronized (lock(id)) {
            broker(id).pause();
            pauses.merge(id, 1, Integer::sum);
        }
    }

    /** Ends a pause. The process continues unless another pause of this object is in effect. */
    public void resume(int id) {
        synchronized (lock(id)) {
            int left = pauses.getOrDefault(id, 0) - 1;
            pauses.put(id, Math.max(0, left));
            if (left <= 0) {
                broker(id).signal("CONT");
            }
        }
    }

    /**
     * Impairs a broker's network until {@link #relieve} with the same impairment. The latest of several impairments
     * applies.
     *
     * @throws PlimsollException with {@link Exit#USAGE} if the lab has no proxies
     */
    public void impair(int id, Impairment impairment) {
        broker(id);
        extras.impair(id, impairment);
    }

    /** Ends one of a broker's impairments. */
    public void relieve(int id, Impairment impairment) {
        broker(id);
        extras.relieve(id, impairment);
    }

    /**
     * JMX address of a broker on the loopback interface. It changes with each {@link #restart}.
     *
     * @throws IOException if the broker is not running or does not respond, or the lab was {@linkplain #open opened}
     */
    public String jmxAddress(int id) throws IOException, InterruptedException {
        return broker(id).jmxAddress();
    }

    /** The reason why size-limited disks are missing; empty if they exist or were not requested. */
    public Optional<Sentence> diskProblem() {
        return extras.diskProblem();
    }

    /** Fills a broker's size-limited disk completely. */
    public void fillDisk(int id) {
        extras.fill(broker(id).node().dataDirectory());
    }

    /** Frees the space used by {@link #fillDisk}; a broker that has stopped stays down. */
    public void freeDisk(int id) {
        extras.free(broker(id).node().dataDirectory());
    }

    /**
     * Starts a stopped broker with its previous ports, configuration, and data, and returns when the broker has
     * rejoined the cluster. Without a controller quorum, this method returns immediately.
     *
     * <p>After a crash Kafka admits a broker only after the session of its dead process has expired ({@code
     * broker.session.timeout.ms}, 9 s).
     */
    public void restart(int id) {
        restart(id, broker(id).release());
    }

    /** As {@link #restart(int)}, with another Kafka release. */
    public void restart(int id, String release) {
        Exit.USAGE.when(closed.get(), "lab.closed");
        start(broker(id).node(), release);
    }

    /** Starts the process of a stopped or new node and returns when it has joined the cluster. */
    void start(LabNode node, String release) {
        try {
            synchronized (lock(node.id())) {
                BrokerProcess started = launch(node, release);
                if (hasQuorumWithout(List.of())) {
                    new Readiness(options.clientConfig, LabStarter.START_PATIENCE).awaitOne(started);
                }
                started.leave();
            }
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.notStartedAgain", node.id(), e);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "lab.interruptedWaiting");
        }
    }

    private synchronized BrokerProcess launch(LabNode node, String release) throws IOException, InterruptedException {
        BrokerProcess before = processes.get(node.id());
        Exit.USAGE.when(before != null && before.isAlive(), "lab.stillRunning", node.id());
        extras.addIfNew(node);
        BrokerJvm jvm = new BrokerJvm(clusterId, options, options.jvmFlags, directory.path(), warden);
        BrokerProcess started = BrokerProcess.start(jvm, node, release);
        try {
            pauses.put(node.id(), 0);
            processes.put(node.id(), started);
            if (warden != null) {
                warden.watch(started.pid());
            } else {
                writeFile();
            }
        } catch (IOException e) {
            // The lab was closed during the start; end this process too.
            started.kill();
            throw e;
        }
        return started;
    }

    /** Whether the remaining controllers form a quorum without these nodes. */
    public boolean hasQuorumWithout(Collection<Integer> ids) {
        List<BrokerProcess> voters = processes.values().stream()
                .filter(each -> each.node().role().votes())
                .toList();
        return voters.isEmpty()
                || voters.stream()
                                .filter(each -> each.isAlive()
                                        && !ids.contains(each.node().id()))
                                .count()
                        > voters.size() / 2;
    }

    /** Removes an ended broker from the lab. */
    synchronized void forget(int id) {
        processes.remove(id);
    }

    /** All processes, brokers first. */
    List<LabNode> nodes() {
        return processes.values().stream().map(BrokerProcess::node).toList();
    }

    String release(int id) {
        return broker(id).release();
    }

    /** Copies the broker logs to {@code target} as {@code broker-ID.log}. */
    public void keepLogs(Path target) {
        try {
            Files.createDirectories(target);
            for (LabBroker broker : brokers()) {
                if (Files.exists(broker.logFile())) {
                    Path copy = target.resolve("broker-" + broker.id() + ".log");
                    Files.copy(broker.logFile(), copy, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.logsNotKept", target, e);
        }
    }

    /** Removes an ephemeral lab with its data; a persistent lab keeps running. */
    @Override
    public void close() {
        if (isEphemeral()) {
            stop(false);
        }
    }

    /**
     * Ends a lab, ephemeral or persistent. Brokers of an ephemeral lab are killed at once. Brokers of a persistent lab
     * are shut down, and killed after 10 s. Only verified processes and files of the lab are affected.
     *
     * @param keepData whether to keep the data of a persistent lab for a later {@link #start} in the same directory
     */
    public void stop(boolean keepData) {
        if (closed.getAndSet(true) && isEphemeral()) {
            return;
        }
        try {
            if (warden != null) {
                warden.end();
                extras.close();
            } else {
                processes.values().forEach(BrokerProcess::terminate);
            }
            // A killed process releases its ports with a delay, even if the warden killed it.
            long deadline = System.nanoTime() + STOP_PATIENCE.toNanos();
            processes.values().forEach(broker -> broker.endBy(deadline));
            if (isEphemeral() || !keepData) {
                directory.remove(nodes());
            }
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.notRemoved", directory.path(), e);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "lab.interruptedWaiting");
        }
    }

    void writeFile() throws IOException {
        LabFile.of(
                        this,
                        options,
                        directory,
                        processes.values().stream().map(LabFile.Entry::of).toList())
                .write(directory.path());
    }

    private Object lock(int id) {
        return locks.computeIfAbsent(id, broker -> new Object());
    }

    private BrokerProcess broker(int id) {
        BrokerProcess broker = processes.get(id);
        if (broker == null) {
            throw Exit.USAGE.because("lab.noSuchBroker", id, processes.keySet());
        }
        return broker;
    }
}
