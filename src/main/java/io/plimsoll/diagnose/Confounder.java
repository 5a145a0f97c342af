package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.greatest;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.Generator;
import java.util.function.ToDoubleFunction;

/** A condition of the trial that changes the weight of figures in several rules, on a scale from 0 (absent) to 1 (full). */
enum Confounder {
    /** The generator's busiest thread uses almost all the CPU available to it. */
    THREAD_BUSY(Confounder::threadBusy),
    /**
     * A producer's network thread is nearly saturated. Requests then stay in flight until it reads the responses,
     * regardless of brokers and network.
     */
    NETWORK_THREAD_BUSY(e -> ramp(1 - orElse(e.entry("ioIdle", Math::min), 1), 0.7, 0.9)),
    /** This host is out of CPU, so times do not show where they were spent. */
    HOST_FULL(e -> ramp(orElse(e.hostBusy(), 0), 0.85, 0.98) * Confounder.hungry(e)),
    HANDLERS_BUSY(e -> ramp(greatest(e.brokers(), b -> 1 - b.get("handlerIdle", 1)), 0.6, 0.85)),
    /** Batches are full at a small batch.size, which explains the large number of requests. */
    TINY_BATCHES(Confounder::tinyBatches),
    /** A broker process is unresponsive for part of the time, so all of its request stages seem slow. */
    STANDS_STILL(e -> ramp(e.highest("stillShare"), 0.05, 0.3) * (1 - 0.8 * HOST_FULL.in(e))),
    /** A broker is busy with garbage collection. */
    COLLECTS(e -> ramp(e.highest("gcShare"), 0.2, 0.5)),
    /** Brokers rewrite batches in another codec or format, which uses CPU and handler time. */
    RECOMPRESSES(e -> e.recompresses() == null ? ramp(e.converted(), 0.1, 0.5) : 1),
    /** Brokers convert records for old consumers, which uses CPU and network thread time. */
    DOWN_CONVERTS(e -> {
        BrokerEvidence most = e.most("fetchConvertingSeconds");
        return most == null ? 0 : BrokerRules.downConverting(most);
    }),
    /** A broker is short of CPU, so its request stages and the network to the broker seem slow. */
    CPU_QUOTA(e -> ramp(e.highest("cpuThrottled"), 0.2, 0.6)),
    /**
     * Members neither reach their processing capacity nor wait for records, because processing takes longer than
     * configured.
     */
    WORK_STRETCHED(e -> e.worked()
            .map(r -> ramp(1 - TrialEvidence.orElse(r.ofWork(), 0) - r.idle(), 0.1, 0.3))
            .orElse(0.0)),
    /** Memory fills with records for partitions that accept none. */
    REFUSED(FailureRules::refusing),
    /** Brokers reject batches, which producers split and resend. */
    TOO_LARGE(e -> {
        double refused = e.sum("bytesRejected");
        return refused <= 0 ? 0 : ramp(refused / (refused + e.sum("bytesIn")), 0.05, 0.5);
    }),
    /** Most broker work is for other clients, which explains the saturated resource. */
    OTHERS(OthersRules::prevail),
    /** Each roll creates and closes files, regardless of the segment's size. */
    ROLLS(BrokerRules::rolling),
    /** Each batch is flushed to disk, on followers as well, which affects every stage and the kernel's CPU time. */
    FLUSHES(BrokerRules::flushing),
    /** Most of the generator's CPU is spent on compression. */
    COMPRESSES(e -> ramp(GeneratorRules.compressing(e), 0.4, 0.8)),
    /** Requests are in flight longer than brokers and CPU waits explain. */
    FAR(NetworkRules::farAway),
    THROTTLED(e -> ramp(orElse(e.entry("throttleShare", Math::max), 0), 0.003, 0.05));

    /** Share of batch.size at or above which batches count as full. */
    static final double FULL_BATCH = 0.7;
    /** Batch size in bytes above which a request costs little per record. */
    static final double LARGE_BATCH = 4096;

    static final double SMALL_BATCH = 512;
    private final ToDoubleFunction<TrialEvidence> reading;

    Confounder(ToDoubleFunction<TrialEvidence> reading) {
        this.reading = reading;
    }

    double in(TrialEvidence evidence) {
        return reading.applyAsDouble(evidence);
    }

    private static double threadBusy(TrialEvidence evidence) {
        Generator g = evidence.generator();
        return g == null || g.cpu().busiestThread() == null
                ? 0
                : ramp(g.cpu().busiestThread().share() / evidence.fairShare(), 0.7, 0.92);
    }

    private static double tinyBatches(TrialEvidence evidence) {
        Double bytes = evidence.produces() ? evidence.produce().wire().bytesPerBatch() : null;
        Double most = evidence.entry("batchSize", Math::max);
        return bytes == null || most == null || bytes < FULL_BATCH * most ? 0 : ramp(-most, -LARGE_BATCH, -SMALL_BATCH);
    }

    /** Degree to which a generator thread or a local broker gets less CPU than it needs. */
    private static double hungry(TrialEvidence evidence) {
        double brokers = evidence.brokerCores() == 0
                ? 0
                : greatest(
                        evidence.brokers(),
                        b -> ramp(1 - Math.min(b.get("handlerIdle", 1), b.get("networkIdle", 1)), 0.4, 0.8));
        double cores = orElse(evidence.host("cores"), 0);
        double ready = cores <= 0 ? 0 : ramp(orElse(evidence.host("runnable"), 0) / cores, 1.5, 2.5);
        double waits = Math.max(ready, ramp(orElse(evidence.host("cpuStall"), 0), 0.4, 0.8));
        return Math.max(Math.max(threadBusy(evidence), waits), brokers);
    }
}
