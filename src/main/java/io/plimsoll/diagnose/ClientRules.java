package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.known;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.Units;
import java.util.Locale;

/** What a producer's own settings, or a quota, hold back. */
final class ClientRules {
    static final String QUOTA = "client quota";
    static final String LATENCY = "producer latency-bound";
    static final String BATCH = "small batches";
    static final String LINGER = "linger.ms";
    static final String BUFFER = "buffer.memory";

    private static final double KIB_4 = 4096;

    private ClientRules() {}

    static void judge(TrialEvidence seen, SuspectList findings) {
        quota(seen, findings);
        if (seen.produces()) {
            buffer(seen, findings);
            batches(seen, findings);
            linger(seen, findings);
        }
    }

    /** A broker that asks clients to wait does so for one reason only. */
    private static void quota(TrialEvidence seen, SuspectList findings) {
        Double share = null;
        String who = "producers";
        for (var client : seen.trial().observed().clients().entrySet()) {
            Double waits = client.getValue().get("throttleShare");
            if (waits != null && (share == null || waits > share)) {
                share = waits;
                who = client.getKey().startsWith("consumers") ? "consumers" : "producers";
            }
        }
        if (share == null) {
            findings.missing(QUOTA, "the clients do not say how long brokers asked them to wait");
            return;
        }
        double score = share <= 0.003 ? 0 : 0.85 + 0.15 * ramp(share, 0.003, 0.2);
        findings.add(
                QUOTA,
                who,
                score,
                "A quota of the cluster holds the " + who + " back: brokers told them to wait for "
                        + Units.percent(Math.min(1, share)) + " of the time.",
                known("throttled " + Units.percent(Math.min(1, share)) + " of the time", perSecond(seen)));
    }

    private static String perSecond(TrialEvidence seen) {
        return seen.produces() && seen.trial().produce().volume().bytesPerSecond() != null
                ? Units.byteRate(seen.trial().produce().volume().bytesPerSecond()) + " were acknowledged"
                : null;
    }

    /** Sending threads wait for memory, while connections would have room for more requests. */
    private static void buffer(TrialEvidence seen, SuspectList findings) {
        Double busiest = seen.busiest();
        Double memory = seen.entry("bufferMemory", Math::min);
        if (busiest == null || memory == null || waiting(seen) == null) {
            findings.missing(BUFFER, "the clients do not say how long they waited for it");
            return;
        }
        double waits = waiting(seen);
        Double throttled = seen.entry("throttleShare", Math::max);
        double idle = Math.max(0, 1 - busiest);
        double otherwise = 1 - ramp(throttled == null ? 0 : throttled, 0.003, 0.05);
        findings.add(
                BUFFER,
                null,
                ramp(waits, 0.02, 0.5) * ramp(idle, 0.05, 0.4) * otherwise,
                "buffer.memory of " + Units.bytes(memory) + " is too small: sending threads wait for it "
                        + Units.percent(Math.min(1, waits)) + " of the time, while only "
                        + Units.percent(busiest) + " of the requests are under way that may be.",
                known(
                        "wait for buffer.memory " + Units.percent(Math.min(1, waits)) + " of the time",
                        "requests under way " + Units.percent(busiest) + " of max.in.flight",
                        "buffer.memory " + Units.bytes(memory)));
    }

    /** Share of their time that sending threads wait for buffer memory; null if unknown. */
    static Double waiting(TrialEvidence seen) {
        Double most = null;
        for (var e : seen.entries().values()) {
            Double share = e.get("bufferWaitShare");
            Double threads = e.get("threads");
            Double clients = e.get("clients");
            if (share != null && threads != null && clients != null && threads > 0) {
                double each = share * clients / threads;
                most = most == null ? each : Math.max(most, each);
            }
        }
        return most;
    }

    /** Each request costs broker and client the same work, however little is in it. */
    private static void batches(TrialEvidence seen, SuspectList findings) {
        Double bytes = seen.trial().produce().wire().bytesPerBatch();
        Double size = seen.entry("batchSize", Math::max);
        if (bytes == null || size == null) {
            findings.missing(BATCH, "the size of batches is not known");
            return;
        }
        double pressure = Math.max(
                BrokerRules.handlersBusy(seen),
                Math.max(GeneratorRules.threadBusy(seen), 0.7 * ramp(orZero(seen.busiest()), 0.6, 0.9)));
        boolean full = bytes > 0.7 * size;
        findings.add(
                BATCH,
                null,
                0.7 * pressure * ramp(-bytes, -KIB_4, -512),
                "Batches hold only " + Units.bytes(bytes) + " each, so that requests cost more than their records do: "
                        + (full ? "raise batch.size." : "raise linger.ms, or send to fewer partitions."),
                known(
                        Units.bytes(bytes) + " a batch of at most " + Units.bytes(size),
                        text(
                                "%.1f records a batch",
                                seen.trial().produce().wire().recordsPerBatch())));
    }

    /** Latency alone: whoever waits for a batch to fill is not held back in throughput. */
    private static void linger(TrialEvidence seen, SuspectList findings) {
        Double linger = seen.entry("lingerMs", Math::max);
        Double queue = seen.weighted("queueMs", "batches");
        Double whole = StageSum.whole(seen);
        if (linger == null || queue == null || whole == null || seen.closedLoop() || seen.heldBack() > 0.5) {
            return;
        }
        boolean waitsForTime = linger > 0 && queue > 0.5 * linger && queue < 2 * linger + 1;
        findings.add(
                LINGER,
                null,
                waitsForTime ? 0.6 * ramp(queue / Math.max(queue, whole), 0.3, 0.8) : 0,
                text(
                        "Records wait %.1f ms for their batch, because linger.ms says so; lower it for shorter response"
                                + " times.",
                        queue),
                known(text("%.1f ms in the batch", queue), text("of %.1f ms in all", whole)));
    }

    static String text(String format, Double value) {
        return value == null ? null : String.format(Locale.ROOT, format, value);
    }

    private static double orZero(Double value) {
        return value == null ? 0 : value;
    }
}
