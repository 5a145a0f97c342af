package io.plimsoll.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import io.plimsoll.PlimsollException;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SchemaSpec.Framing;
import io.plimsoll.wire.ClientTls;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ssl properties of Kafka's clients work for a registry, and a failed handshake names the side that refuses. */
class RegistryTlsTest {
    private static final String SECRET = "Tr0ub4dor-of-stores";
    private static final String SUBJECT = "orders-value";

    @TempDir
    static Path directory;

    @BeforeAll
    static void makeCertificates() throws Exception {
        Files.writeString(directory.resolve("password"), SECRET);
        issue("ours", "registry", "client");
        issue("other", "stranger");
    }

    /** Certificates of an authority, and the trust in it, in all types of stores. */
    private static void issue(String authority, String... owners) throws Exception {
        Path password = directory.resolve("password");
        Path keys = directory.resolve(authority + "-authority.p12");
        KeyTool.authority(password, authority, keys);
        for (String owner : owners) {
            KeyStore made = KeyTool.signed(
                    keys, password, owner, KeyTool.TEN_YEARS + " -dname CN=" + owner + " -ext san=ip:127.0.0.1");
            Certificate[] chain = made.getCertificateChain(owner);
            byte[] key = made.getKey(owner, SECRET.toCharArray()).getEncoded();
            Files.writeString(
                    store(owner, "PEM"),
                    pem("PRIVATE KEY", key)
                            + pem("CERTIFICATE", chain[0].getEncoded())
                            + pem("CERTIFICATE", chain[1].getEncoded()));
            Files.writeString(store(authority, "PEM"), pem("CERTIFICATE", chain[1].getEncoded()));
            for (String type : new String[] {"JKS", "PKCS12"}) {
                KeyStore of = KeyStore.getInstance(type);
                of.load(null, null);
                of.setKeyEntry(owner, made.getKey(owner, SECRET.toCharArray()), SECRET.toCharArray(), chain);
                write(of, store(owner, type));
                KeyStore trusted = KeyStore.getInstance(type);
                trusted.load(null, null);
                trusted.setCertificateEntry(authority, chain[1]);
                write(trusted, store(authority, type));
            }
        }
    }

    private static Path store(String owner, String type) {
        return directory.resolve(owner + "." + type);
    }

    private static void write(KeyStore store, Path file) throws IOException, GeneralSecurityException {
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, SECRET.toCharArray());
        }
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind + "-----\n";
    }

    private static Map<String, String> settings(String type, String authority, String client) {
        Map<String, String> config = new HashMap<>();
        config.put("ssl.truststore.type", type);
        config.put("ssl.truststore.location", store(authority, type).toString());
        if (client != null) {
            config.put("ssl.keystore.type", type);
            config.put("ssl.keystore.location", store(client, type).toString());
        }
        if (!type.equals("PEM")) {
            config.put("ssl.truststore.password", SECRET);
            config.put("ssl.keystore.password", SECRET);
        }
        return config;
    }

    private static MemoryRegistry registry(boolean mutual) throws IOException {
        SSLContext context = ClientTls.context(settings("PKCS12", "ours", "registry"), "schemas.tls");
        HttpsServer server = HttpsServer.create(MemoryRegistry.ANY_PORT, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters tls = context.getDefaultSSLParameters();
                tls.setNeedClientAuth(mutual);
                parameters.setSSLParameters(tls);
            }
        });
        MemoryRegistry registry = new MemoryRegistry(server, "");
        registry.register(SUBJECT, SchemaTesting.AVRO);
        return registry;
    }

    private static long id(String address, Map<String, String> config) {
        SchemaSpec spec = SchemaSpec.registered(address, Framing.CONFLUENT, SUBJECT, "latest", config);
        return SchemaSupport.get().open(spec).pinned().id();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PEM", "PKCS12", "JKS"})
    void mutualTlsWorksWithEachStoreType(String type) throws Exception {
        try (MemoryRegistry registry = registry(true)) {
            assertThat(id(registry.address(), settings(type, "ours", "client"))).isEqualTo(MemoryRegistry.FIRST_ID);
        }
    }

    @Test
    void mutualTlsWorksWithInlineCertificates() throws Exception {
        String[] client = Files.readString(store("client", "PEM")).split("(?<=END PRIVATE KEY-----\n)");
        Map<String, String> config = Map.of(
                "ssl.keystore.type", "PEM",
                "ssl.keystore.key", client[0],
                "ssl.keystore.certificate.chain", client[1],
                "ssl.truststore.type", "PEM",
                "ssl.truststore.certificates", Files.readString(store("ours", "PEM")));
        try (MemoryRegistry registry = registry(true)) {
            assertThat(id(registry.address(), config)).isEqualTo(MemoryRegistry.FIRST_ID);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true, ours, , 127.0.0.1, schemas.closedTls",
        "true, ours, stranger, 127.0.0.1, schemas.closedTls",
        "false, other, , 127.0.0.1, schemas.untrusted",
        "false, ours, , localhost, schemas.otherHost"
    })
    void failedHandshakeNamesRefusingSide(
            boolean mutual, String trusted, String client, String host, String key) throws Exception {
        try (MemoryRegistry registry = registry(mutual)) {
            String address = registry.address().replace("127.0.0.1", host);
            assertFails(() -> id(address, settings("PEM", trusted, client)), Exit.CLUSTER, key);
        }
    }

    @Test
    void unusableStoresAreUsageErrors() {
        Map<String, String> config = settings("PKCS12", "ours", "client");
        config.put("ssl.keystore.password", SECRET + "-wr0ng");
        assertFails(() -> id("https://127.0.0.1:1", config), Exit.USAGE, "schemas.tls");
        config.put("ssl.keystore.location", directory.resolve("missing.p12").toString());
        assertFails(() -> id("https://127.0.0.1:1", config), Exit.USAGE, "schemas.noStore");
        Map<String, String> noPem = settings("PEM", "ours", null);
        noPem.put("ssl.truststore.location", directory.resolve("password").toString());
        assertFails(() -> id("https://127.0.0.1:1", noPem), Exit.USAGE, "schemas.tls");
    }

    private static void assertFails(Runnable call, Exit exit, String key) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(PlimsollException.class, e -> {
            assertThat(e.sentence().key()).as(e.getMessage()).isEqualTo(key);
            assertThat(e.exit()).isEqualTo(exit);
            assertThat(e.getMessage()).doesNotContain(SECRET).doesNotContain("\n");
        });
    }
}
