package io.plimsoll.fleet.plan;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Units;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Adds up one worker's snapshots of a trial. Not thread-safe. */
public final class WorkerSums {
    private static final List<Metric<Long>> OF_MEASURED = List.of(
            Produced.DUE,
            Produced.ARRIVED,
            Produced.ARRIVED_BYTES,
            Produced.ACKNOWLEDGED,
            Consumed.RECORDS,
            Consumed.ARRIVED);
    private static final List<Metric<Long>> OF_ALL = List.of(GeneratorUse.TICKS, GeneratorUse.LATE_TICKS);

    private final LatencySum response = new LatencySum();
    private final LatencySum delay = new LatencySum();
    private long snapshots;
    private final Counts.Sum sum = Counts.Sum.overTime();
    private long cpuNanos;
    private long measuredNanos;
    private double hostCpuSeconds;
    private double hostCoreSeconds;

    public void add(Snapshot s) {
        snapshots++;
        OF_MEASURED.forEach(metric -> sum.add(metric, s.measured().get(metric)));
        OF_ALL.forEach(metric -> sum.add(metric, s.whole().get(metric)));
        response.add(s.measured().get(Produced.RESPONSE_TIME));
        delay.add(s.measured().get(Produced.SEND_DELAY));
        if (s.phase() == Phase.MEASURE) {
            cpuNanos += s.whole().get(GeneratorUse.CPU_NANOS);
            measuredNanos += s.toNanos() - s.fromNanos();
        }
    }

    /** @param host metrics of the worker's host in an interval */
    public void add(Observation host) {
        Double cpu = host.sums().get("cpuSeconds");
        Double seconds = host.sums().get("seconds");
        Double cores = host.gauges().get("cores");
        if (cpu != null && seconds != null && cores != null) {
            hostCpuSeconds += cpu;
            hostCoreSeconds += seconds * cores;
        }
    }

    /** The total length in seconds of the snapshots within the measured window. */
    public double measuredSeconds() {
        return measuredNanos / 1e9;
    }

    public long snapshots() {
        return snapshots;
    }

    public LatencySum response() {
        return response;
    }

    public LatencySum delay() {
        return delay;
    }

    /**
     * Rates over {@code seconds} of producing and {@code reading} seconds of consuming; {@code paced} if producers
     * follow a schedule.
     */
    public WorkerResult.Flow flow(double seconds, double reading, boolean paced) {
        Double offered = paced ? per(sum.get(Produced.DUE), seconds) : null;
        double bytes = per(sum.get(Produced.ARRIVED_BYTES), seconds);
        double read = per(sum.get(Consumed.ARRIVED), reading);
        return new WorkerResult.Flow(
                offered,
                per(sum.get(Produced.ARRIVED), seconds),
                bytes,
                read,
                sum.get(Produced.ACKNOWLEDGED),
                sum.get(Consumed.RECORDS));
    }

    private static double per(long count, double seconds) {
        return seconds > 0 ? count / seconds : 0;
    }

    /** The resources that the load generator used within the measured window. */
    public WorkerResult.Usage usage() {
        return new WorkerResult.Usage(
                measuredNanos == 0 ? 0 : (double) cpuNanos / measuredNanos,
                hostCoreSeconds > 0 ? hostCpuSeconds / hostCoreSeconds : null,
                sum.get(GeneratorUse.TICKS) == 0 ? null : Double.valueOf(lateShare()));
    }

    /** Late wake-ups as a share of all wake-ups of sending threads; 0 without wake-ups. */
    double lateShare() {
        long ticks = sum.get(GeneratorUse.TICKS);
        return ticks == 0 ? 0 : (double) sum.get(GeneratorUse.LATE_TICKS) / ticks;
    }

    long delayMicros() {
        return delay.percentileMicros(99);
    }

    /** Workers with late wake-ups or late sends while nine tenths of all workers are on time; the worst worker comes first. */
    public record Stragglers(List<String> names, Sentence sentence) {
        /** The limits are the same as for a single load generator. */
        private static final double LATE = 0.05;

        private static final long DELAYED_MICROS = 10_000;
        private static final int TIMES = 3;
        private static final int MOST_NAMES = 8;

        /** The stragglers; empty if no worker stands out, or there is only one worker. */
        public static Optional<Stragglers> among(Map<String, WorkerSums> workers) {
            if (workers.size() < 2) {
                return Optional.empty();
            }
            int rest = (workers.size() - 1) * 9 / 10;
            double share = workers.values().stream()
                    .mapToDouble(WorkerSums::lateShare)
                    .sorted()
                    .toArray()[rest];
            long delay = workers.values().stream()
                    .mapToLong(WorkerSums::delayMicros)
                    .sorted()
                    .toArray()[rest];
            Comparator<WorkerSums> order =
                    Comparator.comparingDouble(WorkerSums::lateShare).thenComparingLong(WorkerSums::delayMicros);
            List<String> names = workers.entrySet().stream()
                    .filter(w -> exceeds(w.getValue().lateShare(), LATE, share)
                            || exceeds(w.getValue().delayMicros(), DELAYED_MICROS, delay))
                    .sorted(Map.Entry.<String, WorkerSums>comparingByValue(order).reversed())
                    .map(Map.Entry::getKey)
                    .toList();
            if (names.isEmpty()) {
                return Optional.empty();
            }
            WorkerSums worst = Objects.requireNonNull(workers.get(names.get(0)));
            Sentence sentence = Sentence.of(
                    "fleet.straggler",
                    Sentence.list(names, MOST_NAMES),
                    Units.decimals(100 * worst.lateShare(), 1),
                    Units.decimals(worst.delayMicros() / 1e3, 1),
                    Units.decimals(100 * share, 1),
                    Units.decimals(delay / 1e3, 1),
                    names.size());
            return Optional.of(new Stragglers(names, sentence));
        }

        private static boolean exceeds(double value, double limit, double ofOthers) {
            return value > limit && value > TIMES * ofOthers;
        }
    }
}
