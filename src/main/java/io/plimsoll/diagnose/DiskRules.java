package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.ClientRules.text;
import static io.plimsoll.diagnose.TrialEvidence.known;
import static io.plimsoll.diagnose.TrialEvidence.of;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.Units;
import java.util.Map;

/** What writing to logs costs, and reading what is no longer in memory. */
final class DiskRules {
    static final String FLUSH = "log flush";
    static final String APPEND = "log append";
    static final String DISK = "disk";

    private DiskRules() {}

    static void judge(TrialEvidence seen, SuspectList findings) {
        boolean any = false;
        for (Map<String, Object> broker : seen.brokers()) {
            any |= of(broker, "localMs") != null;
            append(seen, broker, findings);
        }
        if (!any) {
            findings.missing(APPEND, "no broker says how long it takes to append");
        }
        disk(seen, findings);
    }

    /** Share of the time to append that is spent flushing to disk; 0 if unknown. */
    static double flushShare(Map<String, Object> broker) {
        Double flushes = of(broker, "flushes");
        Double flushMs = of(broker, "flushMs");
        Double requests = of(broker, "produceRequests");
        Double local = of(broker, "localMs");
        if (flushes == null || flushMs == null || requests == null || local == null || requests * local <= 0) {
            return 0;
        }
        return Math.min(1, flushes * flushMs / (requests * local));
    }

    private static void append(TrialEvidence seen, Map<String, Object> broker, SuspectList findings) {
        Double local = of(broker, "localMs");
        Double total = of(broker, "totalMs");
        Double queue = of(broker, "requestQueueMs");
        if (local == null || total == null || total <= 0) {
            return;
        }
        double flush = flushShare(broker);
        // What waits in the queue waits for appends before it.
        double share = (local + (queue == null ? 0 : queue)) / total;
        Double request = seen.requestMs();
        share *= request == null || request <= 0 ? 1 : Math.min(1, total * seen.inFlight() / request);
        double slow = ramp(share, 0.2, 0.6) * ramp(local, 0.5, 2) * seen.heldBack();
        String where = "broker " + broker.get("id");
        findings.add(
                FLUSH,
                where,
                0.95 * slow * ramp(flush, 0.2, 0.6),
                text(
                                "Broker " + broker.get("id") + " flushes its logs to disk %.0f times a second",
                                of(broker, "flushes"))
                        + text(", %.1f ms each", of(broker, "flushMs")) + ": that is what appending waits for.",
                known(
                        text("%.0f flushes/s", of(broker, "flushes")),
                        text("%.1f ms a flush", of(broker, "flushMs")),
                        Units.percent(flush) + " of the time to append",
                        text("%.1f ms to append", local)));
        findings.add(
                APPEND,
                where,
                0.8 * slow * (1 - ramp(flush, 0.2, 0.6)) * (1 - 0.5 * BrokerRules.handlersBusy(seen)),
                text("Broker " + broker.get("id") + " takes %.1f ms to append a batch to its log.", local),
                known(text("%.1f ms to append", local), text("of %.1f ms on the broker", total)));
    }

    private static void disk(TrialEvidence seen, SuspectList findings) {
        Double busy = seen.host("diskBusy");
        if (busy == null || seen.brokerCores() == 0) {
            findings.missing(DISK, "the disks of the brokers' hosts are not observed");
            return;
        }
        findings.add(
                DISK,
                seen.hostName(),
                0.85 * ramp(busy, 0.8, 0.97) * seen.heldBack(),
                "The busiest disk of " + seen.hostName() + " is at work " + Units.percent(busy) + " of the time.",
                known(
                        "busy " + Units.percent(busy),
                        text("%.1f ms a request", seen.host("diskAwaitMs")),
                        seen.host("diskWriteBytes") == null
                                ? null
                                : Units.byteRate(seen.host("diskWriteBytes")) + " written"));
    }
}
