package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.Words.byteRate;
import static io.plimsoll.diagnose.Words.ms;
import static io.plimsoll.diagnose.Words.percent;

import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.List;

/** Rules for limits that a producer's own settings, or a quota, set. */
final class ClientRules {
    private static final double KIB_4 = 4096;

    /** A broker that asks clients to wait does so for one reason only. */
    private static final Rule<Throttled> QUOTA = Rule.named("quota", ClientRules::throttled)
            .provedBy(Perturbations.CLIENTS)
            .judged((e, t) -> {
                Produce p = e.produces() ? e.trial().produce() : null;
                return Sign.at(t.who, t.share <= 0.003 ? 0 : 0.85 + 0.15 * ramp(t.share, 0.003, 0.2))
                        .says("diagnose.says.quota", t.who, percent(Math.min(1, t.share)))
                        .with("diagnose.throttled", percent(Math.min(1, t.share)))
                        .with(
                                "diagnose.acknowledged",
                                byteRate(p == null ? null : p.volume().bytesPerSecond()));
            });

    /** Sending threads wait for memory, while connections would have room for more requests. */
    private static final Rule<Buffer> BUFFER = Rule.named("buffer", ClientRules::buffer)
            .where(TrialEvidence::produces)
            .lowered(1, Pressure.THROTTLED)
            .provedBy(Perturbations.BUFFER_MEMORY, Perturbations.CLIENTS)
            .judged((e, b) -> Sign.of(ramp(b.waits, 0.02, 0.5) * ramp(Math.max(0, 1 - b.underWay), 0.05, 0.4))
                    .says(
                            "diagnose.says.buffer",
                            Units.bytes(b.bytes),
                            percent(Math.min(1, b.waits)),
                            percent(b.underWay))
                    .with("diagnose.bufferWait", percent(Math.min(1, b.waits)))
                    .with("diagnose.inFlight", percent(b.underWay))
                    .with("diagnose.bufferMemory", Units.bytes(b.bytes)));

    /** Each request costs broker and client the same work, however little is in it. */
    private static final Rule<Batch> BATCHES = Rule.named("batches", ClientRules::batch)
            .where(TrialEvidence::produces)
            .most(0.7)
            .provedBy(Perturbations.BATCH_SIZE)
            .judged((e, b) -> {
                double threads = Math.max(Pressure.HANDLERS_BUSY.in(e), Pressure.THREAD_BUSY.in(e));
                double pressure = Math.max(threads, 0.7 * ramp(orElse(e.busiest(), 0), 0.6, 0.9));
                boolean full = b.bytes > 0.7 * b.most;
                return Sign.of(pressure * ramp(-b.bytes, -KIB_4, -512))
                        .says(full ? "diagnose.says.fullBatches" : "diagnose.says.batches", Units.bytes(b.bytes))
                        .with("diagnose.batchBytes", Units.bytes(b.bytes), Units.bytes(b.most))
                        .with(
                                "diagnose.batchRecords",
                                Words.decimals(
                                        "%.1f", e.trial().produce().wire().recordsPerBatch()));
            });

    /** Latency alone: whoever waits for a batch to fill is not held back in throughput. */
    private static final Rule<Linger> LINGER = Rule.named("linger", ClientRules::linger)
            .where(e -> e.produces() && !e.closedLoop() && e.heldBack() <= 0.5)
            .silently()
            .most(0.6)
            .provedBy(Perturbations.LINGER)
            .judged((e, l) -> {
                boolean waitsForTime = l.set > 0 && l.queue > 0.5 * l.set && l.queue < 2 * l.set + 1;
                return Sign.of(waitsForTime ? ramp(l.queue / Math.max(l.queue, l.whole), 0.3, 0.8) : 0)
                        .says("diagnose.says.linger", ms(l.queue))
                        .with("diagnose.inBatch", ms(l.queue))
                        .with("diagnose.inAll", ms(l.whole));
            });

    static final List<Rule<?>> RULES = List.of(QUOTA, BUFFER, BATCHES, LINGER);

    private ClientRules() {}

    private record Throttled(double share, Sentence who) {}

    /** The most of all clients. */
    private static Throttled throttled(TrialEvidence e) {
        Throttled most = null;
        for (var client : e.trial().observed().clients().entrySet()) {
            Double share = client.getValue().get("throttleShare");
            if (share != null && (most == null || share > most.share)) {
                boolean reads = client.getKey().startsWith("consumers");
                most = new Throttled(
                        share, reads ? Sentence.of("diagnose.consumers") : Sentence.of("diagnose.producers"));
            }
        }
        return most;
    }

    /** @param underWay requests ÷ those that may be */
    private record Buffer(double bytes, double waits, double underWay) {}

    private static Buffer buffer(TrialEvidence e) {
        Double busiest = e.busiest();
        Double memory = e.entry("bufferMemory", Math::min);
        Double waits = waiting(e);
        return busiest == null || memory == null || waits == null ? null : new Buffer(memory, waits, busiest);
    }

    /** Share of their time that sending threads wait for buffer memory; null if unknown. */
    private static Double waiting(TrialEvidence e) {
        Double most = null;
        for (var entry : e.entries().values()) {
            Double share = entry.get("bufferWaitShare");
            Double threads = entry.get("threads");
            Double clients = entry.get("clients");
            if (share != null && threads != null && clients != null && threads > 0) {
                most = Math.max(orElse(most, 0), share * clients / threads);
            }
        }
        return most;
    }

    private record Batch(double bytes, double most) {}

    private static Batch batch(TrialEvidence e) {
        Double bytes = e.trial().produce().wire().bytesPerBatch();
        Double size = e.entry("batchSize", Math::max);
        return bytes == null || size == null ? null : new Batch(bytes, size);
    }

    /** @param whole mean response time */
    private record Linger(double set, double queue, double whole) {}

    private static Linger linger(TrialEvidence e) {
        Double set = e.entry("lingerMs", Math::max);
        Double queue = e.weighted("queueMs", "batches");
        Double whole = StageSum.whole(e);
        return set == null || queue == null || whole == null ? null : new Linger(set, queue, whole);
    }
}
