package io.plimsoll.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A metric with its current samples, for Prometheus and OTLP. Not thread-safe.
 *
 * @param name name without Prometheus's suffix for counters
 */
public record ExportedMetric(String name, Kind kind, String help, List<Sample> samples) {
    public enum Kind {
        /** A monotonic counter with integer values. */
        COUNT,
        /** A monotonic counter. */
        SUM,
        GAUGE
    }

    public record Sample(Map<String, String> labels, double number) {}

    ExportedMetric(String name, Kind kind, String help) {
        this(name, kind, help, new ArrayList<>());
    }

    /** Adds a sample. {@code labels}: alternating names and values. */
    ExportedMetric add(double number, String... labels) {
        Map<String, String> named = new LinkedHashMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            named.put(labels[i], labels[i + 1]);
        }
        samples.add(new Sample(named, number));
        return this;
    }

    ExportedMetric with(String label, String value) {
        ExportedMetric labelled = new ExportedMetric(name, kind, help);
        for (Sample sample : samples) {
            Map<String, String> labels = new LinkedHashMap<>(sample.labels);
            labels.put(label, value);
            labelled.samples.add(new Sample(labels, sample.number));
        }
        return labelled;
    }

    static final String TYPE = "application/openmetrics-text; version=1.0.0";

    static String openMetrics(List<ExportedMetric> metrics) {
        StringBuilder out = new StringBuilder();
        for (ExportedMetric metric : metrics) {
            boolean gauge = metric.kind() == ExportedMetric.Kind.GAUGE;
            out.append("# TYPE ").append(metric.name()).append(gauge ? " gauge\n" : " counter\n");
            out.append("# HELP " + metric.name() + ' ' + metric.help() + '\n');
            for (ExportedMetric.Sample sample : metric.samples()) {
                out.append(metric.name()).append(gauge ? "" : "_total");
                sample(out, sample.labels(), sample.number());
            }
        }
        return out + "# EOF\n";
    }

    private static void sample(StringBuilder out, Map<String, String> labels, double number) {
        String before = "{";
        for (Map.Entry<String, String> label : labels.entrySet()) {
            out.append(before).append(label.getKey()).append("=\"");
            out.append(escaped(label.getValue())).append('"');
            before = ",";
        }
        String digits = number == Math.rint(number)
                ? String.format(Locale.ROOT, "%.0f", number)
                : String.format(Locale.ROOT, "%.6f", number);
        out.append(labels.isEmpty() ? " " : "} ").append(digits).append('\n');
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
