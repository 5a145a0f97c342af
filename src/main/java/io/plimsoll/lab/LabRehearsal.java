package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;

/** The works that operators do on a cluster, on a lab: other releases, more and fewer brokers, other certificates. */
public record LabRehearsal(Lab lab) {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);
    private static final long ANSWER_SECONDS = 30;
    private static final long POLL_MILLIS = 100;
    private static final Duration SHOWN_PATIENCE = Duration.ofSeconds(30);
    private static final int CONNECT_MILLIS = 2000;
    private static final long LOOK_MILLIS = 50;
    private static final int IN_A_ROW = 10;

    /** Has another release ready before brokers are down; {@link Exit#USAGE} if it cannot be had or become. */
    public void prepare(String release) {
        boolean zooKeeper = lab.nodes().stream().anyMatch(node -> node.role() == LabNode.Role.ZOOKEEPER);
        Exit.USAGE.when(zooKeeper || KafkaRelease.of(release).needsZooKeeper(), "lab.upgrade.zooKeeper");
    }

    /** Whether all brokers are of a release. */
    public boolean areAll(String release) {
        return lab.brokers().stream()
                .allMatch(broker -> lab.release(broker.id()).equals(release));
    }

    /** Restarts controllers that are apart as another release, one after the other. */
    public void restartControllers(String release) {
        for (LabNode node : lab.nodes()) {
            if (node.role() == LabNode.Role.CONTROLLER) {
                lab.shutDown(node.id(), STOP_PATIENCE);
                lab.restart(node.id(), release);
            }
        }
    }

    /** Raises each feature to the highest level that all nodes support, for good; {@code name 21 -> 27} each. */
    public List<String> finalizeFeatures() {
        return asked(admin -> {
            FeatureMetadata features = answer(admin.describeFeatures().featureMetadata());
            Map<String, FeatureUpdate> updates = new HashMap<>();
            Map<String, FinalizedVersionRange> there = features.finalizedFeatures();
            features.supportedFeatures().forEach((name, range) -> {
                FinalizedVersionRange now = there.get(name);
                // The way in which the controllers vote cannot be changed with voters that are fixed.
                if (!name.equals("kraft.version") && (now == null || now.maxVersionLevel() < range.maxVersion())) {
                    updates.put(name, new FeatureUpdate(range.maxVersion(), FeatureUpdate.UpgradeType.UPGRADE));
                }
            });
            answer(admin.updateFeatures(updates, new UpdateFeaturesOptions()).all());
            return updates.entrySet().stream()
                    .map(e -> e.getKey() + " "
                            + (there.containsKey(e.getKey())
                                    ? there.get(e.getKey()).maxVersionLevel()
                                    : 0) + " -> "
                            + e.getValue().maxVersionLevel())
                    .sorted()
                    .toList();
        });
    }

    /** Starts one more broker, of the release of the others, and returns its id when it is part of the cluster. */
    public int addBroker() {
        LabNode node = new LabNodes(lab.options(), lab.directory()).another(lab.nodes());
        try {
            List<LabNode> all = new ArrayList<>(lab.nodes());
            all.add(node);
            LabStarter.writeConfig(node, BrokerConfig.of(node, all, LabStarter.ofRack(node, lab.options())));
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.notStartedAgain", node.id(), e);
        }
        lab.start(node, lab.release(lab.brokers().get(0).id()));
        return node.id();
    }

    /** Shuts a broker down that has no partitions any more, and has the cluster forget it. */
    public void removeBroker(int id) {
        lab.shutDown(id, STOP_PATIENCE);
        lab.forget(id);
        asked(admin -> answer(admin.unregisterBroker(id).all()));
    }

    /** @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if a broker of the lab has one disk only */
    public void requireSpareDisk(int id) {
        Exit.USAGE.when(disks(id).size() < 2, "lab.oneDisk", id);
    }

    /** The last of a broker's disks goes, not that of the controllers' log; returns when the broker goes on. */
    public void loseDisk(int id) {
        requireSpareDisk(id);
        Path last = disks(id).get(disks(id).size() - 1);
        lab.extras().takeDisk(last);
        asked(admin -> {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
            while (answer(admin.describeLogDirs(List.of(id)).descriptions().get(id)).values().stream()
                    .noneMatch(disk -> disk.error() != null)) {
                Exit.CLUSTER.when(System.nanoTime() > deadline, "lab.diskNotMissed", id, last);
                Thread.sleep(POLL_MILLIS);
            }
            return null;
        });
    }

    /** A broker looks for its disks when it starts. */
    public void returnDisk(int id) {
        lab.shutDown(id, STOP_PATIENCE);
        lab.extras().giveDisk(disks(id).get(disks(id).size() - 1));
        lab.restart(id);
    }

    private List<Path> disks(int id) {
        return lab.nodes().stream()
                .filter(node -> node.id() == id)
                .findFirst()
                .map(LabNode::disks)
                .orElse(List.of());
    }

    /** @throws io.plimsoll.PlimsollException {@link Exit#CLUSTER} if the others could not go on without this broker */
    public void requireDispensable(int id) {
        List<LabNode> left =
                lab.nodes().stream().filter(node -> node.id() != id).toList();
        long voters = left.stream().filter(node -> node.role().votes()).count();
        boolean voted = lab.nodes().stream()
                .anyMatch(node -> node.id() == id && node.role().votes());
        Exit.CLUSTER.when(voted && voters <= lab.options().brokers() / 2, "lab.indispensable", id);
    }

    /** Gives a broker a new certificate of the same authority; returns when it shows that. */
    public void rotate(int id) {
        give(id, KeyTool.TEN_YEARS);
    }

    /**
     * Gives a broker a certificate that has ended, of a lab {@linkplain LabOptions#withBrokersApart whose brokers are apart};
     * {@link #restoreCertificate} makes it well again.
     */
    public void expire(int id) {
        Exit.USAGE.when(between().isEmpty(), "lab.notApart");
        give(id, LabStores.ENDED);
    }

    /** Gives a broker the certificate back with which it has started. */
    public void restoreCertificate(int id) {
        give(id, null);
    }

    private void give(int id, String days) {
        lab.options().requireTls();
        LabLogins.BrokerStore store = lab.logins().orElseThrow().brokerStore(days);
        boolean own = store.keys() == null;
        AlterConfigOp change = new AlterConfigOp(
                new ConfigEntry(
                        LabLogins.LISTENER + "ssl.keystore.location",
                        own ? null : store.keys().toString()),
                own ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET);
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id));
        asked(admin -> answer(
                admin.incrementalAlterConfigs(Map.of(broker, List.of(change))).all()));
        awaitShown(lab.describe(id), store.number());
    }

    /** Where brokers reach each other, apart from clients and without a login; empty if they do it as clients do. */
    private List<String> between() {
        return lab.nodes().stream()
                .filter(node -> node.ports().internal() > 0)
                .map(node -> LabNode.HOST + ":" + node.ports().internalAdvertised())
                .toList();
    }

    private interface Question<T> {
        T ask(Admin admin) throws ExecutionException, TimeoutException, InterruptedException;
    }

    private <T> T asked(Question<T> question) {
        List<String> between = between();
        Map<String, Object> config =
                new HashMap<>(between.isEmpty() ? lab.options().clientConfig() : Map.of());
        config.put("bootstrap.servers", between.isEmpty() ? lab.bootstrapServers() : String.join(",", between));
        config.put("enable.metrics.push", false);
        try (Admin admin = Admin.create(config)) {
            return question.ask(admin);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e instanceof ExecutionException ? e.getCause() : e;
            throw Exit.CLUSTER.because(e, "lab.rehearsalFailed", cause);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "lab.interruptedWaiting");
        }
    }

    private static <T> T answer(KafkaFuture<T> future)
            throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Returns when a broker shows the certificate with this number to whoever connects, on whichever of the broker's network threads: they get it one by one.
     *
     * @throws io.plimsoll.PlimsollException {@link Exit#CLUSTER} if it is not, for half a minute
     */
    private static void awaitShown(LabBroker broker, BigInteger number) {
        long deadline = System.nanoTime() + SHOWN_PATIENCE.toNanos();
        try {
            for (int inARow = 0; inARow < IN_A_ROW; ) {
                if (number.equals(shown(broker))) {
                    inARow++;
                } else {
                    Exit.CLUSTER.when(System.nanoTime() > deadline, "lab.otherCertificate", broker.id());
                    inARow = 0;
                    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "lab.interruptedWaiting");
        }
    }

    /** The number of the certificate that it shows now, whether it is to be believed or not; null if it shows none. */
    private static BigInteger shown(LabBroker broker) {
        Seen seen = new Seen();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {seen}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
                socket.connect(new InetSocketAddress(broker.host(), broker.port()), CONNECT_MILLIS);
                socket.setSoTimeout(CONNECT_MILLIS);
                socket.startHandshake();
            }
        } catch (IOException e) {
            // A broker that asks for a certificate itself ends it, after it has shown its own.
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "text.noCertificate", e.getMessage());
        }
        return seen.number;
    }

    /** Believes all, and keeps the number of what was shown. */
    private static final class Seen implements X509TrustManager {
        private BigInteger number;

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String algorithm) {
            number = chain[0].getSerialNumber();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String algorithm) {
            throw new UnsupportedOperationException();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
