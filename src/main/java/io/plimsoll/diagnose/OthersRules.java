package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.ms;
import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.TrialEvidence.greatest;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.total;

import io.plimsoll.measure.Observation;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.Units;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rules for broker work outside of this load: third-party clients, replication and broker logs. */
final class OthersRules {
    /** Minimum share of produce requests; less can be a difference between counting methods. */
    private static final double SOME = 0.1;
    /** Ratio of bytes fetched by followers to bytes written; no replication factor explains a higher ratio. */
    private static final double MOST_COPIES = 4;

    static final List<Rule<?>> RULES = List.of(
            // Copying to new replicas uses disks, network, threads and followers that the load needs.
            Rule.quiet("copying", OthersRules::copied).heldBack(0.98).judged((e, bytes) -> {
                double all = e.sum("bytesIn") + e.sum("replicationBytesIn");
                double share = all <= 0 ? 0 : Math.min(1, bytes / all);
                double remote =
                        orElse(e.perRequest("remoteMs"), 0) / Math.max(1e-3, orElse(e.perRequest("totalMs"), 1));
                double devices = Math.max(
                        ramp(orElse(e.host("diskBusy"), 0), 0.8, 0.97),
                        ramp(orElse(e.host("linkShare"), 0), 0.75, 0.95));
                double takes = Math.max(Math.max(busy(e), ramp(remote, 0.3, 0.7)), devices);
                return Finding.of(ramp(share, 0.2, 0.6) * takes)
                        .explainsPart(waits(e))
                        .says("diagnose.says.copying", Units.byteRate(bytes), percent(share))
                        .with("diagnose.copied", Units.byteRate(bytes))
                        .with("diagnose.forFollowers", ms(e.perRequest("remoteMs")));
            }),
            // At DEBUG, a broker logs each request; at TRACE, each step of a request.
            Rule.quiet("loggers", e -> e.cluster("verboseLoggers"))
                    .heldBack(0.98)
                    .judged((e, loggers) -> Finding.of(ramp(loggers, 1, 10)
                                    * Math.max(busy(e), ramp(orElse(e.perRequest("localMs"), 0), 1, 5)))
                            .explainsPart(waits(e))
                            .says("diagnose.says.loggers", Format.count(loggers))
                            .with("diagnose.verboseLoggers", Format.count(loggers))
                            .with("diagnose.toAppend", ms(e.perRequest("localMs")))),
            // Requests of other clients saturate resources that this load needs. The broker's means then include their
            // requests, so the wait of this load's requests is unknown.
            Rule.quiet("others", e -> e.most("produceRequests"))
                    .where(e -> !e.produces() || !e.links().isEmpty())
                    .heldBack(0.97)
                    .judged((e, b) -> named(
                                    e,
                                    b,
                                    Finding.at(b.name(), prevail(e) * busy(e)).explainsPart(waits(e)))
                            .with("diagnose.ofOthers", percent(share(e)))
                            .with("diagnose.idle", percent(b.get("handlerIdle")))
                            .with("diagnose.inRequestQueue", ms(b.get("requestQueueMs")))));

    /** Share of broker work for other clients, as a score. */
    static double prevail(TrialEvidence e) {
        return ramp(share(e), 0.3, 0.7);
    }

    /** Share of the excess latency, or of the lag, that brokers or the network cause. */
    private static double waits(TrialEvidence e) {
        List<ReadEvidence> readers = ReadEvidence.all(e);
        double reading = readers == null ? 0 : greatest(readers, r -> r.waiting() * Math.max(r.late(), r.slow(e)));
        return Math.max(e.slowness(NetworkRules.ON_THE_WAY), reading);
    }

    /** Saturation of broker threads or CPU, as a score. */
    private static double busy(TrialEvidence e) {
        double network = greatest(e.brokers(), BrokerRules::networkBusy);
        return Math.max(Math.max(Confounder.HANDLERS_BUSY.in(e), network), BrokerRules.full(e));
    }

    private static double share(TrialEvidence e) {
        return Math.max(written(e), Math.max(read(e), asked(e)));
    }

    private static Finding named(TrialEvidence e, BrokerEvidence b, Finding finding) {
        if (asked(e) > Math.max(written(e), read(e))) {
            Map.Entry<String, Double> most = asks(e, Observation.ASKED_MS).entrySet().stream()
                    .max(Map.Entry.comparingByValue(Comparator.naturalOrder()))
                    .orElseThrow();
            double rate = asks(e, Observation.ASKED).getOrDefault(most.getKey(), 0.0);
            return finding.says("diagnose.says.othersAsk", percent(asked(e)), most.getKey(), Format.count(rate));
        }
        return read(e) > written(e)
                ? finding.says("diagnose.says.othersRead", percent(read(e)), b.name())
                : finding.says("diagnose.says.others", percent(written(e)), b.name());
    }

    /**
     * Share of produce requests, or of their bytes, from other producers, whichever is larger; 0 if unknown. Commits of
     * this load's groups also count as bytes, so bytes alone are not evidence.
     */
    private static double written(TrialEvidence e) {
        double requests = beside(total(e.links(), Link::requestsPerSecond), e.rate("produceRequests"));
        double bytes = beside(sent(e), e.rate("bytesIn"));
        return requests < SOME ? requests : Math.max(requests, bytes);
    }

    /** Share of broker bytes, or of request handler time, for other consumers; 0 if unknown. */
    private static double read(TrialEvidence e) {
        double out = e.rate("bytesOut");
        double in = e.rate("bytesIn");
        if (out <= 0 || in <= 0 || (e.consumes() && ours(e, "fetchBytes") <= 0)) {
            return 0;
        }
        double fetches = e.rate("fetchRequests");
        double rest = Math.max(0, out - ours(e, "fetchBytes") - watched(e));
        // Fetches of an observed group cannot be separated from fetches of other clients.
        double foreign =
                fetches <= 0 ? 0 : e.groups() == null ? Math.max(0, 1 - ours(e, "fetches") / fetches) : rest / out;
        return Math.max(
                rest / (out + in),
                foreign * fetching(e) / Math.max(1e-9, records(e) + others(e)) * ramp(foreign * fetching(e), 30, 150));
    }

    /** Share of handler time for requests without records from other clients; 0 if unknown. */
    private static double asked(TrialEvidence e) {
        double others = others(e);
        return others <= 0 ? 0 : others / (others + records(e)) * ramp(others, 30, 150);
    }

    /** Time of all handlers in requests without records, in milliseconds per second. */
    private static double others(TrialEvidence e) {
        return total(asks(e, Observation.ASKED_MS).values(), ms -> ms);
    }

    private static double records(TrialEvidence e) {
        return fetching(e)
                + total(
                        e.brokers(),
                        b -> b.get("produceRequests", 0) * b.get("localMs", 0)
                                + b.get("followerRequests", 0) * b.of("follower", "localMs"));
    }

    private static double fetching(TrialEvidence e) {
        return total(e.brokers(), b -> b.get("fetchRequests", 0) * b.of("fetch", "localMs"));
    }

    /**
     * Requests per second, or their handler time, depending on the prefix; summed over all brokers, by kind. Without
     * commits if this load has consumers.
     */
    private static Map<String, Double> asks(TrialEvidence e, String prefix) {
        Map<String, Double> sums = new TreeMap<>();
        e.brokers().forEach(b -> b.figures().keySet().stream()
                .filter(figure -> figure.startsWith(prefix))
                .filter(figure -> !e.consumes() || !figure.endsWith("OffsetCommit"))
                .forEach(figure -> sums.merge(figure.substring(prefix.length()), b.get(figure, 0), Double::sum)));
        return sums;
    }

    /** Bytes per second of this load in the measured window; the total count would include the drain. */
    private static double sent(TrialEvidence e) {
        if (!e.produces()) {
            return 0;
        }
        TrialResult.Wire wire = e.produce().wire();
        double requests = orElse(wire.requests(), 0);
        return requests <= 0 ? 0 : orElse(wire.wireBytes(), 0) / requests * orElse(wire.requestsPerSecond(), 0);
    }

    /** Bytes per second that observed third-party groups read. */
    private static double watched(TrialEvidence e) {
        Double records = e.produces() ? e.produce().volume().recordsPerSecond() : null;
        return e.groups() == null || records == null || records <= 0
                ? 0
                : total(e.groups(), g -> g.get("consumed")) * sent(e) / records;
    }

    /** A count over all consumers of this load, per second. */
    private static double ours(TrialEvidence e, String count) {
        double seconds = e.seconds();
        return seconds <= 0
                ? 0
                : e.trial().observed().clients().entrySet().stream()
                                .filter(c -> c.getKey().startsWith("consumers-") && !Link.isOfBroker(c.getKey()))
                                .mapToDouble(c -> c.getValue().getOrDefault(count, 0.0))
                                .sum()
                        / seconds;
    }

    /** Bytes per second copied to new or lagging replicas; null if unknown. */
    private static @Nullable Double copied(TrialEvidence e) {
        if (e.most("replicationBytesIn") == null) {
            return null;
        }
        double caughtUp =
                e.sum("underReplicated") > 0 ? e.sum("replicationBytesIn") - MOST_COPIES * e.sum("bytesIn") : 0;
        return Math.max(e.sum("reassignmentBytesIn"), caughtUp);
    }

    private static double beside(double ours, double all) {
        return all <= 0 || ours <= 0 ? 0 : Math.max(0, 1 - ours / all);
    }
}
