package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.watch.WatchStatus.Outage;
import io.plimsoll.wire.ClusterView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.apache.kafka.common.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Guards a watch's connections against listeners that send nothing, brokers that leave, and names that are not
 * resolved.
 */
class WatchedLinksTest {
    private static final String HOST = "127.0.0.1";

    @TempDir
    Path directory;

    private final BlockingQueue<Outage> told = new LinkedBlockingQueue<>();
    private final WatchClock clock = new WatchClock(Duration.ofHours(1).toNanos());
    private final Ledger ledger = new Ledger(clock, Duration.ofSeconds(1), Duration.ofMillis(1), told::add);
    private final List<Socket> accepted = new ArrayList<>();

    private WatchSettings settings(Map<String, String> properties) {
        return new WatchSettings(
                new ClusterConnection(HOST + ":1", properties),
                "linked",
                WatchSettings.Layout.DEFAULT,
                new WatchSettings.Load(10, 100, 1e6, Map.of(), Map.of()),
                Duration.ofSeconds(1),
                Duration.ofMillis(1),
                0.999,
                directory);
    }

    /** For a listener that accepts connections and sends nothing. */
    private static ServerSocket silent() throws IOException {
        ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        silent.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
        return silent;
    }

    private static Node at(ServerSocket listener) {
        return new Node(1, HOST, listener.getLocalPort());
    }

    private void accept(ServerSocket listener, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            accepted.add(listener.accept());
        }
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : accepted) {
            socket.close();
        }
    }

    /** No request is in flight during the TLS handshake, so no request limit ends it. */
    @Test
    @Timeout(120)
    void keepsRetryingConnectionsThatDoNotOpen() throws Exception {
        try (ServerSocket silent = silent();
                WatchedLinks links =
                        new WatchedLinks(settings(Map.of("security.protocol", "SSL")), ledger, (broker, view) -> {})) {
            links.use(List.of(at(silent)));
            accept(silent, 6);
            ledger.look();
            assertThat(told)
                    .extracting(Outage::signal, Outage::error)
                    .containsExactlyInAnyOrder(tuple(Signal.CONNECT, "timeout"), tuple(Signal.METADATA, "timeout"));
        }
    }

    @Test
    @Timeout(120)
    void removalEndsOutagesOfABrokerButMoveDoesNot() throws Exception {
        PeriodicTask look = PeriodicTask.each(
                "look", System.nanoTime(), Duration.ofMillis(20).toNanos(), 1, ledger::look);
        try (ServerSocket silent = silent();
                ServerSocket elsewhere = silent();
                WatchedLinks links = new WatchedLinks(settings(Map.of()), ledger, (broker, view) -> {})) {
            for (Signal signal : EnumSet.complementOf(EnumSet.of(Signal.CONNECT, Signal.METADATA))) {
                ledger.begin(signal, 1);
            }
            links.use(List.of(at(silent)));
            Set<Signal> out = EnumSet.noneOf(Signal.class);
            while (out.size() < Signal.values().length) {
                out.add(told.take().signal());
            }
            links.use(List.of(at(elsewhere)));
            accept(elsewhere, 2);
            assertThat(ledger.outages()).hasSize(out.size()).allMatch(Outage::ongoing);
            links.use(List.of());
            while (!out.isEmpty()) {
                Outage next = told.take();
                if (!next.ongoing()) {
                    out.remove(next.signal());
                }
            }
        } finally {
            look.end(1000);
        }
    }

    private long goodConnections() {
        return ledger.counted().stream()
                .filter(c -> c.signal() == Signal.CONNECT && c.broker() == 1)
                .mapToLong(c -> c.availability().all().good())
                .sum();
    }

    @Test
    @Timeout(120)
    void usesLastAddressWhileNameLookupHangs() throws Exception {
        BlockingQueue<ClusterView> answers = new LinkedBlockingQueue<>();
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (NullBroker broker = NullBroker.start(new NullBrokerOptions().topic("linked", 1))) {
            Function<Node, InetSocketAddress> names = node -> {
                if (first.getCount() == 0) {
                    asked.countDown();
                    awaitUninterruptibly(end);
                }
                first.countDown();
                return new InetSocketAddress(InetAddress.getLoopbackAddress(), broker.port());
            };
            try (WatchedLinks links =
                    new WatchedLinks(settings(Map.of()), ledger, (from, view) -> answers.add(view), names)) {
                links.use(List.of(new Node(1, "nobody-knows.invalid", broker.port())));
                asked.await();
                answers.clear();
                long before = goodConnections();
                while (goodConnections() < before + 3) {
                    assertThat(answers.take()).isNotNull();
                }
            }
        } finally {
            end.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
