package io.plimsoll.observe.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.plimsoll.LinuxRoot;
import io.plimsoll.web.ObservedHostPage;
import io.plimsoll.web.WebPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** An observing agent can be read over TLS only at its announced address. */
class PrometheusSourceTest {
    @Test
    void trustsOnlyCertificateNamedInAddress() throws Exception {
        assumeTrue(LinuxRoot.isHere(), "an agent observes its host only on Linux");
        try (ObservedHostPage page = new ObservedHostPage(new WebPlace("0.0.0.0", 0, null, null), Path.of("."))) {
            String address = page.address();
            BrokerSource told = BrokerSource.agent(1, address);
            assertThat(told.described()).isEmpty();
            assertThat(told.read().counters()).containsKey("host.cpuSeconds");
            assertThat(told.described().orElseThrow().host()).containsKeys("cpu", "disks");
            char last = address.charAt(address.length() - 1);
            String other = address.substring(0, address.length() - 1) + (last == '0' ? '1' : '0');
            assertThatThrownBy(() -> BrokerSource.agent(1, other).read())
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("not the certificate");
            assertThatThrownBy(() -> BrokerSource.agent(1, address.replaceFirst("#.*", ""))
                            .read())
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> BrokerSource.agent(1, address.replaceFirst("token=...", "token=abc"))
                            .read())
                    .hasMessageContaining("status 403")
                    .hasMessageNotContaining("token");
        }
    }

    /** As when the network breaks during the response. */
    @Test
    void endlessResponseTimesOut() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        CountDownLatch over = new CountDownLatch(1);
        ExecutorService threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext("/metrics", exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write("node_cpu_seconds_total 1\n".getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
            BrokerSource source = new PrometheusSource(1, "prometheus", url, Duration.ofMillis(300));
            assertThatThrownBy(source::read).isInstanceOf(HttpTimeoutException.class);
        } finally {
            over.countDown();
            server.stop(0);
            threads.shutdownNow();
        }
    }
}
