package io.plimsoll.web;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the text that Prometheus scrapes: OpenMetrics 1.0. */
final class OpenMetrics {
    static final String TYPE = "application/openmetrics-text; version=1.0.0";

    private OpenMetrics() {}

    static String text(List<ExportedMetric> metrics) {
        StringBuilder out = new StringBuilder();
        for (ExportedMetric metric : metrics) {
            boolean gauge = metric.kind() == ExportedMetric.Kind.GAUGE;
            out.append("# TYPE ").append(metric.name()).append(gauge ? " gauge\n" : " counter\n");
            out.append("# HELP ")
                    .append(metric.name())
                    .append(' ')
                    .append(metric.help())
                    .append('\n');
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
