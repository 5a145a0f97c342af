package io.plimsoll.fleet.plan;

import io.plimsoll.measure.GeneratorSample;
import io.plimsoll.measure.LatencySum;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.Snapshot;

/** Adds up one worker's snapshots of a trial. Not thread-safe. */
public final class WorkerSums {
    private final LatencySum response = new LatencySum();
    private final LatencySum delay = new LatencySum();
    private long snapshots;
    private long due;
    private long arrived;
    private long arrivedBytes;
    private long records;
    private long consumed;
    private long consumedInTime;
    private long ticks;
    private long late;
    private long cpuNanos;
    private long measuredNanos;
    private double hostCpuSeconds;
    private double hostCoreSeconds;

    public void add(Snapshot s) {
        snapshots++;
        ProduceCounts p = s.measured().produce();
        due += p.due();
        arrived += p.volume().arrived();
        arrivedBytes += p.volume().arrivedBytes();
        records += p.volume().acknowledged();
        response.add(p.times().responseTime());
        delay.add(p.times().sendDelay());
        consumed += s.measured().consume().records();
        consumedInTime += s.measured().consume().arrived();
        GeneratorSample g = s.generator();
        ticks += g.ticks();
        late += g.lateTicks();
        if (s.phase() == Phase.MEASURE) {
            cpuNanos += g.cpuNanos();
            measuredNanos += s.toNanos() - s.fromNanos();
        }
    }

    /** @param host what its host did in a stretch */
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

    public long due() {
        return due;
    }

    public long arrived() {
        return arrived;
    }

    public long arrivedBytes() {
        return arrivedBytes;
    }

    /** Records of the measured window, however late. */
    public long records() {
        return records;
    }

    /** Records of the measured window, however late. */
    public long consumed() {
        return consumed;
    }

    public long consumedInTime() {
        return consumedInTime;
    }

    public LatencySum response() {
        return response;
    }

    public LatencySum delay() {
        return delay;
    }

    /** Within the measured window. */
    public double cpuCores() {
        return measuredNanos == 0 ? 0 : (double) cpuNanos / measuredNanos;
    }

    /** Null if the host was not observed. */
    public Double hostCpuShare() {
        return hostCoreSeconds > 0 ? Double.valueOf(hostCpuSeconds / hostCoreSeconds) : null;
    }

    /** The share of sending threads' wake-ups that were late; null without any. */
    public Double lateShare() {
        return ticks == 0 ? null : Double.valueOf((double) late / ticks);
    }

    double lateShareOrNone() {
        return ticks == 0 ? 0 : (double) late / ticks;
    }

    long delayMicros() {
        return delay.percentileMicros(99);
    }
}
