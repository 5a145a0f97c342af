package io.plimsoll.web;

import java.util.Locale;
import java.util.Map;

/** Writes the text that Prometheus scrapes: OpenMetrics 1.0. One use, by one thread. */
final class OpenMetrics {
    static final String TYPE = "application/openmetrics-text; version=1.0.0";

    private final StringBuilder out = new StringBuilder();

    /** The samples that follow are of this metric; counters' names end in {@code _total} there. */
    void family(String name, String type, String help) {
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    }

    void sample(String name, Map<String, String> labels, double number) {
        out.append(name);
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

    String text() {
        return out + "# EOF\n";
    }
}
