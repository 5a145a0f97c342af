package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.LoginProperties;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Users of a lab with {@link LabSecurity}, and the credentials of users and brokers. They are created once, in files of
 * mode 0600 in a directory of mode 0700, and removed with the lab.
 */
public final class LabLogins {
    /** Superuser. */
    public static final String ADMIN = "admin";
    /** Authenticated user; with ACLs, without any permission by default. */
    public static final String USER = "user";

    private static final String DIRECTORY = BrokerMain.SECURITY;
    private static final String BROKER = "broker";
    private static final String SERVICE = "kafka";
    private static final String PASSWORD = ".password";
    /** Property prefix of the client listener. */
    static final String LISTENER = "listener.name.plaintext.";

    private static final String OAUTH = "org.apache.kafka.common.security.oauthbearer.";
    private static final String MODULES = "org.apache.kafka.common.security.";
    private static final Duration TOKEN_LIFETIME = Duration.ofDays(3650);
    private static final int PASSWORD_BYTES = 18;

    private final LabSecurity security;
    private final Path directory;
    private final String host;

    private LabLogins(LabSecurity security, Path directory, String host) {
        this.security = security;
        this.directory = directory;
        this.host = host;
    }

    static LabLogins of(LabSecurity security, Path lab, String host) {
        LabLogins logins = new LabLogins(security, in(lab), host);
        LoginProperties.kerberos(logins.krb5());
        try {
            if (!Files.exists(logins.directory)) {
                logins.make();
            }
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.notStarted", lab, e);
        }
        return logins;
    }

    static Path in(Path lab) {
        return lab.resolve(DIRECTORY);
    }

    /** Whether a directory contains logins. */
    static boolean areIn(Path directory) {
        return Files.exists(directory.resolve(ADMIN + PASSWORD));
    }

    private void make() throws IOException {
        Files.createDirectory(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String user : List.of(ADMIN, USER)) {
            write(passwordFile(user), secret());
        }
        if (security.tls()) {
            Path password = storePassword();
            write(password, secret());
            List<String> owners = security.mutual() ? List.of(BROKER, ADMIN, USER) : List.of(BROKER);
            LabStores.make(directory, password, owners, host);
        }
        if (security.mechanisms().contains(LabSecurity.OAUTHBEARER)) {
            LabToken token = new LabToken();
            write(directory.resolve("jwks.json"), token.jwks());
            for (String user : List.of(ADMIN, USER)) {
                write(tokenFile(user), token.of(user, TOKEN_LIFETIME));
            }
        }
        List<String> scram = scram();
        if (!scram.isEmpty()) {
            write(directory.resolve(BrokerMain.SCRAM), String.join("\n", scram));
        }
        for (String user : List.of(ADMIN, USER)) {
            writeProperties(user + ".properties", client(user, first()));
            for (String mechanism : security.mechanisms().stream().skip(1).toList()) {
                writeProperties(
                        user + "-" + mechanism.toLowerCase(Locale.ROOT) + ".properties", client(user, mechanism));
            }
        }
    }

    private void writeProperties(String name, Map<String, String> properties) throws IOException {
        write(
                directory.resolve(name),
                properties.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue() + "\n")
                        .collect(Collectors.joining()));
    }

    /** Client properties file of a user, for {@code --command-config}. */
    public Path properties(String user) {
        return directory.resolve(user + ".properties");
    }

    /** The default mechanism; null without SASL. */
    private String first() {
        return security.mechanisms().stream().findFirst().orElse(null);
    }

    /** Client properties of {@link #ADMIN}, with secrets. */
    public Map<String, String> client() {
        return client(ADMIN, first());
    }

    /**
     * Client properties of a user, with secrets.
     *
     * @param user {@link #ADMIN} or {@link #USER}
     * @param mechanism one of the lab's; null without SASL
     */
    public Map<String, String> client(String user, String mechanism) {
        Map<String, String> config = new TreeMap<>(Map.of("security.protocol", security.protocol()));
        if (security.tls()) {
            config.putAll(store("truststore", LabStores.TRUSTED));
        }
        if (security.mutual()) {
            config.putAll(store("keystore", LabStores.keys(user)));
        }
        if (mechanism != null) {
            config.put("sasl.mechanism", mechanism);
            config.put("sasl.jaas.config", jaas(user, mechanism) + ";");
            config.putAll(beside(user, mechanism, ""));
        }
        return config;
    }

    /** Broker properties that enforce this security. */
    Map<String, String> broker() {
        Map<String, String> config = new TreeMap<>();
        config.put("listener.security.protocol.map", "PLAINTEXT:" + security.protocol() + ",CONTROLLER:PLAINTEXT");
        if (security.tls()) {
            config.putAll(store("truststore", LabStores.TRUSTED));
            config.putAll(store("keystore", LabStores.keys(BROKER)));
        }
        if (security.mutual()) {
            config.put("ssl.client.auth", "required");
            // The same principal for every authentication method.
            config.put("ssl.principal.mapping.rules", "RULE:^CN=([^,]+).*$/$1/,DEFAULT");
        }
        if (first() != null) {
            config.put("sasl.enabled.mechanisms", String.join(",", security.mechanisms()));
            config.put("sasl.mechanism.inter.broker.protocol", first());
        }
        for (String mechanism : security.mechanisms()) {
            String prefix = LISTENER + mechanism.toLowerCase(Locale.ROOT) + ".";
            config.put(prefix + "sasl.jaas.config", brokerJaas(mechanism));
            config.putAll(beside(ADMIN, mechanism, prefix));
        }
        if (security.mechanisms().contains(LabSecurity.OAUTHBEARER)) {
            config.put(
                    LISTENER + "oauthbearer.sasl.server.callback.handler.class",
                    OAUTH + "OAuthBearerValidatorCallbackHandler");
            config.put(
                    "sasl.oauthbearer.jwks.endpoint.url",
                    directory.resolve("jwks.json").toUri().toString());
            config.put("sasl.oauthbearer.expected.audience", SERVICE);
        }
        if (!security.sessions().isZero()) {
            config.put(
                    "connections.max.reauth.ms",
                    Long.toString(security.sessions().toMillis()));
        }
        if (security.acls()) {
            config.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
            // The controller listener has no authentication and is on loopback only.
            config.put("super.users", "User:ANONYMOUS;User:" + ADMIN + ";User:" + BROKER + ";User:" + SERVICE);
        }
        return config;
    }

    /** Kerberos configuration for clients; null if none was given. */
    public String krb5() {
        return security.kerberos().get(LabSecurity.KRB5);
    }

    /** JVM flags required by these broker properties. */
    List<String> flags(Map<String, String> config) {
        List<String> flags = new ArrayList<>();
        String urls = config.entrySet().stream()
                .filter(e -> e.getKey().endsWith(".endpoint.url"))
                .map(Map.Entry::getValue)
                .distinct()
                .collect(Collectors.joining(","));
        if (!urls.isEmpty()) {
            flags.add("-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=" + urls);
        }
        if (krb5() != null) {
            flags.add("-Djava.security.krb5.conf=" + krb5());
        }
        return flags;
    }

    /** SCRAM credentials for formatting storage, one per line; empty if none. */
    private List<String> scram() {
        List<String> lines = new ArrayList<>();
        for (String mechanism : security.mechanisms()) {
            for (String user : List.of(ADMIN, USER)) {
                if (mechanism.startsWith("SCRAM")) {
                    lines.add(mechanism + "=[name=" + user + ",password=" + read(passwordFile(user)) + "]");
                }
            }
        }
        return lines;
    }

    private String jaas(String user, String mechanism) {
        return switch (mechanism) {
            case LabSecurity.OAUTHBEARER -> OAUTH + "OAuthBearerLoginModule required";
            case LabSecurity.GSSAPI -> kerberosJaas(user);
            default ->
                MODULES
                        + (mechanism.equals("PLAIN") ? "plain.PlainLoginModule" : "scram.ScramLoginModule")
                        + " required username=\"" + user + "\" password=\"" + read(passwordFile(user)) + "\"";
        };
    }

    private String brokerJaas(String mechanism) {
        StringBuilder jaas = new StringBuilder(
                mechanism.equals(LabSecurity.GSSAPI)
                        ? kerberosJaas(SERVICE + "/" + (host.equals(LabNode.HOST) ? "localhost" : host))
                        : jaas(ADMIN, mechanism));
        if (mechanism.equals("PLAIN")) {
            for (String user : List.of(ADMIN, USER)) {
                jaas.append(" user_")
                        .append(user)
                        .append("=\"")
                        .append(read(passwordFile(user)))
                        .append('"');
            }
        }
        return jaas.append(';').toString();
    }

    private String kerberosJaas(String principal) {
        return "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab=\""
                + security.kerberos().get(LabSecurity.KEYTAB) + "\" principal=\"" + principal + "@"
                + security.kerberos().get(LabSecurity.REALM) + "\"";
    }

    /** Properties of a mechanism beyond its JAAS entry; {@code prefix} applies to broker properties. */
    private Map<String, String> beside(String user, String mechanism, String prefix) {
        return switch (mechanism) {
            case LabSecurity.OAUTHBEARER ->
                Map.of(
                        prefix + "sasl.login.callback.handler.class",
                        OAUTH + "OAuthBearerLoginCallbackHandler",
                        "sasl.oauthbearer.token.endpoint.url",
                        tokenFile(user).toUri().toString());
            case LabSecurity.GSSAPI -> Map.of("sasl.kerberos.service.name", SERVICE);
            default -> Map.of();
        };
    }

    private Map<String, String> store(String kind, String file) {
        String name = "ssl." + kind + ".";
        return Map.of(
                name + "location",
                directory.resolve(file).toString(),
                name + "type",
                "PKCS12",
                name + "password",
                read(storePassword()));
    }

    private Path storePassword() {
        return directory.resolve("store.password");
    }

    /** A broker's key store (null for the initial one) and the certificate's serial number. */
    record BrokerStore(Path keys, BigInteger number) {}

    /** @param days validity of a new certificate, see {@link LabStores#add}; null for the initial one */
    BrokerStore brokerStore(String days) {
        Path keys = directory.resolve(LabStores.keys(BROKER));
        try {
            if (days != null) {
                keys = Files.createTempFile(directory, BROKER, LabStores.keys(""));
                LabStores.add(keys, storePassword(), BROKER, host, days);
            }
            return new BrokerStore(days == null ? null : keys, LabStores.number(keys, storePassword(), BROKER));
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "text.noCertificate", e.getMessage());
        }
    }

    private Path passwordFile(String user) {
        return directory.resolve(user + PASSWORD);
    }

    private Path tokenFile(String user) {
        return directory.resolve(user + ".jwt");
    }

    private static String secret() {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().encodeToString(random);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.cannotReadFile", file, e);
        }
    }

    /** Writes a file that is never readable by other users. */
    static void write(Path file, String text) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
    }
}
