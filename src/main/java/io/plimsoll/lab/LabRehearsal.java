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
import java.util.Objects;
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
import org.jspecify.annotations.Nullable;

/** Operator tasks rehearsed on a lab: upgrades, scaling, disk loss, certificate rotation. */
public record LabRehearsal(Lab lab) {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);
    private static final long ANSWER_SECONDS = 30;
    private static final long POLL_MILLIS = 100;
    private static final Duration SHOWN_PATIENCE = Duration.ofSeconds(30);
    private static final int CONNECT_MILLIS = 2000;
    private static final long LOOK_MILLIS = 50;
    private static final int IN_A_ROW = 10;

    public boolean areAll(String release) {
        return lab.brokers().stream()
                .allMatch(broker -> lab.release(broker.id()).equals(release));
    }

    /** Restarts separate controllers with another release, one by one. */
    public void restartControllers(String release) {
        for (LabNode node : lab.nodes()) {
            if (node.role() == LabNode.Role.CONTROLLER) {
                lab.shutDown(node.id(), STOP_PATIENCE);
                lab.restart(node.id(), release);
            }
        }
    }

    /** Finalizes each feature at the highest level that all nodes support; returns texts such as {@code name 21 -> 27}. */
    public List<String> finalizeFeatures() {
        return asked(admin -> {
            FeatureMetadata features = answer(admin.describeFeatures().featureMetadata());
            Map<String, FeatureUpdate> updates = new HashMap<>();
            Map<String, FinalizedVersionRange> there = features.finalizedFeatures();
            features.supportedFeatures().forEach((name, range) -> {
                FinalizedVersionRange now = there.get(name);
                // The quorum protocol cannot change if voters are static.
                if (!name.equals("kraft.version") && (now == null || now.maxVersionLevel() < range.maxVersion())) {
                    updates.put(name, new FeatureUpdate(range.maxVersion(), FeatureUpdate.UpgradeType.UPGRADE));
                }
            });
            // Kafka rejects an empty update.
            if (!updates.isEmpty()) {
                answer(admin.updateFeatures(updates, new UpdateFeaturesOptions())
                        .all());
            }
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

    /** Starts an additional broker of the same release; returns its id after it has joined the cluster. */
    public int addBroker() {
        LabNode node = new LabNodes(lab.options, lab.directory()).another(lab.nodes());
        try {
            List<LabNode> all = new ArrayList<>(lab.nodes());
            all.add(node);
            LabStarter.writeConfig(node, BrokerConfig.of(node, all, LabStarter.ofRack(node, lab.options)));
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.notStartedAgain", node.id(), e);
        }
        lab.start(node, lab.release(lab.brokers().get(0).id()));
        return node.id();
    }

    /** Shuts down and unregisters a broker without partitions. */
    public void removeBroker(int id) {
        lab.shutDown(id, STOP_PATIENCE);
        lab.forget(id);
        asked(admin -> answer(admin.unregisterBroker(id).all()));
    }

    /** @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if the brokers have a single disk */
    public void requireSpareDisk(int id) {
        Exit.USAGE.when(disks(id).size() < 2, "lab.oneDisk", id);
    }

    /**
     * Makes a broker's last disk fail; this disk does not contain the metadata log. Returns when the broker reports the
     * failure.
     */
    public void loseDisk(int id) {
        requireSpareDisk(id);
        Path last = disks(id).get(disks(id).size() - 1);
        lab.extras.takeDisk(last);
        asked(admin -> {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ANSWER_SECONDS);
            while (answer(Objects.requireNonNull(
                            admin.describeLogDirs(List.of(id)).descriptions().get(id)))
                    .values()
                    .stream()
                    .noneMatch(disk -> disk.error() != null)) {
                Exit.CLUSTER.when(System.nanoTime() > deadline, "lab.diskNotMissed", id, last);
                Thread.sleep(POLL_MILLIS);
            }
            return id;
        });
    }

    /** Restores a failed disk; a broker detects disks only at its start. */
    public void returnDisk(int id) {
        lab.shutDown(id, STOP_PATIENCE);
        lab.extras.giveDisk(disks(id).get(disks(id).size() - 1));
        lab.restart(id);
    }

    private List<Path> disks(int id) {
        return lab.nodes().stream()
                .filter(node -> node.id() == id)
                .findFirst()
                .map(LabNode::disks)
                .orElse(List.of());
    }

    /** @throws io.plimsoll.PlimsollException {@link Exit#CLUSTER} if the cluster cannot continue without this broker */
    public void requireDispensable(int id) {
        List<LabNode> left =
                lab.nodes().stream().filter(node -> node.id() != id).toList();
        long voters = left.stream().filter(node -> node.role().votes()).count();
        boolean voted = lab.nodes().stream()
                .anyMatch(node -> node.id() == id && node.role().votes());
        Exit.CLUSTER.when(voted && voters <= lab.options.brokers() / 2, "lab.indispensable", id);
    }

    /** Renews a broker's certificate with the same authority; returns when the broker presents it. */
    public void rotate(int id) {
        give(id, KeyTool.TEN_YEARS);
    }

    /**
     * Gives a broker an expired certificate, in a lab {@linkplain LabOptions#withBrokersApart with a separate
     * inter-broker listener}; {@link #restoreCertificate} undoes it.
     */
    public void expire(int id) {
        Exit.USAGE.when(between().isEmpty(), "lab.notApart");
        give(id, LabLogins.ENDED);
    }

    public void restoreCertificate(int id) {
        give(id, null);
    }

    private void give(int id, @Nullable String days) {
        lab.options.requireTls();
        LabLogins.BrokerStore store = lab.logins().orElseThrow().brokerStore(days);
        boolean own = store.keys() == null;
        AlterConfigOp change = new AlterConfigOp(
                new ConfigEntry(LabLogins.LISTENER + "ssl.keystore.location", Objects.toString(store.keys(), null)),
                own ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET);
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(id));
        asked(admin -> answer(
                admin.incrementalAlterConfigs(Map.of(broker, List.of(change))).all()));
        awaitShown(lab.describe(id), store.number());
    }

    /** Addresses of the separate inter-broker listeners; empty if brokers use the client listeners. */
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
        Map<String, Object> config = new HashMap<>(between.isEmpty() ? lab.options.clientConfig : Map.of());
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
     * Returns when a broker presents the certificate with this serial number on all of its network threads, because the
     * threads update one by one.
     *
     * @throws io.plimsoll.PlimsollException {@link Exit#CLUSTER} after half a minute
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

    /** Serial number of the presented certificate, valid or not. */
    private static @Nullable BigInteger shown(LabBroker broker) {
        SerialRecorder seen = new SerialRecorder();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {seen}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
                socket.connect(new InetSocketAddress(broker.host(), broker.port()), CONNECT_MILLIS);
                socket.setSoTimeout(CONNECT_MILLIS);
                socket.startHandshake();
            }
        } catch (IOException e) {
            // With mutual TLS, the broker ends the handshake after it has sent its certificate.
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "text.noCertificate", e.getMessage());
        }
        return seen.number;
    }

    /** Trusts every certificate and records the serial number. */
    private static final class SerialRecorder implements X509TrustManager {
        private @Nullable BigInteger number;

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
