package io.plimsoll.cluster;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;

/**
 * Labs with security that all tests of a JVM share, each of one broker, started when first asked for and gone with the
 * JVM.
 */
public final class SecuredLab {
    public static final String ADMIN = "admin";
    public static final String ADMIN_PASSWORD = "adminHush1";
    /** A user who is known but has no rights, unless a test gives some. */
    public static final String ALICE = "alice";

    public static final String ALICE_PASSWORD = "aliceHush2";

    private static final String STORE_PASSWORD = "storeHush3";
    private static final String PLAIN_MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule required ";
    private static final String SCRAM_MODULE = "org.apache.kafka.common.security.scram.ScramLoginModule required";
    private static final int HEAP_MEGABYTES = 256;

    private SecuredLab() {}

    /** A broker that wants SASL (PLAIN or SCRAM) without TLS, and ACLs; {@link #ADMIN} may do everything. */
    public static Lab sasl() {
        return Sasl.LAB;
    }

    /** A broker that wants TLS, with a certificate of its own making and without authentication. */
    public static Lab tls() {
        return Tls.LAB;
    }

    /** Client properties for {@link #sasl()}. */
    public static Map<String, String> saslProperties(String user, String password) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                PLAIN_MODULE + "username=\"" + user + "\" password=\"" + password + "\";");
    }

    /** Client properties of {@link #ADMIN} for {@link #sasl()}, whose SCRAM credentials are made for this. */
    public static Map<String, String> scramProperties(String mechanism) throws Exception {
        Map<String, Object> properties = new HashMap<>(saslProperties(ADMIN, ADMIN_PASSWORD));
        properties.put("bootstrap.servers", sasl().bootstrapServers());
        try (Admin admin = Admin.create(properties)) {
            ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.fromMechanismName(mechanism), 4096);
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(ADMIN, info, ADMIN_PASSWORD)))
                    .all()
                    .get();
        }
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                mechanism,
                "sasl.jaas.config",
                SCRAM_MODULE + " username=\"" + ADMIN + "\" password=\"" + ADMIN_PASSWORD + "\";");
    }

    /** The same in a file, as for {@code --command-config}. */
    public static Path writeSaslProperties(Path file, String user, String password) throws IOException {
        StringBuilder text = new StringBuilder();
        saslProperties(user, password)
                .forEach((name, value) ->
                        text.append(name).append('=').append(value).append('\n'));
        return Files.writeString(file, text);
    }

    public static ClusterConnection saslConnection(String user, String password) {
        return new ClusterConnection(sasl().bootstrapServers(), saslProperties(user, password));
    }

    /** Client properties for {@link #tls()}, trusting its certificate. */
    public static Map<String, String> tlsProperties() {
        return Tls.CLIENT;
    }

    private static final class Sasl {
        static final Lab LAB = Lab.start(LabOptions.ephemeral(1)
                .withHeapMegabytes(HEAP_MEGABYTES)
                .withClientConfig(saslProperties(ADMIN, ADMIN_PASSWORD))
                .withBrokerConfig(Map.of(
                        "listener.security.protocol.map",
                        "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
                        "sasl.enabled.mechanisms",
                        "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
                        "listener.name.plaintext.scram-sha-256.sasl.jaas.config",
                        SCRAM_MODULE + ";",
                        "listener.name.plaintext.scram-sha-512.sasl.jaas.config",
                        SCRAM_MODULE + ";",
                        "sasl.mechanism.inter.broker.protocol",
                        "PLAIN",
                        // Clients prove again who they are, on connections that go on working.
                        "connections.max.reauth.ms",
                        "4000",
                        "listener.name.plaintext.plain.sasl.jaas.config",
                        PLAIN_MODULE + "username=\"" + ADMIN + "\" password=\"" + ADMIN_PASSWORD + "\" user_" + ADMIN
                                + "=\"" + ADMIN_PASSWORD + "\" user_" + ALICE + "=\"" + ALICE_PASSWORD + "\";",
                        "authorizer.class.name",
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                        // The controllers' own listener is without authentication.
                        "super.users",
                        "User:ANONYMOUS;User:" + ADMIN)));
    }

    private static final class Tls {
        static final Path KEY_STORE = keyStore();
        static final Map<String, String> CLIENT = Map.of(
                "security.protocol",
                "SSL",
                "ssl.truststore.location",
                KEY_STORE.toString(),
                "ssl.truststore.type",
                "PKCS12",
                "ssl.truststore.password",
                STORE_PASSWORD);
        static final Lab LAB = Lab.start(LabOptions.ephemeral(1)
                .withHeapMegabytes(HEAP_MEGABYTES)
                .withClientConfig(CLIENT)
                .withBrokerConfig(brokerConfig()));

        private static Map<String, String> brokerConfig() {
            Map<String, String> config = new HashMap<>(CLIENT);
            config.remove("security.protocol");
            config.put("listener.security.protocol.map", "PLAINTEXT:SSL,CONTROLLER:PLAINTEXT");
            config.put("ssl.keystore.location", KEY_STORE.toString());
            config.put("ssl.keystore.type", "PKCS12");
            config.put("ssl.keystore.password", STORE_PASSWORD);
            return config;
        }

        /** Made by the JDK's own tool: its classes offer no public way to sign a certificate. */
        private static Path keyStore() {
            try {
                Path directory = Files.createTempDirectory("plimsoll-tls");
                directory.toFile().deleteOnExit();
                Path store = directory.resolve("broker.p12");
                store.toFile().deleteOnExit();
                String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool")
                        .toString();
                String options = "-genkeypair -alias broker -keyalg EC -dname CN=localhost -ext SAN=ip:127.0.0.1"
                        + " -validity 2 -storetype PKCS12 -storepass " + STORE_PASSWORD;
                List<String> command = new ArrayList<>(List.of(keytool));
                command.addAll(List.of(options.split(" ")));
                command.addAll(List.of("-keystore", store.toString()));
                Process process = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
                if (!process.waitFor(30, TimeUnit.SECONDS) || process.exitValue() != 0) {
                    process.destroyForcibly();
                    throw new IllegalStateException("keytool made no key store");
                }
                return store;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
