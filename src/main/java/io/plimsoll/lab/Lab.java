package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;

/**
 * A cluster of real Apache Kafka brokers on this machine, each a process of its own. They are reachable on
 * 127.0.0.1 alone, unless {@link LabOptions#host} says otherwise.
 *
 * <p>An ephemeral lab is gone, processes and data, after {@link #close()} and also when this JVM ends in any other way,
 * SIGKILL included. A persistent one stays until {@link #stop}; later processes find it with {@link #open}.
 *
 * <p>All methods may be called by any thread. Faults ({@link #kill}, {@link #restart} and their like) are carried out
 * one after the other; nothing waits for them, neither questions nor {@link #close}.
 */
public final class Lab implements AutoCloseable {
    /** Also how the null broker's id begins. */
    private static final String OWN = "plimsoll";

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(10);

    private final LabOptions options;
    private final LabDirectory directory;
    private final String clusterId;
    /** Null for a persistent lab. */
    private final Warden warden;

    private final LabExtras extras;

    private final ConcurrentSkipListMap<Integer, BrokerProcess> processes = new ConcurrentSkipListMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile Set<String> unknownConfig = Set.of();

    Lab(
            LabOptions options,
            LabDirectory directory,
            String clusterId,
            Collection<BrokerProcess> started,
            Warden warden,
            LabExtras extras) {
        this.options = options;
        this.directory = directory;
        this.clusterId = clusterId;
        this.warden = warden;
        this.extras = extras;
        started.forEach(each -> processes.put(each.node().id(), each));
    }

    /**
     * Starts the brokers and returns when all of them see each other, so that topics can be created at once. In a
     * directory where a persistent lab was stopped with its data kept, or has died, it goes on with that data.
     *
     * @throws PlimsollException says in its first line why a broker did not start, followed by the broker's own last
     *     lines; nothing that was started is left
     */
    public static Lab start(LabOptions options) {
        return new LabStarter(options, List.of()).start();
    }

    /**
     * The persistent lab in {@code directory}, whether its brokers still run or not.
     *
     * @throws PlimsollException with {@link Exit#USAGE} if there is none
     */
    public static Lab open(Path directory) {
        return open(directory, Map.of());
    }

    /** The same for who starts brokers again; {@code clientConfig} is as {@link LabOptions#withClientConfig} takes it. */
    public static Lab open(Path directory, Map<String, String> clientConfig) {
        Exit.USAGE.when(!Files.exists(LabFile.in(directory)), "lab.noLab", directory);
        try {
            Path real = directory.toRealPath();
            return LabFile.read(real).lab(real, clientConfig);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.cannotReadLab", directory, e);
        }
    }

    /** The addresses of all brokers, as a client's {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return brokers().stream().map(LabBroker::address).collect(Collectors.joining(","));
    }

    /** Its users, and how they prove who they are; empty without {@link LabOptions#withSecurity security}. */
    public Optional<LabLogins> logins() {
        return Optional.ofNullable(options.security())
                .map(security -> LabLogins.of(
                        security, directory.path(), brokers().get(0).host()));
    }

    /** The brokers as they are now, in the order of their ids. */
    public List<LabBroker> brokers() {
        return processes.values().stream()
                .filter(each -> each.node().role().serves())
                .map(BrokerProcess::describe)
                .toList();
    }

    /** @throws PlimsollException with {@link Exit#USAGE} if there is none with this id */
    public LabBroker describe(int id) {
        return broker(id).describe();
    }

    public Path directory() {
        return directory.path();
    }

    public String clusterId() {
        return clusterId;
    }

    /** An id that tells everybody, by its first letters, whose the cluster is. */
    static String newClusterId() {
        return OWN + Uuid.randomUuid().toString().substring(OWN.length());
    }

    /** Whether a cluster with this id is a lab, whoever started it, or a null broker: nobody's data is there. */
    public static boolean isOwn(String clusterId) {
        return clusterId != null && clusterId.startsWith(OWN);
    }

    public boolean isEphemeral() {
        return warden != null;
    }

    /**
     * The names among the user's broker properties that the brokers do not know, and so ignored. Most are misspelt; a
     * few are read by plug-ins only. Empty for a lab that was {@linkplain #open opened}.
     */
    public Set<String> unknownConfig() {
        return unknownConfig;
    }

    void unknownConfig(Set<String> names) {
        unknownConfig = Collections.unmodifiableSet(names);
    }

    /** Whether the process of at least one broker is there. */
    public boolean isRunning() {
        return brokers().stream().anyMatch(LabBroker::alive);
    }

    /** The bytes of all record and state files of a broker, at this moment. */
    public long dataBytes(int id) {
        return LabDirectory.dataBytes(broker(id).node().disks());
    }

    /** Ends a broker at once, as a crash of its process would; its data stays. No effect if it is not running. */
    public synchronized void kill(int id) {
        BrokerProcess broker = broker(id);
        broker.kill();
        broker.endBy(System.nanoTime());
    }

    /**
     * Shuts a broker down in good order (it hands its partitions to others first), kills it if that takes longer than
     * {@code patience}, and returns when it is gone. No effect if it is not running.
     */
    public synchronized void shutDown(int id, Duration patience) {
        BrokerProcess broker = broker(id);
        broker.terminate();
        broker.endBy(System.nanoTime() + patience.toNanos());
    }

    /**
     * Makes starts of brokers on this machine faster, once for each build of the program: records which classes a
     * broker loads. Takes about ten seconds, none if it was done before. Labs work without it.
     *
     * @return whether starts are faster now
     */
    public static boolean prepare() {
        return BrokerFiles.makeArchive();
    }

    /** Stops a broker's process from running (SIGSTOP) without ending it or closing its connections. */
    public synchronized void pause(int id) {
        broker(id).pause();
    }

    /** Lets a paused broker go on. */
    public synchronized void resume(int id) {
        broker(id).signal("CONT");
    }

    /**
     * Disturbs the network in front of a broker until the next call; {@link Impairment#NONE} makes it well again.
     *
     * @throws PlimsollException with {@link Exit#USAGE} if the lab was started without proxies
     */
    public void impair(int id, Impairment impairment) {
        broker(id);
        extras.impair(id, impairment);
    }

    /**
     * Where a broker's figures can be read over JMX, on the loopback address alone. Another one after each
     * {@link #restart}.
     *
     * @throws IOException if the broker does not run or does not answer, or the lab was {@linkplain #open opened}
     */
    public String jmxAddress(int id) throws IOException, InterruptedException {
        return broker(id).jmxAddress();
    }

    /** Why there are no small disks although they were asked for; empty if there are, or were not asked for. */
    public Optional<Sentence> diskProblem() {
        return extras.diskProblem();
    }

    /** Leaves no byte free on a broker's small disk. */
    public void fillDisk(int id) {
        extras.fill(broker(id).node().dataDirectory());
    }

    /** Makes the room free again that {@link #fillDisk} took; a broker that has ended for want of it stays so. */
    public void freeDisk(int id) {
        extras.free(broker(id).node().dataDirectory());
    }

    /** What surrounds the brokers: proxies, small disks. */
    LabExtras extras() {
        return extras;
    }

    /**
     * Starts a broker that is not running, with its earlier ports, configuration and data, and returns when it is part
     * of the cluster again. Where too few brokers run for a controller to be elected it returns at once.
     *
     * <p>After a crash Kafka lets a broker come back only when the session of its dead process has expired
     * ({@code broker.session.timeout.ms}, 9 s).
     */
    public synchronized void restart(int id) {
        restart(id, broker(id).release());
    }

    /** Starts it as another release. */
    public synchronized void restart(int id, String release) {
        BrokerProcess dead = broker(id);
        Exit.USAGE.when(closed.get(), "lab.closed");
        Exit.USAGE.when(dead.isAlive(), "lab.stillRunning", id);
        start(dead.node(), release);
    }

    /** Starts a process that does not run, or is new, and returns when it is part of the cluster. */
    synchronized void start(LabNode node, String release) {
        BrokerJvm jvm = new BrokerJvm(clusterId, options, options.jvmFlags(), directory.path(), warden);
        try {
            extras.addIfNew(node);
            BrokerProcess started = BrokerProcess.start(jvm, node, release);
            try {
                processes.put(node.id(), started);
                if (isEphemeral()) {
                    warden.watch(started.pid());
                } else {
                    writeFile();
                }
            } catch (IOException e) {
                // The lab was closed meanwhile; nobody else would end this process.
                started.kill();
                throw e;
            }
            if (hasQuorumWithout(List.of())) {
                new Readiness(options.clientConfig(), LabStarter.START_PATIENCE).awaitOne(started);
            }
            started.leave();
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.notStartedAgain", node.id(), e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Whether there can be a controller when these processes are gone, too. */
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

    /** A broker that has ended is none of the lab's any more. */
    synchronized void forget(int id) {
        processes.remove(id);
    }

    /** All that runs, brokers before others. */
    List<LabNode> nodes() {
        return processes.values().stream().map(BrokerProcess::node).toList();
    }

    LabOptions options() {
        return options;
    }

    String release(int id) {
        return broker(id).release();
    }

    /** Copies what the brokers said about themselves to {@code target} as {@code broker-ID.log}. */
    public void keepLogs(Path target) {
        try {
            LabDirectory.copyLogs(brokers(), target);
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.logsNotKept", target, e);
        }
    }

    /** Ends an ephemeral lab and removes its data; leaves a persistent one running. */
    @Override
    public void close() {
        if (!isEphemeral() || closed.getAndSet(true)) {
            return;
        }
        try {
            warden.end();
            extras.close();
            // A process gives its ports back only after its memory, by which the warden judges.
            long deadline = System.nanoTime() + STOP_PATIENCE.toNanos();
            processes.values().forEach(broker -> broker.endBy(deadline));
            directory.remove(nodes());
        } catch (IOException e) {
            throw notRemoved(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /**
     * Ends a lab for good: asks the brokers to shut down, and kills those that have not after 10 s. Only processes that
     * are certainly the lab's own are touched, and only files that the lab has made are removed.
     *
     * @param keepData whether the data stays, for a later {@link #start} in the same directory
     */
    public void stop(boolean keepData) {
        if (isEphemeral()) {
            close();
            return;
        }
        closed.set(true);
        try {
            processes.values().forEach(BrokerProcess::terminate);
            long deadline = System.nanoTime() + STOP_PATIENCE.toNanos();
            processes.values().forEach(broker -> broker.endBy(deadline));
            if (!keepData) {
                directory.remove(nodes());
            }
        } catch (IOException e) {
            throw notRemoved(e);
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

    private BrokerProcess broker(int id) {
        BrokerProcess broker = processes.get(id);
        Exit.USAGE.when(broker == null, "lab.noSuchBroker", id, processes.keySet());
        return broker;
    }

    private PlimsollException notRemoved(IOException e) {
        return Exit.INTERNAL.because(e, "lab.notRemoved", directory.path(), e);
    }

    private static PlimsollException interrupted(InterruptedException e) {
        return Exit.interrupted(e, "lab.interruptedWaiting");
    }
}
