package io.plimsoll.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Daemon;
import io.plimsoll.KeyTool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.TrustManagerFactory;
import org.apache.kafka.common.network.SslTransportLayer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request arrives complete over TLS, however little the socket accepts, its parts share TLS records, and only a
 * verified peer gets it.
 */
class TlsWriterTest {
    private static final int RECORD_BYTES = 16384;

    @TempDir
    static Path directory;

    private static SSLContext context;

    private Selector selector;
    private SocketChannel near;
    private Peer peer;
    private SslTransportLayer channel;
    private TlsWriter writer;
    private final ArrayDeque<ByteBuffer> spare = new ArrayDeque<>();

    @BeforeAll
    static void makeKey() throws Exception {
        char[] secret = "storeHush3".toCharArray();
        Path password = Files.writeString(directory.resolve("password"), "storeHush3");
        Path keys = directory.resolve("keys.p12");
        KeyTool.run(
                password, KeyTool.NEW_KEY + "own -dname CN=localhost" + KeyTool.TEN_YEARS, Map.of("-keystore", keys));
        KeyStore own = KeyStore.getInstance(keys.toFile(), secret);
        KeyManagerFactory owner = KeyManagerFactory.getInstance("PKIX");
        owner.init(own, secret);
        KeyStore trusted = KeyStore.getInstance(KeyTool.STORE_TYPE);
        trusted.load(null, null);
        trusted.setCertificateEntry("own", own.getCertificate("own"));
        KeyTool.write(trusted, directory.resolve("trusted.p12"), secret);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        context = SSLContext.getInstance("TLS");
        context.init(owner.getKeyManagers(), trust.getTrustManagers(), null);
    }

    private void connect(String protocol) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            near = SocketChannel.open();
            near.setOption(StandardSocketOptions.SO_SNDBUF, 4096);
            near.connect(server.getLocalAddress());
            peer = new Peer(server.accept(), engine(protocol, false));
        }
        near.configureBlocking(false);
        selector = Selector.open();
        SelectionKey key = near.register(selector, SelectionKey.OP_READ);
        channel = SslTransportLayer.create("near", key, engine(protocol, true), RawNetwork.NoMetadataRegistry.INSTANCE);
        while (!channel.ready()) {
            selector.selectNow();
            channel.handshake();
            peer.receive();
        }
        peer.received.reset();
        peer.records = 0;
        writer = Objects.requireNonNull(TlsWriter.of(channel, spare));
    }

    private static SSLEngine engine(String protocol, boolean client) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(client);
        engine.setEnabledProtocols(new String[] {protocol});
        return engine;
    }

    @AfterEach
    void close() throws IOException {
        if (peer == null) {
            return;
        }
        channel.close();
        selector.close();
        near.close();
        peer.socket.close();
    }

    /** Writes as a link does: again until nothing is left, with the last buffer even if it is empty. */
    private byte[] send(int... sizes) throws IOException {
        ByteBuffer[] parts = new ByteBuffer[sizes.length];
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 0; i < sizes.length; i++) {
            byte[] bytes = new byte[sizes[i]];
            new Random(i).nextBytes(bytes);
            all.writeBytes(bytes);
            parts[i] = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        }
        long left = all.size();
        while (left > 0 || writer.hasPendingWrites()) {
            left -= writer.write(parts, 0, parts.length);
            peer.receive();
        }
        while (peer.received.size() < all.size()) {
            peer.receive();
        }
        assertThat(left).isZero();
        return all.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void partsShareTlsRecords(String protocol) throws Exception {
        connect(protocol);
        byte[] sent = send(50, 16000, 60, 16000, 10);
        assertThat(peer.received.toByteArray()).isEqualTo(sent);
        assertThat(peer.records).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sendsRemainderAfterPartialWrites(String protocol) throws Exception {
        connect(protocol);
        int large = 1 << 20;
        ByteBuffer[] parts = {ByteBuffer.allocate(large)};
        assertThat(writer.write(parts, 0, 1)).isBetween(1L, (long) large - RECORD_BYTES);
        assertThat(writer.hasPendingWrites()).isTrue();
        while (parts[0].hasRemaining() || writer.hasPendingWrites()) {
            peer.receive();
            writer.write(parts, 0, 1);
        }
        while (peer.received.size() < large) {
            peer.receive();
        }
        peer.received.reset();
        assertThat(spare).hasSize(1);
        assertThat(send(70_000, 1, 300_000)).isEqualTo(peer.received.toByteArray());
        assertThat(spare).hasSize(1);
    }

    /** The peer's certificate is for localhost, signed by itself. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, https, true, false",
        "127.0.0.1, '', true, true",
        "localhost, https, true, true",
        "localhost, '', false, false"
    })
    void acceptsOnlyVerifiedPeers(String host, String identification, boolean trusted, boolean accepted)
            throws Exception {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "bootstrap.servers",
                "127.0.0.1:1",
                "security.protocol",
                "SSL",
                "ssl.endpoint.identification.algorithm",
                identification));
        if (trusted) {
            properties.put(
                    "ssl.truststore.location", directory.resolve("trusted.p12").toString());
            properties.put("ssl.truststore.password", "storeHush3");
            properties.put("ssl.truststore.type", KeyTool.STORE_TYPE);
        }
        try (ServerSocket server =
                        context.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getByName(host));
                RawNetwork network = new RawNetwork(properties, "client", -1, 60_000)) {
            Daemon.start("tls-peer", () -> readAll(server));
            List<String> events = new ArrayList<>();
            network.link(host, server.getLocalPort(), 1, new LinkWatch() {
                @Override
                public void begun() {}

                @Override
                public void reached(LinkWatch.Stage stage) {
                    events.add(stage.name());
                }

                @Override
                public void ended(String reason) {
                    events.add("refused");
                }
            });
            while (!events.contains("TLS") && !events.contains("refused")) {
                network.poll(10);
            }
            assertThat(events).contains(accepted ? "TLS" : "refused").doesNotContain(accepted ? "refused" : "TLS");
        }
    }

    private static void readAll(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // The client refuses.
        }
    }

    /** The server's side, which counts TLS records with data. */
    private static final class Peer {
        final SocketChannel socket;
        final SSLEngine engine;
        final ByteBuffer in = ByteBuffer.allocate(1 << 18);
        final ByteBuffer data = ByteBuffer.allocate(1 << 18);
        final ByteArrayOutputStream received = new ByteArrayOutputStream();
        int records;

        Peer(SocketChannel socket, SSLEngine engine) throws IOException {
            this.socket = socket;
            this.engine = engine;
            socket.configureBlocking(false);
        }

        void receive() throws IOException {
            socket.read(in);
            in.flip();
            boolean more = true;
            while (more) {
                more = step();
            }
            in.compact();
        }

        private boolean step() throws IOException {
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                engine.getDelegatedTask().run();
                return true;
            }
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                ByteBuffer out = ByteBuffer.allocate(1 << 16);
                engine.wrap(ByteBuffer.allocate(0), out);
                socket.write(out.flip());
                return true;
            }
            int before = in.position();
            engine.unwrap(in, data.clear());
            if (data.position() > 0) {
                records++;
                received.write(data.array(), 0, data.position());
            }
            return in.position() > before || engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
        }
    }
}
