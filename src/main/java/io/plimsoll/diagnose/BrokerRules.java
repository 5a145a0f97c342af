package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.ClientRules.text;
import static io.plimsoll.diagnose.TrialEvidence.known;
import static io.plimsoll.diagnose.TrialEvidence.of;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What brokers are short of: threads, CPU, pauses of their virtual machine, and followers that keep up. */
final class BrokerRules {
    static final String HANDLERS = "request handlers";
    static final String NETWORK_THREADS = "network threads";
    static final String CPU = "broker CPU";
    static final String REPLICATION = "replication";

    private static final double NOTABLY = 3;

    private BrokerRules() {}

    static void judge(TrialEvidence seen, SuspectList findings) {
        handlers(seen, findings);
        networkThreads(seen, findings);
        cpu(seen, findings);
        pauses(seen, findings);
        if (seen.produces()) {
            replication(seen, findings);
        }
    }

    private static Map<String, Object> least(TrialEvidence seen, String figure) {
        return seen.brokers().stream()
                .filter(b -> of(b, figure) != null)
                .min(Comparator.comparing(b -> of(b, figure)))
                .orElse(null);
    }

    private static Map<String, Object> most(TrialEvidence seen, String figure) {
        return seen.brokers().stream()
                .filter(b -> of(b, figure) != null)
                .max(Comparator.comparing(b -> of(b, figure)))
                .orElse(null);
    }

    private static String name(Map<String, Object> broker) {
        return "broker " + broker.get("id");
    }

    /** 0 if their request handlers are idle, or unknown; 1 if those of one broker are never. */
    static double handlersBusy(TrialEvidence seen) {
        Map<String, Object> busiest = least(seen, "handlerIdle");
        return busiest == null ? 0 : ramp(1 - of(busiest, "handlerIdle"), 0.6, 0.85);
    }

    private static void handlers(TrialEvidence seen, SuspectList findings) {
        Map<String, Object> busiest = least(seen, "handlerIdle");
        if (busiest == null) {
            findings.missing(HANDLERS, "no broker says how idle its request handlers are");
            return;
        }
        double idle = of(busiest, "handlerIdle");
        Double queue = of(busiest, "requestQueueMs");
        // Threads that wait for the disk, or for a CPU, are not what is short.
        double waits = DiskRules.flushShare(busiest);
        Double host = seen.brokerCores() > 0 ? seen.hostBusy() : null;
        double crowded = ramp(host == null ? 0 : host, 0.85, 0.98) * (1 - waits);
        findings.add(
                HANDLERS,
                name(busiest),
                0.95 * handlersBusy(seen) * seen.heldBack() * (1 - 0.4 * waits) * (1 - 0.4 * crowded),
                "The request handler threads of " + name(busiest) + " are busy " + Units.percent(1 - idle)
                        + " of the time; num.io.threads, or what they wait for, is the limit.",
                known(
                        "idle " + Units.percent(idle),
                        text("%.1f ms in the request queue", queue),
                        text("%.1f ms to append", of(busiest, "localMs")),
                        text("%.2f cores", of(busiest, "cpu"))));
    }

    private static void networkThreads(TrialEvidence seen, SuspectList findings) {
        Map<String, Object> busiest = least(seen, "networkIdle");
        if (busiest == null) {
            findings.missing(NETWORK_THREADS, "no broker says how idle its network threads are");
            return;
        }
        double idle = of(busiest, "networkIdle");
        Double queue = of(busiest, "responseQueueMs");
        Double send = of(busiest, "responseSendMs");
        findings.add(
                NETWORK_THREADS,
                name(busiest),
                0.9 * ramp(1 - idle, 0.65, 0.9) * seen.heldBack(),
                "The network threads of " + name(busiest) + " are busy " + Units.percent(1 - idle)
                        + " of the time; num.network.threads is the limit.",
                known(
                        "idle " + Units.percent(idle),
                        text("%.1f ms in the response queue", queue),
                        text("%.1f ms to send the answer", send)));
    }

    private static void cpu(TrialEvidence seen, SuspectList findings) {
        Map<String, Object> busiest = most(seen, "cpu");
        Double cores = seen.host("cores");
        if (busiest == null) {
            findings.missing(CPU, "no broker says what CPU it uses");
            return;
        }
        if (cores == null || seen.brokerCores() == 0) {
            // Elsewhere, how many cores there are is not known.
            return;
        }
        double share = seen.brokerCores() / cores;
        Double host = seen.hostBusy();
        double full = ramp(host == null ? share : host, 0.85, 0.98);
        findings.add(
                CPU,
                seen.brokers().size() == 1 ? name(busiest) : null,
                0.85 * full * ramp(share, 0.5, 0.85) * seen.heldBack(),
                "The brokers use " + text("%.2f", seen.brokerCores()) + " of " + Math.round(cores)
                        + " cores: their CPU is the limit.",
                known(text("%.2f cores", seen.brokerCores()), Units.percent(share) + " of this host"));
    }

    private static void pauses(TrialEvidence seen, SuspectList findings) {
        Map<String, Object> worst = most(seen, "gcShare");
        if (worst == null) {
            findings.missing(GeneratorRules.PAUSES, "no broker says how long its collections take");
            return;
        }
        double share = of(worst, "gcShare");
        findings.add(
                GeneratorRules.PAUSES,
                name(worst),
                ramp(share, 0.05, 0.25),
                "The virtual machine of " + name(worst) + " stood still " + Units.percent(share)
                        + " of the time, collecting garbage.",
                known("collections took " + Units.percent(share)));
    }

    /** With {@code acks=all} an answer waits until the followers in sync have the records. */
    private static void replication(TrialEvidence seen, SuspectList findings) {
        Double remote = seen.perRequest("remoteMs");
        Double request = seen.requestMs();
        Double acks = seen.entry("acks", Math::min);
        if (acks != null && acks >= 0) {
            return;
        }
        if (remote == null) {
            findings.missing(REPLICATION, "no broker says how long it waits for followers");
            return;
        }
        double total = Math.max(1e-9, orElse(seen.perRequest("totalMs"), remote));
        double onBroker = request == null || request <= 0 ? 1 : Math.min(1, seen.dueToBroker() / request);
        double score = 0.96
                * ramp(remote / total * onBroker, 0.3, 0.7)
                * ramp(remote, 2, 20)
                * Math.max(seen.heldBack(), ramp(remote, 50, 200));
        Map<String, Object> behind = behind(seen);
        Double lag = behind == null ? null : of(behind, "followerLag");
        double shrinks = seen.brokers().stream()
                .map(b -> of(b, "isrShrinks"))
                .filter(Objects::nonNull)
                .mapToDouble(d -> d)
                .sum();
        findings.add(
                REPLICATION,
                behind == null ? null : name(behind),
                score,
                text("Leaders wait %.0f ms for their followers before they answer", remote)
                        + (behind == null ? "." : "; the follower on " + name(behind) + " is the one they wait for."),
                known(
                        text("%.1f ms for followers", remote),
                        text("of %.1f ms on the broker", total),
                        text("%.1f ms a request", request),
                        lag != null && lag > 0 ? Units.count(Math.round(lag)) + " records behind" : null,
                        shrinks > 0 ? Math.round(shrinks) + " times a follower was taken out of the ISR" : null));
    }

    /**
     * The broker whose followers are late: the one that is furthest behind; else the one whose own partitions do not wait
     * while those of the others do; else the only one that leads none. Null if that does not tell.
     */
    private static Map<String, Object> behind(TrialEvidence seen) {
        Map<String, Object> late = most(seen, "followerLag");
        if (late != null && of(late, "followerLag") > 0) {
            return late;
        }
        List<Map<String, Object>> leading = seen.brokers().stream()
                .filter(b -> of(b, "remoteMs") != null && orElse(of(b, "produceRequests"), 0) > 0)
                .toList();
        List<Map<String, Object>> idle =
                seen.brokers().stream().filter(b -> !leading.contains(b)).toList();
        if (idle.size() == 1) {
            return idle.get(0);
        }
        if (!idle.isEmpty() || leading.size() < 3) {
            return null;
        }
        Map<String, Object> least = least(seen, "remoteMs");
        boolean alone = leading.stream()
                .allMatch(b -> b == least || of(b, "remoteMs") > NOTABLY * Math.max(1, of(least, "remoteMs")));
        return alone ? least : null;
    }

    private static double orElse(Double value, double other) {
        return value == null ? other : value;
    }
}
