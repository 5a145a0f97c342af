package io.plimsoll.lab;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.plimsoll.KeyTool;
import io.plimsoll.lab.LabLogins.LabToken;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An OAUTHBEARER token issuer for one client that counts requests. */
public final class TokenIssuer implements AutoCloseable {
    /** The id of the client, and so the name of the user. */
    public static final String CLIENT = LabLogins.ADMIN;

    public static final String SECRET = "issuerHush";

    private final LabToken token = new LabToken();
    private final HttpServer server;
    private final Path directory;
    private final boolean tls;
    private final Duration lifetime;
    /** Number of issued tokens. */
    public final AtomicInteger issued = new AtomicInteger();

    /** Number of requests for the public key. */
    public final AtomicInteger keysAsked = new AtomicInteger();

    /** @param directory for its certificate; null for plain HTTP */
    public TokenIssuer(Path directory, Duration lifetime) throws Exception {
        this.directory = directory;
        this.tls = directory != null;
        this.lifetime = lifetime;
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls) {
            HttpsServer https = HttpsServer.create(any, 0);
            https.setHttpsConfigurator(new HttpsConfigurator(context()));
            server = https;
        } else {
            server = HttpServer.create(any, 0);
        }
        server.createContext("/token", this::token);
        server.createContext("/jwks", exchange -> {
            keysAsked.incrementAndGet();
            answer(exchange, 200, token.jwks());
        });
        server.start();
    }

    private SSLContext context() throws Exception {
        Path password = directory.resolve("password");
        Files.writeString(password, "storeHush3");
        Path authority = directory.resolve("authority.p12");
        char[] secret = "storeHush3".toCharArray();
        KeyTool.authority(password, "lab", authority);
        String owner = KeyTool.TEN_YEARS + " -dname CN=issuer -ext san=ip:127.0.0.1,dns:localhost";
        KeyStore own = KeyTool.signed(authority, password, "issuer", owner);
        KeyTool.trusting(own.getCertificateChain("issuer")[1], directory.resolve("trusted.p12"), secret);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, secret);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return context;
    }

    private void token(HttpExchange exchange) throws IOException {
        String expected =
                "Basic " + Base64.getEncoder().encodeToString((CLIENT + ":" + SECRET).getBytes(StandardCharsets.UTF_8));
        try (InputStream in = exchange.getRequestBody()) {
            String asked = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            boolean known = expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                    && asked.contains("grant_type=client_credentials");
            if (!known) {
                answer(exchange, 401, "{\"error\":\"invalid_client\"}");
                return;
            }
        }
        issued.incrementAndGet();
        answer(
                exchange,
                200,
                "{\"access_token\":\"" + token.of(CLIENT, lifetime) + "\",\"token_type\":\"Bearer\",\"expires_in\":"
                        + lifetime.toSeconds() + "}");
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private String url(String path) {
        return (tls ? "https" : "http") + "://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Broker properties that differ from tokens in files. */
    public Map<String, String> broker() {
        return Map.of(
                "sasl.oauthbearer.jwks.endpoint.url",
                url("/jwks"),
                "sasl.oauthbearer.token.endpoint.url",
                url("/token"),
                "listener.name.plaintext.oauthbearer.sasl.jaas.config",
                jaas(SECRET));
    }

    /** Client properties of a lab with tokens from this issuer. */
    public Map<String, String> client(Map<String, String> ofLab, String secret) {
        Map<String, String> properties = new HashMap<>(ofLab);
        properties.put("sasl.oauthbearer.token.endpoint.url", url("/token"));
        properties.put("sasl.jaas.config", jaas(secret));
        properties.put("sasl.login.retry.backoff.max.ms", "200");
        return properties;
    }

    private String jaas(String secret) {
        String trust = tls
                ? " ssl.truststore.location=\"" + directory.resolve("trusted.p12")
                        + "\" ssl.truststore.type=\"PKCS12\" ssl.truststore.password=\"storeHush3\""
                : "";
        return "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId=\"" + CLIENT
                + "\" clientSecret=\"" + secret + "\"" + trust + ";";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
