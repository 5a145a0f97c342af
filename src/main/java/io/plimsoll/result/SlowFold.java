package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.measure.SlowBatch.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.DoubleStream;

/**
 * Collects the slow batches of a trial and the events that can explain them. The time of a request is divided by the
 * broker's own request times of the same second. Memory is bounded, also in trials of days. Not thread-safe.
 */
final class SlowFold {
    /** Bounds memory: of more, the fastest are dropped. */
    private static final int MOST_BATCHES = 5_000;
    /** Of each ten seconds, so that one long outage does not displace all else. */
    private static final int MOST_OF_A_WHILE = 64;

    private static final long WHILE_NANOS = 10_000_000_000L;
    /** Observations of a second arrive within this time after its snapshot. */
    private static final long SETTLED_NANOS = 3_000_000_000L;

    private final PriorityQueue<SlowBatch> batches = new PriorityQueue<>(Comparator.comparingLong(SlowBatch::nanos));
    private final IncidentFold incidents = new IncidentFold();
    private final ArrayDeque<SlowBatch> waiting = new ArrayDeque<>();
    private final Map<String, BrokerSeconds> brokers = new HashMap<>();
    private long whileNumber = -1;
    private int ofThisWhile;

    void accept(List<SlowBatch> slow, long nowNanos) {
        waiting.addAll(slow);
        settle(nowNanos - SETTLED_NANOS);
    }

    void accept(Observation o) {
        incidents.accept(o);
        if (o.what().startsWith(ObservedFigures.BROKER)) {
            brokers.computeIfAbsent(o.what(), b -> new BrokerSeconds()).accept(o);
        }
    }

    IncidentFold incidents() {
        return incidents;
    }

    private void settle(long untilNanos) {
        while (!waiting.isEmpty() && waiting.peek().toNanos() <= untilNanos) {
            keep(divided(waiting.poll()));
        }
    }

    private void keep(SlowBatch batch) {
        long number = batch.toNanos() / WHILE_NANOS;
        ofThisWhile = number == whileNumber ? ofThisWhile : 0;
        whileNumber = number;
        if (++ofThisWhile > MOST_OF_A_WHILE) {
            batches.stream()
                    .filter(other -> other.toNanos() / WHILE_NANOS == number)
                    .min(batches.comparator())
                    .filter(fastest -> fastest.nanos() < batch.nanos())
                    .ifPresent(fastest -> {
                        batches.remove(fastest);
                        batches.add(batch);
                    });
            return;
        }
        batches.add(batch);
        if (batches.size() > MOST_BATCHES) {
            batches.poll();
        }
    }

    private SlowBatch divided(SlowBatch batch) {
        Long request = batch.stages().get(Stage.REQUEST);
        BrokerSeconds seconds = brokers.get(ObservedFigures.BROKER + batch.broker());
        Map<Stage, Double> excess =
                request == null || seconds == null ? Map.of() : seconds.excess(batch.toNanos(), request);
        return excess.isEmpty() ? batch : batch.divided(excess);
    }

    /**
     * The slow moments of records due in the measured window, slowest first.
     * @param fromSeconds start of the window, since the trial's start
     * @param produceMicros median response time; 0 if unknown
     * @param consumeMicros median end-to-end latency; 0 if unknown
     */
    List<SlowMoment> moments(double fromSeconds, long produceMicros, long consumeMicros) {
        List<SlowBatch> all = new ArrayList<>(batches);
        waiting.forEach(batch -> all.add(divided(batch)));
        all.removeIf(batch -> batch.fromNanos() < fromSeconds * 1e9);
        return new SlowMoments(incidents.incidents()).of(all, produceMicros, consumeMicros);
    }

    /** Request times of one broker in its last seconds. */
    private static final class BrokerSeconds {
        private static final int MOST = 60;
        /** A request that ends at the edge of a second can be counted in the next one. */
        private static final long EDGE_NANOS = 100_000_000L;
        /** Seconds without which the usual time of a stage is unknown. */
        private static final int LEAST = 3;

        private static final Map<Stage, List<String>> FIGURES = new EnumMap<>(Map.of(
                Stage.QUEUE, List.of("produce.requestQueueMs"),
                Stage.APPEND, List.of("produce.localMs"),
                Stage.REPLICATION, List.of("produce.remoteMs"),
                Stage.THROTTLE, List.of("produce.throttleMs"),
                Stage.RESPONSE, List.of("produce.responseQueueMs", "produce.responseSendMs")));

        private final ArrayDeque<Observation> last = new ArrayDeque<>();

        void accept(Observation o) {
            if (o.sums().containsKey("produce.requests")) {
                last.addLast(o);
                if (last.size() > MOST) {
                    last.removeFirst();
                }
            }
        }

        private static double sum(Observation o, Stage stage) {
            return FIGURES.get(stage).stream()
                    .mapToDouble(name -> o.sums().getOrDefault(name, 0.0))
                    .sum();
        }

        /**
         * Milliseconds that the requests of the seconds around this time spent in each stage beyond the usual: the median
         * of the known seconds, and twice their median deviation. Empty if the broker was not observed then.
         */
        Map<Stage, Double> excess(long nanos, long requestNanos) {
            List<Observation> around = last.stream()
                    .filter(o -> o.fromNanos() - EDGE_NANOS <= nanos && nanos <= o.toNanos() + EDGE_NANOS)
                    .toList();
            if (around.isEmpty() || last.size() < LEAST) {
                return Map.of();
            }
            Map<Stage, Double> excess = new EnumMap<>(Stage.class);
            for (Stage stage : FIGURES.keySet()) {
                double[] sums =
                        last.stream().mapToDouble(o -> sum(o, stage)).sorted().toArray();
                double usual = sums[sums.length / 2];
                double[] off = DoubleStream.of(sums)
                        .map(s -> Math.abs(s - usual))
                        .sorted()
                        .toArray();
                double more = around.stream()
                        .mapToDouble(o -> Math.max(0, sum(o, stage) - usual - 2 * off[off.length / 2]))
                        .max()
                        .orElse(0);
                excess.put(stage, more);
            }
            double all =
                    excess.values().stream().mapToDouble(Double::doubleValue).sum();
            // Less than the request itself: the rest of it was outside of the broker.
            excess.put(Stage.NETWORK, Math.max(0, requestNanos / 1e6 - all));
            return excess;
        }
    }
}
