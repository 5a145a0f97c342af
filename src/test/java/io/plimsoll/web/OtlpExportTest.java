package io.plimsoll.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.plimsoll.result.Fold;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Said;
import io.plimsoll.web.OtlpSettings.OtlpExport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A collector receives the run's own figures over OTLP, as configured by the environment. */
class OtlpExportTest {
    private static final String SECRET = "Bearer abc123";

    /** The sent data, with its headers. */
    private record Received(String path, String authorization, ExportMetricsServiceRequest request) {}

    private static Map<String, String> environment(String endpoint) {
        return Map.of(
                "OTEL_EXPORTER_OTLP_ENDPOINT", endpoint,
                "OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20abc123,x-tenant=7",
                "OTEL_SERVICE_NAME", "load",
                "OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test,service.name=other",
                "OTEL_METRIC_EXPORT_INTERVAL", "60000");
    }

    private static void run(RunTotals totals) {
        Timelines.quick().stream()
                .filter(e -> e instanceof TimelineEvent.Measured m
                        && m.snapshot().trial().equals("latency"))
                .forEach(e -> totals.snapshot(((TimelineEvent.Measured) e).snapshot()));
    }

    @Test
    void sendsFiguresOfTheResult() throws Exception {
        RunTotals totals = new RunTotals();
        Received sent = sent(totals::metrics, () -> run(totals));
        assertThat(sent.path()).isEqualTo("/v1/metrics");
        assertThat(sent.authorization()).isEqualTo(SECRET);
        assertThat(attributes(sent.request().getResourceMetrics(0).getResource().getAttributesList()))
                .containsEntry("service.name", "load")
                .containsEntry("deployment.environment", "test");
        assertHasTheResult(metrics(sent));
    }

    @Test
    void sendsSameWatchMetricsAsPrometheus() throws Exception {
        List<ExportedMetric> shown = WatchPage.metrics(WatchPageTest.status(3));
        Map<String, Metric> sent = metrics(sent(() -> shown, () -> {}));
        assertThat(sent.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        shown.stream().map(ExportedMetric::name).toList());
        assertThat(sent.get("plimsoll_watch_records").getSum().getDataPointsList())
                .anyMatch(p ->
                        attributes(p.getAttributesList()).equals(Map.of("fate", "lost", "kafka_cluster", "a-cluster"))
                                && p.getAsInt() == 3);
        assertThat(sent.get("plimsoll_watch_stood_seconds")
                        .getSum()
                        .getDataPoints(0)
                        .getAsDouble())
                .isEqualTo(0.5);
        assertThat(sent.get("plimsoll_watch_outage").getGauge().getDataPointsList())
                .anyMatch(p -> attributes(p.getAttributesList())
                                .equals(Map.of("signal", "produce", "broker", "2", "kafka_cluster", "a-cluster"))
                        && p.getAsDouble() == 1);
    }

    /** The data sent at the end, after an action. */
    private static Received sent(Supplier<List<ExportedMetric>> figures, Runnable done) throws Exception {
        BlockingQueue<Received> received = new LinkedBlockingQueue<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received.add(new Received(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("authorization"),
                    ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody())));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        List<String> warnings = new CopyOnWriteArrayList<>();
        try {
            var settings = OtlpSettings.read(environment(
                            "http://127.0.0.1:" + server.getAddress().getPort() + "/"))
                    .settings();
            OtlpExport export = new OtlpExport(settings.orElseThrow(), figures, w -> warnings.add(w.english()));
            done.run();
            export.close();
            Received sent = received.poll(10, TimeUnit.SECONDS);
            assertThat(warnings).isEmpty();
            return sent;
        } finally {
            server.stop(0);
        }
    }

    private static Map<String, Metric> metrics(Received sent) {
        return sent.request().getResourceMetrics(0).getScopeMetrics(0).getMetricsList().stream()
                .collect(Collectors.toMap(Metric::getName, m -> m));
    }

    private static void assertHasTheResult(Map<String, Metric> metrics) {
        TrialResult trial = Fold.fold(Timelines.quick().stream()).trials().stream()
                .filter(t -> t.name().equals("latency"))
                .findFirst()
                .orElseThrow();
        // Of all seconds, including the warm-up, which a result counts separately.
        long records =
                trial.produce().volume().records() + trial.produce().schedule().warmupRecords();
        NumberDataPoint acknowledged =
                metrics.get("plimsoll_records_acknowledged").getSum().getDataPoints(0);
        assertThat(acknowledged.getAsInt()).isEqualTo(records);
        assertThat(metrics.get("plimsoll_records_acknowledged").getSum().getIsMonotonic())
                .isTrue();
        assertThat(attributes(acknowledged.getAttributesList())).isEqualTo(Map.of("trial", "latency"));
        assertThat(metrics.get("plimsoll_errors").getSum().getDataPoints(0).getAsInt())
                .isEqualTo(trial.produce().errors().total());
        Map<String, Double> response = metrics.get("plimsoll_response_seconds").getGauge().getDataPointsList().stream()
                .collect(Collectors.toMap(
                        p -> attributes(p.getAttributesList()).get("quantile"), NumberDataPoint::getAsDouble));
        assertThat(response).containsOnlyKeys("0.5", "0.99", "0.999", "1.0");
        assertThat(response.get("0.5"))
                .isCloseTo(trial.produce().times().responseTime().percentiles().p50() / 1e6, within(1e-5));
        assertThat(metrics).containsKeys("plimsoll_lag_records", "plimsoll_generator_cores", "plimsoll_records_due");
    }

    private static Map<String, String> attributes(List<KeyValue> list) {
        return list.stream()
                .collect(Collectors.toMap(KeyValue::getKey, kv -> kv.getValue().getStringValue()));
    }

    @Test
    void warnsOnceWithoutSecretsIfCollectorIsUnreachable() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
        Map<String, String> environment = new HashMap<>(environment("http://user:pass@127.0.0.1:" + port));
        environment.put("OTEL_METRIC_EXPORT_INTERVAL", "20");
        OtlpSettings settings = OtlpSettings.read(environment).settings().orElseThrow();
        BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
        RunTotals totals = new RunTotals();
        OtlpExport export = new OtlpExport(settings, totals::metrics, w -> warnings.add(w.english()));
        run(totals);
        String first = awaited(warnings);
        export.close();
        assertThat(first)
                .containsPattern(Said.en("web.notSent", "http://127.0.0.1:" + port))
                .doesNotContain("abc123", "user", "pass");
        assertThat(warnings).isEmpty();
        assertThat(settings.toString()).doesNotContain("abc123", "pass");
    }

    private static String awaited(BlockingQueue<String> warnings) {
        try {
            return warnings.poll(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OTEL_SERVICE_NAME=x | ",
                "OTEL_EXPORTER_OTLP_ENDPOINT=http://c:4318 OTEL_METRICS_EXPORTER=none | ",
                "OTEL_EXPORTER_OTLP_ENDPOINT=http://c:4318 OTEL_SDK_DISABLED=true | ",
                "OTEL_EXPORTER_OTLP_ENDPOINT=http://c:4318 OTEL_EXPORTER_OTLP_PROTOCOL=grpc | only http/protobuf is"
                        + " supported",
                "OTEL_EXPORTER_OTLP_ENDPOINT=c:4318 | does not begin with http:// or https://"
            })
    void sendsNothingWithoutUsableSettings(String variables, String problem) {
        Map<String, String> environment = new HashMap<>();
        for (String variable : variables.split(" ")) {
            environment.put(variable.split("=")[0], variable.split("=")[1]);
        }
        OtlpSettings.Read read = OtlpSettings.read(environment);
        assertThat(read.settings()).isEmpty();
        if (problem == null) {
            assertThat(read.problem()).isEmpty();
        } else {
            assertThat(read.problem().orElseThrow().english()).contains(problem);
        }
    }

    @Test
    void prefersMetricsSpecificVariables() {
        OtlpSettings settings = OtlpSettings.read(Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318",
                        "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "https://b/in?x=1",
                        "OTEL_EXPORTER_OTLP_HEADERS", "k=1",
                        "OTEL_EXPORTER_OTLP_METRICS_HEADERS", "k=2"))
                .settings()
                .orElseThrow();
        assertThat(settings.endpoint()).hasToString("https://b/in?x=1");
        assertThat(settings.headers()).isEqualTo(Map.of("k", "2"));
        assertThat(settings.attributes()).isEqualTo(Map.of("service.name", "plimsoll"));
        assertThat(settings.shownEndpoint()).isEqualTo("https://b");
    }
}
