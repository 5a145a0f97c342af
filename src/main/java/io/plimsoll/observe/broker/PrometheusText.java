package io.plimsoll.observe.broker;

import io.plimsoll.observe.broker.BrokerFigures.Beans;
import io.plimsoll.Exit;
import io.plimsoll.observe.host.NodeFigures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Maps Prometheus text back to the beans of its metrics, by the common naming rules of exporters: a metric of the bean's
 * type and attribute with the rest as labels (the JMX exporter without rules), or one that contains the bean's name and
 * ends in {@code _total}, {@code _count}, {@code _mean} or nothing, with or without {@code PerSec} (see {@link
 * #FORMS}). Case is ignored. Other beans are missing.
 */
final class PrometheusText implements Beans {
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
            samples.computeIfAbsent(lower(m.group(1)), n -> new ArrayList<>()).add(new Sample(labels, value));
        } catch (NumberFormatException e) {
            // No number, no figure.
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
            // 0.95 of 95thPercentile, 0.999 of 999thPercentile.
            labels.put("quantile", "0." + attribute.replaceAll("\\D.*", ""));
        }
        return suffixes(attribute).stream()
                .mapToDouble(suffix -> one(type + "_" + name + suffix, labels))
                .filter(v -> !Double.isNaN(v))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** A node exporter uses the same names for its own process as a broker's exporter for the broker. */
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

    /** The sample with these labels and no other label that distinguishes beans. */
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
        b.counter("host.diskQueueSeconds", sum("node_disk_io_time_weighted_seconds_total"));
        b.counter(
                "host.diskWaitMs",
                1e3 * (sum("node_disk_read_time_seconds_total") + sum("node_disk_write_time_seconds_total")));
        b.counter(
                "host.diskRequests", sum("node_disk_reads_completed_total") + sum("node_disk_writes_completed_total"));
        b.counter("host.diskReadBytes", sum("node_disk_read_bytes_total"));
        b.counter("host.diskWriteBytes", sum("node_disk_written_bytes_total"));
        b.counter("host.networkInBytes", sum("node_network_receive_bytes_total"));
        b.counter("host.networkOutBytes", sum("node_network_transmit_bytes_total"));
        b.gauge("host.memoryAvailableBytes", sum("node_memory_memavailable_bytes"));
    }

    private static double orZero(double value) {
        return Double.isNaN(value) ? 0 : value;
    }

    private double sum(String metric) {
        return sum(metric, Map.of());
    }

    private double sum(String metric, Map<String, String> labels) {
        double[] values = samples.getOrDefault(metric, List.of()).stream()
                .filter(s -> !NodeFigures.isCountedElsewhere(s.labels().getOrDefault("device", "")))
                .filter(s -> s.labels().entrySet().containsAll(labels.entrySet()))
                .mapToDouble(Sample::value)
                .toArray();
        return values.length == 0 ? Double.NaN : Arrays.stream(values).sum();
    }
}
