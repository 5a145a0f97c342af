package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.ClientRules.LATENCY;
import static io.plimsoll.diagnose.ClientRules.text;
import static io.plimsoll.diagnose.TrialEvidence.known;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.Units;
import java.util.List;

/**
 * What the way between producers and brokers costs. By Little's law, throughput is what is under way ÷ the time it is
 * under way: with all requests under way that may be, it is the time that decides. Most of it far from any broker is
 * either distance, which a single small request has as well, or waiting for bandwidth, which it does not have.
 */
final class NetworkRules {
    static final String BANDWIDTH = "network bandwidth";
    static final String UNSEEN = "brokers or network";
    private static final double SLACK_MS = 4;

    private NetworkRules() {}

    static void judge(TrialEvidence seen, SuspectList findings) {
        if (!seen.produces()) {
            return;
        }
        link(seen, findings);
        Double request = seen.requestMs();
        Double busiest = seen.busiest();
        if (request == null || busiest == null || request <= 0) {
            findings.missing(LATENCY, "this engine does not say how long its requests take");
            return;
        }
        Double onBroker = seen.perRequest("totalMs");
        double away = request - seen.dueToBroker();
        Double idle = seen.cluster("idleRoundTripMs");
        double distance = idle == null ? (away > SLACK_MS ? 0.6 : 0.3) : ramp(idle / Math.max(away, 0.1), 0.2, 0.6);
        // Where threads wait for a CPU, or the client's own has no time, so do requests: the way has little to do with
        // it.
        double weight = ramp(busiest, 0.5, 0.85)
                * seen.heldBack()
                * ramp(away / request, 0.25, 0.7)
                * (1 - 0.8 * GeneratorRules.hostFull(seen))
                * (1 - 0.8 * GeneratorRules.networkThreadBusy(seen));
        Way way = new Way(request, onBroker, away, idle, busiest, distance, weight);
        distance(seen, way, findings);
        bandwidth(seen, way, findings);
    }

    /**
     * The way of a request.
     *
     * @param onBroker the broker's own time of it; null if no broker tells
     * @param away not due to the broker
     * @param idle of a small request before the load; null if unknown
     * @param busiest under way ÷ allowed, on the fullest connections
     * @param distance 0 to 1: how far {@code idle} accounts for {@code away}
     * @param weight 0 to 1: how much the time away from the broker decides
     */
    private record Way(
            double request,
            Double onBroker,
            double away,
            Double idle,
            double busiest,
            double distance,
            double weight) {}

    private static void distance(TrialEvidence seen, Way way, SuspectList findings) {
        findings.add(
                LATENCY,
                null,
                0.95 * way.weight * way.distance * (way.away > 1 ? 1 : shortWay(seen)),
                text("Each request is under way for %.1f ms", way.request) + ", and no more may be under way at once ("
                        + text("max.in.flight.requests.per.connection %.0f", seen.entry("maxInFlight", Math::max))
                        + "): that makes " + throughput(seen)
                        + ". More requests in flight, larger batches or more clients carry more over this distance.",
                evidence(seen, way));
    }

    /** Less than a millisecond away from any broker is mostly waking up, which takes longer the fuller the host is. */
    private static double shortWay(TrialEvidence seen) {
        Double busy = seen.hostBusy();
        return 0.4 + (busy == null ? 0 : 0.4 * (1 - ramp(busy, 0.6, 0.85)));
    }

    private static void bandwidth(TrialEvidence seen, Way way, SuspectList findings) {
        boolean waits = way.away > SLACK_MS && (way.idle == null || way.away > 2 * way.idle + SLACK_MS);
        double otherwise = 1 - 0.7 * GeneratorRules.threadBusy(seen);
        double score = waits ? 0.9 * way.weight * (1 - way.distance) * otherwise : 0;
        String small = way.idle == null ? "" : text(", where a small one alone takes %.1f ms", way.idle);
        // Without the broker's own time nobody here can tell whether it waits on the way or there.
        boolean known = way.onBroker != null;
        findings.add(
                known ? BANDWIDTH : UNSEEN,
                null,
                score,
                known
                        ? "The network in between passes no more than " + throughput(seen) + ": "
                                + text("a request waits %.0f ms on its way", way.away) + small + "."
                        : text("A request waits %.0f ms on its way or on the broker", way.away) + small
                                + "; which of them, the brokers' own figures would tell (--jmx, --metrics-endpoint).",
                evidence(seen, way));
    }

    private static String throughput(TrialEvidence seen) {
        return Units.byteRate(seen.trial().produce().volume().bytesPerSecond());
    }

    private static List<String> evidence(TrialEvidence seen, Way way) {
        return known(
                text("%.1f ms a request", way.request),
                text("%.1f ms of them on the broker", way.onBroker),
                text("%.1f ms for a small request before the load", way.idle),
                Units.percent(way.busiest) + " of the requests under way that may be",
                throughput(seen));
    }

    /** A network card that is full says so itself. */
    private static void link(TrialEvidence seen, SuspectList findings) {
        Double share = seen.host("linkShare");
        if (share == null) {
            findings.missing("network card", "the speed of no link of this host is known");
            return;
        }
        findings.add(
                BANDWIDTH,
                seen.hostName(),
                ramp(share, 0.75, 0.95),
                "The network card of " + seen.hostName() + " is full: " + Units.percent(share) + " of its speed.",
                known(Units.percent(share) + " of the link's speed"));
    }
}
