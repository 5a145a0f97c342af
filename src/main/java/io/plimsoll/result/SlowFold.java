package io.plimsoll.result;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.measure.SlowBatch.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Collects the slow batches of a trial and the events that can explain them. The time of a request is split into stages
 * according to the broker's own log of slow requests or, without it, the broker's request times of the same second.
 * Memory is bounded, even in trials of days. Not thread-safe.
 */
public final class SlowFold {
    /** Maximum number of batches, to limit memory; beyond it, the fastest are dropped. */
    private static final int MOST_BATCHES = 5_000;
    /**
     * Maximum number of batches in ten seconds, for producers and consumers each, so that one long outage does not
     * displace all other batches.
     */
    private static final int MOST_OF_A_WHILE = 64;

    private static final long WHILE_NANOS = 10_000_000_000L;
    private static final long SECOND = 1_000_000_000L;
    /** Time in ns after a snapshot within which the observations of the same second arrive. */
    private static final long SETTLED_NANOS = 3_000_000_000L;
    /** Maximum length in ns of a moment during a load without an end; a longer moment is reported in parts. */
    private static final long PART_NANOS = 60 * SECOND;
    /** Time in ns for which events are kept: a record can wait for a minute and then be part of a one-minute moment. */
    private static final long KEPT_NANOS = 3 * PART_NANOS;

    private final PriorityQueue<SlowBatch> batches = new PriorityQueue<>(Comparator.comparingLong(SlowBatch::nanos));
    private final IncidentFold incidents = new IncidentFold(this::slowAt);
    private final ArrayDeque<SlowBatch> waiting = new ArrayDeque<>();
    private final Map<String, BrokerSeconds> brokers = new HashMap<>();
    /** Index of the current ten-second interval, for producers and for consumers. */
    private final long[] whileNumber = {-1, -1};

    private final int[] ofThisWhile = new int[2];

    public void accept(List<SlowBatch> slow, long nowNanos) {
        waiting.addAll(slow);
        slow.stream()
                .filter(batch -> batch.stages().containsKey(Stage.REQUEST))
                .forEach(batch -> of(ObservedFigures.BROKER + batch.broker()).asked(batch));
        settle(nowNanos - SETTLED_NANOS);
    }

    void accept(Observation o) {
        incidents.accept(o);
        if (o.what().startsWith(ObservedFigures.BROKER)) {
            of(o.what()).accept(o);
        }
    }

    private BrokerSeconds of(String broker) {
        return brokers.computeIfAbsent(broker, b -> new BrokerSeconds());
    }

    IncidentFold incidents() {
        return incidents;
    }

    /** Whether records were slow within a second of an incident. */
    private boolean slowAt(Incident incident) {
        return Stream.concat(batches.stream(), waiting.stream())
                .anyMatch(batch -> batch.fromNanos() - SECOND < incident.toNanos()
                        && incident.fromNanos() < batch.toNanos() + SECOND);
    }

    private void settle(long untilNanos) {
        while (!waiting.isEmpty() && waiting.peek().toNanos() <= untilNanos) {
            keep(divided(waiting.poll()));
        }
    }

    private void keep(SlowBatch batch) {
        long number = batch.toNanos() / WHILE_NANOS;
        int side = batch.reads() ? 1 : 0;
        ofThisWhile[side] = number == whileNumber[side] ? ofThisWhile[side] : 0;
        whileNumber[side] = number;
        if (++ofThisWhile[side] > MOST_OF_A_WHILE) {
            batches.stream()
                    .filter(other -> other.toNanos() / WHILE_NANOS == number && other.reads() == batch.reads())
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
        if (!batch.stages().containsKey(Stage.REQUEST)) {
            return batch;
        }
        BrokerSeconds broker = of(ObservedFigures.BROKER + batch.broker());
        Map<Stage, Double> logged = broker.logged(batch);
        Map<Stage, Double> excess =
                logged.isEmpty() ? broker.excess(batch.startOf(Stage.REQUEST), batch.toNanos()) : logged;
        return excess.isEmpty() ? batch : batch.divided(excess);
    }

    /**
     * The slow moments of records due in the measured window, slowest first. A record is slow if its latency is at
     * least 20 ms and at least five times the median; for the 100 slowest records, twice the median is enough.
     * @param fromSeconds start of the window, since the trial's start
     * @param produceMicros median response time; 0 if unknown
     * @param consumeMicros median end-to-end latency; 0 if unknown
     * @param leaders leader of each partition
     */
    List<SlowMoment> moments(double fromSeconds, long produceMicros, long consumeMicros, Map<String, Integer> leaders) {
        List<SlowBatch> due = known().filter(batch -> batch.fromNanos() >= fromSeconds * 1e9)
                .map(batch -> batch.ledBy(leaders))
                .toList();
        List<SlowBatch> slow = new ArrayList<>(SlowMoments.slow(due, false, produceMicros));
        slow.addAll(SlowMoments.slow(due, true, consumeMicros));
        return moments(slow);
    }

    private Stream<SlowBatch> known() {
        return Stream.concat(batches.stream(), waiting.stream().map(this::divided));
    }

    private List<SlowMoment> moments(List<SlowBatch> slow) {
        boolean exact = brokers.values().stream().anyMatch(broker -> !broker.log.isEmpty());
        return new SlowMoments(incidents.incidents(), exact).of(slow);
    }

    public void happened(List<Incident> more) {
        more.stream().filter(i -> i.kind().stage().isPresent()).forEach(i -> of(i.where())
                .logged(i));
        incidents.happened(more.stream().filter(i -> i.kind().stage().isEmpty()).toList());
    }

    /**
     * Returns the moments that are over, in chronological order, during a load without an end. Drops their records and
     * old events.
     * @param boundNanos latency from which a record is slow, at least 20 ms
     */
    public List<SlowMoment> takeOver(long boundNanos, long nowNanos) {
        incidents.forgetBefore(nowNanos - KEPT_NANOS);
        LongSummaryStatistics ends = Stream.concat(batches.stream(), waiting.stream())
                .filter(batch -> batch.nanos() >= boundNanos)
                .mapToLong(SlowBatch::toNanos)
                .summaryStatistics();
        boolean over = ends.getMax() <= nowNanos - SETTLED_NANOS || ends.getMin() <= nowNanos - PART_NANOS;
        if (ends.getCount() > 0 && !over) {
            return List.of();
        }
        List<SlowMoment> moments = ends.getCount() == 0
                ? List.of()
                : moments(known().filter(batch -> batch.nanos() >= boundNanos).toList());
        batches.clear();
        waiting.clear();
        Arrays.fill(whileNumber, -1);
        return moments.stream()
                .sorted(Comparator.comparingDouble(SlowMoment::fromSeconds))
                .toList();
    }

    /** A slow request as measured by its client; the batches of the request share it. */
    private record Request(String of, long fromNanos, long toNanos) {}

    /** Request times of one broker: of the last seconds and, with its request log, of the last slow requests. */
    private static final class BrokerSeconds {
        private static final int MOST = 60;
        /** Tolerance in ns at the edges of a second, because a request can be counted one second late. */
        private static final long EDGE_NANOS = 100_000_000L;
        /** Minimum number of observed seconds from which the usual time of a stage is known. */
        private static final int LEAST = 3;

        private static final Map<Stage, String> FIGURES = new EnumMap<>(Map.of(
                Stage.QUEUE, "produce.requestQueueMs",
                Stage.APPEND, "produce.localMs",
                Stage.REPLICATION, "produce.remoteMs",
                Stage.THROTTLE, "produce.throttleMs",
                Stage.RESPONSE, "produce.responseQueueMs"));

        private final ArrayDeque<Observation> last = new ArrayDeque<>();
        private final Set<Request> requests = new LinkedHashSet<>();
        private final ArrayDeque<Incident> log = new ArrayDeque<>();

        void logged(Incident stage) {
            log.addLast(stage);
            if (log.size() > MOST_BATCHES) {
                log.removeFirst();
            }
        }

        /**
         * Nanoseconds that the batch's request spent in each stage at the broker. The broker handles the requests of a
         * client one after the other, so the request also waits for the stages of earlier requests; the remaining time
         * is the network. If the entry has several clients, the request is attributed to the client with the logged
         * request that ended closest to the acknowledgment. Empty if the request log has no request of the entry.
         */
        Map<Stage, Double> logged(SlowBatch batch) {
            long from = batch.startOf(Stage.REQUEST);
            long to = batch.toNanos();
            List<Incident> known = log.stream()
                    .filter(i -> i.detail() != null && i.detail().contains("-" + batch.of() + "-"))
                    .toList();
            if (known.isEmpty()) {
                return Map.of();
            }
            Map<Stage, Double> stages = new EnumMap<>(Stage.class);
            known.stream()
                    .filter(i -> i.fromNanos() < to && from < i.toNanos())
                    .collect(Collectors.groupingBy(Incident::detail))
                    .values()
                    .stream()
                    .min(Comparator.comparingLong(client -> client.stream()
                            .mapToLong(i -> Math.abs(to - i.toNanos()))
                            .min()
                            .orElseThrow()))
                    .orElse(List.of())
                    .forEach(i -> stages.merge(
                            i.kind().stage().orElseThrow(),
                            (double) Math.min(to, i.toNanos()) - Math.max(from, i.fromNanos()),
                            Double::sum));
            double sum =
                    stages.values().stream().mapToDouble(Double::doubleValue).sum();
            stages.put(Stage.NETWORK, Math.max(0, to - from - sum));
            return stages;
        }

        void asked(SlowBatch batch) {
            requests.add(new Request(batch.of(), batch.startOf(Stage.REQUEST), batch.toNanos()));
            if (requests.size() > MOST_BATCHES) {
                requests.remove(requests.iterator().next());
            }
        }

        void accept(Observation o) {
            // Some exporters count requests without their times.
            if (FIGURES.values().stream().anyMatch(o.sums()::containsKey)) {
                last.addLast(o);
                if (last.size() > MOST) {
                    last.removeFirst();
                }
            }
        }

        private static double sum(Observation o, Stage stage) {
            return o.sums().getOrDefault(FIGURES.get(stage), 0.0);
        }

        /**
         * Milliseconds that slow requests in an interval spent in each stage beyond the usual time. A broker handles
         * the requests of a connection one after the other, so the time of overlapping requests counts once. The broker
         * does not know the remaining time, which is attributed to the network. Empty if the broker was not observed in
         * this interval, or in too few seconds so far.
         */
        Map<Stage, Double> excess(long fromNanos, long toNanos) {
            List<Observation> then = last.stream()
                    .filter(o -> o.fromNanos() - EDGE_NANOS <= toNanos && fromNanos <= o.toNanos() + EDGE_NANOS)
                    .toList();
            if (then.isEmpty() || last.size() < LEAST) {
                return Map.of();
            }
            Map<Stage, Double> excess = new EnumMap<>(Stage.class);
            then.forEach(o -> excess(o).forEach((stage, millis) -> excess.merge(stage, millis, Double::sum)));
            long from = then.get(0).fromNanos() - EDGE_NANOS;
            long to = then.get(then.size() - 1).toNanos() + EDGE_NANOS;
            Map<String, Spans> waiting = new HashMap<>();
            requests.stream()
                    .filter(r -> from <= r.toNanos() && r.toNanos() <= to)
                    .forEach(r ->
                            waiting.computeIfAbsent(r.of(), of -> new Spans()).add(r.fromNanos(), r.toNanos()));
            double all = waiting.values().stream().mapToDouble(Spans::nanos).sum() / 1e6;
            double known =
                    excess.values().stream().mapToDouble(Double::doubleValue).sum();
            excess.put(Stage.NETWORK, Math.max(0, all - known));
            return excess;
        }

        private Map<Stage, Double> excess(Observation of) {
            Map<Stage, Double> excess = new EnumMap<>(Stage.class);
            for (Stage stage : FIGURES.keySet()) {
                double usual = usual(last.stream().mapToDouble(o -> sum(o, stage)));
                excess.put(stage, Math.max(0, sum(of, stage) - usual));
            }
            return excess;
        }
    }

    /** The median of at least one value plus twice the median deviation. */
    static double usual(DoubleStream of) {
        double[] values = of.sorted().toArray();
        double median = values[values.length / 2];
        double[] off = DoubleStream.of(values)
                .map(value -> Math.abs(value - median))
                .sorted()
                .toArray();
        return median + 2 * off[off.length / 2];
    }
}
