package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.byteRate;
import static io.plimsoll.diagnose.Format.ms;
import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.Format.wholeMs;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.total;

import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the network between producers and brokers: a slow broker, a hot partition, distance and bandwidth. By
 * Little's law, throughput is requests in flight ÷ time in flight: with all allowed requests in flight, time is the
 * limit. Time outside the broker is either network distance, which also delays a single small request, or a queue for
 * bandwidth, which does not.
 */
final class NetworkRules {
    static final String[] ON_THE_WAY = {
        "requestQueueMs", "localMs", "remoteMs", "responseQueueMs", "responseSendMs", "behind", "network", "request"
    };

    /** Share of the request time up to which the broker itself does not cause the delay. */
    private static final double BROKER_SHARE = 0.3;

    private static final double SLACK_MS = 4;

    /** Network time in ms that is longer than a typical wait for a CPU. */
    private static final double FAR_MS = 20;

    static final List<Rule<?>> RULES = List.of(
            // Idle brokers cannot take over work for partitions that another broker leads.
            Rule.producing("leaderSkew", NetworkRules::skew).heldBack(0.99).judged((e, s) -> Finding.at(
                            BrokerEvidence.name(s.broker), s.strength() * full(e, s.broker))
                    .explainsPart(e.slowness(ON_THE_WAY))
                    .says(
                            pinned(e, s.broker)
                                    ? "diagnose.says.pinned"
                                    : s.of < s.brokers ? "diagnose.says.fewPartitions" : "diagnose.says.leaderSkew",
                            s.broker,
                            s.led,
                            s.of,
                            s.brokers)
                    .with("diagnose.bytesGoThere", percent(s.records))
                    .with("diagnose.inFlightThere", percent(inFlightUse(e, s.broker)))),
            Rule.named("slowBroker", e -> e.links().size() < 2 && e.requestMs() == null ? null : e.links())
                    .where(TrialEvidence::produces)
                    .heldBack(0.97, 0.3)
                    .lowered(
                            1,
                            "moreBytes",
                            (e, all) -> all.size() < 2 ? 0 : ramp(share(slowest(all), all) * all.size(), 1.3, 2))
                    .provedBy(Perturbation.WITHOUT_BROKER, Perturbation.ONE_COPY, Perturbation.FEWER_BROKERS)
                    .judged((e, links) -> links.size() < 2 ? null : slowBroker(e, links)),
            Rule.producing("hotPartition", NetworkRules::hotLeader)
                    .heldBack(0.95)
                    .lowered(0.8, "avoided", NetworkRules::avoided)
                    .provedBy(Perturbation.KEYS, Perturbation.PARTITIONS)
                    // Without keys, producers fill a batch of one partition before they switch to another partition.
                    .judged((e, hot) -> Finding.at(
                                    hot.where(), hot.strength() * (e.keyed() ? 1 : ramp(filledBatches(e), 20, 100)))
                            .says(
                                    e.keyed() ? "diagnose.says.hotPartition" : "diagnose.says.hotUnkeyed",
                                    hot.name(),
                                    percent(hot.share),
                                    hot.of)
                            .with("diagnose.ofRecords", percent(hot.share))
                            .with("diagnose.itsPart", percent(1.0 / hot.of))
                            .with("diagnose.ledBy", hot.partition.leader())),
            // The utilization of a network card is measured directly.
            Rule.named("card", e -> e.host("linkShare"))
                    .of("bandwidth")
                    .where(TrialEvidence::produces)
                    .easedBy(Remedy.COMPRESSION)
                    .judged((e, share) -> Finding.at(e.hostName(), ramp(share, 0.75, 0.95))
                            .says("diagnose.says.card", e.hostName(), percent(share))
                            .with("diagnose.ofLink", percent(share))),
            // Records wait for a new connection and its handshake.
            Rule.producing("reconnects", NetworkRules::connectsPerRequest)
                    .heldBack(0.97)
                    .judged(NetworkRules::reconnects),
            away(Rule.named("latency", RequestPath::of).where(TrialEvidence::produces), 0.95)
                    .provedBy(Perturbation.BATCH_SIZE, Perturbation.IN_FLIGHT, Perturbation.CLIENTS)
                    .easedBy(Remedy.BATCH_SIZE, Remedy.IN_FLIGHT, Remedy.CLIENTS)
                    .judged((e, path) -> path.shown(
                            e,
                            Finding.of(path.weight() * path.distance() * (path.away > 1 ? 1 : shortWay(e)))
                                    .says(
                                            "diagnose.says.latency",
                                            ms(path.request),
                                            Format.whole(e.entry("maxInFlight", Math::max)),
                                            throughput(e)))),
            away(
                            Rule.quiet("bandwidth", RequestPath::of)
                                    .where(e -> e.produces() && e.perRequest("totalMs") != null),
                            0.9)
                    .lowered(0.7, Confounder.THREAD_BUSY)
                    .easedBy(Remedy.COMPRESSION)
                    .judged(NetworkRules::bandwidth),
            // Without broker metrics, time in the network and on the broker are indistinguishable.
            away(Rule.quiet("unseen", RequestPath::of).where(e -> e.produces() && e.perRequest("totalMs") == null), 0.9)
                    .lowered(0.7, Confounder.THREAD_BUSY)
                    .provedBy(Perturbation.BATCH_SIZE, Perturbation.ACKS)
                    .easedBy(Remedy.BATCH_SIZE, Remedy.ACKS, Remedy.COMPRESSION)
                    .judged((e, path) -> {
                        Finding finding = Finding.of(path.waits()).explains(e.slowness("request"));
                        return path.shown(
                                e,
                                path.idle == null
                                        ? finding.says("diagnose.says.unseen", wholeMs(path.away))
                                        : finding.says(
                                                "diagnose.says.unseenNotDistance", wholeMs(path.away), ms(path.idle)));
                    }),
            // Affects latency only: if the load is sustained, network time is distance, or a device that delays
            // requests.
            Rule.quiet("far", RequestPath::of)
                    .where(e -> e.produces() && e.latencyAsked() && e.perRequest("totalMs") != null)
                    .most(0.9)
                    .lowered(0.8, "hostFullNotLeast", (e, path) -> Confounder.HOST_FULL.in(e) * (1 - e.leastOfAsked()))
                    .lowered(0.8, Confounder.NETWORK_THREAD_BUSY)
                    .lowered(0.6, Confounder.STANDS_STILL, Confounder.CPU_QUOTA)
                    .judged((e, path) -> path.shown(
                            e,
                            Finding.of(0)
                                    .explains(e.slowness("network"))
                                    .says("diagnose.says.far", ms(path.away), ms(path.request)))));

    /** If threads wait for a CPU, or the network thread is saturated, requests wait regardless of the network. */
    private static Rule<RequestPath> away(Rule<RequestPath> rule, double most) {
        return rule.heldBack(most)
                .lowered(0.8, "hostFullNotFar", (e, path) -> Confounder.HOST_FULL.in(e) * (1 - farAway(e)))
                .lowered(0.8, Confounder.NETWORK_THREAD_BUSY)
                .lowered(0.5, Confounder.TINY_BATCHES)
                .lowered(0.6, Confounder.STANDS_STILL, Confounder.CPU_QUOTA);
    }

    /** Whether all partitions led by this broker are of topics that the scenario places on a subset of the brokers. */
    private static boolean pinned(TrialEvidence e, int broker) {
        return e.partitions().stream()
                .filter(p -> p.produced() > 0 && p.leader() != null && p.leader() == broker)
                .allMatch(p -> e.topic(p.topic()).containsKey("brokers"));
    }

    private static Link slowest(List<Link> links) {
        return links.stream().max(Comparator.comparingDouble(Link::requestMs)).orElseThrow();
    }

    /** A broker's share of all bytes. Longer requests are expected if it is above an even share. */
    private static double share(Link link, List<Link> links) {
        double bytes = total(links, Link::bytesPerSecond);
        return bytes > 0 ? link.bytesPerSecond() / bytes : 0;
    }

    private static Finding slowBroker(TrialEvidence e, List<Link> links) {
        Link slow = slowest(links);
        String took = wholeMs(slow.requestMs());
        // Up to half of the other brokers can be equally slow, such as the brokers in one rack.
        double usual = usualMs(links, slow.broker());
        Double there = e.dueToBroker(slow);
        boolean slowPath = there != null && there < BROKER_SHARE * slow.requestMs() && Confounder.HOST_FULL.in(e) == 0;
        Finding finding = Finding.at(
                        BrokerEvidence.name(slow.broker()), ramp(slow.requestMs() / Math.max(1, usual), 1.7, 3.5))
                .explainsPart(e.slowness(ON_THE_WAY));
        return (slowPath
                        ? finding.says("diagnose.says.slowWay", slow.broker(), took, wholeMs(usual), wholeMs(there))
                        : finding.says("diagnose.says.slowBroker", slow.broker(), took, wholeMs(usual)))
                .with("diagnose.aRequest", ms(slow.requestMs()))
                .with("diagnose.onOthers", ms(usual))
                .with("diagnose.bytesGoThere", percent(share(slow, links)))
                .with("diagnose.inFlightThere", percent(slow.inFlightUse()));
    }

    private static double usualMs(List<Link> links, int without) {
        return Spread.median(links.stream()
                .filter(l -> l.broker() != without)
                .mapToDouble(Link::requestMs)
                .toArray());
    }

    private static Finding reconnects(TrialEvidence e, double perRequest) {
        double cut = cut(e);
        double reconnecting = ramp(perRequest, 0.1, 0.5);
        String connects = Format.count(orElse(e.entry("connects", Double::sum), 0));
        String requests = Format.count(orElse(e.entry("requests", Double::sum), 0));
        Finding finding =
                Finding.of(Math.max(reconnecting, cut)).explainsPart(e.slowness("late", "batch", "network", "request"));
        return (cut > reconnecting
                        ? finding.says("diagnose.says.cut", connects, Units.count(FailureRules.retries(e)))
                        : finding.says("diagnose.says.reconnects", connects, requests))
                .with("diagnose.aRequest", ms(e.requestMs()))
                .with("diagnose.inBatch", ms(e.weighted("queueMs", "batches")));
    }

    private static Finding bandwidth(TrialEvidence e, RequestPath path) {
        Finding finding = Finding.of(path.waits());
        Double window = sendBuffer(e);
        String away = wholeMs(path.away);
        if (window != null) {
            finding.says("diagnose.says.sendBuffer", Units.bytes(window), away, throughput(e));
        } else if (path.idle == null) {
            finding.says("diagnose.says.bandwidth", throughput(e), away);
        } else {
            finding.says("diagnose.says.bandwidthNotDistance", throughput(e), away, ms(path.idle));
        }
        return path.shown(e, finding);
    }

    /** Degree to which producers avoid a broker: without keys, they prefer the fastest brokers. */
    private static double avoided(TrialEvidence e, Hot hot) {
        Integer leader = hot.partition.leader();
        if (leader == null || e.links().size() < 2) {
            return 0;
        }
        return e.links().stream()
                .filter(l -> l.broker() == leader)
                .mapToDouble(l -> ramp(usualMs(e.links(), leader) / Math.max(1, l.requestMs()), 1.5, 3))
                .max()
                .orElse(0);
    }

    /** The partition with the most records, its share of the topic's records, and the topic's number of partitions. */
    record Hot(PartitionResult partition, double share, int of) {
        String name() {
            return partition.topic() + "-" + partition.partition();
        }

        Sentence where() {
            return Sentence.of("diagnose.partition", name());
        }

        /** Excess of the share over an even share, as a score from 0 to 1. */
        double strength() {
            double fair = 1.0 / of;
            return ramp((share - fair) / (1 - fair), 0.1, 0.5);
        }
    }

    /**
     * The broker that leads most of the written partitions.
     *
     * @param led number of written partitions that it leads
     * @param records its share of the records
     */
    private record Skew(int broker, long led, int of, double records, int brokers) {
        /** Excess over an even share of partitions and of records, as a score from 0 to 1. */
        double strength() {
            double fair = 1.0 / brokers;
            return ramp((Math.min(records, (double) led / of) - fair) / (1 - fair), 0.2, 0.6);
        }
    }

    /**
     * The skew of leadership; null if no leader of a written partition is known, or fewer than two brokers are known.
     */
    private static @Nullable Skew skew(TrialEvidence e) {
        List<PartitionResult> written = e.partitions().stream()
                .filter(p -> p.produced() > 0 && p.leader() != null)
                .toList();
        Map<Integer, Long> led =
                written.stream().collect(Collectors.groupingBy(PartitionResult::leader, Collectors.counting()));
        int brokers = Math.max(e.brokers().size(), led.size());
        if (brokers < 2 || written.isEmpty()) {
            return null;
        }
        Map.Entry<Integer, Long> most = Collections.max(led.entrySet(), Map.Entry.comparingByValue());
        double there = produced(written.stream().filter(p -> most.getKey().equals(p.leader())));
        return new Skew(most.getKey(), most.getValue(), written.size(), there / produced(written.stream()), brokers);
    }

    private static double produced(Stream<PartitionResult> partitions) {
        return partitions.mapToLong(PartitionResult::produced).sum();
    }

    /** Saturation of the broker or of its connections, as a score from 0 to 1. */
    private static double full(TrialEvidence e, int broker) {
        double connections = ramp(orElse(inFlightUse(e, broker), 0), 0.5, 0.85);
        BrokerEvidence busiest = e.least("handlerIdle");
        return Math.max(connections, busiest != null && busiest.is(broker) ? Confounder.HANDLERS_BUSY.in(e) : 0);
    }

    private static @Nullable Double inFlightUse(TrialEvidence e, int broker) {
        return e.links().stream()
                .filter(l -> l.broker() == broker)
                .map(Link::inFlightUse)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** The hot partition; also null if one broker leads all partitions of its topic, because no other leader waits then. */
    private static @Nullable Hot hotLeader(TrialEvidence e) {
        Hot hot = hot(e);
        return hot == null
                        || e.partitions().stream()
                                        .filter(p -> p.topic().equals(hot.partition.topic()) && p.leader() != null)
                                        .map(PartitionResult::leader)
                                        .distinct()
                                        .count()
                                == 1
                ? null
                : hot;
    }

    /** Number of full batches that all sent records would fill. */
    private static double filledBatches(TrialEvidence e) {
        return orElse(e.produce().volume().bytes(), 0) / orElse(e.entry("batchSize", Math::max), 16_384);
    }

    /** The hottest partition; null if no record was produced, or its topic has a single partition. */
    static @Nullable Hot hot(TrialEvidence e) {
        List<PartitionResult> all = e.partitions();
        PartitionResult hot = all.stream()
                .max(Comparator.comparingLong(PartitionResult::produced))
                .orElse(null);
        if (hot == null || hot.produced() <= 0) {
            return null;
        }
        List<PartitionResult> siblings =
                all.stream().filter(p -> p.topic().equals(hot.topic())).toList();
        int count = siblings.stream().mapToInt(PartitionResult::partition).max().orElse(0) + 1;
        return count < 2 ? null : new Hot(hot, hot.produced() / produced(siblings.stream()), count);
    }

    /**
     * Share of network distance in the request time, as a score. It is high if a small request before the load and the
     * fastest record under load took about the same time as other requests. Waits for a CPU slow most requests, but not
     * all.
     */
    static double farAway(TrialEvidence e) {
        RequestPath path = e.produces() ? RequestPath.of(e) : null;
        Latency service = e.produces() ? e.produce().times().serviceTime() : null;
        if (path == null || path.idle == null || service == null || service.min() == null || path.away < FAR_MS) {
            return 0;
        }
        double least = Math.min(path.idle, service.min() / 1e3);
        return ramp(least / path.away, 0.3, 0.7) * ramp(path.away / path.request, 0.5, 0.8);
    }

    /**
     * Request time, split between broker and network.
     *
     * @param onBroker time on the broker; null if no broker reports it
     * @param away time outside the broker
     * @param idle time of a small request before the load; null if unknown
     * @param busiest requests in flight ÷ requests allowed, on the fullest connections
     */
    private record RequestPath(
            double request,
            @Nullable Double onBroker,
            double away,
            @Nullable Double idle,
            double busiest) {
        static @Nullable RequestPath of(TrialEvidence e) {
            Double request = e.requestMs();
            Double busiest = e.busiest();
            if (request == null || busiest == null || request <= 0) {
                return null;
            }
            Double idle = e.cluster("idleRoundTripMs");
            return new RequestPath(request, e.perRequest("totalMs"), request - e.dueToBroker(), idle, busiest);
        }

        /** Score for network distance: its share of the time that requests spend outside the broker. */
        double distance() {
            return idle == null ? (away > SLACK_MS ? 0.6 : 0.3) : ramp(idle / Math.max(away, 0.1), 0.2, 0.6);
        }

        /** Score for the time that requests spend outside the broker. */
        double weight() {
            return ramp(busiest, 0.5, 0.85) * ramp(away / request, 0.25, 0.7);
        }

        /** Score for requests that queue in the network. */
        double waits() {
            boolean waits = away > SLACK_MS && (idle == null || away > 2 * idle + SLACK_MS);
            return waits ? weight() * (1 - distance()) : 0;
        }

        Finding shown(TrialEvidence e, Finding finding) {
            return finding.with("diagnose.aRequest", ms(request))
                    .with("diagnose.ofThemOnBroker", ms(onBroker))
                    .with("diagnose.smallRequest", ms(idle))
                    .with("diagnose.underWay", percent(busiest))
                    .with("diagnose.throughput", throughput(e));
        }
    }

    /** Lowers the score of short times: below a millisecond, time is mostly thread wake-up, which takes longer on a busy host. */
    private static double shortWay(TrialEvidence e) {
        return 0.4 + 0.4 * (1 - ramp(orElse(e.hostBusy(), 1), 0.6, 0.85));
    }

    /** Connections per request with records; null if unknown. Each connection begins with a request without records. */
    private static @Nullable Double connectsPerRequest(TrialEvidence e) {
        Double connects = e.entry("connects", Double::sum);
        Double requests = e.entry("requests", Double::sum);
        return connects == null || requests == null
                ? null
                : Double.valueOf(connects / Math.max(1, requests - connects));
    }

    /**
     * Rate of connections that end with requests in flight, as a score from 0 to 1. Leader changes and missing leaders
     * do not cause this continuously.
     */
    private static double cut(TrialEvidence e) {
        double seconds = e.seconds();
        double clients = Math.max(1, orElse(e.entry("clients", Double::sum), 1));
        double each = seconds <= 0 ? 0 : orElse(e.entry("connects", Double::sum), 0) / seconds / clients;
        return ramp(each, 0.2, 1) * ramp(FailureRules.sentAgain(e), 0.01, 0.1) * (1 - Confounder.REFUSED.in(e));
    }

    /** The configured send.buffer.bytes if it is smaller than a request; otherwise null. */
    private static @Nullable Double sendBuffer(TrialEvidence e) {
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

    private static @Nullable String throughput(TrialEvidence e) {
        return byteRate(e.produce().volume().bytesPerSecond());
    }
}
