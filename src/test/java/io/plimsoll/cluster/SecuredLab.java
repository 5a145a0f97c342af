package io.plimsoll.cluster;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabLogins;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.lab.LabSecurity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Secured labs that all tests of a JVM share, each with one broker, started on first use and removed with the JVM. */
public final class SecuredLab {
    public static final String ADMIN = LabLogins.ADMIN;
    /** An authenticated user without permissions unless a test grants some. */
    public static final String ALICE = LabLogins.USER;

    private static final Pattern PASSWORD = Pattern.compile(" password=\"([^\"]+)\"");
    private static final int HEAP_MEGABYTES = 256;

    private SecuredLab() {}

    /**
     * A broker with SASL (PLAIN or SCRAM), without TLS, with ACLs; {@link #ADMIN} is a superuser. Clients
     * reauthenticate on open connections.
     */
    public static Lab sasl() {
        return Sasl.LAB;
    }

    /** A broker that requires TLS, with a self-signed certificate and without authentication. */
    public static Lab tls() {
        return Tls.LAB;
    }

    /** A broker that requires TLS and SCRAM, and enforces ACLs. */
    public static Lab saslOverTls() {
        return SaslTls.LAB;
    }

    /** A lab of one broker; the caller closes it. */
    public static Lab start(String security) {
        return start(security, Map.of(), Map.of());
    }

    /** @param brokerConfig overrides the security's settings, as does {@code clientConfig} for readiness checks */
    public static Lab start(String security, Map<String, String> brokerConfig, Map<String, String> clientConfig) {
        return Lab.start(LabOptions.ephemeral(1)
                .withHeapMegabytes(HEAP_MEGABYTES)
                .withBrokerConfig(brokerConfig)
                .withClientConfig(clientConfig)
                .withSecurity(LabSecurity.parse(security)));
    }

    public static String adminPassword() {
        return password(ADMIN);
    }

    public static String alicePassword() {
        return password(ALICE);
    }

    private static String password(String user) {
        Matcher password = PASSWORD.matcher(logins(sasl()).client(user, "PLAIN").get("sasl.jaas.config"));
        if (!password.find()) {
            throw new IllegalStateException("no password of " + user);
        }
        return password.group(1);
    }

    private static LabLogins logins(Lab lab) {
        return lab.logins().orElseThrow();
    }

    /** Client properties for {@link #sasl()}. */
    public static Map<String, String> saslProperties(String user, String password) {
        return Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user + "\" password=\""
                        + password + "\";");
    }

    /** Client properties of {@link #ADMIN} for {@link #sasl()}. */
    public static Map<String, String> scramProperties(String mechanism) {
        return logins(sasl()).client(ADMIN, mechanism);
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
        return logins(tls()).client();
    }

    private static final class Sasl {
        static final Lab LAB = start("SASL_PLAINTEXT,PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,acls,reauth=4s");
    }

    private static final class Tls {
        static final Lab LAB = start("SSL");
    }

    private static final class SaslTls {
        static final Lab LAB = start("SASL_SSL,SCRAM-SHA-512,acls,reauth=2s");
    }
}
