package io.plimsoll.observe.broker;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.Exit;
import io.plimsoll.result.ObservedSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A broker's metrics as Prometheus text, from a JMX exporter, a node exporter, or both at one address; or the metrics
 * and facts of its host from an observing agent.
 */
final class PrometheusSource extends BrokerSource {
    static final String AGENT = "agent";

    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final String PIN = "sha256=";

    private final URI uri;
    private final Duration limit;
    private final HttpClient client;
    private Map<String, Object> inventory = Map.of();
    private volatile ObservedSource described;

    PrometheusSource(int broker, String kind, String url) {
        this(broker, kind, url, LIMIT);
    }

    /** @param limit of the time that an answer takes */
    PrometheusSource(int broker, String kind, String url, Duration limit) {
        super(broker, kind);
        this.uri = URI.create(url);
        this.limit = limit;
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(limit);
        String fragment = uri.getFragment();
        if (fragment != null && fragment.startsWith(PIN)) {
            builder.sslContext(PinnedCertificate.trusting(fragment.substring(PIN.length())));
        }
        this.client = builder.build();
    }

    @Override
    Reading read() throws IOException, InterruptedException {
        boolean agent = kind().equals(AGENT);
        if (agent && inventory.isEmpty()) {
            try (Stream<String> lines = lines("inventory")) {
                String json = String.join("\n", lines.toList());
                inventory = new ObjectMapper().readValue(json, new TypeReference<>() {});
            }
        }
        try (Stream<String> lines = lines(agent ? "metrics" : "")) {
            Reading reading = PrometheusText.read(lines, topics());
            described =
                    new ObservedSource(broker(), kind(), agent ? List.of() : List.copyOf(reading.names()), inventory);
            return reading;
        }
    }

    @Override
    public Optional<ObservedSource> described() {
        return Optional.ofNullable(described);
    }

    /** @param page below the address; empty for itself */
    private Stream<String> lines(String page) throws IOException, InterruptedException {
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        URI at = page.isEmpty() ? uri : uri.resolve(page + query);
        HttpResponse<String> response = whole(client.sendAsync(
                HttpRequest.newBuilder(at).timeout(limit).build(), HttpResponse.BodyHandlers.ofString()));
        if (response.statusCode() != 200) {
            throw Exit.CLUSTER.because(
                    "observe.status", at.toString().replaceFirst("[?#].*", ""), response.statusCode());
        }
        return response.body().lines();
    }

    /**
     * Waits for the complete response: the client's own timeout ends at the start of the body, and a body that never
     * ends, as after a network failure, would block for the whole run.
     */
    private HttpResponse<String> whole(CompletableFuture<HttpResponse<String>> answer)
            throws IOException, InterruptedException {
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("request timed out");
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } finally {
            answer.cancel(true);
        }
    }
}
