package io.plimsoll.observe.broker;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.Exit;
import io.plimsoll.observe.broker.BrokerFigures.Beans;
import io.plimsoll.observe.host.NodeFigures;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** A broker's metrics as Prometheus text from exporters, or metrics and facts of its host from an observing agent. */
final class PrometheusSource extends BrokerSource {
    static final String AGENT = "agent";

    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final String PIN = "sha256=";

    private final URI uri;
    private final Duration limit;
    private final HttpClient client;
    private Map<String, Object> inventory = Map.of();
    private volatile @Nullable ObservedSource described;

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

    /** @param page path below the address; empty for the address itself */
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

    /** Waits for the complete response, because the client's own timeout ends at the start of the body. */
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

    /** Trusts only the certificate that an address names, regardless of issuer and host. */
    private static final class PinnedCertificate extends X509ExtendedTrustManager {
        private final String sha256;

        private PinnedCertificate(String sha256) {
            this.sha256 = sha256;
        }

        /** @param sha256 fingerprint of the certificate in hexadecimal digits */
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
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException();
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /**
     * Maps Prometheus text back to the beans of its metrics, by the common naming rules of exporters: either a metric
     * of the bean's type and attribute, with the remaining properties as labels (the JMX exporter without rules), or a
     * metric that contains the bean's name and ends in {@code _total}, {@code _count}, {@code _mean} or nothing, with
     * or without {@code PerSec} (see {@link #FORMS}). Case is ignored. Beans without a matching metric count as
     * missing.
     */
    static final class PrometheusText implements Beans {
        private static final Pattern LINE =
                Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})?\\s+(\\S+)(?:\\s+-?\\d+)?");
        private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");
        /** Labels that distinguish beans; other labels belong to the exporter. */
        private static final Set<String> TELLING =
                Set.of("name", "request", "topic", "partition", "listener", "networkprocessor", "clientid", "quantile");

        private record Sample(Map<String, String> labels, double value) {}

        /** Naming schemes with a different suffix for rate counters such as {@code BytesInPerSec}. */
        private static final List<Form> FORMS = List.of(
                new Form("rules", "", "_total"),
                new Form("rules", "", "_count"),
                new Form("reporter", "persec", "_total"),
                new Form("persec", "persec", "_count"),
                new Form("confluent", "persec", ""));

        private record Form(String who, String unit, String ending) {}

        private final Set<String> names = new TreeSet<>();

        private final Map<String, List<Sample>> samples = new HashMap<>();

        private PrometheusText() {}

        static Reading read(Stream<String> lines, Collection<String> topics) throws IOException {
            PrometheusText text = new PrometheusText();
            lines.forEach(text::accept);
            Exit.CLUSTER.when(text.samples.isEmpty(), "observe.noMetrics");
            Reading.Builder figures = BrokerFigures.read(text, topics, Double.NaN);
            text.host(figures);
            figures.names(text.names);
            return figures.at(System.nanoTime());
        }

        private void accept(String line) {
            Matcher m = LINE.matcher(line.strip());
            if (line.startsWith("#") || !m.matches()) {
                return;
            }
            Map<String, String> labels = new TreeMap<>();
            if (m.group(2) != null) {
                Matcher label = LABEL.matcher(m.group(2));
                while (label.find()) {
                    labels.put(lower(label.group(1)), lower(label.group(2)));
                }
            }
            try {
                double value = Double.parseDouble(m.group(3).replace("Inf", "Infinity"));
                samples.computeIfAbsent(lower(m.group(1)), n -> new ArrayList<>())
                        .add(new Sample(labels, value));
            } catch (NumberFormatException e) {
                // Text that is not a number is not a figure.
            }
        }

        private static String lower(String text) {
            return text.toLowerCase(Locale.ROOT);
        }

        @Override
        public double[] numbers(String bean, String... attributes) {
            double[] numbers = new double[attributes.length];
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = number(bean, attributes[i]);
            }
            return numbers;
        }

        private double number(String bean, String attribute) {
            if (bean.equals("java.lang:type=OperatingSystem") && attribute.equals("ProcessCpuTime")) {
                return ofProcess("process_cpu_seconds_total") * 1e9;
            }
            if (attribute.equals("OpenFileDescriptorCount")) {
                return ofProcess("process_open_fds");
            }
            String domain = bean.substring(0, bean.indexOf(':')).replace('.', '_');
            Map<String, String> labels = new TreeMap<>();
            for (String property : bean.substring(bean.indexOf(':') + 1).split(",")) {
                labels.put(
                        lower(property.substring(0, property.indexOf('='))),
                        lower(property.substring(property.indexOf('=') + 1)));
            }
            String type = lower(domain + "_" + labels.remove("type"));
            double plain = one(type + "_" + lower(attribute), labels);
            if (!Double.isNaN(plain) || !labels.containsKey("name")) {
                return said("plain", plain);
            }
            String name = labels.remove("name").replace('-', '_');
            if (name.endsWith("persec")) {
                return perSecond(type + "_" + name.substring(0, name.length() - "persec".length()), labels);
            }
            if (attribute.endsWith("Percentile")) {
                // 0.95 for 95thPercentile, 0.999 for 999thPercentile.
                labels.put("quantile", "0." + attribute.replaceAll("\\D.*", ""));
            }
            return suffixes(attribute).stream()
                    .mapToDouble(suffix -> one(type + "_" + name + suffix, labels))
                    .filter(v -> !Double.isNaN(v))
                    .findFirst()
                    .orElse(Double.NaN);
        }

        /** A metric of the broker's process; a node exporter uses the same names for its own process. */
        private double ofProcess(String metric) {
            boolean broker = samples.keySet().stream().anyMatch(n -> n.startsWith("kafka_") || n.startsWith("jvm_"));
            return broker ? sum(metric) : Double.NaN;
        }

        private double perSecond(String metric, Map<String, String> labels) {
            return FORMS.stream()
                    .mapToDouble(form -> said(form.who, one(metric + form.unit + form.ending, labels)))
                    .filter(v -> !Double.isNaN(v))
                    .findFirst()
                    .orElse(Double.NaN);
        }

        private double said(String who, double value) {
            if (!Double.isNaN(value)) {
                names.add(who);
            }
            return value;
        }

        private static List<String> suffixes(String attribute) {
            return switch (attribute) {
                case "Count" -> List.of("_total", "_count", "");
                case "Mean" -> List.of("_mean");
                default -> List.of("", "_value");
            };
        }

        /** The sample with these labels and without any other label that distinguishes beans. */
        private double one(String metric, Map<String, String> labels) {
            return samples.getOrDefault(metric, List.of()).stream()
                    .filter(s -> TELLING.stream()
                            .allMatch(l -> java.util.Objects.equals(s.labels().get(l), labels.get(l))))
                    .mapToDouble(Sample::value)
                    .findFirst()
                    .orElse(Double.NaN);
        }

        @Override
        public List<Named> all(String pattern, String attribute) {
            if (pattern.startsWith("java.lang:type=GarbageCollector")) {
                return samples.getOrDefault("jvm_gc_collection_seconds_sum", List.of()).stream()
                        .map(s -> new Named(s.labels().getOrDefault("gc", ""), s.value() * 1e3))
                        .toList();
            }
            if (pattern.startsWith("java.lang:type=MemoryPool")) {
                return samples.getOrDefault("jvm_memory_pool_collection_used_bytes", List.of()).stream()
                        .map(s -> new Named(s.labels().getOrDefault("pool", ""), s.value()))
                        .toList();
            }
            return List.of();
        }

        /** The metrics of a node exporter on the broker's host. */
        private void host(Reading.Builder b) {
            double busy = sum("node_cpu_seconds_total")
                    - sum("node_cpu_seconds_total", Map.of("mode", "idle"))
                    - orZero(sum("node_cpu_seconds_total", Map.of("mode", "iowait")))
                    - orZero(sum("node_cpu_seconds_total", Map.of("mode", "steal")));
            b.counter("host.cpuSeconds", said("node", busy));
            b.counter("host.stealSeconds", sum("node_cpu_seconds_total", Map.of("mode", "steal")));
            b.counter("host.diskBusySeconds", sum("node_disk_io_time_seconds_total"));
            samples.getOrDefault("node_disk_io_time_seconds_total", List.of()).stream()
                    .filter(PrometheusText::isOwn)
                    .forEach(s -> b.counter(Reading.DISK + s.labels().getOrDefault("device", ""), s.value()));
            b.counter("host.diskQueueSeconds", sum("node_disk_io_time_weighted_seconds_total"));
            b.counter(
                    "host.diskWaitMs",
                    1e3 * (sum("node_disk_read_time_seconds_total") + sum("node_disk_write_time_seconds_total")));
            b.counter(
                    "host.diskRequests",
                    sum("node_disk_reads_completed_total") + sum("node_disk_writes_completed_total"));
            b.counter("host.diskReadBytes", sum("node_disk_read_bytes_total"));
            b.counter("host.diskWriteBytes", sum("node_disk_written_bytes_total"));
            b.counter("host.networkInBytes", sum("node_network_receive_bytes_total"));
            b.counter("host.networkOutBytes", sum("node_network_transmit_bytes_total"));
            b.gauge("host.memoryAvailableBytes", sum("node_memory_memavailable_bytes"));
        }

        private static double orZero(double value) {
            return Double.isNaN(value) ? 0 : value;
        }

        private static boolean isOwn(Sample sample) {
            return !NodeFigures.isCountedElsewhere(sample.labels().getOrDefault("device", ""));
        }

        private double sum(String metric) {
            return sum(metric, Map.of());
        }

        private double sum(String metric, Map<String, String> labels) {
            double[] values = samples.getOrDefault(metric, List.of()).stream()
                    .filter(PrometheusText::isOwn)
                    .filter(s -> s.labels().entrySet().containsAll(labels.entrySet()))
                    .mapToDouble(Sample::value)
                    .toArray();
            return values.length == 0 ? Double.NaN : Arrays.stream(values).sum();
        }
    }
}
