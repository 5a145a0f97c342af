package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.cores;
import static io.plimsoll.diagnose.Format.ms;
import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.Format.whole;
import static io.plimsoll.diagnose.TrialEvidence.greatest;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.total;

import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules for the resources of brokers: threads, CPU, followers, disks and logs. */
final class BrokerRules {
    private static final double NOTABLY = 3;
    private static final String AGE = "segment.ms";
    private static final String SIZE = "segment.bytes";

    /** Segment size in bytes above which a roll costs little. */
    private static final double LARGE_SEGMENT = 4e6;

    private static final double SMALL_SEGMENT = 5e5;

    static final List<Rule<?>> RULES = List.of(
            // Brokers convert records on every fetch by consumers older than Kafka 0.11.
            Rule.quiet("downConversion", e -> e.most("fetchConvertingSeconds"))
                    .where(e -> e.most("fetchConversions") != null)
                    .heldBack(0.98)
                    .judged((e, b) -> {
                        double busy = Math.max(Confounder.HANDLERS_BUSY.in(e), networkBusy(b));
                        String conversions = Units.rate(b.get("fetchConversions", 0));
                        String converting = cores(b.get("fetchConvertingSeconds"));
                        return Finding.at(b.name(), downConverting(b) * Math.max(busy, full(e)))
                                .explains(downConverting(b)
                                        * e.slowness("requestQueueMs", "responseQueueMs", "responseSendMs"))
                                .says("diagnose.says.downConversion", b.name(), conversions, converting)
                                .with("diagnose.downConverted", conversions)
                                .with("diagnose.converting", converting)
                                .with("diagnose.cores", cores(b.get("cpu")));
                    }),
            Rule.named("handlers", e -> e.least("handlerIdle"))
                    .heldBack(0.95)
                    .lowered(0.4, "flushWait", (e, b) -> b.flushShare())
                    .lowered(0.4, "crowded", BrokerRules::crowded)
                    .lowered(0.5, Confounder.TINY_BATCHES, Confounder.RECOMPRESSES)
                    .lowered(0.6, Confounder.STANDS_STILL)
                    .lowered(0.5, Confounder.DOWN_CONVERTS, Confounder.OTHERS)
                    .provedBy(Perturbation.BATCH_SIZE)
                    .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
                    .judged((e, b) -> Finding.at(b.name(), Confounder.HANDLERS_BUSY.in(e))
                            .explains(e.slowness("requestQueueMs"))
                            .says("diagnose.says.handlers", b.name(), percent(1 - b.known("handlerIdle")))
                            .with("diagnose.idle", percent(b.get("handlerIdle")))
                            .with("diagnose.inRequestQueue", ms(b.get("requestQueueMs")))
                            .with("diagnose.toAppend", ms(b.get("localMs")))
                            .with("diagnose.cores", cores(b.get("cpu")))),
            Rule.named("networkThreads", e -> e.least("networkIdle"))
                    .heldBack(0.9)
                    .lowered(0.5, Confounder.TINY_BATCHES, Confounder.DOWN_CONVERTS, Confounder.OTHERS)
                    .provedBy(Perturbation.BATCH_SIZE)
                    .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
                    .judged((e, b) -> Finding.at(b.name(), networkBusy(b))
                            .explains(e.slowness("responseQueueMs", "responseSendMs"))
                            .says("diagnose.says.networkThreads", b.name(), percent(1 - b.known("networkIdle")))
                            .with("diagnose.idle", percent(b.get("networkIdle")))
                            .with("diagnose.inResponseQueue", ms(b.get("responseQueueMs")))
                            .with("diagnose.toSend", ms(b.get("responseSendMs")))),
            Rule.named("brokerCpu", e -> e.most("cpu"))
                    .heldBack(0.85)
                    .lowered(0.5, Confounder.TINY_BATCHES, Confounder.RECOMPRESSES)
                    .lowered(0.5, Confounder.DOWN_CONVERTS, Confounder.OTHERS, Confounder.ROLLS)
                    .lowered(0.6, Confounder.FLUSHES)
                    .provedBy(Perturbation.BATCH_SIZE, Perturbation.CONSUMERS)
                    .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
                    .judged(BrokerRules::cpu),
            Rule.quiet("cpuQuota", e -> e.most("cpuThrottled")).heldBack(0.96).judged((e, b) -> Finding.at(
                            b.name(), ramp(b.known("cpuThrottled"), 0.2, 0.6))
                    .explainsPart(e.slowness(NetworkRules.ON_THE_WAY))
                    .says("diagnose.says.cpuQuota", b.name(), percent(b.get("cpuThrottled")), cores(b.get("cpu")))
                    .with("diagnose.throttledPeriods", percent(b.get("cpuThrottled")))
                    .with("diagnose.cores", cores(b.get("cpu")))),
            Rule.named("gc", e -> e.most("gcShare"))
                    .provedBy(Perturbation.ENGINE)
                    .judged((e, b) -> Finding.at(b.name(), ramp(b.known("gcShare"), 0.05, 0.25))
                            .says("diagnose.says.gc", b.name(), percent(b.get("gcShare")))
                            .with("diagnose.collections", percent(b.get("gcShare")))),
            // With acks=all, a response waits until all in-sync replicas have the records.
            Rule.named("replication", e -> e.perRequest("remoteMs"))
                    .where(e -> e.produces() && orElse(e.entry("acks", Math::min), -1) < 0)
                    .most(0.96)
                    .lowered(0.5, Confounder.OTHERS, Confounder.ROLLS)
                    .lowered(0.6, Confounder.FLUSHES)
                    .provedBy(Perturbation.ACKS, Perturbation.ONE_COPY)
                    .easedBy(Remedy.ACKS)
                    .judged(BrokerRules::replication),
            // The JMX request needs neither disk nor request threads, so a missing response means that the whole
            // process is unresponsive.
            Rule.quiet("standstill", e -> e.most("stillShare"))
                    .heldBack(0.94)
                    .lowered(0.6, Confounder.CPU_QUOTA)
                    .lowered(0.8, Confounder.HOST_FULL)
                    .lowered(
                            1,
                            "collections",
                            (e, b) -> Math.min(1, b.get("gcShare", 0) / Math.max(1e-3, b.known("stillShare"))))
                    .judged((e, b) -> Finding.at(b.name(), ramp(b.known("stillShare"), 0.1, 0.4))
                            .explains(e.latencyAsked() ? ramp(b.known("stillShare"), 0, 0.1) : 0)
                            .says("diagnose.says.standstill", b.name(), percent(b.get("stillShare")))
                            .with("diagnose.still", percent(b.get("stillShare")))
                            .with("diagnose.cores", cores(b.get("cpu")))
                            .with("diagnose.collections", percent(b.get("gcShare")))),
            // If a topic sets a codec, brokers recompress batches in any other codec before the append.
            Rule.each("recompression", BrokerRules::appending)
                    .where(e -> e.produces() && e.recompresses() != null)
                    .silently()
                    .heldBack(0.97)
                    .lowered(0.6, Confounder.STANDS_STILL)
                    .provedBy(Perturbation.TOPIC_CODEC)
                    .easedBy(Remedy.TOPIC_CODEC)
                    .judged((e, b) -> Finding.at(
                                    b.name(), share(e, b) * ramp(b.known("localMs"), 0.2, 1) * (1 - flushPart(b)))
                            .explains(appendSlowness(e) * (1 - b.flushShare()))
                            .says("diagnose.says.recompression", b.id(), e.recompresses(), ms(b.get("localMs")))
                            .with("diagnose.topicCodec", e.recompresses())
                            .with("diagnose.toAppend", ms(b.get("localMs")))
                            .with("diagnose.ofOnBroker", ms(b.get("totalMs")))
                            .with("diagnose.cores", cores(b.get("cpu")))),
            // If a topic has an older message format, brokers convert every record before the append.
            Rule.each("format", BrokerRules::appending)
                    .where(e -> e.produces() && e.recompresses() == null && e.most("conversions") != null)
                    .silently()
                    .heldBack(0.97)
                    .lowered(0.6, Confounder.STANDS_STILL)
                    .provedBy(Perturbation.TOPIC_FORMAT)
                    .judged((e, b) -> {
                        double each = b.get("conversions", 0);
                        double converted = ramp(each / Math.max(1, b.get("messagesIn", 0)), 0.1, 0.5);
                        return Finding.at(b.name(), converted * share(e, b) * ramp(b.known("localMs"), 0.2, 1))
                                .explains(converted * appendSlowness(e) * (1 - b.flushShare()))
                                .says("diagnose.says.format", b.id(), Units.rate(each), ms(b.get("localMs")))
                                .with("diagnose.converted", Units.rate(each))
                                .with("diagnose.toAppend", ms(b.get("localMs")))
                                .with("diagnose.converting", cores(b.get("convertingSeconds")))
                                .with("diagnose.cores", cores(b.get("cpu")));
                    }),
            // A roll closes three files, creates three, and flushes the segment, on each replica.
            Rule.producing("rolls", BrokerRules::rolls).heldBack(0.97).judged((e, rolls) -> {
                BrokerEvidence slowest = e.most("localMs");
                double slow = slowest == null ? 0 : ramp(slowest.known("localMs"), 0.5, 2);
                return Finding.of(Confounder.ROLLS.in(e) * Math.max(slow, Confounder.HOST_FULL.in(e)))
                        .explainsPart(e.slowness(NetworkRules.ON_THE_WAY))
                        .says("diagnose.says.rolls", whole(rolls))
                        .with("diagnose.flushes", slowest == null ? null : whole(slowest.get("flushes")))
                        .with("diagnose.toAppend", slowest == null ? null : ms(slowest.get("localMs")));
            }),
            Rule.each("flush", BrokerRules::flushers)
                    .silently()
                    .heldBack(0.95)
                    .lowered(0.6, Confounder.STANDS_STILL)
                    .lowered(0.8, Confounder.ROLLS)
                    .provedBy(Perturbation.BATCH_SIZE)
                    .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
                    .judged((e, b) -> Finding.at(b.name(), slow(e, b) * flushPart(b))
                            .explains(appendSlowness(e) * b.flushShare() + e.slowness("remoteMs") * flushing(e))
                            .says("diagnose.says.flush", b.id(), whole(b.get("flushes")), ms(b.get("flushMs")))
                            .with("diagnose.flushes", whole(b.get("flushes")))
                            .with("diagnose.aFlush", ms(b.get("flushMs")))
                            .with("diagnose.flushShare", percent(b.flushShare()))
                            .with("diagnose.toAppend", ms(b.get("localMs")))),
            Rule.each("append", BrokerRules::appending)
                    .heldBack(0.8)
                    .lowered(0.6, Confounder.CPU_QUOTA)
                    .lowered(0.5, Confounder.HANDLERS_BUSY)
                    .lowered(0.6, Confounder.STANDS_STILL)
                    .lowered(0.8, Confounder.RECOMPRESSES)
                    .lowered(0.6, Confounder.ROLLS)
                    .provedBy(Perturbation.BATCH_SIZE, Perturbation.PARTITIONS)
                    .easedBy(Remedy.BATCH_SIZE, Remedy.PARTITIONS)
                    .judged((e, b) -> Finding.at(b.name(), slow(e, b) * (1 - flushPart(b)))
                            .explains(e.slowness("localMs") * (1 - b.flushShare()))
                            .says("diagnose.says.append", b.id(), ms(b.get("localMs")))
                            .with("diagnose.toAppend", ms(b.get("localMs")))
                            .with("diagnose.ofOnBroker", ms(b.get("totalMs")))),
            // Exporters report the disks of other hosts.
            Rule.each("hostDisk", BrokerRules::withDisks)
                    .of("disk")
                    .silently()
                    .heldBack(0.85)
                    .easedBy(Remedy.COMPRESSION)
                    .judged((e, b) -> {
                        String busy = percent(b.ofHost("diskBusy"));
                        return Finding.at(b.name(), ramp(orElse(b.ofHost("diskBusy"), 0), 0.8, 0.97))
                                .says("diagnose.says.disk", b.name(), busy)
                                .with("diagnose.busy", busy)
                                .with("diagnose.aRequest", ms(b.ofHost("diskAwaitMs")))
                                .with("diagnose.written", Format.byteRate(b.ofHost("diskWriteBytes")));
                    }),
            Rule.named("disk", e -> e.brokerCores() == 0 ? null : e.host("diskBusy"))
                    .where(e -> withDisks(e).isEmpty())
                    .heldBack(0.85)
                    .easedBy(Remedy.COMPRESSION)
                    .judged((e, busy) -> Finding.at(e.hostName(), ramp(busy, 0.8, 0.97))
                            .says("diagnose.says.disk", e.hostName(), percent(busy))
                            .with("diagnose.busy", percent(busy))
                            .with("diagnose.aRequest", ms(e.host("diskAwaitMs")))
                            .with("diagnose.written", Format.byteRate(e.host("diskWriteBytes")))));

    private static List<BrokerEvidence> withDisks(TrialEvidence e) {
        return e.brokers().stream().filter(b -> b.ofHost("diskBusy") != null).toList();
    }

    /** The CPU limit of a broker; null on another host, which does not report its number of cores. */
    private static @Nullable Finding cpu(TrialEvidence e, BrokerEvidence busiest) {
        Double cores = e.host("cores");
        if (cores == null || e.brokerCores() == 0) {
            return null;
        }
        double share = e.brokerCores() / cores;
        double full = ramp(orElse(e.hostBusy(), share), 0.85, 0.98);
        return Finding.at(e.brokers().size() == 1 ? busiest.name() : null, full * ramp(share, 0.5, 0.85))
                .says("diagnose.says.brokerCpu", cores(e.brokerCores()), Math.round(cores))
                .with("diagnose.cores", cores(e.brokerCores()))
                .with("diagnose.ofHost", percent(share));
    }

    static double networkBusy(BrokerEvidence b) {
        return ramp(1 - b.get("networkIdle", 1), 0.65, 0.9);
    }

    /** Share of a broker's CPU spent on conversion for consumers, as a score from 0 to 1. */
    static double downConverting(BrokerEvidence b) {
        return ramp(b.get("fetchConvertingSeconds", 0) / Math.max(0.1, b.get("cpu", 0)), 0.15, 0.5);
    }

    /** CPU saturation of the host, if it runs brokers, as a score from 0 to 1. */
    static double full(TrialEvidence e) {
        return e.brokerCores() > 0 ? ramp(orElse(e.hostBusy(), 0), 0.85, 0.98) : 0;
    }

    /** Degree to which busy broker threads merely wait for a CPU; another rule counts waits for the disk. */
    private static double crowded(TrialEvidence e, BrokerEvidence b) {
        return full(e) * (1 - b.flushShare());
    }

    private static Finding replication(TrialEvidence e, double remote) {
        Double request = e.requestMs();
        double total = Math.max(1e-9, orElse(e.perRequest("totalMs"), remote));
        double onBroker = request == null || request <= 0 ? 1 : Math.min(1, e.dueToBroker() / request);
        double strength = ramp(remote / total * onBroker, 0.3, 0.7)
                * ramp(remote, 2, 20)
                * Math.max(e.heldBack(), ramp(remote, 50, 200));
        BrokerEvidence behind = behind(e);
        Finding finding = behind == null
                ? Finding.of(strength).says("diagnose.says.followers", Format.wholeMs(remote))
                : Finding.at(behind.name(), strength)
                        .says("diagnose.says.follower", Format.wholeMs(remote), behind.name());
        finding.explains(e.slowness("remoteMs"));
        double lag = behind == null ? 0 : behind.get("followerLag", 0);
        double shrinks = e.sum("isrShrinks");
        return finding.with("diagnose.forFollowers", ms(remote))
                .with("diagnose.ofOnBroker", ms(total))
                .with("diagnose.aRequest", ms(request))
                .with("diagnose.recordsBehind", lag > 0 ? Units.count(Math.round(lag)) : null)
                .with("diagnose.isrShrinks", shrinks > 0 ? Math.round(shrinks) : null);
    }

    /**
     * The broker with slow followers: the broker with the largest follower lag, else the only broker that leads no
     * written partition, else the only leader that does not wait for followers. Null if none applies.
     */
    private static @Nullable BrokerEvidence behind(TrialEvidence e) {
        BrokerEvidence late = e.most("followerLag");
        if (late != null && late.known("followerLag") > 0) {
            return late;
        }
        List<BrokerEvidence> leading = e.brokers().stream()
                .filter(b -> b.get("remoteMs") != null && b.get("produceRequests", 0) > 0)
                .toList();
        List<BrokerEvidence> idle =
                e.brokers().stream().filter(b -> !leading.contains(b)).toList();
        if (idle.size() == 1) {
            return idle.get(0);
        }
        if (!idle.isEmpty() || leading.size() < 3) {
            return null;
        }
        BrokerEvidence least = e.least("remoteMs");
        boolean alone = least != null
                && leading.stream()
                        .allMatch(b -> b.equals(least)
                                || b.known("remoteMs") > NOTABLY * Math.max(1, least.known("remoteMs")));
        return alone ? least : null;
    }

    /** Share of flushes in the append time, as a score from 0 to 1. */
    private static double flushPart(BrokerEvidence b) {
        return ramp(b.flushShare(), 0.2, 0.6);
    }

    private static double appendSlowness(TrialEvidence e) {
        return e.slowness("requestQueueMs", "localMs");
    }

    /** Share of the time in which brokers wait for flushes, as a score from 0 to 1. */
    static double flushing(TrialEvidence e) {
        return greatest(e.brokers(), b -> b.flushShare() * ramp(b.get("flushes", 0) * b.get("flushMs", 0), 100, 500));
    }

    /**
     * Segment rolls per second that topic settings cause in all partitions, by age (at most one per record) and by
     * size. Null if no topic sets either.
     */
    private static @Nullable Double rolls(TrialEvidence e) {
        boolean set = e.setup("topic ").anyMatch(topic -> topic.containsKey(AGE) || topic.containsKey(SIZE));
        List<PartitionResult> partitions = e.partitions();
        double all = partitions.stream().mapToLong(PartitionResult::produced).sum();
        if (!set || !e.produces() || all == 0) {
            return null;
        }
        return total(partitions, p -> rolls(e, p, p.produced() / all));
    }

    private static double rolls(TrialEvidence e, PartitionResult partition, double share) {
        Map<String, String> topic = e.topic(partition.topic());
        double byAge = topic.containsKey(AGE) ? 1e3 / Double.parseDouble(topic.get(AGE)) : 0;
        double bySize = topic.containsKey(SIZE) ? share * bytes(e) / Double.parseDouble(topic.get(SIZE)) : 0;
        double records = share * e.producedPerSecond();
        return Math.min(records, Math.max(byAge, bySize));
    }

    private static double bytes(TrialEvidence e) {
        return orElse(e.produce().volume().bytesPerSecond(), 0);
    }

    /** Score for small segments. A roll costs as much as a write of several megabytes. */
    static double rolling(TrialEvidence e) {
        Double rolls = rolls(e);
        return rolls == null || rolls == 0
                ? 0
                : ramp(rolls, 2, 20) * ramp(-bytes(e) / rolls, -LARGE_SEGMENT, -SMALL_SEGMENT);
    }

    /** Brokers with a known append time; null if none. */
    private static @Nullable List<BrokerEvidence> appending(TrialEvidence e) {
        return e.most("localMs") == null
                ? null
                : e.brokers().stream()
                        .filter(b -> b.get("localMs") != null && b.get("totalMs", 0) > 0)
                        .toList();
    }

    /** Brokers that flush while they append; null if unknown. */
    private static @Nullable List<BrokerEvidence> flushers(TrialEvidence e) {
        List<BrokerEvidence> all = appending(e);
        return all == null ? null : all.stream().filter(b -> b.flushShare() > 0).toList();
    }

    /** Share of a request spent on the append and its queue, as a score from 0 to 1. */
    private static double slow(TrialEvidence e, BrokerEvidence b) {
        return share(e, b) * ramp(b.known("localMs"), 0.5, 2);
    }

    private static double share(TrialEvidence e, BrokerEvidence b) {
        double local = b.known("localMs");
        double total = b.known("totalMs");
        double share = (local + b.get("requestQueueMs", 0)) / total;
        Double request = e.requestMs();
        share *= request == null || request <= 0 ? 1 : Math.min(1, total * e.inFlight() / request);
        return ramp(share, 0.2, 0.6);
    }
}
