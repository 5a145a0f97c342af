package io.plimsoll.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Guards that no connection waits indefinitely for a silent peer. */
class RawNetworkTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int REQUEST_TIMEOUT_MILLIS = 1000;

    private static RawNetwork network(String protocol) {
        return new RawNetwork(
                Map.of(
                        "bootstrap.servers",
                        "127.0.0.1:1",
                        "security.protocol",
                        protocol,
                        "sasl.mechanism",
                        "PLAIN",
                        "sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"a\" password=\"b\";"),
                "client",
                -1,
                REQUEST_TIMEOUT_MILLIS);
    }

    @ParameterizedTest
    @CsvSource({"plaintext, false, false", "ssl, true, false", "sasl_plaintext, false, true", "Sasl_Ssl, true, true"})
    void readsProtocolInAnyCase(String protocol, boolean tls, boolean sasl) {
        try (RawNetwork network = network(protocol)) {
            assertThat(network.tls()).isEqualTo(tls);
            assertThat(network.sasl()).isEqualTo(sasl);
        }
    }

    @Test
    void triesAddressesOfHostInTurn() throws Exception {
        InetAddress[] all = InetAddress.getAllByName("localhost");
        try (RawNetwork network = network("PLAINTEXT")) {
            RawLink link = network.link("localhost", 1, 1);
            for (link.failures = 0; link.failures <= all.length; link.failures++) {
                InetAddress expected = all[link.failures % all.length];
                assertThat(link.address()).isEqualTo(new InetSocketAddress(expected, 1));
            }
        }
    }

    @Test
    void timesOutUnansweredLogin() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RawNetwork network = network("SASL_PLAINTEXT")) {
            RawLink link = network.link("127.0.0.1", silent.getLocalPort(), 1);
            network.poll(0);
            long begun = System.nanoTime();
            network.timeOut(begun + 20 * SECOND);
            assertThat(link.lastError()).isNull();
            network.timeOut(begun + 31 * SECOND);
            assertThat(link.lastError()).isEqualTo("timeout");
            assertThat(link.state).isEqualTo(RawLink.State.DISCONNECTED);
        }
    }

    @Test
    void timesOutUnwritableRequestWithoutResponse() {
        try (RawNetwork network = network("PLAINTEXT")) {
            List<String> failures = new ArrayList<>();
            RawRequest unanswered = new RawRequest() {
                @Override
                protected void onResponse(ByteBuffer response) {
                    throw new AssertionError("nobody answers");
                }

                @Override
                protected void onFailure(String kind) {
                    failures.add(kind);
                }

                @Override
                protected boolean expectsResponse() {
                    return false;
                }
            };
            RawLink link = network.link("127.0.0.1", 1, 1);
            link.state = RawLink.State.READY;
            link.writing = unanswered;
            unanswered.sent(0, System.nanoTime());
            network.timeOut(System.nanoTime() + SECOND / 2);
            assertThat(failures).isEmpty();
            network.timeOut(System.nanoTime() + 2 * SECOND);
            assertThat(failures).containsExactly("timeout");
        }
    }
}
