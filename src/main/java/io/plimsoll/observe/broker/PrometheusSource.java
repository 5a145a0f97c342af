package io.plimsoll.observe.broker;

import io.plimsoll.Exit;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.stream.Stream;

/** A broker's figures as Prometheus text, from a JMX exporter, a node exporter, or both behind one address. */
final class PrometheusSource extends BrokerSource {
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private final URI uri;
    private final HttpClient client;

    PrometheusSource(int broker, String url) {
        super(broker, "prometheus");
        this.uri = URI.create(url);
        this.client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
    }

    @Override
    Reading read() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri).timeout(LIMIT).build();
        HttpResponse<Stream<String>> response = client.send(request, HttpResponse.BodyHandlers.ofLines());
        try (Stream<String> lines = response.body()) {
            if (response.statusCode() != 200) {
                throw Exit.CLUSTER.because("observe.status", uri, response.statusCode());
            }
            return PrometheusText.read(lines);
        }
    }

    @Override
    public void close() {
        // Connections are the client's, and end with it.
    }
}
