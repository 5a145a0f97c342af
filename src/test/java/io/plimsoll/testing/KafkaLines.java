package io.plimsoll.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Output formats of Kafka's performance tools, and the parsers of Kafka's system tests. */
public final class KafkaLines {
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d:\\d{3}";
    private static final String WINDOW =
            "\\d+ records sent, \\d+\\.\\d records/sec \\(\\d+\\.\\d\\d MB/sec\\), \\d+\\.\\d ms avg latency, \\d+\\.\\d ms max latency\\.";
    private static final String SUMMARY_TAIL =
            " records sent, \\d+\\.\\d{6} records/sec \\(\\d+\\.\\d\\d MB/sec\\), \\d+\\.\\d\\d ms avg latency, \\d+\\.\\d\\d ms max latency,"
                    + " \\d+ ms 50th, \\d+ ms 95th, \\d+ ms 99th, \\d+ ms 99\\.9th\\.";
    private static final String READ =
            ", \\d+\\.\\d{4}, \\d+\\.\\d{4}, \\d+, \\d+\\.\\d{4}, \\d+, \\d+, \\d+\\.\\d{4}, \\d+\\.\\d{4}";
    private static final String HEADER_TAIL =
            ", data\\.consumed\\.in\\.MB, MB\\.sec, data\\.consumed\\.in\\.nMsg, nMsg\\.sec, rebalance\\.time\\.ms, fetch\\.time\\.ms,"
                    + " fetch\\.MB\\.sec, fetch\\.nMsg\\.sec";

    private static final Map<String, String> SHAPES = new LinkedHashMap<>();

    static {
        SHAPES.put("interval", WINDOW);
        SHAPES.put("summary", "\\d+" + SUMMARY_TAIL);
        SHAPES.put("steady summary", "\\d+ steady state" + SUMMARY_TAIL);
        SHAPES.put(
                "warm-up announced",
                "Warmup first \\d+ records\\. Steady state results will print after the complete test summary\\.");
        SHAPES.put("steady announced", "In steady state\\.");
        SHAPES.put("payload file", "Reading payloads from: /.*");
        SHAPES.put("payloads", "Number of records read: \\d+");
        SHAPES.put("empty", "");
        SHAPES.put("metrics header", "Metric Name +  Value");
        SHAPES.put("metric", "[a-z-]+:[A-Za-z0-9.-]+:\\{.*\\} +: \\S.*");
        SHAPES.put("header", "start\\.time, end\\.time" + HEADER_TAIL);
        SHAPES.put("detailed header", "time, threadId" + HEADER_TAIL);
        SHAPES.put("row", TIME + ", " + TIME + READ);
        SHAPES.put("detailed row", TIME + ", 0" + READ);
        SHAPES.put(
                "share header",
                "start\\.time, end\\.time, data\\.consumed\\.in\\.MB, MB\\.sec, nMsg\\.sec, data\\.consumed\\.in\\.nMsg,"
                        + " fetch\\.time\\.ms");
        String shared = TIME + ", " + TIME + ", \\d+\\.\\d{4}, \\d+\\.\\d{4}, \\d+\\.\\d{4}, \\d+, \\d+";
        SHAPES.put("share row", shared);
        SHAPES.put(
                "share consumer",
                "Share consumer \\d+ having client id perf-share-consumer-client-\\d+ consumption metrics- " + shared);
        SHAPES.put(
                "shortfall",
                "WARNING: Exiting before consuming the expected number of records: timeout \\(\\d+ ms\\) exceeded\\. You can"
                        + " use the --timeout option to increase the timeout\\.");
        SHAPES.put(
                "topic made",
                "Topic \".*\" does not exist\\. Will create topic with 1 partition\\(s\\) and replication factor = 1");
        SHAPES.put("latency", "\\d+\\t\\d+\\.\\d+(E-?\\d+)?");
        SHAPES.put("average", "Avg latency: \\d+\\.\\d{4} ms");
        SHAPES.put("percentiles", "Percentiles: 50th = \\d+, 99th = \\d+, 99\\.9th = \\d+");
        // Deprecation notices vary from release to release.
        SHAPES.put("deprecated", "(Option |Warning: |WARNING: Positional).* deprecated[ .].*");
    }

    private KafkaLines() {}

    /**
     * The format of each line without deprecation notices; repeated formats count once, because the number of intervals
     * or metrics is arbitrary.
     */
    public static List<String> shapes(String output) {
        List<String> shapes = new ArrayList<>();
        output.lines().forEach(line -> {
            String shape = shape(line);
            boolean again = !shapes.isEmpty() && shapes.get(shapes.size() - 1).equals(shape);
            if (!shape.equals("deprecated") && !again) {
                shapes.add(shape);
            }
        });
        return shapes;
    }

    private static String shape(String line) {
        return SHAPES.entrySet().stream()
                .filter(shape -> line.matches(shape.getValue()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new AssertionError("a line of no known shape: " + line));
    }

    /** Parses the last line as the system test's producer service does. */
    public static Map<String, Double> producerFigures(String line) {
        String[] parts = line.split(",");
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("records", (double) Integer.parseInt(word(parts[0], 0)));
        figures.put("records_per_sec", Double.valueOf(word(parts[1], 0)));
        figures.put("mbps", Double.valueOf(word(parts[1].split("\\(")[1], 0)));
        String[] latencies = {"avg", "max", "50th", "95th", "99th", "999th"};
        for (int i = 0; i < latencies.length; i++) {
            figures.put("latency_" + latencies[i], Double.valueOf(word(parts[2 + i], 0)));
        }
        return figures;
    }

    /** Parses as the system test's consumer service does. */
    public static Map<String, Double> consumerFigures(String line) {
        String[] parts = line.split(",");
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("total_mb", Double.valueOf(parts[2].strip()));
        figures.put("mbps", Double.valueOf(parts[3].strip()));
        figures.put("records_per_sec", Double.valueOf(parts[5].strip()));
        return figures;
    }

    /** Parses as the system test's end-to-end service does. */
    public static Map<String, Double> endToEndFigures(String output) {
        Map<String, Double> figures = new LinkedHashMap<>();
        output.lines().forEach(line -> {
            if (line.startsWith("Avg latency:")) {
                figures.put("avg", Double.valueOf(word(line, 2)));
            }
            if (line.startsWith("Percentiles")) {
                figures.put("50th", Double.valueOf(word(line, 3).replaceFirst(".$", "")));
                figures.put("99th", Double.valueOf(word(line, 6).replaceFirst(".$", "")));
                figures.put("999th", Double.valueOf(word(line, 9)));
            }
        });
        assertThat(figures).hasSize(4);
        return figures;
    }

    private static String word(String text, int index) {
        return text.strip().split("\\s+")[index];
    }
}
