package io.plimsoll.fleet.plan;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.Latencies.LatencySum;
import io.plimsoll.measure.Metric;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.WorkerResult;
import java.util.List;

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

    /** @param host metrics of its host in an interval */
    public void add(Observation host) {
        Double cpu = host.sums().get("cpuSeconds");
        Double seconds = host.sums().get("seconds");
        Double cores = host.gauges().get("cores");
        if (cpu != null && seconds != null && cores != null) {
            hostCpuSeconds += cpu;
            hostCoreSeconds += seconds * cores;
        }
    }

    /** The seconds of the snapshots within the measured window. */
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
     * How much went through it.
     *
     * @param seconds of producing
     * @param reading seconds of consuming
     * @param paced whether its producers keep a schedule
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

    /** The resources that making the load took, within the measured window. */
    public WorkerResult.Usage usage() {
        return new WorkerResult.Usage(
                measuredNanos == 0 ? 0 : (double) cpuNanos / measuredNanos,
                hostCoreSeconds > 0 ? hostCpuSeconds / hostCoreSeconds : null,
                sum.get(GeneratorUse.TICKS) == 0 ? null : Double.valueOf(lateShare()));
    }

    /** The share of sending threads' wake-ups that were late; 0 without any. */
    double lateShare() {
        long ticks = sum.get(GeneratorUse.TICKS);
        return ticks == 0 ? 0 : (double) sum.get(GeneratorUse.LATE_TICKS) / ticks;
    }

    long delayMicros() {
        return delay.percentileMicros(99);
    }
}
