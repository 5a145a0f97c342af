package io.plimsoll.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.PlimsollException;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Untrusted clients neither make the web server unreachable nor learn its secrets. */
class WebLimitsTest {
    private static final int HALF_SENT = 60;
    private static final int MORE_THAN_ARE_HELD = 1100;

    @TempDir
    Path directory;

    private static WebServer server(WebPlace place) {
        WebServer server = new WebServer(place);
        server.on("/", exchange -> WebServer.answer(exchange, 200, "text/plain", "here\n"));
        server.start();
        return server;
    }

    private static List<Socket> halfSent(URI address, int count) throws IOException {
        List<Socket> sockets = new ArrayList<>();
        halfSend(address, count, sockets);
        return sockets;
    }

    private static void halfSend(URI address, int count, List<Socket> sockets) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort());
            sockets.add(socket);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: 127".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
        }
    }

    private static String get(HttpClient client, String address) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .timeout(Duration.ofSeconds(60))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** Answered while the connections are still open: none of them was closed, as one of them shows. */
    @Test
    void halfSentRequestsDoNotBlockOtherClients() throws Exception {
        try (WebServer server = server(WebPlace.local(0))) {
            List<Socket> sockets = halfSent(URI.create(server.address()), HALF_SENT);
            assertThat(get(HttpClient.newHttpClient(), server.address())).isEqualTo("here\n");
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    /** A history leads to runs of the last year, many pages behind the listed ones. */
    @Test
    void opensOldestOfManyRuns() throws Exception {
        for (int i = 0; i < 501; i++) {
            Path run = Files.createDirectories(directory.resolve(String.format("run-%03d", i)));
            Files.createFile(run.resolve(RunDirectory.TIMELINE));
        }
        assertThat(RunsPage.names(directory)).hasSize(501).startsWith("run-500");
        try (RunsPage page = new RunsPage(directory, WebPlace.local(0))) {
            assertThat(get(HttpClient.newHttpClient(), page.address()))
                    .contains("run-500")
                    .doesNotContain("run-000");
            assertThat(get(HttpClient.newHttpClient(), page.address() + "run?name=run-000"))
                    .contains("run-000");
        }
    }

    @Test
    @Tag("nightly")
    void cutsOffUnfinishedRequestsAndRefusesTooMany() throws Exception {
        try (WebServer server = server(WebPlace.local(0))) {
            URI address = URI.create(server.address());
            List<Socket> sockets = halfSent(address, 600);
            assertThat(get(HttpClient.newHttpClient(), server.address())).isEqualTo("here\n");
            for (Socket socket : sockets) {
                socket.setSoTimeout(60_000);
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
                socket.close();
            }
            assertThat(refusesAnother(server, address)).isTrue();
        }
    }

    /**
     * Incomplete requests are closed after some seconds, so that on a busy host they may be gone when the next one
     * arrives.
     */
    private static boolean refusesAnother(WebServer server, URI address) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        boolean refused = false;
        while (!refused && System.nanoTime() < end) {
            List<Socket> many = new ArrayList<>();
            try {
                halfSend(address, MORE_THAN_ARE_HELD, many);
                get(HttpClient.newHttpClient(), server.address());
            } catch (IOException e) {
                refused = true;
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            } finally {
                many.forEach(WebLimitsTest::close);
            }
        }
        return refused;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The server was first.
        }
    }

    /** On other interfaces the server offers only TLS, and the printed address can be opened. */
    @Test
    void servesHttpsAtReachableAddressBeyondLoopback() throws Exception {
        try (WebServer server = server(new WebPlace("0.0.0.0", 0, null, null))) {
            assertThat(server.address()).matches("https://[^/]+:\\d+/\\?token=[\\w-]{24}");
            assertThat(URI.create(server.address()).getHost()).isNotEqualTo("0.0.0.0");
            HttpClient trusting =
                    HttpClient.newBuilder().sslContext(trustingAll()).build();
            assertThat(get(trusting, server.address())).isEqualTo("here\n");
            assertThat(get(trusting, server.address().replaceFirst("token=...", "token=abc")))
                    .containsPattern(Said.en("web.useTheAddress"));
            int port = URI.create(server.address()).getPort();
            try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), port)) {
                plain.setSoTimeout(60_000);
                plain.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                String answer = new String(plain.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                assertThat(answer).doesNotContain("HTTP/1.1 200", "here");
            }
        }
    }

    @Test
    void refusesInvalidPort() {
        for (int port : List.of(-1, 65_536)) {
            assertThatThrownBy(() -> new WebServer(WebPlace.local(port)))
                    .isInstanceOf(PlimsollException.class)
                    .message()
                    .matches(Said.en("web.cannotListen", "127.0.0.1", port));
        }
    }

    /** The token in a file is the same after a restart, is also accepted as a header, and stays secret. */
    @Test
    void tokenFromFileSurvivesRestart() throws Exception {
        Path file = directory.resolve("token");
        HttpClient trusting = HttpClient.newBuilder().sslContext(trustingAll()).build();
        WebPlace place = new WebPlace("0.0.0.0", 0, null, file);
        String token;
        try (WebServer server = server(place)) {
            token = server.address().replaceFirst(".*token=", "");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
        }
        try (WebServer server = server(place)) {
            assertThat(server.address()).endsWith("?token=" + token);
            URI bare = URI.create(server.address().replaceFirst("\\?.*", ""));
            for (String given : List.of(token, token.substring(1))) {
                HttpRequest request = HttpRequest.newBuilder(bare)
                        .header("Authorization", "Bearer " + given)
                        .build();
                assertThat(trusting.send(request, HttpResponse.BodyHandlers.ofString())
                                .body())
                        .contains(given.equals(token) ? "here" : "Access denied");
            }
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> new WebServer(place)).hasMessageContaining("mode rw-r--r--");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, "short");
        assertThatThrownBy(() -> new WebServer(place)).hasMessageContaining("16 to 200");
    }

    @Test
    void refusesInvalidCertificate() throws IOException {
        Path pem = Files.writeString(directory.resolve("c.pem"), "nothing");
        assertThatThrownBy(() -> new WebServer(new WebPlace("127.0.0.1", 0, new WebPlace.Pem(pem, pem), null)))
                .isInstanceOf(PlimsollException.class)
                .message()
                .containsPattern(Said.en("web.noCertificate"));
    }

    private static SSLContext trustingAll() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustsAll()}, new SecureRandom());
        return context;
    }

    /** The certificate is created on the fly, so no authority vouches for it. */
    private static final class TrustsAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, javax.net.ssl.SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
