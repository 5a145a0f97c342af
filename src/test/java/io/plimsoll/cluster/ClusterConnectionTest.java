package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterPreflight.ListenerProbe.Address;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An unusable cluster is reported with its reason: address, listener, security, permissions. */
@Order(1)
class ClusterConnectionTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @TempDir
    Path directory;

    private static PlimsollException failure(String bootstrapServers, Map<String, String> properties) {
        return catchThrowableOfType(
                PlimsollException.class, () -> new ClusterConnection(bootstrapServers, properties).check());
    }

    private static void assertFailure(PlimsollException failure, Exit exit, String... parts) {
        assertThat(failure.exit()).isEqualTo(exit);
        assertThat(failure.getMessage()).contains(parts).doesNotContain("\n", "Hush");
    }

    @Test
    void describesCluster() {
        Lab lab = SharedLab.oneBroker();
        ClusterDescription cluster = new ClusterConnection(lab.bootstrapServers(), Map.of()).check();
        assertThat(cluster.clusterId()).isEqualTo(lab.clusterId());
        assertThat(cluster.brokers())
                .containsExactly(new ClusterDescription.Broker(
                        1, "127.0.0.1", lab.brokers().get(0).port(), ""));
        assertThat(cluster.unreachable()).isEmpty();
    }

    @Test
    void oneReachableBootstrapServerIsEnough() throws IOException {
        try (Socket closed = reservedPort()) {
            String both = address(closed) + "," + SharedLab.oneBroker().bootstrapServers();
            assertThat(new ClusterConnection(both, Map.of()).check().brokers()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, must have the form host:port",
        "localhost:, must have the form host:port",
        "localhost:abc, must have the form host:port",
        "localhost:0, port 0",
        "localhost:65536, port 65536",
        "':9092', must have the form host:port",
        "'a:1,,b:2', empty entry",
        "http://localhost:9092/x, must have the form host:port"
    })
    void rejectsMalformedAddress(String bootstrapServers, String part) {
        assertFailure(failure(bootstrapServers, Map.of()), Exit.USAGE, part, "host:port");
    }

    @ParameterizedTest
    @CsvSource({"'[::1]:9092', '[::1]:9092'", "'PLAINTEXT://h:1, b:2', 'h:1'"})
    void acceptsSameAddressesAsKafkaClient(String bootstrapServers, String first) {
        assertThat(Address.parseAll(bootstrapServers).get(0)).hasToString(first);
    }

    /** A file can belong to an application. */
    @Test
    void clientsDoNotUseTransactionalIdOfApplication() {
        ClusterConnection connection = new ClusterConnection("a:1", Map.of("transactional.id", "ledger", "acks", "1"));
        assertThat(connection.clientProperties())
                .doesNotContainKey("transactional.id")
                .containsEntry("acks", "1");
    }

    @Test
    void namesUnresolvableHost() {
        assertFailure(
                failure("no-such-host.invalid:9092", Map.of()),
                Exit.CLUSTER,
                "no-such-host.invalid:9092",
                "cannot be resolved");
    }

    @Test
    void namesAddressThatRefusesConnection() throws IOException {
        try (Socket closed = reservedPort()) {
            assertFailure(failure(address(closed), Map.of()), Exit.CLUSTER, address(closed), "connection refused");
            assertFailure(
                    failure(address(closed) + ",no-such-host.invalid:1", Map.of()),
                    Exit.CLUSTER,
                    address(closed),
                    "none of the 2 bootstrap servers");
            assertFailure(
                    failure(address(closed), Map.of("security.protocol", "SSL")),
                    Exit.CLUSTER,
                    address(closed),
                    "connection refused");
        }
    }

    @Test
    void recognizesWebServer() throws IOException {
        try (Answering web = new Answering("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")) {
            assertFailure(failure(web.address(), Map.of()), Exit.CLUSTER, web.address(), "web server");
        }
    }

    @Test
    void recognizesAnotherProtocol() throws IOException {
        try (Answering ssh = new Answering("SSH-2.0-OpenSSH_9.2\r\n")) {
            assertFailure(
                    failure(ssh.address(), Map.of()), Exit.CLUSTER, ssh.address(), "not speak the Kafka protocol");
        }
    }

    @Test
    void recognizesServerThatDisconnects() throws IOException {
        try (Answering rude = new Answering("")) {
            assertFailure(failure(rude.address(), Map.of()), Exit.CLUSTER, rude.address(), "closes the connection");
        }
    }

    @Test
    void recognizesSilentServer() throws IOException {
        // The operating system completes connections; the test never accepts them.
        try (ServerSocket silent = new ServerSocket(0, 5, LOOPBACK)) {
            String address = "127.0.0.1:" + silent.getLocalPort();
            assertFailure(failure(address, Map.of()), Exit.CLUSTER, address, "did not respond");
        }
    }

    @Test
    void recognizesController() {
        // Also a Kafka listener, but not for clients.
        String controller =
                "127.0.0.1:" + SharedLab.oneBroker().brokers().get(0).controllerPort();
        assertFailure(failure(controller, Map.of()), Exit.CLUSTER, controller, "use a broker");
    }

    @Test
    @Tag("nightly")
    void reportsUnreachableAdvertisedListener() throws IOException {
        int brokerPort = SharedLab.oneBroker().brokers().get(0).port();
        try (Socket closed = reservedPort();
                AdvertisingProxy proxy = new AdvertisingProxy(brokerPort, closed.getLocalPort())) {
            assertFailure(
                    failure(proxy.address(), Map.of()),
                    Exit.CLUSTER,
                    Said.text("«cluster.advertisesUnreachable¦" + proxy.address() + "¦" + address(closed) + "»"),
                    "advertised.listeners");
        }
    }

    @Test
    void namesListedButUnreachableBroker() {
        try (Lab lab = Lab.start(LabOptions.ephemeral(2).withHeapMegabytes(256))) {
            lab.kill(2);
            // Until the session of the dead broker expires, the cluster lists it, like a broker behind a firewall.
            ClusterDescription cluster = new ClusterConnection(lab.bootstrapServers(), Map.of()).check();
            assertThat(cluster.unreachable()).containsOnlyKeys(2);
            assertThat(cluster.unreachable().get(2).english())
                    .isEqualTo("connection refused at " + lab.brokers().get(1).address());
        }
    }

    @Test
    void namesUserAndMechanismButNeverPassword() {
        String address = SecuredLab.sasl().bootstrapServers();
        Map<String, String> wrong = SecuredLab.saslProperties(SecuredLab.ALICE, "wrongHush");
        assertFailure(
                failure(address, wrong),
                Exit.CLUSTER,
                address,
                "'user'",
                "sasl.mechanism=PLAIN",
                "Invalid username or password");
        Map<String, String> mechanism = new HashMap<>(wrong);
        // The broker accepts PLAIN and SCRAM, and alice has no credentials for either.
        mechanism.put("sasl.mechanism", "SCRAM-SHA-256");
        mechanism.put("sasl.jaas.config", wrong.get("sasl.jaas.config").replace("plain.Plain", "scram.Scram"));
        assertFailure(
                failure(address, mechanism),
                Exit.CLUSTER,
                address,
                "sasl.mechanism=SCRAM-SHA-256",
                "invalid credentials with SASL mechanism SCRAM-SHA-256");
    }

    @Test
    void authenticatesRegardlessOfAcls() {
        assertThat(SecuredLab.saslConnection(SecuredLab.ADMIN, SecuredLab.adminPassword())
                        .check()
                        .brokers())
                .hasSize(1);
        assertThat(SecuredLab.saslConnection(SecuredLab.ALICE, SecuredLab.alicePassword())
                        .check()
                        .brokers())
                .hasSize(1);
    }

    @Test
    @Tag("nightly")
    void recognizesSecuritySettingsThatDoNotFitListener() {
        String plaintext = SharedLab.oneBroker().bootstrapServers();
        String sasl = SecuredLab.sasl().bootstrapServers();
        String tls = SecuredLab.tls().bootstrapServers();
        assertFailure(failure(tls, Map.of()), Exit.CLUSTER, Said.text("«cluster.expectsTls¦" + tls + "»"));
        assertFailure(failure(sasl, Map.of()), Exit.CLUSTER, Said.text("«cluster.asksForSasl¦" + sasl + "»"));
        assertFailure(
                failure(plaintext, SecuredLab.tlsProperties()),
                Exit.CLUSTER,
                Said.text("«cluster.noTls¦" + plaintext + "»"));
        PlimsollException unknown = failure(plaintext, SecuredLab.saslProperties("u", "pwHush"));
        assertFailure(unknown, Exit.CLUSTER, plaintext);
        assertThat(unknown.sentence().key()).isEqualTo("cluster.refusedAuthentication");
    }

    @Test
    void trustsTlsListenerOnlyWithTruststore() {
        String tls = SecuredLab.tls().bootstrapServers();
        assertThat(new ClusterConnection(tls, SecuredLab.tlsProperties())
                        .check()
                        .brokers())
                .hasSize(1);
        assertFailure(
                failure(tls, Map.of("security.protocol", "SSL")), Exit.CLUSTER, tls, "TLS handshake", "ssl.truststore");
        Map<String, String> wrong = new HashMap<>(SecuredLab.tlsProperties());
        wrong.put("ssl.truststore.password", "otherHush");
        assertFailure(failure(tls, wrong), Exit.USAGE, Said.text("«cluster.unusableProperties»"), "password");
        wrong.put("ssl.truststore.location", "/no/such/store");
        assertFailure(failure(tls, wrong), Exit.USAGE, Said.text("«cluster.noFile¦/no/such/store»"));
    }

    @Test
    void rejectsInvalidPropertiesBeforeConnecting() {
        assertFailure(
                failure("127.0.0.1:1", Map.of("security.protocol", "TLS")), Exit.USAGE, "TLS", "security.protocol");
        Map<String, String> malformed = Map.of(
                "security.protocol", "SASL_PLAINTEXT", "sasl.jaas.config", "Module sometimes password=\"jaasHush\";");
        assertFailure(
                failure(SharedLab.oneBroker().bootstrapServers(), malformed),
                Exit.USAGE,
                Said.text("«cluster.unusableProperties»"));
    }

    @Test
    void doesNotShowSecrets() {
        ClusterConnection connection = new ClusterConnection("h:1", SecuredLab.saslProperties("alice", "pwHush"));
        assertThat(connection.toString())
                .contains("h:1", "sasl.mechanism=PLAIN")
                .doesNotContain("Hush");
    }

    @Test
    void singlePropertiesOverrideFile() throws IOException {
        Path file = directory.resolve("client.properties");
        Files.writeString(file, "# mine\nbootstrap.servers = a:1\nacks: 1\nlinger.ms 5\nclient.rack=\n");
        ClusterConnection connection = ClusterConnection.of(null, file, List.of("acks=all", "x=a=b"));
        assertThat(connection.bootstrapServers()).isEqualTo("a:1");
        assertThat(connection.properties())
                .containsOnly(
                        Map.entry("acks", "all"),
                        Map.entry("linger.ms", "5"),
                        Map.entry("client.rack", ""),
                        Map.entry("x", "a=b"));
        assertThat(ClusterConnection.of("b:2", file, List.of()).bootstrapServers())
                .isEqualTo("b:2");
        assertThat(connection.clientProperties())
                .containsEntry("bootstrap.servers", "a:1")
                .containsEntry("acks", "all");
    }

    @Test
    void explainsInvalidPropertiesFile() throws IOException {
        Path missing = directory.resolve("missing");
        assertFailure(ofFailure(missing), Exit.USAGE, missing.toString(), "does not exist");
        assertFailure(ofFailure(directory), Exit.USAGE, directory.toString(), "directory");
        Path bad = directory.resolve("bad");
        Files.writeString(bad, "acks=1\n\nsecurity.protocol\n");
        assertFailure(ofFailure(bad), Exit.USAGE, bad.toString(), "line 3");
        Files.writeString(bad, "=1\n");
        assertFailure(ofFailure(bad), Exit.USAGE, bad.toString(), "line 1");
        Files.writeString(bad, "a=\\u00zz\n");
        assertFailure(ofFailure(bad), Exit.USAGE, bad.toString(), "malformed");
    }

    /** Java, and with it Kafka's tools, read a properties file as ISO-8859-1. */
    @Test
    void readsPropertiesFileInUtf8OrLatin1() throws IOException {
        String text = "# für alle\nclient.id=zähler\n";
        Path file = directory.resolve("encoded");
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
            Files.writeString(file, text, charset);
            assertThat(ClusterConnection.properties(file)).as("%s", charset).containsEntry("client.id", "zähler");
        }
    }

    private static PlimsollException ofFailure(Path file) {
        return catchThrowableOfType(PlimsollException.class, () -> ClusterConnection.of("a:1", file, List.of()));
    }

    @Test
    void explainsInvalidProperty() {
        assertFailure(
                catchThrowableOfType(
                        PlimsollException.class, () -> ClusterConnection.of("a:1", null, List.of("passwordHush"))),
                Exit.USAGE,
                "name=value");
        assertFailure(
                catchThrowableOfType(PlimsollException.class, () -> ClusterConnection.of(null, null, List.of())),
                Exit.USAGE,
                "--bootstrap-server");
    }

    @Test
    void boundsDurationOfAdminCalls() throws IOException {
        Map<String, String> quick = Map.of("default.api.timeout.ms", "1000", "request.timeout.ms", "900");
        try (Socket closed = reservedPort();
                Admin admin = new ClusterConnection(address(closed), quick).admin()) {
            PlimsollException failure =
                    catchThrowableOfType(PlimsollException.class, () -> new Topics(admin).names(false));
            assertFailure(failure, Exit.CLUSTER, Said.text("«cluster.noAnswer»"));
        }
    }

    /** A reserved port that refuses connections: bound, but not listening. */
    private static Socket reservedPort() throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(LOOPBACK, 0));
        return socket;
    }

    private static String address(Socket socket) {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    /** A server that reads its input, responds with a fixed text, and disconnects. */
    private static final class Answering implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 50, LOOPBACK);

        Answering(String answer) throws IOException {
            Thread thread = new Thread(() -> serve(answer), "answering");
            thread.setDaemon(true);
            thread.start();
        }

        String address() {
            return "127.0.0.1:" + server.getLocalPort();
        }

        private void serve(String answer) {
            while (true) {
                try (Socket socket = server.accept()) {
                    InputStream in = socket.getInputStream();
                    if (in.read(new byte[1024]) > 0) {
                        socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    }
                } catch (SocketException e) {
                    if (server.isClosed()) {
                        return;
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }
}
