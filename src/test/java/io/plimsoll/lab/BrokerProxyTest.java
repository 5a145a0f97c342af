package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.lab.LabNodes.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Proxy between a client and an echo server. */
class BrokerProxyTest {
    private ServerSocket echo;
    private BrokerProxy proxy;
    private int port;

    @BeforeEach
    void start() throws IOException {
        echo = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread server = new Thread(this::serve);
        server.setDaemon(true);
        server.start();
        port = Ports.free(1, Set.of()).get(0);
        proxy = new BrokerProxy(1, port, echo.getLocalPort());
    }

    private void serve() {
        while (!echo.isClosed()) {
            try {
                Socket socket = echo.accept();
                Thread thread = new Thread(() -> {
                    try (socket) {
                        socket.getInputStream().transferTo(socket.getOutputStream());
                    } catch (IOException e) {
                        // The client is gone.
                    }
                });
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                // Closed.
            }
        }
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        echo.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        return socket;
    }

    /** @return time until they arrive */
    private static Duration roundTrip(Socket socket, int bytes) throws IOException {
        byte[] sent = new byte[bytes];
        new Random(bytes).nextBytes(sent);
        long start = System.nanoTime();
        Thread writer = new Thread(() -> {
            try {
                socket.getOutputStream().write(sent);
            } catch (IOException e) {
                // The reader misses them.
            }
        });
        writer.setDaemon(true);
        writer.start();
        assertThat(socket.getInputStream().readNBytes(bytes)).isEqualTo(sent);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void forwardsDataWhileSlowingIsTurnedOnAndOff() throws IOException {
        try (Socket socket = connect()) {
            roundTrip(socket, 1_000_000);
            proxy.impair(Impairment.slow(Duration.ofMillis(50), Duration.ofMillis(40), 0));
            // There and back.
            assertThat(roundTrip(socket, 1000)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
            roundTrip(socket, 500_000);
            proxy.impair(Impairment.NONE);
            roundTrip(socket, 1_000_000);
            proxy.impair(Impairment.slow(Duration.ofMillis(100), Duration.ZERO, 0));
            assertThat(roundTrip(socket, 1)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        }
    }

    @Test
    void deliversLastBytesAfterSenderHasClosed() throws IOException {
        int slowPort = Ports.free(1, Set.of()).get(0);
        try (ServerSocket mortal = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                BrokerProxy slow = new BrokerProxy(2, slowPort, mortal.getLocalPort())) {
            slow.impair(Impairment.slow(Duration.ofMillis(300), Duration.ZERO, 0));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), slowPort);
                    Socket server = mortal.accept()) {
                client.setSoTimeout(10_000);
                client.getOutputStream().write(new byte[100]);
                server.getOutputStream().write(new byte[] {1, 2, 3});
                // The client's data is in flight and cannot be delivered.
                server.close();
                assertThat(client.getInputStream().readAllBytes()).containsExactly(1, 2, 3);
            }
        }
    }

    @Test
    void limitsTotalRateOfAllConnections() throws Exception {
        proxy.impair(Impairment.slow(Duration.ZERO, Duration.ZERO, 1e6));
        try (Socket one = connect();
                Socket two = connect()) {
            long start = System.nanoTime();
            Thread other = new Thread(() -> {
                try {
                    roundTrip(two, 200_000);
                } catch (IOException e) {
                    // Otherwise the time below would be too short.
                }
            });
            other.start();
            roundTrip(one, 200_000);
            other.join();
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(400_000_000L);
        }
    }

    @Test
    void releasesHeldBytesAtOnceWhenLimitEnds() throws Exception {
        try (Socket socket = connect()) {
            roundTrip(socket, 10);
            // By this limit the bytes would need hours each link.
            proxy.impair(Impairment.slow(Duration.ZERO, Duration.ZERO, 1));
            socket.getOutputStream().write(new byte[50_000]);
            BrokerProxy.Throttle limit = proxy.link().toBroker();
            while (limit.reserve(0, 1, System.nanoTime()) - System.nanoTime() < 60_000_000_000L) {
                // The proxy has not taken them yet.
                Thread.onSpinWait();
            }
            proxy.impair(Impairment.slow(Duration.ZERO, Duration.ZERO, 1e6));
            assertThat(socket.getInputStream().readNBytes(50_000)).containsOnly(0);
            proxy.impair(Impairment.NONE);
            roundTrip(socket, 10);
        }
    }

    @Test
    void cutResetsConnectionsAndRefusesNewOnes() throws IOException {
        try (Socket before = connect()) {
            roundTrip(before, 10);
            proxy.impair(Impairment.CUT);
            assertThatThrownBy(() -> endOf(before)).isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> {
                        try (Socket during = connect()) {
                            during.getOutputStream().write(1);
                            endOf(during);
                        }
                    })
                    .isInstanceOf(SocketException.class);
        }
        proxy.impair(Impairment.NONE);
        try (Socket after = connect()) {
            roundTrip(after, 10);
        }
    }

    @Test
    void halfOpenSwallowsDataThenResets() throws IOException {
        try (Socket before = connect()) {
            roundTrip(before, 10);
            proxy.impair(Impairment.HALF_OPEN);
            try (Socket during = connect()) {
                for (Socket socket : new Socket[] {before, during}) {
                    socket.setSoTimeout(200);
                    socket.getOutputStream().write(1);
                    assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                    socket.setSoTimeout(10_000);
                }
                proxy.impair(Impairment.NONE);
                assertThatThrownBy(() -> endOf(before)).isInstanceOf(SocketException.class);
                assertThatThrownBy(() -> endOf(during)).isInstanceOf(SocketException.class);
            }
        }
    }

    private static void endOf(Socket socket) throws IOException {
        assertThat(socket.getInputStream().read()).as("nothing more came").isEqualTo(-1);
        throw new SocketException("ended");
    }
}
