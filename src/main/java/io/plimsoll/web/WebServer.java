package io.plimsoll.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP server for one reader or a few. On the loopback interface it answers only requests that name it there, so that no
 * page of another site can read from it under a name of its own; elsewhere every request must have the token that is part
 * of its address. Thread-safe.
 */
final class WebServer implements AutoCloseable {
    private static final int MOST_THREADS = 24;
    private static final int TOKEN_BYTES = 18;

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final String host;
    /** Null on the loopback interface. */
    private final String token;

    /**
     * @param host a name or address of this machine
     * @param port 0 for any that is free
     * @throws PlimsollException {@link Exit#USAGE} if it cannot listen there
     */
    WebServer(String host, int port) {
        this(host, port, false);
    }

    /** @param always whether a token is needed on the loopback interface, too */
    WebServer(String host, int port, boolean always) {
        InetAddress address;
        try {
            address = InetAddress.getByName(host);
            server = HttpServer.create(new InetSocketAddress(address, port), 0);
        } catch (UnknownHostException e) {
            throw Exit.USAGE.because(e, "web.noSuchAddress", host);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "web.cannotListen", host, port, e.getMessage());
        }
        this.host = host;
        this.token = address.isLoopbackAddress() && !always ? null : random();
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                0,
                MOST_THREADS,
                5,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> Daemon.thread("plimsoll-web-" + number.incrementAndGet(), task));
        server.setExecutor(threads);
    }

    static String random() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    void start() {
        server.start();
    }

    /** @param path as {@code HttpServer} has it: everything that begins with it */
    void on(String path, HttpHandler handler) {
        server.createContext(path, exchange -> {
            try {
                if (!allowed(exchange)) {
                    tell(exchange, 403, Sentence.of("web.useTheAddress"));
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
            String query = exchange.getRequestURI().getRawQuery();
            // The token comes first in every address of ours.
            return query != null && same(query.split("&", 2)[0], "token=" + token);
        }
        String named = exchange.getRequestHeaders().getFirst("Host");
        int port = server.getAddress().getPort();
        return named != null
                && List.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port, host + ":" + port)
                        .contains(named);
    }

    /** Takes a time that does not tell how much of it was right. */
    static boolean same(String given, String expected) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }

    /** Where the first page is. */
    String address() {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return "http://" + name + ":" + server.getAddress().getPort() + "/" + (token == null ? "" : "?token=" + token);
    }

    /** The language that a browser asks for. */
    static Language language(HttpExchange exchange) {
        String wanted = exchange.getRequestHeaders().getFirst("Accept-Language");
        return wanted != null && wanted.startsWith(Language.ZH.code()) ? Language.ZH : Language.EN;
    }

    /** Answers with a sentence in place of a page. */
    static void tell(HttpExchange exchange, int status, Sentence why) throws IOException {
        answer(exchange, status, "text/plain", why.in(language(exchange)) + "\n");
    }

    static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type + "; charset=utf-8");
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        if (type.equals("text/html")) {
            // Which scripts may run, the page itself says by their hashes.
            headers.set("Content-Security-Policy", "frame-ancestors 'none'; base-uri 'none'; object-src 'none'");
        }
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    /** Ends at once, whatever is still being sent. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
