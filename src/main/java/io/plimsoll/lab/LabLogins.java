package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import io.plimsoll.LoginProperties;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Users of a lab with {@link LabSecurity}, and the credentials of users and brokers. Credentials are created once, in
 * files of mode 0600 in a directory of mode 0700, and removed with the lab.
 */
public final class LabLogins {
    /** Name of the superuser. */
    public static final String ADMIN = "admin";
    /** Name of an authenticated user; with ACLs, this user has no permissions by default. */
    public static final String USER = "user";

    private static final List<String> USERS = List.of(ADMIN, USER);
    private static final String BROKER = "broker";
    private static final String SERVICE = "kafka";
    private static final String PASSWORD = ".password";
    /** Property prefix of the client listener. */
    static final String LISTENER = "listener.name.plaintext.";

    private static final String OAUTH = "org.apache.kafka.common.security.oauthbearer.";
    private static final String MODULES = "org.apache.kafka.common.security.";
    private static final String AUTHORITY = "authority.p12";
    private static final String TRUSTED = "trusted.p12";
    /** keytool options for a validity that ended yesterday. */
    static final String ENDED = " -startdate -2d -validity 1";

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
        return lab.resolve(BrokerMain.SECURITY);
    }

    static boolean areIn(Path directory) {
        return Files.exists(directory.resolve(ADMIN + PASSWORD));
    }

    private void make() throws IOException {
        Files.createDirectory(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String user : USERS) {
            write(passwordFile(user), secret());
        }
        if (security.tls()) {
            makeStores(security.mutual() ? List.of(BROKER, ADMIN, USER) : List.of(BROKER));
        }
        if (security.mechanisms().contains(LabSecurity.OAUTHBEARER)) {
            LabToken token = new LabToken();
            write(directory.resolve("jwks.json"), token.jwks());
            for (String user : USERS) {
                write(tokenFile(user), token.of(user, TOKEN_LIFETIME));
            }
        }
        String scram = security.mechanisms().stream()
                .filter(mechanism -> mechanism.startsWith("SCRAM"))
                .flatMap(mechanism -> USERS.stream()
                        .map(user -> mechanism + "=[name=" + user + ",password=" + read(passwordFile(user)) + "]"))
                .collect(Collectors.joining("\n"));
        if (!scram.isEmpty()) {
            write(directory.resolve(BrokerMain.SCRAM), scram);
        }
        for (String user : USERS) {
            write(properties(user), text(client(user, first())));
            for (String mechanism : security.mechanisms().stream().skip(1).toList()) {
                write(properties(user + "-" + mechanism.toLowerCase(Locale.ROOT)), text(client(user, mechanism)));
            }
        }
    }

    private static String text(Map<String, String> properties) {
        return properties.entrySet().stream()
                .map(e -> e.getKey() + "=" + e.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** Client properties file of a user, for {@code --command-config}. */
    public Path properties(String user) {
        return directory.resolve(user + ".properties");
    }

    /** The lab's first mechanism, which is the default; null without SASL. */
    private @Nullable String first() {
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
    public Map<String, String> client(String user, @Nullable String mechanism) {
        Map<String, String> config = new TreeMap<>(Map.of("security.protocol", security.protocol()));
        if (security.tls()) {
            config.putAll(store("truststore", directory.resolve(TRUSTED)));
        }
        if (security.mutual()) {
            config.putAll(store("keystore", keys(user)));
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
            config.putAll(store("truststore", directory.resolve(TRUSTED)));
            config.putAll(store("keystore", keys(BROKER)));
        }
        if (security.mutual()) {
            config.put("ssl.client.auth", "required");
            // As with SASL, the name of the user is the principal.
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

    /** Path of the Kerberos configuration for clients; null if none was given. */
    public @Nullable String krb5() {
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
            for (String user : USERS) {
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

    /** Properties of a mechanism in addition to its JAAS entry; {@code prefix} is empty for client properties. */
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

    private Map<String, String> store(String kind, Path file) {
        String name = "ssl." + kind + ".";
        return Map.of(
                name + "location", file.toString(), name + "type", "PKCS12", name + "password", read(storePassword()));
    }

    private Path storePassword() {
        return directory.resolve("store.password");
    }

    /** A broker's key store (null for the initial one) and the certificate's serial number. */
    record BrokerStore(@Nullable Path keys, BigInteger number) {}

    /** @param days validity of a new certificate, see {@link #addStore}; null for the initial one */
    BrokerStore brokerStore(@Nullable String days) {
        Path keys = keys(BROKER);
        try {
            if (days != null) {
                keys = Files.createTempFile(directory, BROKER, ".p12");
                addStore(keys, BROKER, days);
            }
            char[] secret = read(storePassword()).toCharArray();
            Certificate own = KeyStore.getInstance(keys.toFile(), secret).getCertificate(BROKER);
            return new BrokerStore(days == null ? null : keys, ((X509Certificate) own).getSerialNumber());
        } catch (IOException | GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "text.noCertificate", e.getMessage());
        }
    }

    /** Creates key stores for these owners, signed by the lab's certificate authority, and a trust store. */
    private void makeStores(List<String> owners) throws IOException {
        // The password is in a file, because command lines are visible to other users.
        write(storePassword(), secret());
        KeyTool.authority(storePassword(), "lab", directory.resolve(AUTHORITY));
        try {
            for (String owner : owners) {
                addStore(keys(owner), owner, KeyTool.TEN_YEARS);
            }
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "text.noCertificate", e.getMessage());
        }
    }

    /** Creates a key store with a certificate for this owner; {@code days} is the validity, if needed with a start date option. */
    private void addStore(Path keys, String owner, String days) throws IOException, GeneralSecurityException {
        char[] secret = read(storePassword()).toCharArray();
        KeyStore made = KeyTool.signed(
                directory.resolve(AUTHORITY),
                storePassword(),
                owner,
                days + " -dname CN=" + owner + " -ext san=ip:127.0.0.1,dns:localhost," + KeyTool.subject(host));
        KeyTool.write(made, keys, secret);
        if (!Files.exists(directory.resolve(TRUSTED))) {
            KeyTool.trusting(made.getCertificateChain(owner)[1], directory.resolve(TRUSTED), secret);
        }
    }

    private Path keys(String owner) {
        return directory.resolve(owner + ".p12");
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

    /**
     * Issues tokens for users of a lab (JWT with RS256) and provides the verification key (JWKS). The private key exists
     * only in this object.
     */
    public static final class LabToken {
        private static final String KEY_ID = "lab";
        private static final int KEY_BITS = 2048;

        private final KeyPair keys;

        public LabToken() {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                generator.initialize(KEY_BITS);
                keys = generator.generateKeyPair();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The public key for {@code sasl.oauthbearer.jwks.endpoint.url}. */
        public String jwks() {
            RSAPublicKey key = (RSAPublicKey) keys.getPublic();
            return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"" + KEY_ID + "\",\"n\":\""
                    + unsigned(key.getModulus()) + "\",\"e\":\"" + unsigned(key.getPublicExponent()) + "\"}]}";
        }

        public String of(String user, Duration lifetime) {
            long now = Instant.now().getEpochSecond();
            String claims = "{\"iss\":\"plimsoll\",\"sub\":\"" + user + "\",\"aud\":\"kafka\",\"iat\":" + now
                    + ",\"exp\":" + (now + lifetime.toSeconds()) + "}";
            String signed =
                    base64("{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + KEY_ID + "\"}") + "." + base64(claims);
            try {
                Signature signature = Signature.getInstance("SHA256withRSA");
                signature.initSign(keys.getPrivate());
                signature.update(signed.getBytes(StandardCharsets.US_ASCII));
                return signed + "." + base64(signature.sign());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        private static String unsigned(BigInteger number) {
            byte[] bytes = number.toByteArray();
            return base64(bytes[0] == 0 ? java.util.Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
        }

        private static String base64(String text) {
            return base64(text.getBytes(StandardCharsets.UTF_8));
        }

        private static String base64(byte[] bytes) {
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }
    }
}
