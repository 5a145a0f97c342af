package io.plimsoll.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A figure for others, with what it is now by its labels: what Prometheus scrapes and OTLP sends. Used by one thread at a time.
 *
 * @param name without the suffix that Prometheus gives counters
 */
public record ExportedMetric(String name, Kind kind, String help, List<Sample> samples) {
    /** What its numbers do. */
    public enum Kind {
        /** They only grow, by whole numbers. */
        COUNT,
        /** They only grow. */
        SUM,
        GAUGE
    }

    /** One number. */
    public record Sample(Map<String, String> labels, double number) {}

    ExportedMetric(String name, Kind kind, String help) {
        this(name, kind, help, new ArrayList<>());
    }

    /** @param labels names and values by turns */
    ExportedMetric add(double number, String... labels) {
        Map<String, String> named = new LinkedHashMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            named.put(labels[i], labels[i + 1]);
        }
        samples.add(new Sample(named, number));
        return this;
    }

    /** The same with one more label on each number. */
    ExportedMetric with(String label, String value) {
        ExportedMetric labelled = new ExportedMetric(name, kind, help);
        for (Sample sample : samples) {
            Map<String, String> labels = new LinkedHashMap<>(sample.labels);
            labels.put(label, value);
            labelled.samples.add(new Sample(labels, sample.number));
        }
        return labelled;
    }
}
