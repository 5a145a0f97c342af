package io.plimsoll.web;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.export.PeriodicMetricReader;
import io.opentelemetry.sdk.resources.Resource;
import io.plimsoll.result.Progress;
import io.plimsoll.text.Sentence;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Destination of OTLP metrics, from the standard OpenTelemetry environment variables.
 *
 * @param headers request headers, which can contain secrets
 */
public record OtlpSettings(
        URI endpoint,
        Map<String, String> headers,
        Map<String, String> attributes,
        Duration interval,
        Duration timeout) {
    private static final String OTLP = "OTEL_EXPORTER_OTLP_";
    /** Export interval in ms; OpenTelemetry's default of a minute is longer than many runs. */
    private static final long INTERVAL_MILLIS = 10_000;

    private static final long TIMEOUT_MILLIS = 10_000;

    /** The settings, or the reason why they cannot be used; both are empty if no OTLP variable is set. */
    public record Read(Optional<OtlpSettings> settings, Optional<Sentence> problem) {}

    public static Read read(Map<String, String> environment) {
        String exporter =
                environment.getOrDefault("OTEL_METRICS_EXPORTER", "otlp").strip();
        String disabled = environment.getOrDefault("OTEL_SDK_DISABLED", "false").strip();
        String own = environment.getOrDefault(OTLP + "METRICS_ENDPOINT", "").strip();
        String base = environment.getOrDefault(OTLP + "ENDPOINT", "").strip();
        boolean wanted = exporter.isEmpty() || exporter.contains("otlp");
        if ((own.isEmpty() && base.isEmpty()) || !wanted || disabled.equalsIgnoreCase("true")) {
            return new Read(Optional.empty(), Optional.empty());
        }
        String protocol = value(environment, "PROTOCOL", "http/protobuf");
        if (!protocol.equals("http/protobuf")) {
            return problem(Sentence.of("web.otherProtocol", variable(environment, "PROTOCOL"), protocol));
        }
        URI endpoint;
        try {
            endpoint = URI.create(own.isEmpty() ? base.replaceAll("/+$", "") + "/v1/metrics" : own);
        } catch (IllegalArgumentException e) {
            return problem(Sentence.of("web.noAddress", variable(environment, "ENDPOINT")));
        }
        if (endpoint.getHost() == null || !String.valueOf(endpoint.getScheme()).matches("https?")) {
            return problem(Sentence.of("web.noHttp", variable(environment, "ENDPOINT")));
        }
        Map<String, String> attributes = new LinkedHashMap<>(Map.of("service.name", "plimsoll"));
        attributes.putAll(pairs(environment.getOrDefault("OTEL_RESOURCE_ATTRIBUTES", "")));
        String service = environment.getOrDefault("OTEL_SERVICE_NAME", "").strip();
        if (!service.isEmpty()) {
            attributes.put("service.name", service);
        }
        return new Read(
                Optional.of(new OtlpSettings(
                        endpoint,
                        pairs(value(environment, "HEADERS", "")),
                        attributes,
                        millis(environment.get("OTEL_METRIC_EXPORT_INTERVAL"), INTERVAL_MILLIS),
                        millis(value(environment, "TIMEOUT", ""), TIMEOUT_MILLIS))),
                Optional.empty());
    }

    private static Read problem(Sentence what) {
        return new Read(Optional.empty(), Optional.of(Sentence.of("web.noOtlp", what)));
    }

    /** The value of a variable; a variable for metrics overrides the general variable. */
    private static String value(Map<String, String> environment, String name, String otherwise) {
        String found = environment.getOrDefault(variable(environment, name), "").strip();
        return found.isEmpty() ? otherwise : found;
    }

    private static String variable(Map<String, String> environment, String name) {
        String own = OTLP + "METRICS_" + name;
        return environment.getOrDefault(own, "").isBlank() ? OTLP + name : own;
    }

    private static Duration millis(@Nullable String text, long otherwise) {
        return Duration.ofMillis(
                text != null && text.strip().matches("[1-9]\\d{0,8}") ? Long.parseLong(text.strip()) : otherwise);
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : text.split(",")) {
            int at = pair.indexOf('=');
            if (at > 0) {
                pairs.put(
                        pair.substring(0, at).strip(),
                        decoded(pair.substring(at + 1).strip()));
            }
        }
        return pairs;
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    /** The endpoint without its path and query, which can contain secrets. */
    String shownEndpoint() {
        int port = endpoint.getPort();
        return endpoint.getScheme() + "://" + endpoint.getHost() + (port < 0 ? "" : ":" + port);
    }

    /** The destination without the headers, which can contain secrets. */
    @Override
    public String toString() {
        return "OtlpSettings[" + shownEndpoint() + "]";
    }

    /** Sends metrics by OTLP on a thread of the library. Closing waits at most half a second. Thread-safe. */
    public static final class OtlpExport implements Progress {
        private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

        private static final long END_PATIENCE_MILLIS = 500;

        private final SdkMeterProvider provider;

        /**
         * @param figures supplies the current values; each call returns the same set of metrics
         * @param warning receives only the first failure; called by any thread
         */
        public OtlpExport(OtlpSettings settings, Supplier<List<ExportedMetric>> figures, Consumer<Sentence> warning) {
            LIBRARY.setLevel(Level.OFF);
            OtlpHttpMetricExporterBuilder exporter = OtlpHttpMetricExporter.builder()
                    .setEndpoint(settings.endpoint().toString())
                    .setTimeout(settings.timeout())
                    .setRetryPolicy(null);
            settings.headers().forEach(exporter::addHeader);
            Sentence problem = Sentence.of("web.notSent", settings.shownEndpoint());
            provider = SdkMeterProvider.builder()
                    .setResource(Resource.create(attributes(settings.attributes())))
                    .registerMetricReader(PeriodicMetricReader.builder(new ReportingExporter(
                                    exporter.build(), () -> warning.accept(problem), new AtomicBoolean()))
                            .setInterval(settings.interval())
                            .build())
                    .build();
            instruments(provider.get("plimsoll"), figures);
        }

        private static void instruments(Meter meter, Supplier<List<ExportedMetric>> figures) {
            Map<String, BiConsumer<Double, Attributes>> recorders = new HashMap<>();
            List<ObservableMeasurement> instruments = new ArrayList<>();
            for (ExportedMetric metric : figures.get()) {
                ObservableMeasurement instrument = instrument(meter, metric);
                instruments.add(instrument);
                recorders.put(
                        metric.name(),
                        metric.kind() == ExportedMetric.Kind.COUNT
                                ? (number, labels) ->
                                        ((ObservableLongMeasurement) instrument).record(number.longValue(), labels)
                                : ((ObservableDoubleMeasurement) instrument)::record);
            }
            BatchCallback unused = meter.batchCallback(
                    () -> figures.get().forEach(metric -> metric.samples()
                            .forEach(sample -> Objects.requireNonNull(recorders.get(metric.name()))
                                    .accept(sample.number(), attributes(sample.labels())))),
                    instruments.get(0),
                    instruments.subList(1, instruments.size()).toArray(ObservableMeasurement[]::new));
        }

        private static ObservableMeasurement instrument(Meter meter, ExportedMetric metric) {
            return switch (metric.kind()) {
                case COUNT ->
                    meter.counterBuilder(metric.name())
                            .setDescription(metric.help())
                            .buildObserver();
                case SUM ->
                    meter.counterBuilder(metric.name())
                            .ofDoubles()
                            .setDescription(metric.help())
                            .buildObserver();
                case GAUGE ->
                    meter.gaugeBuilder(metric.name())
                            .setDescription(metric.help())
                            .buildObserver();
            };
        }

        private static Attributes attributes(Map<String, String> from) {
            AttributesBuilder attributes = Attributes.builder();
            from.forEach(attributes::put);
            return attributes.build();
        }

        @Override
        public void close() {
            provider.shutdown().join(END_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        }

        private record ReportingExporter(MetricExporter to, Runnable problem, AtomicBoolean reported)
                implements MetricExporter {

            @Override
            public CompletableResultCode export(Collection<MetricData> metrics) {
                CompletableResultCode code = to.export(metrics);
                code.whenComplete(() -> {
                    if (!code.isSuccess() && !reported.getAndSet(true)) {
                        problem.run();
                    }
                });
                return code;
            }

            @Override
            public AggregationTemporality getAggregationTemporality(InstrumentType type) {
                return to.getAggregationTemporality(type);
            }

            @Override
            public CompletableResultCode flush() {
                return to.flush();
            }

            @Override
            public CompletableResultCode shutdown() {
                return to.shutdown();
            }
        }
    }
}
