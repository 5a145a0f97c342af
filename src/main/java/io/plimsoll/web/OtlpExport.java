package io.plimsoll.web;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
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
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Sends the figures of {@link MetricsPage} by OTLP. A thread of the library does it; the run only leaves its last second
 * here, and its end waits half a second at most. What cannot be sent is told once. Thread-safe.
 */
public final class OtlpExport implements Progress {
    /** It would write to standard error by itself, each time. */
    private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

    private static final long END_PATIENCE_MILLIS = 500;
    private static final AttributeKey<String> TRIAL = AttributeKey.stringKey("trial");
    private static final AttributeKey<String> QUANTILE = AttributeKey.stringKey("quantile");
    private static final AttributeKey<String> GROUP = AttributeKey.stringKey("group");

    private final RunTotals totals = new RunTotals();
    private final SdkMeterProvider provider;

    /** @param warning is told once if figures cannot be sent; on any thread */
    public OtlpExport(OtlpSettings settings, Consumer<Sentence> warning) {
        LIBRARY.setLevel(Level.OFF);
        OtlpHttpMetricExporterBuilder exporter = OtlpHttpMetricExporter.builder()
                .setEndpoint(settings.endpoint().toString())
                .setTimeout(settings.timeout())
                .setRetryPolicy(null);
        settings.headers().forEach(exporter::addHeader);
        AttributesBuilder resource = Attributes.builder();
        settings.attributes().forEach(resource::put);
        Sentence problem = Sentence.of("web.notSent", settings.shownEndpoint());
        provider = SdkMeterProvider.builder()
                .setResource(Resource.create(resource.build()))
                .registerMetricReader(
                        PeriodicMetricReader.builder(new Told(exporter.build(), () -> warning.accept(problem)))
                                .setInterval(settings.interval())
                                .build())
                .build();
        instruments(provider.get("plimsoll"));
    }

    private void instruments(Meter meter) {
        for (RunTotals.Name counter : RunTotals.COUNTERS) {
            meter.counterBuilder(counter.name()).setDescription(counter.help()).buildWithCallback(to -> {
                RunTotals.Totals figures = totals.figures();
                if (figures != null) {
                    to.record(figures.count(counter), Attributes.of(TRIAL, figures.trial()));
                }
            });
        }
        for (RunTotals.Name gauge : RunTotals.QUANTILES) {
            gauge(meter, gauge, (figures, to) -> figures.quantiles(gauge)
                    .forEach((q, value) -> to.record(value, Attributes.of(TRIAL, figures.trial(), QUANTILE, q))));
        }
        gauge(meter, RunTotals.LAG, (figures, to) -> figures.lag()
                .forEach((group, lag) -> to.record(lag, Attributes.of(TRIAL, figures.trial(), GROUP, group))));
        gauge(
                meter,
                RunTotals.CORES,
                (figures, to) -> to.record(figures.cores(), Attributes.of(TRIAL, figures.trial())));
    }

    private void gauge(
            Meter meter, RunTotals.Name name, BiConsumer<RunTotals.Totals, ObservableDoubleMeasurement> record) {
        meter.gaugeBuilder(name.name()).setDescription(name.help()).buildWithCallback(to -> {
            RunTotals.Totals figures = totals.figures();
            if (figures != null) {
                record.accept(figures, to);
            }
        });
    }

    @Override
    public void snapshot(Snapshot s) {
        totals.accept(s);
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
