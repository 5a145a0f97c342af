package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.ClientRules.LATENCY;
import static io.plimsoll.diagnose.ClientRules.text;
import static io.plimsoll.diagnose.Seen.known;
import static io.plimsoll.diagnose.Seen.ramp;

import io.plimsoll.result.Units;
import java.util.List;

/**
 * What the way between producers and brokers costs. By Little's law, throughput is what is under way ÷ the time it is
 * under way: with all requests under way that may be, it is the time that decides. Most of it far from any broker is
 * either distance, which a single small request has as well, or waiting for bandwidth, which it does not have.
 */
final class NetworkRules {
    static final String BANDWIDTH = "network bandwidth";
    private static final double SLACK_MS = 4;

    private NetworkRules() {}

    static void judge(Seen seen, Findings findings) {
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
        double full = ramp(busiest, 0.5, 0.85) * seen.heldBack();
        Double onBroker = seen.perRequest("totalMs");
        double away = request - seen.dueToBroker();
        double share = ramp(away / request, 0.25, 0.7);
        Double idle = seen.cluster("idleRoundTripMs");
        double otherwise = 1 - 0.7 * GeneratorRules.threadBusy(seen);
        double distance = idle == null ? (away > SLACK_MS ? 0.6 : 0.3) : ramp(idle / Math.max(away, 0.1), 0.2, 0.6);
        String throughput = Units.byteRate(seen.trial().produce().bytesPerSecond());
        findings.add(
                LATENCY,
                null,
                0.95 * full * share * distance * (away > 1 ? 1 : 0.4),
                text("Each request is under way for %.1f ms", request) + ", and no more may be under way at once ("
                        + text("max.in.flight.requests.per.connection %.0f", seen.entry("maxInFlight", Math::max))
                        + "): that makes " + throughput
                        + ". More requests in flight, larger batches or more clients carry more over this distance.",
                evidence(seen, request, onBroker, idle, busiest));
        boolean waits = away > SLACK_MS && (idle == null || away > 2 * idle + SLACK_MS);
        findings.add(
                BANDWIDTH,
                null,
                waits ? 0.9 * full * share * (1 - distance) * otherwise : 0,
                "The network in between passes no more than " + throughput + ": "
                        + text("a request waits %.0f ms on its way", away)
                        + text(", where a small one alone takes %.1f ms", idle) + ".",
                evidence(seen, request, onBroker, idle, busiest));
    }

    private static List<String> evidence(Seen seen, double request, Double onBroker, Double idle, double busiest) {
        return known(
                text("%.1f ms a request", request),
                onBroker == null ? null : text("%.1f ms of them on the broker", onBroker),
                idle == null ? null : text("%.1f ms for a small request before the load", idle),
                Units.percent(busiest) + " of the requests under way that may be",
                Units.byteRate(seen.trial().produce().bytesPerSecond()));
    }

    /** A network card that is full says so itself. */
    private static void link(Seen seen, Findings findings) {
        Double share = seen.host("linkShare");
        if (share == null) {
            findings.missing("network card", "the speed of no link of this host is known");
            return;
        }
        findings.add(
                BANDWIDTH,
                "this host",
                ramp(share, 0.75, 0.95),
                "The network card of this host is full: " + Units.percent(share) + " of its speed.",
                known(Units.percent(share) + " of the link's speed"));
    }
}
