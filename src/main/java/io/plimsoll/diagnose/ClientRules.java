package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.byteRate;
import static io.plimsoll.diagnose.Format.ms;
import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.total;

import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules for limits from producer settings or quotas. */
final class ClientRules {
    /** Weight of batching time if no check requires a lower latency, because batching then serves throughput. */
    private static final double UNASKED = 0.63;
    /**
     * Ratio of batch wait to linger time above which a batch also waits because its connection already has all allowed
     * requests in flight.
     */
    private static final double MOST_OF_LINGER = 1.5;

    private static final double SLACK_MS = 2;
    /** Prefix of quotas in a trial's setup. */
    private static final String QUOTA_OF = "quota of ";

    /** Weight of small batches that are not full, because something other than batch.size keeps them small. */
    private static final double NOT_FULL = 0.72;

    static final List<Rule<?>> RULES = List.of(
            // Brokers throttle only to enforce a quota.
            Rule.named("quota", ClientRules::throttled)
                    .provedBy(Perturbation.CLIENTS)
                    .easedBy(Remedy.COMPRESSION)
                    .judged((e, t) -> {
                        Double rate = e.produces() ? e.produce().volume().bytesPerSecond() : null;
                        String share = percent(Math.min(1, t.share));
                        return Finding.at(t.who, t.share <= 0.003 ? 0 : 0.85 + 0.15 * ramp(t.share, 0.003, 0.2))
                                .says("diagnose.says.quota", t.who, share, quotas(e, t.consumes))
                                .with("diagnose.throttled", share)
                                .with("diagnose.acknowledged", byteRate(rate));
                    }),
            // Brokers reject a batch above the topic's limit; clients split and resend it.
            Rule.producing("tooLarge", e -> e.most("bytesRejected")).heldBack(1).judged((e, b) -> Finding.of(
                            Confounder.TOO_LARGE.in(e))
                    .explainsPart(e.slowness("late", "buffer", "batch"))
                    .says("diagnose.says.tooLarge", byteRate(e.sum("bytesRejected")), byteRate(e.sum("bytesIn")))
                    .with("diagnose.batchSize", Units.bytes(orElse(e.entry("batchSize", Math::max), 0)))),
            // Sending threads wait for buffer memory although connections could take more requests.
            Rule.named("buffer", ClientRules::buffer)
                    .where(TrialEvidence::produces)
                    .lowered(1, Confounder.THROTTLED, Confounder.REFUSED, Confounder.TOO_LARGE)
                    .lowered(0.5, Confounder.COLLECTS)
                    .lowered(1, "ample", (e, b) -> b.ample)
                    .provedBy(Perturbation.BUFFER_MEMORY, Perturbation.CLIENTS)
                    .easedBy(Remedy.BUFFER, Remedy.CLIENTS)
                    .judged((e, b) -> {
                        String waits = percent(Math.min(1, b.waits));
                        return Finding.of(ramp(b.waits, 0.02, 0.5) * ramp(Math.max(0, 1 - b.underWay), 0.05, 0.4))
                                .explains(e.slowness("buffer"))
                                .says("diagnose.says.buffer", Units.bytes(b.bytes), waits, percent(b.underWay))
                                .with("diagnose.bufferWait", waits)
                                .with("diagnose.inFlight", percent(b.underWay))
                                .with("diagnose.bufferMemory", Units.bytes(b.bytes));
                    }),
            // Each request has a fixed cost for the broker and the client.
            Rule.named("batches", ClientRules::batch)
                    .where(TrialEvidence::produces)
                    .most(0.98)
                    .provedBy(Perturbation.BATCH_SIZE)
                    .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
                    .judged((e, b) -> {
                        boolean full = b.bytes > Confounder.FULL_BATCH * b.most;
                        double used = full ? utilizationOfFullBatches(e) : NOT_FULL * utilization(e);
                        Double records = e.produce().wire().recordsPerBatch();
                        return Finding.of(used * ramp(-b.bytes, -Confounder.LARGE_BATCH, -Confounder.SMALL_BATCH))
                                .says(
                                        full ? "diagnose.says.fullBatches" : "diagnose.says.batches",
                                        Units.bytes(b.bytes))
                                .with("diagnose.batchBytes", Units.bytes(b.bytes), Units.bytes(b.most))
                                .with("diagnose.batchRecords", Format.decimals("%.1f", records));
                    }),
            // Affects only latency, unless the sender waits for each record. Even a batch that fills before linger.ms
            // expires has waited because of linger.ms.
            Rule.quiet("linger", ClientRules::linger)
                    .where(e -> e.produces()
                            && (e.closedLoop() ? synchronous(e) : e.heldBack() <= 0.5)
                            && (e.latencyAsked() || !e.readersAlone()))
                    .most(0.95)
                    .lowered(1, Confounder.THROTTLED)
                    .provedBy(Perturbation.LINGER)
                    .easedBy(Remedy.LINGER_LESS)
                    .judged((e, l) -> {
                        boolean waits = l.set > 0 && l.queue < MOST_OF_LINGER * l.set + SLACK_MS;
                        double weight = synchronous(e) ? 1 : UNASKED;
                        return Finding.of(waits ? weight * ramp(l.share, 0.3, 0.8) : 0)
                                .explains(waits ? e.slowness("batch") * l.waited : 0)
                                .says("diagnose.says.linger", ms(l.queue))
                                .with("diagnose.inBatch", ms(l.queue))
                                .with("diagnose.inAll", ms(l.whole));
                    }),
            // With synchronous sends, each thread has one record in flight.
            Rule.quiet("synchronous", ClientRules::waitingForAnswers)
                    .where(e -> e.produces() && synchronous(e))
                    .heldBack(0.9)
                    .provedBy(Perturbation.CLIENTS)
                    .easedBy(Remedy.SEND, Remedy.THREADS)
                    .judged((e, waiting) -> Finding.of(ramp(waiting, 0.5, 0.9))
                            .says("diagnose.says.synchronous", percent(Math.min(1, waiting)), ms(tripMs(e)))
                            .with("diagnose.waitForAnswers", percent(Math.min(1, waiting)))
                            .with("diagnose.aRequest", ms(e.requestMs()))),
            // Share of client time in commits, which block sends.
            Rule.producing("transactions", e -> e.entry("inCommits", Math::max))
                    .heldBack(0.96)
                    .judged((e, inCommits) -> {
                        String share = percent(Math.min(1, inCommits));
                        double unread = e.reader("readCommitted") * e.slowReading();
                        double late = e.slowness("late") * ramp(inCommits, 0.05, 0.2);
                        return Finding.of(ramp(inCommits, 0.2, 0.6))
                                .explains(Math.max(unread, late))
                                .says(
                                        unread > late ? "diagnose.says.uncommitted" : "diagnose.says.transactions",
                                        Units.rate(commits(e)),
                                        share)
                                .with("diagnose.inCommits", share)
                                .with("diagnose.commits", Units.rate(commits(e)));
                    }),
            // Share of client time in flush(), which blocks sends.
            Rule.producing("clientFlush", e -> e.entry("inFlush", Math::max))
                    .heldBack(0.96)
                    .judged((e, inFlush) -> Finding.of(ramp(inFlush, 0.2, 0.6))
                            .explains(e.slowness("late") * ramp(inFlush, 0.05, 0.2))
                            .says("diagnose.says.clientFlush", percent(Math.min(1, inFlush)))
                            .with("diagnose.inFlush", percent(Math.min(1, inFlush)))
                            .with("diagnose.aRequest", ms(e.requestMs()))));

    private record Throttled(double share, Sentence who, boolean consumes) {}

    /** Quotas of the cluster that can be the cause, each with kind, value, and user or client. */
    private static Sentence quotas(TrialEvidence e, boolean consumes) {
        String bytes = consumes ? "consumer_byte_rate" : "producer_byte_rate";
        Map<String, String> kinds = Map.of(bytes, "bytes", "request_percentage", "requestTime");
        List<Sentence> found = new ArrayList<>();
        e.trial()
                .detail()
                .setup()
                .forEach((part, limits) -> limits.forEach((property, value) -> {
                    if (part.startsWith(QUOTA_OF) && kinds.containsKey(property)) {
                        found.add(Sentence.of(
                                "diagnose.quota." + kinds.get(property),
                                property,
                                value,
                                part.substring(QUOTA_OF.length())));
                    }
                }));
        return found.isEmpty() ? Sentence.of("diagnose.quotaUnknown", bytes) : Sentence.of("diagnose.quotas", found);
    }

    private static @Nullable Throttled throttled(TrialEvidence e) {
        return e.trial().observed().clients().entrySet().stream()
                .filter(client -> client.getValue().get("throttleShare") != null)
                .map(client -> {
                    boolean consumes = client.getKey().startsWith("consumers");
                    Sentence who = Sentence.of(consumes ? "diagnose.consumers" : "diagnose.producers");
                    return new Throttled(client.getValue().get("throttleShare"), who, consumes);
                })
                .max(Comparator.comparingDouble(Throttled::share))
                .orElse(null);
    }

    /**
     * @param underWay requests in flight ÷ requests allowed
     * @param ample degree, 0 to 1, to which all allowed requests already fit in memory, so that more memory would hold
     *     only waiting records
     */
    private record Buffer(double bytes, double waits, double underWay, double ample) {}

    private static @Nullable Buffer buffer(TrialEvidence e) {
        Double busiest = e.busiest();
        Double memory = e.entry("bufferMemory", Math::min);
        Double waits = waiting(e);
        return busiest == null || memory == null || waits == null
                ? null
                : new Buffer(memory, waits, busiest, ramp(memory / heldByRequests(e, busiest), 2, 6));
    }

    /** Memory in bytes that a client needs for all allowed requests in flight and one open batch per partition. */
    private static double heldByRequests(TrialEvidence e, double busiest) {
        double full = total(
                e.links(),
                link -> link.bytesPerSecond()
                        * link.requestMs()
                        / 1e3
                        / Math.max(0.01, orElse(link.inFlightUse(), busiest)));
        double batch = orElse(e.entry("batchSize", Math::max), 0);
        // A batch occupies its full size, even if it is nearly empty or compressed.
        Double written = e.produce().wire().bytesPerBatch();
        double grown = written == null || written <= 0 ? 1 : Math.max(1, batch / written);
        double clients = Math.max(1, orElse(e.entry("clients", Double::sum), 1));
        long partitions = e.partitions().stream().filter(p -> p.produced() > 0).count();
        return Math.max(1, full * grown / clients + partitions * batch);
    }

    /** Share of time in which sending threads wait for buffer memory; null if unknown. */
    private static @Nullable Double waiting(TrialEvidence e) {
        return e.entries().values().stream()
                .filter(entry -> entry.keySet().containsAll(List.of("bufferWaitShare", "threads", "clients")))
                .filter(entry -> entry.getOrDefault("threads", 0.0) > 0)
                .map(entry -> entry.getOrDefault("bufferWaitShare", 0.0)
                        * entry.getOrDefault("clients", 0.0)
                        / entry.getOrDefault("threads", 1.0))
                .max(Double::compare)
                .orElse(null);
    }

    private static boolean synchronous(TrialEvidence e) {
        return orElse(e.entry("synchronous", Math::min), 0) > 0;
    }

    /** Mean share of sending threads that wait for an acknowledgment; null if unknown. */
    private static @Nullable Double waitingForAnswers(TrialEvidence e) {
        Double threads = e.entry("threads", Double::sum);
        Double trip = tripMs(e);
        return threads == null || trip == null ? null : Double.valueOf(e.producedPerSecond() * trip / 1e3 / threads);
    }

    /**
     * Time in ms from a send until the sending thread continues. Without an acknowledgment in the window, the service
     * time is unknown, but batching and request times are known.
     */
    private static @Nullable Double tripMs(TrialEvidence e) {
        Double service = StageSum.meanMs(e.produce().times().serviceTime());
        Double request = e.requestMs();
        return service != null || request == null
                ? service
                : Double.valueOf(orElse(e.weighted("queueMs", "batches"), 0) + request);
    }

    static double commits(TrialEvidence e) {
        double seconds = e.seconds();
        Long commits = e.produce().events().get("transactionCommitted");
        return commits == null || seconds <= 0 ? 0 : commits / seconds;
    }

    /** Utilization of the resources that each request uses, as a score from 0 to 1. */
    private static double utilization(TrialEvidence e) {
        double threads = Math.max(Confounder.HANDLERS_BUSY.in(e), Confounder.THREAD_BUSY.in(e));
        return Math.max(threads, 0.7 * ramp(orElse(e.busiest(), 0), 0.6, 0.9));
    }

    /**
     * As {@link #utilization}, for batches that only batch.size limits: the network thread and the host's CPU also
     * count, and full connections count more.
     */
    private static double utilizationOfFullBatches(TrialEvidence e) {
        double cpu = Math.max(Confounder.NETWORK_THREAD_BUSY.in(e), Confounder.HOST_FULL.in(e));
        return Math.max(Math.max(utilization(e), cpu), ramp(orElse(e.busiest(), 0), 0.5, 0.85));
    }

    private record Batch(double bytes, double most) {}

    private static @Nullable Batch batch(TrialEvidence e) {
        Double bytes = e.produce().wire().bytesPerBatch();
        Double size = e.entry("batchSize", Math::max);
        return bytes == null || size == null ? null : new Batch(bytes, size);
    }

    /**
     * @param whole mean response time
     * @param share share of the response time in which batches wait
     * @param waited share of the batching time that is a wait for linger.ms, 0 to 1
     */
    private record Linger(double set, double queue, double whole, double share, double waited) {}

    private static @Nullable Linger linger(TrialEvidence e) {
        Double set = e.entry("lingerMs", Math::max);
        Double queue = e.weighted("queueMs", "batches");
        Double whole = StageSum.whole(e);
        if (set == null || queue == null || whole == null) {
            return null;
        }
        double inBatch = StageSum.milliseconds(e).getOrDefault("batch", 0.0);
        double waited = Math.min(queue, inBatch);
        return new Linger(set, queue, whole, waited / whole, inBatch > 0 ? waited / inBatch : 0);
    }
}
