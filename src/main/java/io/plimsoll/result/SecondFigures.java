package io.plimsoll.result;

import io.plimsoll.measure.ConsumeCounts;
import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.WireCounts;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Check.Dimension;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The figures of single seconds that checks ask for; no others are kept. */
final class SecondFigures {
    private final Map<String, Check> wanted = new TreeMap<>();
    /** By the number of the second: what was observed of brokers and hosts in it. */
    private final Map<Integer, Map<String, Double>> observed = new HashMap<>();

    SecondFigures(Collection<Check> checks) {
        checks.stream().filter(c -> c.ofSeconds() != null).forEach(c -> wanted.putIfAbsent(key(c), c));
    }

    /** What a check looks for in {@link TrialResult.Second#figures}. */
    static String key(Check check) {
        return check.figure() + " " + check.dimension();
    }

    /** Whether seconds may lack a figure without that saying anything: nobody looked. */
    static boolean mayBeMissing(String figure) {
        return figure.equals("consume.lag") || ObservedFigure.of(figure) != null;
    }

    /** What was done in a second, or a little more. */
    record Done(
            double seconds,
            ProduceCounts produce,
            ConsumeCounts consume,
            WireCounts wire,
            GeneratorSample generator,
            Long lag) {}

    void accept(Observation o) {
        for (Map.Entry<String, Check> each : wanted.entrySet()) {
            ObservedFigure figure = ObservedFigure.of(each.getValue().figure());
            if (figure != null) {
                figure.of(o).ifPresent(value -> observed.computeIfAbsent(
                                second(o.fromNanos(), o.toNanos()), s -> new HashMap<>())
                        .merge(each.getKey(), value, figure::worse));
            }
        }
    }

    static int second(long fromNanos, long toNanos) {
        return (int) Math.max(0, (fromNanos + toNanos) / 2 / 1_000_000_000L);
    }

    /** What was observed in a second of these. */
    Map<String, Double> observed(int second) {
        return observed.getOrDefault(second, Map.of());
    }

    /** Figures that a second does not have are absent. */
    Map<String, Double> of(Done done) {
        Map<String, Double> figures = new HashMap<>();
        wanted.forEach((key, check) -> {
            Double value = value(done, check.figure(), check.dimension());
            if (value != null && !value.isNaN()) {
                figures.put(key, value);
            }
        });
        return figures;
    }

    private static Double value(Done d, String figure, Dimension dimension) {
        boolean bytes = dimension == Dimension.BYTES_PER_SECOND;
        ProduceCounts p = d.produce;
        return switch (figure) {
            case "produce.offered" -> p.due() / d.seconds;
            case "produce.throughput" -> (bytes ? p.acknowledgedBytes() : p.acknowledged()) / d.seconds;
            case "produce.achieved" -> ratio(p.acknowledged(), p.due());
            case "produce.errors" -> (double) p.errorTotal();
            case "produce.requestRate" -> d.wire.requests() / d.seconds;
            case "produce.wireThroughput" -> d.wire.batchBytes() / d.seconds;
            case "produce.recordsPerBatch" -> ratio(d.wire.batchedRecords(), d.wire.batches());
            case "produce.compressionRatio" -> ratio(d.wire.batchBytes(), d.wire.uncompressedBytes());
            case "consume.throughput" -> (bytes ? d.consume.bytes() : d.consume.records()) / d.seconds;
            case "consume.errors" ->
                (double) d.consume.errors().values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
            case "consume.requestRate" -> d.wire.fetchRequests() / d.seconds;
            case "consume.lag" -> d.lag == null ? null : Double.valueOf(d.lag);
            case "generator.cpu" -> d.generator.cpuNanos() / 1e9 / d.seconds;
            case "generator.gc" -> d.generator.gcNanos() / 1e9 / d.seconds;
            case "generator.busiestThread" -> d.generator.busiestThreadShare();
            default -> latency(d, figure);
        };
    }

    private static Double latency(Done d, String figure) {
        for (String kind : List.of("produce.response.", "produce.service.", "produce.delay.", "consume.endToEnd.")) {
            if (figure.startsWith(kind)) {
                Latencies latencies =
                        switch (kind) {
                            case "produce.response." -> d.produce.responseTime();
                            case "produce.service." -> d.produce.serviceTime();
                            case "produce.delay." -> d.produce.sendDelay();
                            default -> d.consume.endToEnd();
                        };
                return latencies.isEmpty() ? null : statistic(latencies, figure.substring(kind.length()));
            }
        }
        return null;
    }

    private static Double statistic(Latencies latencies, String name) {
        return switch (name) {
            case "min" -> (double) latencies.minMicros();
            case "mean" -> latencies.meanMicros();
            case "max" -> (double) latencies.maxMicros();
            default -> (double) latencies.percentileMicros(Double.parseDouble(name.substring(1)));
        };
    }

    private static Double ratio(long above, long below) {
        return below == 0 ? null : Double.valueOf((double) above / below);
    }
}
