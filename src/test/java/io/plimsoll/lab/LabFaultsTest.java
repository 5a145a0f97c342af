package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.testing.Said;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults on a lab's brokers take effect and end, and the data survives. */
class LabFaultsTest {
    private static final LabOptions ONE = LabOptions.ephemeral(1).withHeapMegabytes(256);

    @Test
    @Tag("nightly")
    void overlappingFaultsEndOneByOne() throws Exception {
        Impairment slow = Impairment.slow(Duration.ofMillis(400), Duration.ZERO, 0);
        try (Lab lab = Lab.start(ONE.withProxies())) {
            lab.impair(1, slow);
            lab.impair(1, Impairment.CUT);
            lab.relieve(1, Impairment.CUT);
            assertThat(millisToConnect(lab)).isGreaterThan(400);
            lab.impair(1, Impairment.CUT);
            lab.relieve(1, slow);
            lab.relieve(1, Impairment.CUT);
            assertThat(millisToConnect(lab)).isPositive();
            lab.pause(1);
            lab.pause(1);
            lab.resume(1);
            assertThat(lab.describe(1).paused()).isTrue();
            lab.resume(1);
            assertThat(lab.describe(1).paused()).isFalse();
        }
    }

    private static long millisToConnect(Lab lab) throws Exception {
        long before = System.nanoTime();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", lab.bootstrapServers()))) {
            admin.describeCluster().nodes().get();
        }
        return (System.nanoTime() - before) / 1_000_000;
    }

    @Test
    @Tag("nightly")
    void killedBrokerRestartsOnItsPortWithItsData(@TempDir Path kept) throws Exception {
        try (Lab lab = Lab.start(ONE.withBrokerConfig(Map.of("broker.session.timeout.ms", "4000")))) {
            createTopic(lab, "before");
            LabBroker before = lab.brokers().get(0);
            assertThatThrownBy(() -> lab.restart(1)).hasMessage("Broker 1 is running; kill it first.");
            lab.kill(1);
            assertThat(lab.isRunning()).isFalse();
            assertThatThrownBy(() -> lab.pause(1)).hasMessage("Broker 1 is not running.");
            lab.kill(1); // No effect.

            try (ServerSocket squatter = new ServerSocket(before.port(), 1, InetAddress.getLoopbackAddress())) {
                assertThat(squatter.isBound()).isTrue();
                assertThatThrownBy(() -> lab.restart(1))
                        .isInstanceOf(PlimsollException.class)
                        .hasMessageStartingWith(
                                Said.text("«lab.start.failed¦1¦«lab.start.portTaken¦" + before.address() + "»»"))
                        .hasMessageContaining("Address already in use");
            }

            lab.restart(1);
            LabBroker after = lab.brokers().get(0);
            assertThat(after.alive()).isTrue();
            assertThat(after.port()).isEqualTo(before.port());
            assertThat(after.pid()).isNotEqualTo(before.pid());
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", lab.bootstrapServers()))) {
                assertThat(admin.listTopics().names().get()).contains("before");
            }
            assertThat(lab.dataBytes(1)).isPositive();
            lab.keepLogs(kept);
        }
        assertThat(Files.readString(kept.resolve("broker-1.log"))).contains("Kafka Server started");
    }

    @Test
    void invalidPropertyReportsBrokerErrorAndLeavesNothing(@TempDir Path scratch) {
        Path directory = scratch.resolve("lab");
        assertThatThrownBy(() ->
                        Lab.start(ONE.withDirectory(directory).withBrokerConfig(Map.of("num.io.threads", "many"))))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageStartingWith(Said.text(
                        "«lab.start.failed¦1¦«lab.start.badConfig¦Invalid value many for configuration num.io.threads: Not a number"
                                + " of type INT»»"))
                .hasMessageContaining("org.apache.kafka.common.config.ConfigException");
        assertThat(directory).doesNotExist();
    }

    @Test
    void reportsTakenPortBeforeStarting(@TempDir Path scratch) throws Exception {
        Path directory = scratch.resolve("lab");
        try (ServerSocket squatter = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = squatter.getLocalPort();
            assertThatThrownBy(() -> Lab.start(ONE.withDirectory(directory).withPort(port)))
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                    .hasMessageStartingWith(Said.text("«lab.portTaken¦" + port + "¦127.0.0.1¦1»"));
        }
        assertThat(directory).doesNotExist();
    }

    @Test
    void securedClientListenerWorksWithClientProperties() throws Exception {
        String login = "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"admin\""
                + " password=\"pw\"";
        Map<String, String> client = Map.of(
                "security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", "PLAIN", "sasl.jaas.config", login + ";");
        Map<String, String> broker = Map.of(
                "listener.security.protocol.map", "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
                "sasl.enabled.mechanisms", "PLAIN",
                "sasl.mechanism.inter.broker.protocol", "PLAIN",
                "listener.name.plaintext.plain.sasl.jaas.config", login + " user_admin=\"pw\";",
                "num.io.threds", "4");
        try (Lab lab = Lab.start(ONE.withBrokerConfig(broker).withClientConfig(client))) {
            assertThat(lab.unknownConfig()).containsExactly("num.io.threds");
            assertThat(lab.brokers()).hasSize(1);
        }
    }

    /** Any other disk is a file system of this host. */
    @Test
    void fillsOnlyMountedDisk(@TempDir Path scratch) throws Exception {
        LabOptions options = LabOptions.ephemeral(1).withDiskBytes(1 << 20).withDisks(2);
        LabNode node = new LabNodes(options, scratch).all(null).get(0);
        Path second = Files.createDirectories(node.disks().get(1));
        Warden warden = Warden.start(node.marker(), List.of());
        try (LabExtras extras = LabExtras.start(options, List.of(node), warden)) {
            assertThatThrownBy(() -> extras.fill(second)).isInstanceOf(PlimsollException.class);
            assertThat(second).isEmptyDirectory();
            assumeThat(extras.diskProblem()).as("small disk").isEmpty();
            extras.fill(node.dataDirectory());
            assertThat(Files.getFileStore(node.dataDirectory()).getUsableSpace())
                    .isLessThan(1 << 10);
            extras.free(node.dataDirectory());
            assertThat(node.dataDirectory()).isEmptyDirectory();
        } finally {
            warden.end();
        }
    }

    @Test
    void refusesFaultsOnUnknownBrokers() {
        Lab lab = SharedLab.oneBroker();
        assertThatThrownBy(() -> lab.kill(2)).hasMessage("The lab has no broker 2; its brokers are [1].");
        assertThat(lab.brokers().get(0).alive()).isTrue();
    }

    private static void createTopic(Lab lab, String name) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", lab.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
        }
    }
}
