package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.total;
import static io.plimsoll.diagnose.Words.ms;
import static io.plimsoll.diagnose.Words.percent;
import static io.plimsoll.diagnose.Words.wholeMs;

import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.stats.Spread;
import io.plimsoll.text.Sentence;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rules for one broker that is slower than the others, or one partition that has more to do. */
final class PlacementRules {
    static final String[] ON_THE_WAY = {
        "requestQueueMs", "localMs", "remoteMs", "responseQueueMs", "responseSendMs", "behind", "network", "request"
    };

    /** Share of the time of its requests up to which a broker is not what makes them slow. */
    private static final double ITS_OWN = 0.3;

    private static final Rule<List<Link>> SLOW_BROKER = Rule.named(
                    "slowBroker", e -> e.links().size() < 2 && e.requestMs() == null ? null : e.links())
            .where(TrialEvidence::produces)
            .most(0.97)
            .heldBackAtLeast(0.3)
            .lowered(
                    1,
                    "it gets 1.3–2 times its part of the bytes",
                    (e, links) -> links.size() < 2 ? 0 : ramp(share(slowest(links), links) * links.size(), 1.3, 2))
            .provedBy(Perturbations.WITHOUT_BROKER, Perturbations.ONE_COPY, Perturbations.FEWER_BROKERS)
            .judged((e, links) -> links.size() < 2 ? null : slowBroker(e, links));

    private static final Rule<Hot> HOT_PARTITION = Rule.named("hotPartition", PlacementRules::hotLeader)
            .where(TrialEvidence::produces)
            .silently()
            .most(0.95)
            .heldBack()
            .lowered(
                    0.8,
                    "its broker answers 1.5–3 times as fast as the others: producers avoid those",
                    PlacementRules::avoided)
            .provedBy(Perturbations.KEYS, Perturbations.PARTITIONS)
            .judged((e, hot) -> {
                double fair = 1.0 / hot.of;
                // Without keys, producers fill one partition for a while before they turn to another.
                double notByChance = e.keyed() ? 1 : ramp(filledBatches(e), 20, 100);
                return Sign.at(hot.where(), hot.strength() * notByChance)
                        .says(
                                e.keyed() ? "diagnose.says.hotPartition" : "diagnose.says.hotUnkeyed",
                                hot.name(),
                                percent(hot.share),
                                hot.of)
                        .with("diagnose.ofRecords", percent(hot.share))
                        .with("diagnose.itsPart", percent(fair))
                        .with("diagnose.ledBy", hot.partition.leader());
            });

    /** What one broker leads the others do not carry, whatever they have to spare. */
    private static final Rule<Skew> LEADER_SKEW = Rule.named("leaderSkew", PlacementRules::skew)
            .where(TrialEvidence::produces)
            .silently()
            .most(0.99)
            .heldBack()
            .judged((e, s) -> Sign.at(BrokerEvidence.name(s.broker), s.strength() * full(e, s.broker))
                    .explains(s.strength() * full(e, s.broker) * e.slowness(ON_THE_WAY))
                    .says(
                            pinned(e, s.broker)
                                    ? "diagnose.says.pinned"
                                    : s.of < s.brokers ? "diagnose.says.fewPartitions" : "diagnose.says.leaderSkew",
                            s.broker,
                            s.led,
                            s.of,
                            s.brokers)
                    .with("diagnose.bytesGoThere", percent(s.records))
                    .with("diagnose.inFlightThere", percent(inFlightUse(e, s.broker))));

    static final List<Rule<?>> RULES = List.of(LEADER_SKEW, SLOW_BROKER, HOT_PARTITION);

    private PlacementRules() {}

    /** Whether the scenario itself puts all that this broker leads on some of the brokers. */
    private static boolean pinned(TrialEvidence e, int broker) {
        return e.partitions().stream()
                .filter(p -> p.produced() > 0 && p.leader() != null && p.leader() == broker)
                .allMatch(p -> e.topic(p.topic()).containsKey("brokers"));
    }

    private static Link slowest(List<Link> links) {
        return links.stream().max(Comparator.comparingDouble(Link::requestMs)).orElseThrow();
    }

    /** The share of a broker in the bytes that go to all; who gets more than its part has reason to take longer. */
    private static double share(Link link, List<Link> links) {
        double bytes = total(links, Link::bytesPerSecond);
        return bytes > 0 ? link.bytesPerSecond() / bytes : 0;
    }

    private static Sign slowBroker(TrialEvidence e, List<Link> links) {
        Link slow = slowest(links);
        // Half of the others may be as slow, a rack of them.
        double usual = usualMs(links, slow.broker());
        double slower = ramp(slow.requestMs() / Math.max(1, usual), 1.7, 3.5);
        Double there = e.dueToBroker(slow);
        boolean way = there != null && there < ITS_OWN * slow.requestMs() && Pressure.HOST_FULL.in(e) == 0;
        Sign sign = Sign.at(BrokerEvidence.name(slow.broker()), slower).explains(slower * e.slowness(ON_THE_WAY));
        return (way
                        ? sign.says(
                                "diagnose.says.slowWay",
                                slow.broker(),
                                wholeMs(slow.requestMs()),
                                wholeMs(usual),
                                wholeMs(there))
                        : sign.says(
                                "diagnose.says.slowBroker", slow.broker(), wholeMs(slow.requestMs()), wholeMs(usual)))
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

    /** Without keys, records go where they are taken fastest. */
    private static double avoided(TrialEvidence e, Hot hot) {
        Integer leader = hot.partition.leader();
        return e.links().stream()
                .filter(l -> e.links().size() > 1 && leader != null && l.broker() == leader)
                .mapToDouble(l -> ramp(usualMs(e.links(), leader) / Math.max(1, l.requestMs()), 1.5, 3))
                .max()
                .orElse(0);
    }

    /** The partition with most records, its share of those of its topic, and how many partitions that has. */
    record Hot(PartitionResult partition, double share, int of) {
        String name() {
            return partition.topic() + "-" + partition.partition();
        }

        Sentence where() {
            return Sentence.of("diagnose.partition", name());
        }

        /** The degree to which it has more than its part, 0 to 1. */
        double strength() {
            double fair = 1.0 / of;
            return ramp((share - fair) / (1 - fair), 0.1, 0.5);
        }
    }

    /**
     * The broker that leads most of the partitions that are written to.
     *
     * @param led partitions of these {@code of} all
     * @param records share of the records that go there
     */
    private record Skew(int broker, long led, int of, double records, int brokers) {
        /** The degree to which it has more than its part of the partitions, and of the records, 0 to 1. */
        double strength() {
            double fair = 1.0 / brokers;
            return ramp((Math.min(records, (double) led / of) - fair) / (1 - fair), 0.2, 0.6);
        }
    }

    /** Null if leaders are unknown, or there are too few brokers or partitions to share anything out. */
    private static Skew skew(TrialEvidence e) {
        List<PartitionResult> written = e.partitions().stream()
                .filter(p -> p.produced() > 0 && p.leader() != null)
                .toList();
        Map<Integer, Long> led =
                written.stream().collect(Collectors.groupingBy(PartitionResult::leader, Collectors.counting()));
        int brokers = Math.max(e.brokers().size(), led.size());
        if (brokers < 2 || written.isEmpty()) {
            return null;
        }
        int most = Collections.max(led.entrySet(), Map.Entry.comparingByValue()).getKey();
        double there = produced(written.stream().filter(p -> p.leader() == most));
        return new Skew(most, led.get(most), written.size(), there / produced(written.stream()), brokers);
    }

    private static double produced(Stream<PartitionResult> partitions) {
        return partitions.mapToLong(PartitionResult::produced).sum();
    }

    /** The degree to which that broker, or the connections to it, can take no more. */
    private static double full(TrialEvidence e, int broker) {
        double connections = ramp(orElse(inFlightUse(e, broker), 0), 0.5, 0.85);
        BrokerEvidence busiest = e.least("handlerIdle");
        boolean there = busiest != null && busiest.id() instanceof Number id && id.intValue() == broker;
        return Math.max(connections, there ? Pressure.HANDLERS_BUSY.in(e) : 0);
    }

    private static Double inFlightUse(TrialEvidence e, int broker) {
        return e.links().stream()
                .filter(l -> l.broker() == broker)
                .map(Link::inFlightUse)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Null too if one broker leads all partitions of its topic, since then no other leader waits. */
    private static Hot hotLeader(TrialEvidence e) {
        Hot hot = hot(e);
        return hot == null
                        || e.trial().detail().partitions().stream()
                                        .filter(p -> p.topic().equals(hot.partition.topic()) && p.leader() != null)
                                        .map(PartitionResult::leader)
                                        .distinct()
                                        .count()
                                == 1
                ? null
                : hot;
    }

    /** How many batches of the largest size all that was sent would fill. */
    private static double filledBatches(TrialEvidence e) {
        return e.trial().produce().volume().bytes() / orElse(e.entry("batchSize", Math::max), 16_384);
    }

    /** Null if nothing was produced, or its topic has no other partition. */
    static Hot hot(TrialEvidence e) {
        List<PartitionResult> all = e.partitions();
        PartitionResult hot = all.stream()
                .max(Comparator.comparingLong(PartitionResult::produced))
                .orElse(null);
        if (hot == null || hot.produced() <= 0) {
            return null;
        }
        List<PartitionResult> siblings =
                all.stream().filter(p -> p.topic().equals(hot.topic())).toList();
        double total = siblings.stream().mapToLong(PartitionResult::produced).sum();
        int count = siblings.stream().mapToInt(PartitionResult::partition).max().orElse(0) + 1;
        return count < 2 ? null : new Hot(hot, hot.produced() / total, count);
    }
}
