package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.total;
import static io.plimsoll.diagnose.Words.byteRate;
import static io.plimsoll.diagnose.Words.ms;
import static io.plimsoll.diagnose.Words.percent;
import static io.plimsoll.diagnose.Words.wholeMs;

import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.Units;
import java.util.List;
import java.util.Objects;

/**
 * Rules for what the way between producers and brokers costs. By Little's law, throughput is what is under way ÷ the time it is
 * under way: with all requests under way that may be, it is the time that decides. Most of it far from any broker is
 * either distance, which a single small request has as well, or waiting for bandwidth, which it does not have.
 */
final class NetworkRules {
    private static final double SLACK_MS = 4;
    /** A wait for a CPU is rarely as long. */
    private static final double FAR_MS = 20;

    /** A network card that is full says so itself. */
    private static final Rule<Double> CARD = Rule.named("card", e -> e.host("linkShare"))
            .of("bandwidth")
            .where(TrialEvidence::produces)
            .easedBy(Remedy.COMPRESSION)
            .judged((e, share) -> Sign.at(e.hostName(), ramp(share, 0.75, 0.95))
                    .says("diagnose.says.card", e.hostName(), percent(share))
                    .with("diagnose.ofLink", percent(share)));

    private static final Rule<Way> DISTANCE = away(Rule.named("latency", Way::of))
            .where(TrialEvidence::produces)
            .most(0.95)
            .provedBy(Perturbations.BATCH_SIZE, Perturbations.IN_FLIGHT, Perturbations.CLIENTS)
            .easedBy(Remedy.BATCH_SIZE, Remedy.IN_FLIGHT, Remedy.CLIENTS)
            .judged((e, way) -> way.told(
                    e,
                    Sign.of(way.weight() * way.distance() * (way.away > 1 ? 1 : shortWay(e)))
                            .says(
                                    "diagnose.says.latency",
                                    ms(way.request),
                                    Words.whole(e.entry("maxInFlight", Math::max)),
                                    throughput(e))));

    private static final Rule<Way> BANDWIDTH = away(Rule.named("bandwidth", Way::of))
            .where(e -> e.produces() && e.perRequest("totalMs") != null)
            .silently()
            .most(0.9)
            .lowered(0.7, Pressure.THREAD_BUSY)
            .easedBy(Remedy.COMPRESSION)
            .judged((e, way) -> {
                Sign sign = Sign.of(way.waits());
                Double window = sendBuffer(e);
                if (window != null) {
                    return way.told(
                            e,
                            sign.says(
                                    "diagnose.says.sendBuffer", Units.bytes(window), wholeMs(way.away), throughput(e)));
                }
                return way.told(
                        e,
                        way.idle == null
                                ? sign.says("diagnose.says.bandwidth", throughput(e), wholeMs(way.away))
                                : sign.says(
                                        "diagnose.says.bandwidthNotDistance",
                                        throughput(e),
                                        wholeMs(way.away),
                                        ms(way.idle)));
            });

    /** Without the broker's own time nobody here can tell whether it waits on the way or there. */
    private static final Rule<Way> UNSEEN = away(Rule.named("unseen", Way::of))
            .where(e -> e.produces() && e.perRequest("totalMs") == null)
            .silently()
            .most(0.9)
            .lowered(0.7, Pressure.THREAD_BUSY)
            .provedBy(Perturbations.BATCH_SIZE, Perturbations.ACKS)
            .easedBy(Remedy.BATCH_SIZE, Remedy.ACKS, Remedy.COMPRESSION)
            .judged((e, way) -> {
                Sign sign = Sign.of(way.waits()).explains(e.slowness("request"));
                return way.told(
                        e,
                        way.idle == null
                                ? sign.says("diagnose.says.unseen", wholeMs(way.away))
                                : sign.says("diagnose.says.unseenNotDistance", wholeMs(way.away), ms(way.idle)));
            });

    /** Latency alone: of a load that is carried, the time on the way is distance, or something that holds requests up. */
    private static final Rule<Way> FAR = Rule.named("far", Way::of)
            .where(e -> e.produces() && e.latencyAsked() && e.perRequest("totalMs") != null)
            .silently()
            .most(0.9)
            .lowered(
                    0.8,
                    "threads on this host wait for a CPU, and the fastest record took a small part of the latency",
                    (e, way) -> Pressure.HOST_FULL.in(e) * (1 - e.leastOfAsked()))
            .lowered(0.8, Pressure.NETWORK_THREAD_BUSY)
            .lowered(0.6, Pressure.STANDS_STILL, Pressure.CPU_QUOTA)
            .judged((e, way) -> way.told(
                    e,
                    Sign.of(0)
                            .explains(e.slowness("network"))
                            .says("diagnose.says.far", ms(way.away), ms(way.request))));

    /** What is sent waits for a connection, and for what is said before the first request on it. */
    private static final Rule<Double> RECONNECTS = Rule.named("reconnects", NetworkRules::connectsPerRequest)
            .where(TrialEvidence::produces)
            .silently()
            .most(0.97)
            .heldBack()
            .judged((e, each) -> {
                double cut = cut(e);
                double anew = ramp(each, 0.1, 0.5);
                String connects = Units.count(Math.round(orElse(e.entry("connects", Double::sum), 0)));
                String requests = Units.count(Math.round(orElse(e.entry("requests", Double::sum), 0)));
                Sign sign = Sign.of(Math.max(anew, cut))
                        .explains(Math.max(anew, cut) * e.slowness("late", "batch", "network", "request"));
                return (cut > anew
                                ? sign.says("diagnose.says.cut", connects, Units.count(ReplicaRules.retries(e)))
                                : sign.says("diagnose.says.reconnects", connects, requests))
                        .with("diagnose.aRequest", ms(e.requestMs()))
                        .with("diagnose.inBatch", ms(e.weighted("queueMs", "batches")));
            });

    static final List<Rule<?>> RULES = List.of(CARD, RECONNECTS, DISTANCE, BANDWIDTH, UNSEEN, FAR);

    private NetworkRules() {}

    /**
     * The degree to which requests are under way for so long because of the distance alone: a small one before the load took as
     * long, and so did the fastest record. Threads that wait for a CPU make most of them slow, but not all.
     */
    static double farAway(TrialEvidence e) {
        Way way = e.produces() ? Way.of(e) : null;
        Latency service = e.produces() ? e.produce().times().serviceTime() : null;
        if (way == null || way.idle == null || service == null || service.min() == null || way.away < FAR_MS) {
            return 0;
        }
        double least = Math.min(way.idle, service.min() / 1e3);
        return ramp(least / way.away, 0.3, 0.7) * ramp(way.away / way.request, 0.5, 0.8);
    }

    /** Where threads wait for a CPU, or the client's own has no time, so do requests: the way has little to do with it. */
    private static Rule<Way> away(Rule<Way> rule) {
        return rule.heldBack()
                .lowered(
                        0.8,
                        "threads on this host wait for a CPU, and the fastest request is much faster than most",
                        (e, way) -> Pressure.HOST_FULL.in(e) * (1 - farAway(e)))
                .lowered(0.8, Pressure.NETWORK_THREAD_BUSY)
                .lowered(0.5, Pressure.TINY_BATCHES)
                .lowered(0.6, Pressure.STANDS_STILL, Pressure.CPU_QUOTA);
    }

    /**
     * The way of a request.
     *
     * @param onBroker the broker's own time of it; null if no broker tells
     * @param away not due to the broker
     * @param idle of a small request before the load; null if unknown
     * @param busiest under way ÷ allowed, on the fullest connections
     */
    private record Way(double request, Double onBroker, double away, Double idle, double busiest) {

        static Way of(TrialEvidence e) {
            Double request = e.requestMs();
            Double busiest = e.busiest();
            return request == null || busiest == null || request <= 0
                    ? null
                    : new Way(
                            request,
                            e.perRequest("totalMs"),
                            request - e.dueToBroker(),
                            e.cluster("idleRoundTripMs"),
                            busiest);
        }

        /** The degree to which a small request accounts for the time away from the broker. */
        double distance() {
            return idle == null ? (away > SLACK_MS ? 0.6 : 0.3) : ramp(idle / Math.max(away, 0.1), 0.2, 0.6);
        }

        /** The degree to which the time away from the broker decides. */
        double weight() {
            return ramp(busiest, 0.5, 0.85) * ramp(away / request, 0.25, 0.7);
        }

        /** The degree to which requests wait for each other on the way. */
        double waits() {
            boolean waits = away > SLACK_MS && (idle == null || away > 2 * idle + SLACK_MS);
            return waits ? weight() * (1 - distance()) : 0;
        }

        Sign told(TrialEvidence e, Sign sign) {
            return sign.with("diagnose.aRequest", ms(request))
                    .with("diagnose.ofThemOnBroker", ms(onBroker))
                    .with("diagnose.smallRequest", ms(idle))
                    .with("diagnose.underWay", percent(busiest))
                    .with("diagnose.throughput", throughput(e));
        }
    }

    /** Less than a millisecond away from any broker is mostly waking up, which takes longer the fuller the host is. */
    private static double shortWay(TrialEvidence e) {
        return 0.4 + 0.4 * (1 - ramp(orElse(e.hostBusy(), 1), 0.6, 0.85));
    }

    /** Connections made for each request that brings records; each begins with another one. Null if unknown. */
    private static Double connectsPerRequest(TrialEvidence e) {
        Double connects = e.entry("connects", Double::sum);
        Double requests = e.entry("requests", Double::sum);
        return connects == null || requests == null
                ? null
                : Double.valueOf(connects / Math.max(1, requests - connects));
    }

    /**
     * The degree to which connections end while requests are under way, which are sent again: neither a leader that moves nor one
     * that is gone takes connections away all the time.
     */
    private static double cut(TrialEvidence e) {
        double seconds = e.seconds();
        double clients = Math.max(1, orElse(e.entry("clients", Double::sum), 1));
        double each = seconds <= 0 ? 0 : orElse(e.entry("connects", Double::sum), 0) / seconds / clients;
        return ramp(each, 0.2, 1) * ramp(ReplicaRules.sentAgain(e), 0.01, 0.1) * (1 - Pressure.REFUSED.in(e));
    }

    /** What was set for what may be on its way to a broker, where it is less than a request; null where it is not. */
    private static Double sendBuffer(TrialEvidence e) {
        double requests = total(e.links(), Link::requestsPerSecond);
        double bytes = total(e.links(), Link::bytesPerSecond);
        return e.setup("producers")
                .map(producers -> producers.get("send.buffer.bytes"))
                .filter(Objects::nonNull)
                .map(Double::valueOf)
                .filter(window -> window > 0 && requests > 0 && window < bytes / requests)
                .findFirst()
                .orElse(null);
    }

    private static String throughput(TrialEvidence e) {
        return byteRate(e.produce().volume().bytesPerSecond());
    }
}
