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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Sends the figures that {@link MetricsPage} shows by OTLP. A thread of the library does it, and its end waits half a second
 * at most. What cannot be sent is told once. Thread-safe.
 */
public final class OtlpExport implements Progress {
    /** It would write to standard error by itself, each time. */
    private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

    private static final long END_PATIENCE_MILLIS = 500;

    private final SdkMeterProvider provider;

    /**
     * Begins to send.
     *
     * @param figures are asked for each time: always the same metrics
     * @param warning is told once if they cannot be sent; on any thread
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
                .registerMetricReader(
                        PeriodicMetricReader.builder(new Told(exporter.build(), () -> warning.accept(problem)))
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
                        .forEach(sample ->
                                recorders.get(metric.name()).accept(sample.number(), attributes(sample.labels())))),
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
                meter.gaugeBuilder(metric.name()).setDescription(metric.help()).buildObserver();
        };
    }

    private static Attributes attributes(Map<String, String> from) {
        AttributesBuilder attributes = Attributes.builder();
        from.forEach(attributes::put);
        return attributes.build();
    }

    /** Sends what the last second was. */
    @Override
    public void close() {
        provider.shutdown().join(END_PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Tells once that something was not sent. */
    private record Told(MetricExporter to, Runnable problem, AtomicBoolean told) implements MetricExporter {
        Told(MetricExporter to, Runnable problem) {
            this(to, problem, new AtomicBoolean());
        }

        @Override
        public CompletableResultCode export(Collection<MetricData> metrics) {
            CompletableResultCode code = to.export(metrics);
            code.whenComplete(() -> {
                if (!code.isSuccess() && !told.getAndSet(true)) {
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
