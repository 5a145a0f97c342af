package io.plimsoll.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.web.WebPlace.WebCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP server for a few readers. On the loopback interface, it answers only requests for the loopback host, which
 * prevents DNS rebinding. On other interfaces, every request requires the token from the address. Thread-safe.
 */
class WebServer implements AutoCloseable {
    /**
     * Maximum number of connections. Each can occupy a thread, and additional connections are closed. The same number
     * can wait to be accepted; with the default of 50, the next client would wait a second.
     */
    private static final int MOST_CONNECTIONS = 1024;

    static {
        // The JDK's server reads its limits only from system properties.
        limit("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
        limit("sun.net.httpserver.maxReqTime", 5);
        // Responses, even streams of server-sent events, end after 600 s; browsers then reconnect on their own.
        limit("sun.net.httpserver.maxRspTime", 600);
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final WebPlace place;
    final String scheme;
    /** Token that requests must contain; null on the loopback interface. */
    private final @Nullable String token;

    /** URL suffix with the certificate fingerprint to trust; empty for plain HTTP. */
    final String pin;

    WebServer(WebPlace place) {
        this(place, false);
    }

    /** @param always whether to also require the token on the loopback interface */
    WebServer(WebPlace place, boolean always) {
        InetAddress address = place.address();
        Optional<WebCertificate> tls = place.tls();
        try {
            server = listening(new InetSocketAddress(address, place.port()), tls);
        } catch (IOException | IllegalArgumentException e) {
            // An invalid port number is not an I/O failure.
            throw Exit.USAGE.because(e, "web.cannotListen", place.host(), place.port(), e.getMessage());
        }
        this.place = place;
        this.pin = tls.map(t -> "#sha256=" + t.sha256()).orElse("");
        this.scheme = tls.isPresent() ? "https" : "http";
        this.token = address.isLoopbackAddress() && !always
                ? null
                : place.token() == null ? WebToken.random() : WebToken.of(place.token());
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                0,
                MOST_CONNECTIONS,
                5,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> Daemon.thread("plimsoll-web-" + number.incrementAndGet(), task));
        server.setExecutor(threads);
    }

    private static void limit(String property, int value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(value));
        }
    }

    private static HttpServer listening(InetSocketAddress address, Optional<WebCertificate> tls) throws IOException {
        if (tls.isEmpty()) {
            return HttpServer.create(address, MOST_CONNECTIONS);
        }
        HttpsServer server = HttpsServer.create(address, MOST_CONNECTIONS);
        server.setHttpsConfigurator(new HttpsConfigurator(tls.get().context()));
        return server;
    }

    void start() {
        server.start();
    }

    /** @param path prefix of the handled paths; the path of the first page must match exactly */
    void on(String path, HttpHandler handler) {
        server.createContext(path, exchange -> {
            try {
                if (!allowed(exchange)) {
                    tell(exchange, 403, Sentence.of("web.useTheAddress"));
                } else if (path.equals("/")
                        && !exchange.getRequestURI().getPath().equals("/")) {
                    tell(exchange, 404, Sentence.of("web.noSuchPage"));
                } else {
                    handler.handle(exchange);
                }
            } catch (RuntimeException e) {
                tell(exchange, 500, Sentence.verbatim(String.valueOf(e.getMessage())));
            } finally {
                exchange.close();
            }
        });
    }

    private boolean allowed(HttpExchange exchange) {
        if (token != null) {
            String header = exchange.getRequestHeaders().getFirst("Authorization");
            String query = exchange.getRequestURI().getRawQuery();
            // The token is the first parameter in every generated address.
            return (header != null && same(header, "Bearer " + token))
                    || (query != null && same(query.split("&", 2)[0], "token=" + token));
        }
        String named = exchange.getRequestHeaders().getFirst("Host");
        // The port is ignored: it differs behind an SSH tunnel, and browsers omit port 80.
        return named != null
                && List.of("127.0.0.1", "localhost", "[::1]", place.host()).contains(named.replaceFirst(":\\d+$", ""));
    }

    static boolean same(String given, String expected) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }

    public String address() {
        String host = place.reachable();
        String name = host.contains(":") ? "[" + host + "]" : host;
        return scheme + "://" + name + ":" + server.getAddress().getPort() + "/"
                + (token == null ? "" : "?token=" + token);
    }

    private static Language language(HttpExchange exchange) {
        String wanted = exchange.getRequestHeaders().getFirst("Accept-Language");
        return wanted != null && wanted.startsWith(Language.ZH.code()) ? Language.ZH : Language.EN;
    }

    static void tell(HttpExchange exchange, int status, Sentence why) throws IOException {
        answer(exchange, status, "text/plain", why.in(language(exchange)) + "\n");
    }

    static void page(HttpExchange exchange, Function<Language, String> html) throws IOException {
        answer(exchange, 200, "text/html", html.apply(language(exchange)));
    }

    static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = (type.equals("text/html") ? text : Secrets.clean(text)).getBytes(StandardCharsets.UTF_8);
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type + "; charset=utf-8");
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        if (type.equals("text/html")) {
            // The page itself restricts scripts by their hashes.
            headers.set("Content-Security-Policy", "frame-ancestors 'none'; base-uri 'none'; object-src 'none'");
        }
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Stops immediately, without completing responses. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    static final class WebToken {
        private static final int BYTES = 18;
        private static final String FORM = "[\\w-]{16,200}";
        /** Permissions of the token file. Group access is allowed, as for a secret mounted into a pod. */
        private static final Set<PosixFilePermission> ALLOWED =
                Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_READ);

        static String random() {
            byte[] bytes = new byte[BYTES];
            new SecureRandom().nextBytes(bytes);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        }

        /**
         * Reads the token from a file, or creates the file, so that an address stays valid after a restart.
         * @throws PlimsollException ({@link Exit#USAGE}) if every user can read the file, or it contains no valid token
         */
        static String of(Path file) {
            try {
                PrivateFiles.file(file);
                if (Files.size(file) == 0) {
                    Files.writeString(file, random() + "\n");
                }
                Set<PosixFilePermission> mode =
                        PrivateFiles.knownAt(file) ? Files.getPosixFilePermissions(file) : Set.of();
                Exit.USAGE.when(
                        !ALLOWED.containsAll(mode), "web.tokenOfOthers", file, PosixFilePermissions.toString(mode));
                String token = Files.readString(file).strip();
                Exit.USAGE.when(!token.matches(FORM), "web.noToken", file);
                return token;
            } catch (IOException e) {
                throw Exit.USAGE.because(e, "web.cannotReadToken", file, e.getMessage());
            }
        }
    }
}
