package io.plimsoll.observe.broker;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.Exit;
import io.plimsoll.result.ObservedSource;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A broker's metrics as Prometheus text from exporters, or its host's metrics and facts from an observing agent. */
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

    /** @param page below the address; empty for the address itself */
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

    /** Waits for the complete response: the client's own timeout ends at the start of the body. */
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

    /** Trusts the one certificate that an address names, regardless of issuer and host. */
    private static final class PinnedCertificate extends X509ExtendedTrustManager {
        private final String sha256;

        private PinnedCertificate(String sha256) {
            this.sha256 = sha256;
        }

        /** @param sha256 of the certificate, in hexadecimal digits */
        static SSLContext trusting(String sha256) {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, new TrustManager[] {new PinnedCertificate(sha256)}, null);
                return context;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded());
                if (!HexFormat.of().formatHex(digest).equalsIgnoreCase(sha256)) {
                    throw new CertificateException("not the certificate whose sha256 the address names");
                }
            } catch (GeneralSecurityException e) {
                throw e instanceof CertificateException c ? c : new CertificateException(e);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
            throw new CertificateException();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
            throw new CertificateException();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
